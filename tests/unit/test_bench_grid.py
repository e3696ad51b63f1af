"""Grids: how they are written, what they stand for, what is refused."""

import pytest

from seamline.bench.grid import expand
from seamline.config import BenchConfig, load_config
from seamline.errors import InvalidConfig, UnknownName
from seamline.grid import GRIDS, Grid


def names(*parts, **settings):
    found = expand(BenchConfig(grid=list(parts), **settings))
    return [str(one) for one in found.configurations]


def left_out(*parts):
    return expand(BenchConfig(grid=list(parts))).left_out


def strategies(text, **more):
    return [name.split(" | ")[0] for name in names({"strategies": [text], **more})]


def test_lists_inside_a_spec_are_crossed_in_the_order_written():
    assert strategies("fixed(size=[64, 128], overlap=[0, 8])") == [
        "fixed(size=64, overlap=0)",
        "fixed(size=64, overlap=8)",
        "fixed(size=128, overlap=0)",
        "fixed(size=128, overlap=8)",
    ]


def test_what_a_grid_leaves_out_is_as_the_settings_say():
    one = {"strategies": "whole"}
    assert names(one, retriever="bm25", merge=True) == ["whole | bm25 | merge"]
    assert names({**one, "merge": False}, retriever="bm25", merge=True) == ["whole | bm25"]


def test_rankings_and_ways_of_showing_are_crossed_with_every_strategy():
    grid = {
        "strategies": ["whole", "sentence"],
        "retrievers": ["bm25", "hybrid(alpha=[0.25, 0.5])"],
        "merge": [False, True],
        "dedupe": [False, True],
    }
    found = names(grid)
    assert len(found) == len(set(found)) == 2 * 3 * 2 * 2
    assert found[:5] == [
        "whole | bm25",
        "whole | bm25 | merge",
        "whole | bm25 | dedupe",
        "whole | bm25 | dedupe | merge",
        "whole | hybrid(alpha=0.25)",
    ]


def test_prefix_goes_to_strategies_that_do_not_say_it_themselves():
    assert strategies("fixed(size=64)", prefix=[False, True]) == [
        "fixed(size=64, overlap=8)",
        "fixed(prefix=true, size=64, overlap=8)",
    ]
    assert strategies("fixed(size=64, prefix=true)", prefix=[False]) == [
        "fixed(prefix=true, size=64, overlap=8)"
    ]
    assert strategies("adaptive", prefix=[]) == ["adaptive(target=64)"]


def test_a_preset_takes_lists_and_prefix_too():
    assert strategies("fixed-512-50(size=[512, 600])", prefix=[True]) == [
        "fixed(prefix=true, size=512, overlap=50)",
        "fixed(prefix=true, size=600, overlap=50)",
    ]


def test_an_overlap_below_one_is_a_share_of_the_size():
    found = strategies("recursive(size=[400, 512], overlap=[0, 0.125])")
    assert found == [
        "recursive(size=400, overlap=0)",
        "recursive(size=400, overlap=50)",
        "recursive(size=512, overlap=0)",
        "recursive(size=512, overlap=64)",
    ]
    assert strategies("fixed(overlap=0.25)") == ["fixed(size=512, overlap=128)"]


@pytest.mark.parametrize("overlap", [1.0, 1.5, -0.5])
def test_a_share_is_below_one(overlap):
    with pytest.raises(InvalidConfig, match="overlap must be a whole number"):
        names({"strategies": f"fixed(overlap={overlap})"})


def test_a_share_of_a_size_that_is_no_number_is_refused_for_the_size():
    with pytest.raises(InvalidConfig, match="size must be a whole number"):
        names({"strategies": "fixed(size=big, overlap=0.5)"})


def test_separators_are_a_list_and_lists_of_them_are_crossed():
    assert strategies('recursive(overlap=0, separators=["\\n\\n", sentence])') == [
        'recursive(size=512, overlap=0, separators=["\\n\\n", sentence])'
    ]
    assert strategies("recursive(overlap=0, separators=[prose, [sentence, word]])") == [
        "recursive(size=512, overlap=0, separators=prose)",
        "recursive(size=512, overlap=0, separators=[sentence, word])",
    ]


def test_combinations_that_cannot_be_are_left_out_and_said():
    grid = {"strategies": "fixed(size=[64, 128], overlap=[0, 100])"}
    assert len(names(grid)) == 3
    why = "overlap must be smaller than size, got overlap=100 with size=64"
    assert left_out(grid) == (f"fixed(size=64, overlap=100): {why}",)


def test_a_spec_of_which_nothing_can_be_is_refused():
    with pytest.raises(InvalidConfig, match="got overlap=100 with size=64"):
        names({"strategies": ["whole", "fixed(size=64, overlap=[100, 200])"]})


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"strategies": "fixd"}, "no strategy named 'fixd'; did you mean 'fixed'"),
        ({"strategies": "fixed(siz=[1, 2])"}, "no parameter 'siz'; did you mean 'size'"),
        ({"strategies": "whole", "retrievers": "bm52"}, "no retriever named 'bm52'"),
        ({"strategies": "whole | bm52"}, "is not a spec"),
        ({"strategies": ["whole | bm52"]}, "no retriever named 'bm52'"),
        ({"strategies": ["whole | bm25 | merg"]}, "did you mean 'merge'"),
        ({"strategies": "fixed(size=[])"}, "each list of a grid must hold at least one value"),
        ({"strategies": "fixed(size"}, "is not a spec like name"),
    ],
)
def test_what_no_configuration_can_be_is_refused_by_name(grid, message):
    with pytest.raises(InvalidConfig, match=message):
        expand(BenchConfig(grid=grid))


def test_one_configuration_named_in_several_ways_is_measured_once():
    grid = {"strategies": ["fixed-512-50", "fixed(overlap=50)", "fixed(size=512, overlap=[50])"]}
    assert names(grid, grid) == ["fixed(size=512, overlap=50) | hybrid(alpha=0.5)"]


def test_a_whole_configuration_is_crossed_with_nothing():
    grid = {"strategies": ["whole | bm25 | merge", "whole"], "retrievers": ["dense", "bm25"]}
    assert names(grid) == ["whole | bm25 | merge", "whole | dense", "whole | bm25"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "^grid must be 'quick' or 'full', a table or a list of tables, got 3"),
        ([], "^grid must be"),
        ([3], "^grid must be"),
        ("ful", "^no grid named 'ful'; did you mean 'full'"),
        ({}, "^grid.strategies must be a list of at least one strategy"),
        ({"strategies": []}, "^grid.strategies must be a list of at least one"),
        ({"strategies": 3}, "^grid.strategies must be a list of strings, got 3"),
        ({"strategies": ["whole", 3]}, "^grid.strategies must be a list of strings"),
        ({"strategies": "whole", "merge": 1}, "^grid.merge must be a list of true and false"),
        ({"strategies": "whole", "retriever": "bm25"}, "did you mean 'retrievers'"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(value, message):
    with pytest.raises(InvalidConfig, match=message):
        BenchConfig(grid=value)


def test_grids_are_read_from_the_config_file(tmp_path):
    path = tmp_path / "seamline.toml"
    path.write_text('grid = "full"', encoding="utf-8")
    assert load_config(path).grid is GRIDS["full"]
    path.write_text('[grid]\nstrategies = "whole"\nmerge = true', encoding="utf-8")
    assert load_config(path).grid == Grid.of({"strategies": ["whole"], "merge": [True]})
    path.write_text('[[grid]]\nstrategies = "whole"\n[[grid]]\nstrategies = "fixed"', "utf-8")
    assert [part.strategies for part in load_config(path).grid.parts] == [("whole",), ("fixed",)]
    path.write_text("[grid]\nstrategy = 'whole'", encoding="utf-8")
    with pytest.raises(UnknownName, match=r"seamline\.toml: grid has no setting 'strategy'"):
        load_config(path)


@pytest.mark.parametrize(("name", "n"), [("quick", 14), ("full", 60)])
def test_ready_made_grids_have_what_their_name_says(name, n):
    found = expand(BenchConfig(grid=name))
    assert len(found.configurations) == n
    assert found.left_out == ()


def test_the_full_grid_holds_the_quick_one():
    quick, full = (expand(BenchConfig(grid=name)).configurations for name in GRIDS)
    assert set(quick) <= set(full)


def test_the_full_grid_has_published_settings():
    full = {one.strategy for one in expand(BenchConfig(grid="full")).configurations}
    assert full >= {
        "fixed(size=512, overlap=50)",
        "fixed(size=512, overlap=64)",
        "fixed(size=256, overlap=32)",
        "fixed(size=1000, overlap=150, unit=characters)",
        "recursive(size=512, overlap=64)",
        "recursive(size=800, overlap=100)",
        "recursive(size=400, overlap=50)",
        "sliding(size=400, step=200)",
        "semantic(size=512, threshold=0.75)",
        "semantic(size=512, threshold=0.45)",
        "semantic(size=512, distance=0.35)",
        "hierarchical(parent=512, size=128)",
        "routed",
    }
