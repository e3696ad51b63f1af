"""What a command says of the files that it left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from seamline.cli.output import count, note
from seamline.errors import InvalidDocument

if TYPE_CHECKING:
    from seamline.parse import Skipped
    from seamline.types import Document

__all__ = ["SKIPPED", "leave", "refuse_all_skipped", "tell_pictures", "tell_skipped"]

SKIPPED = 3
_SHOWN = 10


def tell_skipped(skipped: Sequence[Skipped], *, quiet: bool) -> None:
    """Name skipped documents on stderr with the reason, and count what is no document."""
    from seamline.parse import count_kinds
    from seamline.report.plain import one_line

    missed = [one for one in skipped if one.is_document]
    others = [one for one in skipped if not one.is_document]
    if missed:
        lines = [f"skipped {count(len(missed), 'file')}:"]
        lines += [one_line(f"  {one.path}: {one.why}") for one in missed[:_SHOWN]]
        if len(missed) > _SHOWN:
            lines.append(f"  and {len(missed) - _SHOWN:,} more")
        note("\n".join(lines))
    if others:
        note(
            f"left out {count(len(others), 'file')} of other kinds: {count_kinds(others)}",
            quiet=quiet,
        )


def tell_pictures(document: Document) -> None:
    """Say on stderr which pages of a document are pictures, whose text is not there."""
    from seamline.report.plain import one_line

    if pages := document.metadata.get("pages_without_text"):
        noun = "pages" if len(pages) > 1 else "page"
        listed = ", ".join(map(str, pages[:_SHOWN])) + (" …" if len(pages) > _SHOWN else "")
        note(one_line(f"no text on {noun} {listed} of {document.id}: run OCR first"))


def refuse_all_skipped(n_documents: int, skipped: Sequence[Skipped]) -> None:
    """Refuse to go on with no document at all.

    Raises:
        InvalidDocument: every one of them was skipped; names the first.
    """
    missed = [one for one in skipped if one.is_document]
    if missed and not n_documents:
        more = f" and {count(len(missed) - 1, 'file')} more" if len(missed) > 1 else ""
        raise InvalidDocument(
            "at least one document must be readable, but none is: "
            f"{missed[0].path}: {missed[0].why}{more}"
        )


def leave(skipped: Sequence[Skipped]) -> None:
    """End the command with exit code 3 if a document was skipped."""
    if any(one.is_document for one in skipped):
        raise typer.Exit(SKIPPED)
