"""The sections of the HTML report that show what stands behind the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from seamline.bench.schema import DocumentRow, ResultsData, Skipped
from seamline.phrases import counted
from seamline.report.charts import bar
from seamline.report.markup import Markup, spec, table, tag
from seamline.report.model import Standing, drawn, first_of_cuts, number
from seamline.report.similarity import similarities

__all__ = ["Section", "containment", "questions", "settings", "similarity"]

_KINDS = {
    "sentence": "in a sentence",
    "fence": "in a code fence",
    "table_row": "in a table row",
    "steps": "in a list of steps",
    "qa_pair": "in a Q&A pair",
}
_COUNTS: tuple[Literal["characters", "words", "tokens"], ...] = ("characters", "words", "tokens")
_BUNDLED = "minilm"
_OF_ROWS = ("retriever", "dedupe", "merge")  # settings in which rows of a sweep may differ
_WORDS = {"True": "yes", "False": "no", "None": "–"}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page; `short` is its name in the navigation, empty for none."""

    id: str
    short: str
    content: tuple[Markup, ...]
    class_: str | None = None


def _lead(text: str) -> Markup:
    return tag("p", text, class_="lead")


def similarity(data: ResultsData, placed: Sequence[Standing]) -> Section:
    """How alike questions and their nearest chunks are, by tag."""
    best, said = drawn(placed)
    strips = similarities(best, data)
    threshold = data["config"]["threshold"]
    text = (
        f"Each point is a question: the best cosine to any chunk searched. A filter at "
        f"{threshold:g} would answer the questions left of the line with a fallback; their share "
        "stands at the right. The upright line is the median; the height of a point means nothing."
        f"{said}"
        if strips
        else "The retriever embeds nothing, so there is no similarity to show."
    )
    if strips and data["config"]["embedder"] == _BUNDLED:
        text += (
            " The bundled model's cosines are lower than those of larger models: choose the "
            "threshold from this chart."
        )
    content = (tag("h2", "Best similarity"), _lead(text), strips or Markup())
    return Section("similarity", "Similarity", content)


def containment(placed: Sequence[Standing]) -> Section:
    """Which answers the cuts leave whole, and each that they do not."""
    every = first_of_cuts(placed)
    best, said = drawn(every)
    rows = [_held(one) for one in best]
    cuts = [
        [
            spec(one.summary.spec),
            number(one.row["boundaries"]["boundaries"], 0),
            *(number(one.row["boundaries"][kind], 0) for kind in _KINDS),
            f"{share:.0%}" if (share := one.row["boundaries"]["share"]) is not None else "–",
        ]
        for one in every
    ]
    content = (
        tag("h2", "Containment"),
        _lead(
            "Share of questions whose whole answer lies inside one chunk, before any retrieval. "
            f"Open a strategy to see each answer that it cuts, and where.{said}"
        ),
        tag("div", *rows, class_="held"),
        table(
            ["strategy", "borders", *_KINDS.values(), "share cut"],
            cuts,
            caption="What the borders of chunks cut through",
        ),
    )
    return Section("containment", "Containment", content)


def _held(one: Standing) -> Markup:
    found = one.row["containment"]
    n = len(found["split"])
    parts = (
        tag("span", one.label, class_="rank"),
        spec(one.summary.spec),
        bar(found["rate"]),
        tag("b", number(found["rate"]), class_="value"),
        tag("span", f"{n:,} cut" if n else "none cut", class_="note"),
    )
    if not n:
        return tag("div", *parts, class_="row")
    later = tag("div", "The answers are shown by a script.", data_split=one.place - 1)
    return tag("details", tag("summary", *parts, class_="row"), later)


def questions(data: ResultsData, texts: Mapping[str, str]) -> Section:
    """Where the scripts show single questions."""
    left_out = len(data["documents"]) - len(texts)
    note = (
        f" The text of {counted(left_out, 'document')} is left out to keep this file small."
        if left_out
        else ""
    )
    content = (
        tag("h2", "Questions"),
        _lead(
            "The squares below a question are the strategies in the order of the ranking, "
            f"stronger where the {data['config']['primary']} is higher.{note}"
        ),
        tag("div", tag("p", "Single questions are shown by a script."), id="explore"),
    )
    return Section("questions", "Questions", content, "explore")


def settings(data: ResultsData) -> Section:
    """What was measured, how, and what was left out."""
    config = data["config"]
    pairs = [(key.replace("_", " "), _setting(key, value)) for key, value in config.items()]
    pairs.append(("seamline", data["seamline"]))
    any_pictures = any(map(_pictures, data["documents"]))
    rows = [
        [row["id"], *(f"{row[key]:,}" for key in _COUNTS), *([_pictures(row)] * any_pictures)]
        for row in data["documents"]
    ]
    heads = ["document", *_COUNTS, *(["pages without text"] * any_pictures)]
    documents = table(heads, rows, caption="Documents measured")
    content = [
        tag("h2", "Settings"),
        tag("dl", *(part for key, value in pairs for part in (tag("dt", key), tag("dd", value)))),
        tag("details", tag("summary", counted(len(rows), "document")), documents),
    ]
    content += _left_out("question", data["skipped"])
    content += _left_out("file", data.get("skipped_documents", []))
    dropped: list[Skipped] = [
        {"id": one["spec"], "why": one["why"]} for one in data.get("dropped", [])
    ]
    content += _left_out("configuration", dropped)
    return Section("settings", "Settings", tuple(content))


def _pictures(row: DocumentRow) -> str:
    """The pages of a document that have no text."""
    return ", ".join(map(str, row.get("pages_without_text", ())))


def _left_out(noun: str, rows: Sequence[Skipped]) -> list[Markup]:
    """What was left out and why, to unfold; nothing where nothing was."""
    if not rows:
        return []
    pairs = [[one["id"], one["why"]] for one in rows]
    listed = table([noun, "why"], pairs, caption=f"{noun.title()}s left out", text_columns=2)
    return [tag("details", tag("summary", f"{counted(len(rows), noun)} left out"), listed)]


def _setting(key: str, value: Any) -> str:
    if value is None and key in _OF_ROWS:
        return "as each row says"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return _WORDS.get(str(value), str(value))
