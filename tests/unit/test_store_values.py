"""Conditions and values as they are written: what is a number, what is none, what is a slip."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.errors import InvalidConfig
from seamline.store import key, parse_where
from seamline.store.where import parse_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-3", -3),
        ("0", 0),
        (" 12 ", 12),
        ("0.5", 0.5),
        ("-0.25", -0.25),
        ("2.0", 2.0),
        ("0.00001", 1e-5),
        ("9007199254740992", 2**53),
        ("true", True),
        ("false", False),
    ],
)
def test_what_is_written_as_it_prints_is_no_text(text, value):
    found = parse_value(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        "007", "-07", "00", "00.5", "+7", "1_000", "1e3", "1E3", "1e400", "1.50", "2.00", "1.", ".5", "-0",
        "-0.0", "- 3", "0x10", "nan", "inf", "-inf", "٣", "1,5", "", "True", "9007199254740993", "9" * 19,
        "-" + "9" * 19, "9" * 100_000, "3.14159265358979323846", "9007199254740991.5", "2024-05-31", "'7'",
    ],
)  # fmt: skip
def test_all_else_is_text_and_loses_nothing(text):
    assert parse_value(text) == text


@given(st.text())
def test_quotes_make_text_of_anything(text):
    assert parse_value(json.dumps(text)) == text


@given(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.from_regex(r"-?[0-9.]+\Z")))
def test_a_value_is_the_text_or_prints_as_it(text):
    text = text.strip()
    if not text.startswith('"'):
        found = parse_value(text)
        printed = found if isinstance(found, str) else json.dumps(found)
        assert printed == text or float(printed) == float(text)


@pytest.mark.parametrize("text", ['"', '"a', '"a"b', '"a" "b"'])
def test_a_string_that_does_not_end_is_refused(text):
    with pytest.raises(InvalidConfig, match="a string in quotes must end in one"):
        parse_value(text)


@pytest.mark.parametrize("text", ["year==2024", "year == 2024", " year = 2024 "])
def test_two_signs_of_equality_are_one(text):
    assert parse_where(text).matches({"year": 2024})
    assert not parse_where(text).matches({"year": "= 2024"})


@pytest.mark.parametrize(
    ("operator", "meant"),
    [("=>", ">="), ("=<", "<="), ("<>", "!="), ("=!", "!="), ("!", "!="), ("=~", "~"), ("~=", "~")],
)
def test_a_slip_is_told_with_what_was_meant(operator, meant):
    for text in (f"year{operator}2024", f"year {operator} 2024"):
        with pytest.raises(InvalidConfig, match=f"= != < <= > >= ~, .*did you mean {meant}?"):
            parse_where(text)


@pytest.mark.parametrize("text", ["a===b", "a!==b", "a= =b", "a>>1", "a >< 1", "a<~b", "a=~/notes"])
def test_other_signs_are_refused_with_those_there_are(text):
    with pytest.raises(InvalidConfig, match="must compare by one of = != < <= > >= ~, got"):
        parse_where(text)


def test_a_text_may_begin_with_a_sign_in_quotes():
    assert parse_where('path="~/notes"').matches({"path": "~/notes"})
    assert parse_where("formula=a=b").matches({"formula": "a=b"})
    assert parse_where("code!=007").matches({"code": 7})
    assert repr(parse_where("year>=2024")) == repr(key("year") >= 2024)
