"""What a command says of the files that it left out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from seamline.cli.output import note
from seamline.errors import InvalidDocument
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.parse import Skipped
    from seamline.types import Document

__all__ = ["SKIPPED", "leave", "refuse_all_skipped", "tell_pictures", "tell_skipped"]

SKIPPED = 3
_SHOWN = 10


def tell_skipped(skipped: Sequence[Skipped], *, quiet: bool) -> None:
    """Name skipped documents on stderr with the reason, and count what is no document.

    A terminal gets the first ten; a file or another program all of them.
    """
    from seamline.parse import count_kinds
    from seamline.report.plain import one_line

    missed = [one for one in skipped if one.is_document]
    others = [one for one in skipped if not one.is_document]
    if missed:
        lines = [f"skipped {counted(len(missed), 'file')}:"]
        n_shown = _SHOWN if sys.stderr.isatty() else len(missed)
        lines += [one_line(f"  {one.path}: {one.why}") for one in missed[:n_shown]]
        if len(missed) > n_shown:
            lines.append(f"  and {len(missed) - n_shown:,} more (all with 2>FILE)")
        note("\n".join(lines))
    if others:
        note(
            f"left out {counted(len(others), 'file')} of other kinds: {count_kinds(others)}",
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
        InvalidDocument: every one of them was skipped; names the first that a parser would
            read, if there is one.
    """
    from seamline.parse.formats import PARSERS, extension

    missed = [one for one in skipped if one.is_document]
    if missed and not n_documents:
        one = next((one for one in missed if extension(one.path) in PARSERS), missed[0])
        more = f" (and {counted(len(missed) - 1, 'file')} more)" if len(missed) > 1 else ""
        raise InvalidDocument(
            f"at least one document must be readable, but none is: {one.path}: {one.why}{more}"
        )


def leave(skipped: Sequence[Skipped]) -> None:
    """End the command with exit code 3 if a document was skipped."""
    if any(one.is_document for one in skipped):
        raise typer.Exit(SKIPPED)
