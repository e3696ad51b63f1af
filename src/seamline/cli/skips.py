"""What a command says of the files that it left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from seamline.cli.output import count, note
from seamline.errors import InvalidDocument

if TYPE_CHECKING:
    from seamline.bench.schema import Skipped as SkippedRow
    from seamline.parse import Skipped

__all__ = ["SKIPPED", "leave", "refuse_all_skipped", "skipped_records", "tell_skipped"]

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


def skipped_records(skipped: Sequence[Skipped]) -> list[SkippedRow]:
    """The skipped documents as JSON tells them: id and why, without paths."""
    return [
        {"id": one.doc_id, "why": one.why.replace(one.path, one.doc_id)}
        for one in skipped
        if one.is_document
    ]


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
