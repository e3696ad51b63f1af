"""Conditions and values as they are written, and what a store refuses before it looks at it."""

import json
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.errors import InvalidConfig
from seamline.store import Reader, key, open_store, parse_where
from seamline.store.where import All, Any_, Not, parse_value
from seamline.testing.stores import INFO, make_entry


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


@pytest.mark.parametrize("given", [{"staff"}, ["staff"], ("staff", "staff"), {"staff": 1}], ids=str)
def test_labels_of_a_reader_may_be_any_collection(given):
    reader = Reader(access=given)
    assert reader.access == frozenset({"staff"})
    assert reader.may_read(frozenset({"staff", "hr"}))
    assert not reader.may_read(frozenset({"s", "hr"}))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"access": "staff"}, "access must be a set of strings like {'staff'}, got 'staff'"),
        ({"access": b"staff"}, "access must be a set of strings"),
        ({"access": None}, "access must be a set of strings"),
        ({"access": [1]}, "each of access must be a string .*, got 1"),
        ({"access": [["staff"]]}, "each of access must be a string"),
        ({"access": {""}}, "access must not be empty strings"),
        ({"access": ["a\0"]}, "each of access must be a string without null characters"),
        ({"access": ["\udc00"]}, "and lone surrogates"),
        ({"tenant": 5}, "tenant must be a string .*, got 5"),
        ({"tenant": None}, "tenant must be a string"),
        ({"tenant": "\ud800"}, "and lone surrogates"),
        ({"tenant": "a\0b"}, "without null characters"),
        ({"as_of": -1}, "as_of must be the number of a revision, got -1"),
        ({"as_of": "1"}, "as_of must be the number of a revision, got '1'"),
        ({"as_of": True}, "as_of must be the number of a revision, got True"),
        ({"as_of": 1.0}, "as_of must be the number of a revision, got 1.0"),
        ({"where": "year>=2024"}, "got 'year>=2024': parse_where makes one of a text"),
        ({"where": True}, "where must be a condition like"),
        ({"where": key("year")}, "where must be a condition like"),
    ],
    ids=str,
)
def test_a_reader_that_cannot_be_is_refused(given, says):
    with pytest.raises(InvalidConfig, match=says):
        Reader(**given)


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"access": "staff"}, "access of document 'a' must be a set of strings"),
        ({"access": [7]}, "each of access of document 'a' must be a string"),
        ({"tags": {""}}, "tags of document 'a' must not be empty strings"),
        ({"tags": ["\ud800"]}, "and lone surrogates"),
        ({"tenant": 5}, "tenant must be a string"),
    ],
    ids=str,
)
def test_labels_of_a_document_that_cannot_be_are_refused(facts, says):
    with pytest.raises(InvalidConfig, match=says):
        make_entry("a", "One two.", **facts)


@pytest.mark.parametrize("digest", ["x", None, 7, bytearray(b"x")])
def test_a_digest_must_be_bytes(digest):
    entry = make_entry("a", "One two.")
    facts = {name: getattr(entry, name) for name in ("columns", "details", "vectors", "ends")}
    with pytest.raises(InvalidConfig, match="the digest of document 'a' must be bytes, got"):
        type(entry)(doc_id="a", text="One two.", digest=digest, **facts)


@pytest.fixture(params=["memory", "sqlite"])
def namespace(request, tmp_path):
    """A namespace with one document, whose `n` is 7."""
    url = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/index.db"}[request.param]
    with open_store(url, create=True) as store:
        made = store.create(INFO)
        made.put([make_entry("a", "One two.", metadata={"n": 7})])
        yield made


@pytest.mark.parametrize("keep", [-1, "2", 1.5, None, True, 2**70, float("nan")])
def test_versions_to_keep_are_a_number_of_them(namespace, keep):
    for call in (
        lambda: namespace.put([make_entry("a", "Three four.")], keep_versions=keep),
        lambda: namespace.put([], keep_versions=keep),
        lambda: namespace.remove("", ["a"], keep_versions=keep),
        lambda: namespace.remove("", [], keep_versions=keep),
    ):
        with pytest.raises(InvalidConfig, match="keep_versions must be from 0 to 2,147,483,647"):
            call()
    assert [one.version for one in namespace.versions("", "a")] == [1]


def test_as_many_versions_as_may_be_are_kept(namespace):
    namespace.put([make_entry("a", "Three four.")], keep_versions=1_000_000_000)
    assert namespace.remove("", ["a"], keep_versions=1_000_000_000) == 1
    assert [one.version for one in namespace.versions("", "a")] == [2, 1]


def fitting(namespace, where):
    with namespace.read(Reader(where=where)) as view:
        return view.count().documents


SEVEN = key("n") == 7
OTHERS = [key("n") == number for number in range(100, 3_100)]


def test_thousands_of_conditions_may_be_joined(namespace):
    joined = [
        (reduce(lambda left, right: left | right, OTHERS, SEVEN), 1),
        (reduce(lambda left, right: right | left, OTHERS, SEVEN), 1),
        (reduce(lambda left, right: left | right, OTHERS), 0),
        (reduce(lambda left, right: left & ~right, OTHERS, SEVEN), 1),
        (reduce(lambda left, right: left & ~right, OTHERS, ~SEVEN), 0),
        (reduce(lambda where, _: ~where, range(3_000), SEVEN), 1),
        (reduce(lambda where, _: ~where, range(3_001), SEVEN), 0),
    ]
    for where, n in joined:
        assert fitting(namespace, where) == n
        assert fitting(namespace, ~where) == 1 - n


def alternating(levels):
    """`&` and `|` in turns, each inside the next; holds of 7."""
    where = SEVEN
    for level in range(levels):
        where = where & (key("n") > 6) if level % 2 else where | (key("n") == 8)
    return where


def test_conditions_lie_so_deep_in_each_other_and_no_deeper(namespace):
    assert fitting(namespace, alternating(49)) == 1
    assert fitting(namespace, Not(Not(alternating(47)))) == 1
    for make in (lambda: alternating(50), lambda: alternating(60), lambda: ~alternating(49)):
        with pytest.raises(InvalidConfig, match="at most 50 deep in each other"):
            make()
    with pytest.raises(InvalidConfig, match="at most 50 deep"):
        reduce(lambda where, _: Not(where), range(60), SEVEN)


def test_all_of_nothing_holds_and_any_of_nothing_does_not(namespace):
    assert fitting(namespace, All(())) == 1
    assert fitting(namespace, Any_(())) == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: Not("n=7"),
        lambda: All((SEVEN, "n=7")),
        lambda: Any_((None,)),
        lambda: SEVEN & None,
        lambda: SEVEN | "n=7",
        lambda: SEVEN & key("n"),
    ],
)
def test_only_conditions_are_joined(make):
    with pytest.raises(InvalidConfig, match=r"a condition must be like key\('year'\) >= 2024, got"):
        make()


@pytest.mark.parametrize("name", [None, 7, "", ".", "a.", ".a", "a..b", "a\0", "\ud800", "a." * 51])
def test_a_key_is_a_name(name):
    with pytest.raises(InvalidConfig, match="a key must be a"):
        key(name)


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), 2**60, ["a"], "a\0", "\ud800"])
def test_what_nothing_can_be_compared_with_is_refused(value):
    for make in (
        lambda: key("a") == value,
        lambda: key("a") >= value,
        lambda: key("a").one_of(["x", value]),
        lambda: key("a").has(value),
    ):
        with pytest.raises(InvalidConfig):
            make()
