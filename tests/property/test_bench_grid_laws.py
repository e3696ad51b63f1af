"""A grid is the cross product of its lists without what cannot be, in whatever order."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.bench.grid import expand
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.split import parse_strategy

SIZES = st.lists(st.integers(1, 300), min_size=1, max_size=5)
OVERLAPS = st.lists(st.integers(0, 300), min_size=1, max_size=5)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=2)
RANKED = st.lists(st.sampled_from(["dense", "bm25", "hybrid"]), min_size=1, max_size=3)
NAMES = st.sampled_from(["fixed", "recursive"])


@st.composite
def grids(draw):
    name, sizes, overlaps = draw(NAMES), draw(SIZES), draw(OVERLAPS)
    return {
        "strategies": [f"{name}(size={sizes}, overlap={overlaps})"],
        "retrievers": draw(RANKED),
        "prefix": draw(FLAGS),
        "merge": draw(FLAGS),
        "dedupe": draw(FLAGS),
    }, (name, sizes, overlaps)


def expected(grid, cut):
    """The names of the cross product, by loops alone."""
    name, sizes, overlaps = cut
    made = set()
    for size, overlap, prefix in product(sizes, overlaps, grid["prefix"]):
        if overlap < size:
            told = f"{name}(size={size}, overlap={overlap}, prefix={str(prefix).lower()})"
            made.add(str(parse_strategy(told)))
    canonical = {"dense": "dense", "bm25": "bm25", "hybrid": "hybrid(alpha=0.5)"}
    return {
        " | ".join([cut, canonical[rank], *["dedupe"] * dedupe, *["merge"] * merge])
        for cut, rank, dedupe, merge in product(
            made, grid["retrievers"], grid["dedupe"], grid["merge"]
        )
    }


@given(grids())
def test_a_grid_is_its_cross_product_without_what_cannot_be(drawn):
    grid, cut = drawn
    wanted = expected(grid, cut)
    config = BenchConfig(grid=grid)
    if not wanted:
        with pytest.raises(InvalidConfig, match="overlap must be smaller than size"):
            expand(config)
        return
    found = expand(config)
    names = list(map(str, found.configurations))
    assert len(names) == len(set(names))
    assert set(names) == wanted
    impossible = {(s, o) for s, o in product(*cut[1:]) if o >= s}
    assert len(found.left_out) == len(impossible) * len(set(grid["prefix"]))


@given(grids(), st.randoms(use_true_random=False))
def test_the_order_of_lists_changes_nothing_but_the_order(drawn, random):
    grid, (name, sizes, overlaps) = drawn
    if not expected(grid, (name, sizes, overlaps)):
        return
    other = {key: random.sample(value, len(value)) for key, value in grid.items()}
    sizes, overlaps = (random.sample(one, len(one)) for one in (sizes, overlaps))
    other["strategies"] = [f"{name}(overlap={overlaps}, size={sizes})"]
    found, again = (expand(BenchConfig(grid=one)) for one in (grid, other))
    assert set(found.configurations) == set(again.configurations)
    assert len(found.left_out) == len(again.left_out)


@given(grids())
def test_every_name_parses_back_to_a_grid_of_itself(drawn):
    grid, cut = drawn
    if not expected(grid, cut):
        return
    found = expand(BenchConfig(grid=grid)).configurations
    again = expand(BenchConfig(grid={"strategies": list(map(str, found))})).configurations
    assert again == found
