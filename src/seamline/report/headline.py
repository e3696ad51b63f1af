"""The result in words: what to take, what that rests on, and what limits it."""

from __future__ import annotations

from dataclasses import dataclass

from seamline.bench.recommend import Option, Recommendation, recommend
from seamline.bench.results import Results
from seamline.bench.schema import ResultsData
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.phrases import counted, listed
from seamline.report.model import Standing, n_asked_about, standings
from seamline.report.recommendation import sentences, title
from seamline.report.synthetic import synthetic

__all__ = ["Headline", "headline"]

_NAMED = 4  # strategies named in a sentence before the rest is counted
_TRUNCATED = 0.05  # share of tokens beyond the embedder's window that deserves a word
_THIN = 30  # questions below which a mean hangs on single ones


@dataclass(frozen=True, slots=True)
class Headline:
    """A title that says what to do, what it follows from, and what limits it."""

    title: str
    sentences: tuple[str, ...]
    cautions: tuple[str, ...]


def headline(results: Results, found: Recommendation | None = None) -> Headline:
    """What the results say and do not say, each thought one sentence.

    `found` is what `recommend` makes of them; it is asked where it is not given.
    """
    found = recommend(results) if found is None else found
    data = results.data
    return Headline(
        title(found),
        (*sentences(found), _basis(data)),
        tuple(_cautions(data, standings(results, found), found.chosen)),
    )


def _basis(data: ResultsData) -> str:
    asked = counted(len(data["questions"]), "question")
    text = f"Based on {asked} about {counted(n_asked_about(data), 'document')}"
    rest = len(data["documents"]) - n_asked_about(data)
    if rest and data["config"]["scope"] == "corpus":
        text += f", searched among {rest:,} more"
    lost = sum(one["why"].startswith("lost in parsing") for one in data["skipped"])
    if n := len(data["skipped"]) - lost:
        text += f"; {counted(n, 'question')} without gold left out"
    if lost:
        text += f"; {counted(lost, 'question')} lost in parsing, in no mean"
    return f"{text}; nothing follows for other embedders or for answers written from what is shown."


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}{'' if note.endswith(('.', '!', '?')) else '.'}"


def _cautions(data: ResultsData, placed: list[Standing], chosen: Option | None) -> list[str]:
    n, asked = n_asked_about(data), len(data["questions"])
    found = [*_unread(data), *(_sentence(note) for note in data.get("notes", []))]
    found += synthetic(data, placed, chosen.spec if chosen else None)
    if 0 < asked < _THIN:
        found.append(
            f"{counted(asked, 'question')} are few: each is 1/{asked} ({1 / asked:.3f}) of every "
            f"mean. Ask at least {_THIN} before you rely on a small difference."
            if asked > 1
            else "One question decides everything here: nothing follows from it."
        )
    if n < FEWEST_CLUSTERS:
        found.append(
            f"With questions about fewer than {FEWEST_CLUSTERS} documents ({n} here) nothing "
            "follows for other documents: the intervals hold for other questions about these."
        )
    return found + _truncated(placed)


def _unread(data: ResultsData) -> list[str]:
    """What could not be read, so that no figure is about it."""
    found = []
    if missed := [one["id"] for one in data.get("skipped_documents", [])]:
        found.append(
            f"{counted(len(missed), 'file')} could not be read, so that no figure is about "
            f"{'it' if len(missed) == 1 else 'them'}: {listed(missed, _NAMED)}."
        )
    scanned = {one["id"]: one.get("pages_without_text", []) for one in data["documents"]}
    if pictures := [one for one, pages in scanned.items() if pages]:
        n = sum(map(len, scanned.values()))
        found.append(
            f"{counted(n, 'page')} without text, pictures perhaps, {'is' if n == 1 else 'are'} in "
            f"no figure: of {listed(pictures, _NAMED)}. Run OCR first."
        )
    return found


def _truncated(placed: list[Standing]) -> list[str]:
    shares = [(one.summary.cost["truncated_share"] or 0.0, one.summary.spec) for one in placed]
    cut = [
        f"{spec} {share:.0%}"
        for share, spec in sorted(shares, key=lambda one: -one[0])
        if share >= _TRUNCATED
    ]
    if not cut:
        return []
    return [f"Tokens beyond the embedder's window, which it does not see: {listed(cut, _NAMED)}."]
