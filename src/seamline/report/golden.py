"""What was drafted for a golden set and what became of one, as terminal tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from seamline.bench.power import ASSUMED_DEFF
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.golden.moved import Anchored
from seamline.golden.reanchor import Reanchored
from seamline.golden.rows import Draft
from seamline.phrases import counted
from seamline.report.layout import Fitted
from seamline.report.plain import one_line

__all__ = ["anchors_table", "drafts_table", "power_table"]

_STYLES = {"moved": "", "lost": "red", "ambiguous": "yellow", "error": "red"}
_SHOWN = 48  # characters of a span that moved
_MOVED = 5  # spans that moved, shown before the rest is counted


def drafts_table(drafts: Sequence[Draft]) -> RenderableType:
    """A row a kind: how many questions and about how many documents, and one of them."""
    table = _table()
    table.add_column("Kind", no_wrap=True)
    table.add_column("Questions", justify="right", no_wrap=True)
    table.add_column("Docs", justify="right", no_wrap=True)
    table.add_column("For example", ratio=1, no_wrap=True, overflow="ellipsis")
    kinds: dict[str, list[Draft]] = {}
    for draft in drafts:
        kinds.setdefault(draft.kind, []).append(draft)
    for kind, own in kinds.items():
        n_documents = len({draft.document.id for draft in own})
        example = Text(one_line(own[0].question), style="dim")
        table.add_row(kind, f"{len(own):,}", f"{n_documents:,}", example)
    return Fitted(lambda _: table)


def anchors_table(found: Reanchored, *, every: bool = False) -> RenderableType:
    """What is lost, ambiguous or moved, a row a span; below, the passages most like those lost.

    What needs a person comes first; of the spans that moved a few are shown and the rest is
    counted, unless `every` one is asked for.

    Such a passage is an answer on one line of any length, ready to be pasted.
    """
    table = _table()
    table.add_column("Line", justify="right", style="dim", no_wrap=True)
    table.add_column("Question", max_width=20, overflow="fold")
    table.add_column("Gold", no_wrap=True)
    table.add_column("What", ratio=1, overflow="fold")
    spans = list(_told_once(found.spans))
    moved = [one for one in spans if one.state == "moved"]
    shown = moved if every or len(moved) <= _MOVED + 1 else moved[:_MOVED]
    for one in (one for state in ("lost", "ambiguous") for one in spans if one.state == state):
        _add_span(table, one)
    for error in found.broken:
        state = Text("error", style=_STYLES["error"])
        table.add_row(
            str(error.line), Text(one_line(error.question)), state, Text(one_line(str(error)))
        )
    for one in shown:
        _add_span(table, one)
    rest = len(moved) - len(shown)
    more = [Text(f"and {rest:,} more moved: --verbose lists them", style="dim")] if rest else []
    nearest = [part for one in found.spans if one.near for part in _nearest(one)]
    return Fitted(lambda _: Group(table, *more, *nearest))


def _add_span(table: Table, one: Anchored) -> None:
    state = Text(one.state, style=_STYLES[one.state])
    table.add_row(str(one.line), Text(one_line(one.question)), state, Text(_what(one)))


def power_table(found: Mapping[str, Any]) -> RenderableType:
    """Questions that a difference takes, a row a kind of pair; `found` as `golden power --json`."""
    table = _table()
    table.add_column("Questions for", ratio=1)
    for difference in found["rows"][0]["needed"]:
        table.add_column(f"{100 * float(difference):g} points", justify="right", no_wrap=True)
    table.add_column("Seen now", justify="right", no_wrap=True)
    for row in found["rows"]:
        seen = "–" if row["seen"] is None else f"{100 * row['seen']:.1f}"
        table.add_row(row["name"], *(f"{n:,}" for n in row["needed"].values()), seen)
    notes = [Text(note, style="dim") for note in _power_notes(found)]
    return Fitted(lambda _: Group(table, *notes))


def _power_notes(found: Mapping[str, Any]) -> Iterator[str]:
    n, n_documents = found["questions"], found["documents"]
    there = f"{counted(n, 'question')} about {counted(n_documents, 'document')}"
    yield (
        f"{found['measure'] or 'Here'}: {there}. Seen now: the smallest difference, in points, "
        "that they show in 80 % of the cases."
    )
    if found["basis"] == "assumption":
        yield (
            "Assumed, not measured: that share of the questions is answered with one of two "
            "strategies and not with the other, and questions of one document go together (design "
            f"effect {ASSUMED_DEFF}). Run seamline bench, then give its results.json here."
        )
    if left_out := found["synthetic_left_out"]:
        yield f"{counted(left_out, 'synthetic question')} left out: no person asked them."
    if n_documents < FEWEST_CLUSTERS:
        enough = found["documents_there"] >= FEWEST_CLUSTERS
        ask = f"ask people's questions about more of the {found['documents_there']:,} there first"
        yield (
            f"With questions about fewer than {FEWEST_CLUSTERS} documents no number of them says "
            "anything of other documents: "
            f"{ask if enough else 'add documents first'}."
        )


def _told_once(spans: Sequence[Anchored]) -> Iterator[Anchored]:
    """The spans, of those of one question for which the same is said the first."""
    said: set[tuple[int, str]] = set()
    for one in spans:
        if one.new or (one.line, one.why) not in said:
            said.add((one.line, one.why))
            yield one


def _what(one: Anchored) -> str:
    if one.new:
        text = one_line(one.text)
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        old = f"{one.old.start:,} → " if one.old else ""
        return f"{one_line(one.doc_id)} {old}{one.new.start:,}: {shown}"
    return one_line(one.why)


def _nearest(one: Anchored) -> list[RenderableType]:
    head = Text(f"line {one.line}, nearest passage as an answer:", style="dim")
    near = {"start": one.near.start, "end": one.near.end} if one.near else {}
    answer = json.dumps(near | {"text": one.near_text}, ensure_ascii=False)
    return [head, Text(one_line(answer), no_wrap=True, overflow="ignore", style="green")]


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
