"""What stands below the verdict of a check: moved cuts, broken gold, what to know besides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from seamline.lock.checked import PASS, Checked
from seamline.lock.moved import Around, Move
from seamline.phrases import counted
from seamline.report.plain import one_line

__all__ = ["details_of", "fault_lines", "moved_lines", "notes_of"]

_SHOWN = 5
_EDGE = {"start": "starts", "end": "ends"}


def moved_lines(checked: Checked) -> list[str]:
    """The first few cuts that moved with the text around them, then the count of the rest."""
    moves, rest = _shown(checked)
    lines = [line for move in moves for line in (_title(move), *_around(move))]
    return [*lines, rest] if rest else lines


def fault_lines(checked: Checked) -> list[str]:
    """The errors of the golden set with their lines."""
    return [
        one_line(f"line {fault.line}: {fault.says}" if fault.line else fault.says)
        for fault in checked.faults
    ]


def details_of(checked: Checked, part: str) -> list[str]:
    """What is shown below a part that failed."""
    lines = {"boundaries": moved_lines, "gold": fault_lines}
    return lines[part](checked) if part in lines else []


def notes_of(checked: Checked) -> list[str]:
    """What limits the verdict; of one that is not good, versions that changed too."""
    known = checked.upgrades and checked.code != PASS
    upgrades = [f"Other versions than in the lock: {', '.join(checked.upgrades)}."] if known else []
    return [*upgrades, *checked.notes]


def _shown(checked: Checked) -> tuple[list[Move], str]:
    """The first few moves, of as many documents as there are, and what is said of the rest."""
    moves = checked.moves.moves
    firsts = {move.doc_id: move for move in reversed(moves)}
    wanted = [*islice((firsts[key] for key in sorted(firsts)), _SHOWN)]
    wanted += [*islice((move for move in moves if move not in wanted), _SHOWN - len(wanted))]
    chosen = [move for move in moves if move in wanted]
    if len(moves) == len(chosen):
        return chosen, ""
    return chosen, (
        f"and {len(moves) - len(chosen):,} more, "
        f"{len(moves):,} in {counted(checked.moves.n_documents, 'document')}"
    )


def _title(move: Move) -> str:
    """What happened, in a line.

    Example:
        >>> _title(Move("a.md", "start", Around(120, "", ""), Around(98, "", "")))
        'a.md: a chunk that starts at 120 in the lock starts at 98 now'
    """
    name = one_line(move.doc_id)
    if move.kind == "indexed":
        return f"{name}: same cuts, but what is indexed or shown of a chunk is other text"
    edge = _EDGE[move.kind]
    if move.old is None and move.new is not None:
        return f"{name}: a chunk {edge} at {move.new.at:,} now, where none does in the lock"
    if move.new is None and move.old is not None:
        return f"{name}: no chunk {edge} at {move.old.at:,} any more"
    assert move.old is not None  # noqa: S101
    assert move.new is not None  # noqa: S101
    return (
        f"{name}: a chunk that {edge} at {move.old.at:,} in the lock {edge} at {move.new.at:,} now"
    )


def _around(move: Move) -> list[str]:
    """The text around the cut as it was and as it is, the cut drawn as a bar."""
    sides: Iterable[tuple[str, Around | None]] = (("locked", move.old), ("now", move.new))
    return [
        f"{name:>6}  {one_line(side.before)}|{one_line(side.after)}"
        for name, side in sides
        if side is not None
    ]
