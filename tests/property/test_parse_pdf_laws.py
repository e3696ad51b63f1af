"""Whatever lines are drawn on a page, its words stay and its blocks nest."""

import sys
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from seamline.parse.pdf import PdfParser

sys.path.append(str(Path(__file__).parents[1] / "unit"))
from pdf_samples import bar, pdf, rule, text

X, Y = st.integers(-20, 620), st.integers(-20, 860)
ACROSS = st.builds(lambda x0, x1, y: rule(x0, y, x1, y), X, X, Y)
DOWN = st.builds(lambda y0, y1, x: rule(x, y0, x, y1), Y, Y, X)
BARS = st.builds(bar, X, Y, st.integers(0, 600), st.integers(0, 3))
FRAMES = st.builds(lambda x, y, w, h: f"{x} {y} {w} {h} re S\n", X, Y, X, Y)
PLACES = st.lists(
    st.tuples(st.integers(1, 5), st.integers(24, 32)), min_size=1, max_size=45, unique=True
)


@st.composite
def tables(draw):
    """The lines of a table where words may stand, a few of them left out."""
    xs = draw(st.lists(st.integers(1, 6), min_size=3, max_size=6, unique=True))
    ys = draw(st.lists(st.integers(24, 33), min_size=3, max_size=10, unique=True))
    places = [55 * x - 8 for x in sorted(xs)], [16 * y - 5 for y in sorted(ys)]
    edges = [(x0, y, x1, y) for x0, x1 in pairwise(places[0]) for y in places[1]]
    edges += [(x, y0, x, y1) for y0, y1 in pairwise(places[1]) for x in places[0]]
    gone = draw(st.sets(st.integers(0, len(edges) - 1), max_size=3))
    return "".join(rule(*edge) for i, edge in enumerate(edges) if i not in gone)


@settings(max_examples=150)
@given(
    st.lists(st.one_of(tables(), ACROSS, DOWN, BARS, FRAMES), max_size=5),
    PLACES,
    st.sampled_from([0, 90, 180]),
)
def test_every_word_stays_and_blocks_nest(drawings, places, rotate):
    words = [f"w{i}x" for i in range(len(places))]
    page = "".join(drawings)
    page += "".join(text(55 * x, 16 * y, word) for (x, y), word in zip(places, words, strict=True))
    document = PdfParser().parse(pdf(page, rotate=rotate), "a.pdf")
    assert [word for word in words if word not in document.text] == []
    spans = [block.span for block in document.blocks]
    assert spans == sorted(spans, key=lambda span: (span.start, -span.end))
    for one, other in pairwise(spans):
        assert other.end <= one.end or other.start >= one.end
