"""Settings files written, and changed so that all else stays."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.bench.tomlfile import changed_toml, new_toml, toml_lines
from seamline.errors import InvalidConfig

WHY = ["Take whole: it has the best Recall@1000t.", "Based on 9 questions about 1 document."]
CHANGES = {"strategy": "whole", "retriever": "bm25"}
MINE = """\
# my file
docs = "docs"      # where they lie
retriever = "hybrid # no comment"  # how "they" are ranked

measures = [
    "Recall@5",  # first
]

[limits]
max_bytes = 5
strategy = 3  # of the table, not of the top
"""


def test_a_new_file_says_why_above_the_strategy():
    text = new_toml({"docs": "docs", "strategy": "whole", "k": 3}, WHY)
    assert text == (
        'docs = "docs"\n\n'
        "# Chosen by `seamline recommend`:\n"
        "#   Take whole: it has the best Recall@1000t.\n"
        "#   Based on 9 questions about 1 document.\n"
        'strategy = "whole"\nk = 3\n'
    )
    assert new_toml({"strategy": "whole"}, [], ["# head"]).startswith("# head\n\n# Chosen")


def test_long_reasons_are_wrapped_and_stay_comments():
    text = new_toml({"strategy": "whole"}, ["word " * 60 + "unbroken-" * 20])
    assert tomllib.loads(text) == {"strategy": "whole"}
    assert all(len(line) <= 100 or "unbroken" in line for line in text.splitlines())


def test_all_else_in_a_file_stays():
    text = changed_toml(MINE, CHANGES, WHY)
    assert text == MINE.replace('retriever = "hybrid # no comment"', 'retriever = "bm25"').replace(
        '    "Recall@5",  # first\n]\n',
        '    "Recall@5",  # first\n]\n'
        "# Chosen by `seamline recommend`:\n"
        "#   Take whole: it has the best Recall@1000t.\n"
        "#   Based on 9 questions about 1 document.\n"
        'strategy = "whole"\n',
    )


def test_once_more_replaces_the_reason_and_nothing_else():
    once = changed_toml(MINE, CHANGES, WHY)
    assert changed_toml(once, CHANGES, WHY) == once
    other = changed_toml(once, {"strategy": "fixed"}, ["Another reason."])
    assert other.count("Chosen by") == 1
    assert "Another reason." in other
    assert "Based on" not in other
    assert changed_toml(other, CHANGES, WHY) == once


def test_a_value_of_many_lines_is_replaced_whole():
    text = changed_toml(MINE, {"strategy": "whole", "measures": ["MRR@5", "Hit@5"]}, WHY)
    assert 'measures = ["MRR@5", "Hit@5"]\n' in text
    assert "Recall@5" not in text


def test_new_keys_follow_the_strategy_that_is_there():
    text = changed_toml('strategy = "a"\nk = 3\n', {"strategy": "b", "budget": 9}, [])
    assert text.splitlines()[1:] == ['strategy = "b"', "budget = 9", "k = 3"]


@pytest.mark.parametrize("text", ["", "# only this\n", "[limits]\nmax_bytes = 5\n"])
def test_a_file_without_keys_gets_some(text):
    found = tomllib.loads(changed_toml(text, CHANGES, WHY))
    assert found == {**tomllib.loads(text), **CHANGES}


def test_windows_line_ends_stay():
    text = changed_toml(MINE.replace("\n", "\r\n"), CHANGES, WHY)
    assert text.count("\n") == text.count("\r\n")
    assert text.replace("\r\n", "\n") == changed_toml(MINE, CHANGES, WHY)


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "= 3", "[" * 5000])
def test_what_is_no_toml_is_refused(text):
    with pytest.raises(InvalidConfig, match="it is no TOML"):
        changed_toml(text, CHANGES, WHY)


def test_what_cannot_be_changed_key_by_key_is_refused():
    with pytest.raises(InvalidConfig, match="cannot be changed one by one"):
        changed_toml('strategy.name = "a"\nstrategy.size = 3\n', CHANGES, WHY)


@pytest.mark.parametrize("end", ['"""', 'a"""\nb = 1'])
def test_a_reason_inside_a_text_is_none(end):
    text = f'a = """\n# Chosen by `seamline recommend`:\n#   {end}\n'
    with pytest.raises(InvalidConfig, match="cannot be"):
        changed_toml(text, CHANGES, WHY)


VALUES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(-(2**60), 2**60),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3),
)


@given(st.dictionaries(st.sampled_from(["docs", "k", "measures", "seed"]), VALUES))
def test_what_is_written_is_read_back(settings):
    assert tomllib.loads("\n".join(toml_lines(settings))) == settings


@given(
    st.dictionaries(st.sampled_from(["docs", "k", "out", "strategy"]), VALUES),
    st.dictionaries(st.sampled_from(["docs", "k", "seed"]), VALUES),
    st.lists(st.sampled_from(["", "# a = 1", "  # Chosen by"]), max_size=3),
)
def test_changes_are_made_and_nothing_else(old, new, between):
    text = "\n".join([*toml_lines(old), *between, "[limits]", "max_bytes = 5"])
    new = {"strategy": "whole", **new}
    out = changed_toml(text, new, WHY)
    assert tomllib.loads(out) == {**old, **new, "limits": {"max_bytes": 5}}
    assert set(between) <= set(out.split("\n"))
    assert changed_toml(out, new, WHY) == out
