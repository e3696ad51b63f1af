"""Why questions failed and what would help, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from seamline.bench import Results
from seamline.bench.recommend import Recommendation, recommend
from seamline.bench.schema import DiagnosisRow
from seamline.phrases import counted
from seamline.report.advice import advise, told_about
from seamline.report.labels import LABELS, cutoff_text
from seamline.report.layout import Column, Fitted
from seamline.report.model import Standing, number, standings
from seamline.report.plain import one_line
from seamline.report.terminal import standing_tables

__all__ = ["failures_text"]

_SHORT = {
    "lost in parsing": "lost",
    "crowded out": "crowd.",
    "diluted": "dilut.",
    "truncated": "trunc.",
}
_ROWS = 5  # configurations shown
_ADVICE = 4  # sentences shown


def failures_text(results: Results, made: Recommendation | None = None) -> RenderableType | None:
    """Failed questions by label, of the one to take and the best others, and what would help it.

    None where nothing was explained, or nothing failed.
    """
    advised = recommend(results) if made is None else made
    found = told_about(results, advised)
    if found is None:
        return None
    rows = {row["spec"]: row for row in results.data.get("diagnosis", [])}
    told = _told(standings(results, advised), rows, found)
    if not any(rows[one.summary.spec]["labels"] for one in told):
        return None
    return Fitted(lambda width: Group(*_parts(results, told, rows, found, width)))


def _told(
    placed: Iterable[Standing], rows: dict[str, DiagnosisRow], found: DiagnosisRow
) -> list[Standing]:
    """The best ones that are explained, the one that `found` is about in any case."""
    known = [one for one in placed if one.summary.spec in rows]
    rest = [one for one in known if one.summary.spec != found["spec"]][: _ROWS - 1]
    return [one for one in known if one in rest or one.summary.spec == found["spec"]]


def _parts(
    results: Results,
    told: list[Standing],
    rows: dict[str, DiagnosisRow],
    found: DiagnosisRow,
    width: int,
) -> list[RenderableType]:
    own = [rows[one.summary.spec] for one in told]
    primary = results.data["config"]["primary"]
    labels = [label for label in LABELS if any(row["counts"][label] for row in own)]
    shown = [
        Column("Failed", [f"{len(row['labels']):,}" for row in own]),
        *(
            Column(_SHORT.get(label, label), [f"{row['counts'][label]:,}" for row in own])
            for label in labels
        ),
    ]
    if primary in found["oracle"]:
        shown.append(Column("Ceil.", [number(row["oracle"][primary]) for row in own]))
    title = (
        f"Why questions failed: of {counted(found['n'], 'question')}, those whose whole gold is "
    )
    meanings = "; ".join(f"{_SHORT.get(label, label)} = {LABELS[label]}" for label in labels)
    ceiling = (
        f"ceil. = the ceiling of the ranking, {primary} if each question had the best of the cuts "
        "measured with it and of the gold cut exactly"
    )
    return [
        Text(f"{title}not within {cutoff_text(found)}", style="bold"),
        "",
        *standing_tables(told, shown, width),
        Text(f"{meanings}; {ceiling}" if primary in found["oracle"] else meanings, style="dim"),
        *_helping(results, found),
    ]


def _helping(results: Results, found: DiagnosisRow) -> list[RenderableType]:
    advices = advise(results, found)
    if not advices:
        return []
    lines = [f"• {one_line(str(one))}" for one in advices[:_ADVICE]]
    if len(advices) > _ADVICE:
        lines.append(f"… and {len(advices) - _ADVICE} more in the report")
    head = Text(f"\nWhat would help {one_line(found['spec'])}:", style="bold")
    return [head, Text("\n".join(lines))]
