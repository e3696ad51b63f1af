"""Why conditions match no document is told alike in every store, and only of what may be read."""

import pytest

from seamline.retrieve.unmatched import reasons
from seamline.store import Reader, key, open_store, parse_where
from seamline.store.where import All
from seamline.testing.stores import INFO, make_entry

pytest_plugins = ["postgres_server"]

METADATA = {
    "date": "2024-05-31",
    "year": 2024,
    "price": 1.5,
    "code": "007",
    "draft": True,
    "cats": ["red", "blue"],
    "sizes": [1, 2],
    "empty": [],
    "mixed": [None, {}],
    "review": {"year": 2020, "by": "Ann"},
}
KEYS = "cats, code, date, draft, empty, mixed, price, review, sizes, tags, year"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def namespace(request, tmp_path):
    url = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/i.db"}
    kind = request.param
    with open_store(url.get(kind) or request.getfixturevalue("postgres_url")) as store:
        made = store.create(INFO)
        made.put(
            [
                make_entry("a", "One two.", metadata=METADATA, tags=frozenset({"hr"})),
                make_entry("b", "One.", metadata={"year": 2025, "date": "2024-06-01"}),
                make_entry("c", "Secret.", metadata={"secret": 1}, access=frozenset({"boss"})),
                make_entry("d", "Other.", metadata={"other": 1}, tenant="acme"),
            ]
        )
        yield made


def told(namespace, *conditions, tenant=""):
    where = All(tuple(map(parse_where, conditions)))
    return reasons(namespace, Reader(tenant, where=where))


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("nosuch=1", f"no document has 'nosuch'; there are: {KEYS}"),
        ("secret=1", f"no document has 'secret'; there are: {KEYS}"),
        ("yaer=2024", "no document has 'yaer'; did you mean 'year'?"),
        ("idd=a", "no document has 'idd'; did you mean 'id'?"),
        ("review.yeer=1", "no document has 'review.yeer'; did you mean 'review.year'?"),
        ("review.qqqqqqqqqq=1", "no document has 'review.qqqqqqqqqq'; there are: review.by, review.year"),
        ("date<2025", """'date' is text in @, such as '2024-05-31': write date<"2025\""""),
        ("code=7", """'code' is text in @, such as '007': write code="7\""""),
        ('year="2024"', "'year' is a number in @, such as 2024: write year=2024"),
        ("price>=1.50", "'price' is a number in @, such as 1.5: write price>=1.5"),
        ("price>1e3", "'price' is a number in @, such as 1.5: write price>1000"),
        ("year=soon", "'year' is a number in @, such as 2024"),
        (f"year<{'9' * 20}", "'year' is a number in @, such as 2024: in conditions numbers go to 2**53"),
        ("version=01", "'version' is a number in @, such as 1: write version=1"),
        ("draft=yes", "'draft' is true or false in @: write draft=true"),
        ("draft>1", "'draft' is true or false in @"),
        ("tags=hr", "'tags' holds lists of text in @, such as 'hr': write tags~hr"),
        ("tags=7", """'tags' holds lists of text in @, such as 'hr': write tags~"7\""""),
        ('sizes~"1"', "'sizes' holds lists of numbers in @, such as 1: write sizes~1"),
        ("cats<z", "'cats' holds lists of text in @, such as 'red': ask for one value, by cats~value"),
        ("mixed~x", "'mixed' holds lists of tables in @, such as {}"),
        ("date~x", "'date' is no list but text in @, such as '2024-05-31': write date=x"),
        ("review=1", "'review' is a table in @: compare what is in it, review.by, review.year"),
    ],
)  # fmt: skip
def test_a_key_that_none_has_and_another_type_are_told(namespace, condition, says):
    assert told(namespace, condition) == [says.replace("@", "these documents")]


@pytest.mark.parametrize(
    "condition",
    [
        "year=1999",
        "year>2030",
        "date>2030-01-01",
        "id=z",
        "tags~it",
        "sizes~9",
        "empty~x",
        "empty=x",
    ],
)
def test_where_only_no_value_fits_nothing_is_told(namespace, condition):
    assert told(namespace, condition) == []


def test_conditions_are_told_each_and_only_where_they_match_nothing(namespace):
    assert told(namespace, "year=2024") == []
    assert reasons(namespace, Reader()) == []
    found = told(namespace, "nosuch=1", "year=2024", "tags=hr", "tags=hr")
    assert [one.split()[0] for one in found] == ["no", "'tags'"]
    assert reasons(namespace, Reader(where=~(key("version") >= 1) | (key("nosuch") == 1))) == []


def test_of_other_tenants_nothing_is_told(namespace):
    assert told(namespace, "year=2024", tenant="nobody") == []
    (found,) = told(namespace, "date=1", tenant="acme")
    assert found == "no document has 'date'; there are: other"
    boss = Reader(access=frozenset({"boss"}), where=parse_where("secret~1"))
    assert reasons(namespace, boss) == [
        "'secret' is no list but a number in these documents, such as 1: write secret=1"
    ]


def test_no_more_than_a_thousand_documents_are_looked_at():
    with open_store("memory://") as store:
        made = store.create(INFO)
        long = {f"key{i:02}": "x" * 99 for i in range(30)}
        made.put([make_entry(f"{i:04}", "One.", metadata=long) for i in range(1_001)])
        (missing,) = told(made, "nosuch=1")
        assert missing.startswith("none of the 1,000 documents looked at has 'nosuch'; there are: ")
        assert missing.endswith("key19 and 10 more")
        (other,) = told(made, "key00=1")
        assert "text in the 1,000 documents looked at, such as 'xxx" in other
        assert len(other) < 130


def test_where_not_all_is_scored_a_sample_tells(monkeypatch, postgres_url):
    monkeypatch.setattr("seamline.store.postgres.view.MOST_CHUNKS", 10)
    with open_store(postgres_url) as store:
        made = store.create(INFO)
        own = {"date": "2024-05-31"}
        made.put([make_entry(f"{i:02}", "One two. Three.", metadata=own) for i in range(40)])
        (found,) = told(made, "date<2025")
        assert found.endswith("such as '2024-05-31': write date<\"2025\"")
        assert told(made, 'date<"2025"') == []
