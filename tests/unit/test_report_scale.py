"""Axes, labels that keep apart, and colours that can be told apart."""

import math
import re
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.report.curves import spread
from seamline.report.scale import axis, log_axis, round_log_axis

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)


@given(VALUES)
def test_an_axis_holds_its_values_between_few_round_ticks(values):
    scale = axis(values)
    unseen = 1e-6 * (scale.high - scale.low)
    assert scale.low <= min(values) + unseen
    assert scale.high >= max(values) - unseen
    assert 2 <= len(scale.ticks) <= 8
    steps = [b - a for a, b in pairwise(scale.ticks)]
    assert max(steps) == pytest.approx(min(steps), rel=1e-3)
    assert all(0 <= scale.share(value) <= 1 for value in values)


def test_an_axis_of_equal_values_has_room_on_both_sides():
    scale = axis([1.0, 1.0])
    assert scale.low < 1 < scale.high
    assert 0.2 < scale.share(1.0) < 0.8


def test_an_axis_of_nothing_goes_from_0_to_1():
    assert (axis([]).low, axis([]).high) == (0, 1)


def test_equal_ratios_are_equally_far_apart_on_a_logarithmic_axis():
    scale = log_axis([250, 500, 1000, 2000])
    assert [round(scale.share(v), 6) for v in (250, 500, 1000, 2000)] == [0, 0.333333, 0.666667, 1]
    assert log_axis([1000]).share(1000) == 0


@given(st.lists(st.floats(0, 500), max_size=30), st.floats(1, 20))
def test_labels_keep_apart_in_order_and_stay_where_there_is_room(values, gap):
    placed = spread(values, gap)
    order = sorted(range(len(values)), key=lambda i: values[i])
    for a, b in pairwise(order):
        assert placed[b] - placed[a] >= gap - 1e-6
    if all(values[b] - values[a] >= gap for a, b in pairwise(order)):
        assert placed == pytest.approx(values)
    assert math.fsum(placed) == pytest.approx(math.fsum(values), abs=1e-3)


def themes():
    """The colours of the style sheet: light, dark, print."""
    folder = files("seamline.report") / "static"
    css = "".join(
        (folder / name).read_text(encoding="utf-8") for name in ("theme.css", "print.css")
    )
    found = [
        dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]
    assert len(found) == 3
    return found


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark", "print"])
def test_text_and_lines_can_be_read(theme):
    for ink in ("ink", "muted", "accent"):
        for ground in ("bg", "raised"):
            assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
    assert contrast(theme["ink"], theme["odd"]) >= 4.5
    assert contrast(theme["ink"], theme["warn-soft"]) >= 4.5
    assert contrast(theme["gold-ink"], theme["gold"]) >= 4.5
    assert contrast(theme["bg"], theme["warn"]) >= 4.5
    for series in range(6):
        assert contrast(theme[f"c{series}"], theme["bg"]) >= 4.5, series


# Machado, Oliveira and Fernandes (2009), severity 1.0.
BLINDNESS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
}


def seen(colour, matrix):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return [min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0), 1) for row in matrix]


def lab(linear):
    r, g, b = linear
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("theme", themes()[:2], ids=["light", "dark"])
def test_colours_of_neighbouring_ranks_differ_for_colour_blind_eyes(theme, kind):
    colours = [lab(seen(theme[f"c{i}"], BLINDNESS[kind])) for i in range(6)]
    for a, b in pairwise([*range(6), 0]):
        assert math.dist(colours[a], colours[b]) >= 15, (a, b)


@given(st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=20))
def test_a_round_logarithmic_axis_holds_its_values_between_round_ticks(values):
    scale = round_log_axis(values)
    assert scale.low <= min(values) * (1 + 1e-5)
    assert scale.high >= max(values) * (1 - 1e-5)
    assert scale.low < scale.high
    assert {scale.low, scale.high} <= set(scale.ticks)
    assert {f"{tick:e}"[0] for tick in scale.ticks} <= set("125")
    assert all(0 <= scale.share(value) <= 1 for value in values)


def test_a_round_logarithmic_axis_of_nothing_has_room():
    assert round_log_axis([]).ticks == (1.0, 2.0)


def test_ticks_of_a_long_logarithmic_axis_keep_apart():
    scale = round_log_axis([3, 40_000])
    assert scale.ticks == (2, 20, 200, 2_000, 50_000)
    assert min(scale.share(b) - scale.share(a) for a, b in pairwise(scale.ticks)) > 0.2
