"""The charts of a choice: the frontier of quality against cost, and what each knob does."""

import math
import re
from itertools import pairwise

import pytest
from recommend_samples import made, mixed, scores, worse
from report_samples import measured

from seamline.bench.recommend import knob_effects, recommend
from seamline.compare import Effect
from seamline.report.choice import knobs, quality_and_cost
from seamline.report.effects import by_weight, effects_chart
from seamline.report.frontier import frontier
from seamline.report.model import standings
from seamline.report.recommended import recommendation_html

GOOD = scores(0.7, 60, 1)
PLOT = 360


def drawn(results, **options):
    found = recommend(results, **options)
    labels = {one.summary.spec: one.label for one in standings(results)}
    return found, frontier(found, labels)


def four(**settings):
    given = {"dear": GOOD, "dominated": mixed(GOOD, 0.02), "cheap": worse(GOOD, 0.1)}
    costs = {"dear": (400, 40_000), "dominated": (450, 40_000), "cheap": (100, 40_000)}
    return made(
        {**given, "bad": worse(GOOD, 0.6)}, costs={**costs, "bad": (40, 40_000)}, **settings
    )


def circles(text):
    """(x in percent, y in pixels) by spec."""
    found = re.findall(r'cx="([\d.]+)%" cy="([\d.]+)"[^>]*><title>([^:]+):', text)
    return {spec: (float(x), float(y)) for x, y, spec in found}


def test_cheaper_is_left_and_better_is_up():
    _, text = drawn(four())
    at = circles(text)
    assert at["cheap"][0] < at["dear"][0] < at["dominated"][0]
    assert at["dear"][1] < at["dominated"][1] < at["cheap"][1]


def test_better_is_up_where_lower_is_better_too():
    given = {"good": worse(GOOD, 0.1), "worse": GOOD}
    _, text = drawn(made(given, primary="Noise@1000t", lower_is_better=True))
    at = circles(text)
    assert at["good"][1] < at["worse"][1]


def test_labels_are_of_the_frontier_the_best_and_the_choice_only():
    found, text = drawn(four())
    names = re.findall(r'class="name[^"]*"><title>([^<]+)</title>', text)
    assert sorted(names) == ["bad", "cheap", "dear"]
    legend = re.findall(r'<code class="spec">([^<]+)<', text)
    assert legend == ["bad", "cheap", "dear"]
    assert text.count("take this") == text.count("the best") == 1
    assert [one.spec for one in found.options if one.frontier] == ["dear", "cheap", "bad"]


def test_what_is_far_worse_lies_below_the_chart_and_is_counted():
    _, text = drawn(four())
    assert "bad" not in circles(text)
    assert text.count("<polygon") == 1
    assert "▾ 1 lies lower than the chart" in text


def test_the_shaded_band_is_the_margin():
    found, text = drawn(four(), margin=0.1)
    y, height = map(
        float,
        re.search(r'<rect width="100%" y="([\d.]+)" height="([\d.]+)" class="band"', text).groups(),
    )
    at = circles(text)
    scale = (at["cheap"][1] - at["dear"][1]) / (
        found.options[0].summary.mean
        - next(o for o in found.options if o.spec == "cheap").summary.mean
    )
    assert y == pytest.approx(at["dear"][1], abs=0.02)
    assert height == pytest.approx(0.1 * scale, rel=0.01)


def test_the_frontier_is_steps_to_the_right_and_up():
    _, text = drawn(four())
    points = re.search(r'<polyline points="([^"]+)"', text)[1]
    corners = [tuple(map(float, one.split(","))) for one in points.split()]
    assert len(corners) == 2 * 3
    for (x, y), (to_x, to_y) in pairwise(corners):
        assert (x == to_x and y > to_y) or (x < to_x and y == to_y)
    assert corners[-1][0] == 1000


@pytest.mark.parametrize("n", [2, 9, 40])
def test_labels_never_overlap_nor_leave_the_top(n):
    # All but alike, so that their labels would lie on each other.
    given = {f"c{i}": worse(GOOD, 0.0005 * i, spread=0) for i in range(n)}
    costs = {spec: (9_000 - 200 * i, int(1e6 / 1.2**i)) for i, spec in enumerate(given)}
    _, text = drawn(made(given, costs=costs))
    heights = sorted(map(float, re.findall(r'<svg x="[\d.]+%" y="([-\d.]+)" class="name', text)))
    assert len(heights) == n
    assert heights[0] >= -8
    assert min(b - a for a, b in pairwise(heights)) >= 15 - 0.02


def test_the_frontier_never_goes_back():
    # Within 5 % sizes are alike, and then what embeds less is cheaper: "a" and "b" lie so.
    given = {"a": worse(GOOD, 0.1), "b": GOOD}
    results = made(given, costs={"a": (101, 40_000), "b": (100, 40_000)})
    results.data["strategies"][1]["cost"]["embedding_tokens"] = 90_000
    found, text = drawn(results)
    assert [one.frontier for one in found.options] == [True, True]
    assert circles(text)["b"][0] < circles(text)["a"][0]
    points = re.search(r'<polyline points="([^"]+)"', text)[1].split()
    assert len(points) == 2
    assert points[0].partition(",")[2] == points[1].partition(",")[2]


def test_without_an_interval_there_is_no_whisker():
    results = made({"a": GOOD, "b": worse(GOOD, 0.1)})
    assert 'class="reach"' in drawn(results)[1]
    measure = results.data["strategies"][0]["measures"]["Recall@1000t"]
    measure["low"] = measure["high"] = None
    assert 'class="reach"' not in drawn(results)[1]


def test_the_axis_names_its_unit():
    def of(**settings):
        return drawn(made({"a": GOOD, "b": worse(GOOD, 0.1)}, **settings))[1]

    assert "size of the index: vectors and text" in of()
    assert "tokens shown to the reader a question" in of(
        primary="Recall@5", shown={"a": 900, "b": 400}
    )
    timings = {"strategies": {one: {"rank": {"seconds": 0.06}} for one in "ab"}}
    results = made({"a": GOOD, "b": worse(GOOD, 0.1)}, timings=timings)
    text = drawn(results, prefer="latency")[1]
    assert "time to rank a question, in this run" in text
    assert "1 ms" in text


def test_with_one_configuration_there_is_no_chart():
    results = made({"a": GOOD})
    assert drawn(results)[1] == ""
    assert quality_and_cost(recommend(results), standings(results)) is None
    assert knobs(results, recommend(results)) is None
    assert "<main>" in recommendation_html(results, recommend(results))


def test_without_values_there_is_no_chart():
    assert drawn(made({"a": [None] * 60, "b": [None] * 60}))[1] == ""


def test_what_costs_nothing_has_no_place_on_a_logarithmic_axis():
    text = drawn(made({"a": GOOD, "b": worse(GOOD, 0.1), "c": GOOD}, costs={"a": (0, 0)}))[1]
    assert circles(text).keys() == {"b", "c"}
    text = drawn(
        made({"a": GOOD, "b": worse(GOOD, 0.1), "c": worse(GOOD, 0.1)}, costs={"a": (0, 0)})
    )[1]
    assert "<polyline" not in text


def test_an_empty_comparison_is_drawn_without_a_choice():
    results = made({"a": [1.0] * 60, "b": [1.0] * 60}, costs={"a": (9, 9), "b": (99, 999)})
    found, text = drawn(results)
    assert found.choice is None
    assert len(circles(text)) == 2
    assert "take this" not in text
    assert "the best" not in text
    assert "band" not in text
    section = quality_and_cost(found, standings(results))
    assert "Shaded" not in section.content[1]


def test_the_table_says_what_the_chart_shows():
    results = four()
    section = quality_and_cost(recommend(results), standings(results))
    words = re.sub("<[^>]+>", " ", section.content[-1])
    for spec, standing in {"dear": "take, best, frontier", "bad": "frontier, ruled out"}.items():
        assert re.search(rf"{spec} .*{standing}", words)


def effect(knob, mean, low=None, high=None, **values):
    usual = {"level": 1, "to": 0, "interval": "cluster-t", "n_pairs": 2, "n_questions": 9}
    return Effect(knob=knob, mean=mean, low=low, high=high, **{**usual, **values})


def test_the_knob_that_moves_most_comes_first():
    found = [effect("a", 0.1), effect("b", 0.05), effect("b", -0.3), effect("c", 0.2)]
    assert [[one.knob for one in own] for own in by_weight(found)] == [["b", "b"], ["c"], ["a"]]


def test_an_effect_is_sure_where_its_interval_leaves_out_zero():
    rows = [
        effect("a", 0.1, 0.05, 0.2),
        effect("a", 0.1, -0.05, 0.2, interval="question-t"),
        effect("a", -0.1),
        effect("a", -0.1, -0.2, -0.05, interval="wilson"),
    ]
    text = effects_chart(rows, 0.02)
    assert re.findall(r'<li class="(alike|worse)">', text) == ["alike", "worse", "worse", "alike"]
    assert re.findall(r'class="value">([^<]+)<', text) == ["+0.100", "+0.100*", "−0.100", "−0.100†"]


def test_levels_are_words_and_pairs_are_counted():
    text = effects_chart([effect("no_gap", 0.1, level=True, to=False, n_pairs=1)], 0.02)
    assert "yes instead of no" in text
    assert ">no gap</h3>" in text
    assert " 1 pair<" in text


def test_the_knobs_of_a_benchmark_are_drawn_and_written_down():
    results, _ = measured()
    found = knob_effects(results)
    section = knobs(results, recommend(results))
    assert len(found) > 0
    text = "".join(section.content)
    assert text.count("instead of") == 2 * len(found)
    for one in found:
        assert math.isfinite(one.mean)


def test_the_page_is_the_same_in_every_run_and_runs_no_script():
    results = four()
    text = recommendation_html(results, recommend(results))
    assert text == recommendation_html(results, recommend(results))
    assert "script-src &#x27;none&#x27;" in text
    assert "<script" not in text
    assert text.count("<h1>") == 1
    assert 'href="#frontier"' in text


def test_hostile_names_are_text():
    given = {"<b>&": GOOD, "</svg><script>": worse(GOOD, 0.1)}
    text = recommendation_html(results := made(given), recommend(results))
    assert "<b>&" not in text
    assert "<script" not in text


def key_of(results):
    """The kinds of points that the key below the chart names, and those in the chart."""
    found = recommend(results)
    section = str(quality_and_cost(found, standings(results)).content[3])
    named = set(re.findall(r'class="dot (\w+)"', section))
    text = frontier(found, {one.summary.spec: one.label for one in standings(results)})
    shown = {word for kinds in re.findall(r'<g class="([^"]+)"', text) for word in kinds.split()}
    return named, {"near" if kind == "alike" else kind for kind in shown}, section


@pytest.mark.parametrize("given", [{"b": worse(GOOD, 0.005)}, {"b": mixed(GOOD, 0.02)}])
@pytest.mark.parametrize("cheap", [(40, 4_000), (400, 40_000)])
@pytest.mark.parametrize("bad", [{}, {"bad": worse(GOOD, 0.5)}])
def test_every_kind_of_point_stands_in_the_key(given, cheap, bad):
    costs = {"a": (100, 10_000), "b": cheap, "bad": (50, 5_000)}
    named, shown, text = key_of(made({"a": GOOD, **given, **bad}, costs=costs))
    assert shown - {"near"} <= named
    assert ("worse" in named) == ("worse" in shown)
    assert ("best" in named) == ("best" in shown)
    assert "bars: their 95 % intervals" in text
    assert "a number is the rank" in text


@pytest.mark.parametrize(("n_docs", "marked"), [(20, False), (4, True)])
def test_a_mark_at_a_knob_is_explained_below_the_chart(n_docs, marked):
    given = {"fixed(size=64, overlap=0)": GOOD, "fixed(size=128, overlap=0)": mixed(GOOD, 0.05)}
    results = made(given, n_docs=n_docs)
    section = knobs(results, recommend(results))
    drawn_ = str(section.content[2])
    notes = " ".join(map(str, section.content[3:-1]))
    assert ("*" in drawn_) == marked
    assert ("* questions were drawn again" in notes) == marked
    assert ("whole documents were drawn again" in notes) != marked
