"""The sections that say what to take and why: words, quality against cost, knobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seamline.bench import Results
from seamline.bench.recommend import Option, Recommendation, knob_effects
from seamline.phrases import rounded_share, signed
from seamline.report.effects import by_weight, effects_chart, level_text
from seamline.report.evidence import Section
from seamline.report.frontier import frontier
from seamline.report.headline import headline
from seamline.report.intervals import notes_of
from seamline.report.markup import Markup, join, spec, table, tag, with_specs
from seamline.report.model import Standing, number
from seamline.report.recommendation import axis_name, axis_text, noun

__all__ = ["knobs", "opening", "quality_and_cost"]


def opening(results: Results, found: Recommendation) -> Section:
    """The title, what follows from it, and what limits it."""
    said, config = headline(results, found), results.data["config"]
    about = " · ".join(
        str(part)
        for part in ("seamline", config["retriever"], config["embedder"])
        if part is not None
    )
    specs = [row["spec"] for row in results.data["strategies"]]
    cautions = [tag("li", with_specs(caution, specs)) for caution in said.cautions]
    content = (
        tag("p", about, class_="about"),
        tag("h1", said.title),
        tag("p", with_specs(" ".join(said.sentences), specs), class_="summary"),
        tag("ul", *cautions, class_="cautions") if cautions else Markup(),
    )
    return Section("top", "", content, "opening")


def quality_and_cost(found: Recommendation, placed: Sequence[Standing]) -> Section | None:
    """The frontier and what it is made of; None where there is nothing to compare."""
    labels = {one.summary.spec: one.label for one in placed}
    drawn = frontier(found, labels)
    if not drawn:
        return None
    many, cost = noun(found, 2), axis_name(found)
    shaded = f" Shaded is what lies within {found.margin:.4g} of the best." if found.choice else ""
    content = (
        tag("h2", "Quality against cost"),
        tag(
            "p",
            f"Each point is one of {len(found.options)} {many}: {found.primary} upwards, the "
            f"{cost} to the right, equal steps for equal ratios. The line is the frontier: "
            f"nothing cheaper scores more.{shaded}",
            class_="lead",
        ),
        drawn,
        tag("p", *_key(found), class_="note"),
        tag("details", tag("summary", "The same as a table"), _options(found, labels)),
    )
    return Section("frontier", "Frontier", content)


def _key(found: Recommendation) -> Iterator[Markup | str]:
    """What the points and bars of the chart are, each beside its name."""
    if found.choice is not None:
        yield _dot("chosen", "take this")
        if found.best is not found.chosen:
            yield _dot("best", "the best")
        yield "bars: their 95 % intervals, of each alone · "
    yield _dot("near", "not ruled out as worse than the best")
    if any(one.ruled_out for one in found.options):
        yield _dot("worse", "ruled out")
    yield "a number is the rank"


def _dot(kind: str, about: str) -> Markup:
    return join([tag("span", class_=f"dot {kind}"), f" {about} · "])


def _options(found: Recommendation, labels: dict[str, str]) -> Markup:
    head = ["", noun(found), found.primary, "cost", "chunks", "tokens embedded", "best in", ""]
    rows = [
        [
            labels[one.spec],
            spec(one.spec),
            number(one.summary.mean),
            axis_text(found, one),
            f"{one.price.chunks:,}",
            f"{one.price.embedding_tokens:,}",
            "–" if one.p_best is None else rounded_share(one.p_best),
            _standing(found, one),
        ]
        for one in found.options
    ]
    return table(head, rows, caption=f"Quality and cost: {axis_name(found)}", text_columns=2)


def _standing(found: Recommendation, option: Option) -> str:
    words = {
        "take": option is found.chosen,
        "best": option is found.best and found.choice is not None,
        "frontier": option.frontier,
        "ruled out": option.ruled_out,
    }
    return ", ".join(word for word, holds in words.items() if holds)


def knobs(results: Results, found: Recommendation) -> Section | None:
    """What turning one knob does; None where no two rows differ in one knob only."""
    effects = knob_effects(results)
    if not effects:
        return None
    rows = [
        [
            one.knob.replace("_", " "),
            f"{level_text(one.level)} instead of {level_text(one.to)}",
            signed(one.mean),
            "–"
            if one.low is None or one.high is None
            else f"{signed(one.low)} to {signed(one.high)}",
            f"{one.n_pairs:,}",
        ]
        for own in by_weight(effects)
        for one in own
    ]
    values = table(
        ["knob", "level", found.primary, "95 % interval", "pairs"],
        rows,
        caption="The effect of each knob",
        text_columns=2,
    )
    content = (
        tag("h2", "What moves the needle"),
        tag(
            "p",
            f"By how much {found.primary} changes if one knob is turned and nothing else: the mean "
            f"over all pairs of {noun(found, 2)} that differ in it alone, with its 95 % interval "
            "for each row alone. Hollow points may be chance, and between the shaded edges a "
            f"difference is under {found.margin:.4g} and does not matter.",
            class_="lead",
        ),
        effects_chart(effects, found.margin),
        *(
            tag("p", line, class_="note")
            for line in notes_of(results.data, {one.interval for one in effects})
        ),
        tag("details", tag("summary", "The same as a table"), values),
    )
    return Section("knobs", "Knobs", content)
