"""Conditions pick the same documents in every store, whatever the documents' metadata are."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from seamline.retrieve.lexical import Bm25
from seamline.retrieve.live import score
from seamline.retrieve.terms import hashed
from seamline.store import Reader, key, open_store
from seamline.store.base import Asked
from seamline.store.common import facts
from seamline.store.where import All, Any_, Compare, In
from seamline.testing.stores import INFO, make_entry, vector_of

pytest_plugins = ["postgres_server"]

STRINGS = st.one_of(
    st.sampled_from(
        ["", "a", "A", "é", "e\u0301", "10", "9", "true", "%s", "'", '"', "\\", "\uffff", "😀"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4),
)
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**53), 2**53),
    st.sampled_from([0.1, -0.0, 2.5, 1e15, 9007199254740991.0, 5e-324, 1e-7, 0.30000000000000004]),
    st.floats(-(2**53), 2**53),
)
SCALARS = st.one_of(STRINGS, NUMBERS, st.booleans())
LARGE = st.sampled_from([1e300, -1e300, 2**70, 2**53 + 1, 1.7976931348623157e308])
VALUES = st.recursive(
    st.one_of(SCALARS, st.none(), LARGE),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab01"), inner, max_size=2)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from(["a", "b", "0", "tags", "id", "source", "version", "media_type", "%", "'"])
METADATA = st.dictionaries(NAMES, VALUES, max_size=5)
KEYS = st.lists(NAMES, min_size=1, max_size=3).map(".".join).map(key)


def compared(place, operator, value):
    if isinstance(value, bool) and operator not in ("=", "!="):
        operator = "="
    return Compare(place.path, operator, value)


OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
PLAIN = st.one_of(
    st.builds(compared, KEYS, OPERATORS, SCALARS),
    st.builds(
        lambda place, values: In(place.path, tuple(values)), KEYS, st.lists(SCALARS, max_size=3)
    ),
    st.builds(lambda place, value: place.has(value), KEYS, SCALARS),
)
CONDITIONS = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        inner.map(lambda one: ~one),
        st.lists(inner, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, max_size=3).map(lambda parts: Any_(tuple(parts))),
    ),
    max_leaves=5,
)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    postgres = request.param == "postgres"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path}/i.db"
    with open_store(url) as store:
        yield store


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    documents=st.lists(METADATA, min_size=1, max_size=6),
    tags=st.frozensets(st.sampled_from(["a", "é", "10"])),
    where=st.lists(CONDITIONS, min_size=1, max_size=8),
)
def test_a_condition_picks_what_it_matches(store, documents, tags, where):
    store.drop(INFO.name)
    namespace = store.create(INFO)
    namespace.put(
        [
            make_entry(f"d{i}", "One.", metadata=own, tags=tags, source="/a" if i % 2 else "")
            for i, own in enumerate(documents)
        ]
    )
    held = {doc_id: namespace.versions("", doc_id)[0] for doc_id in namespace.doc_ids("")}
    assert [repr(held[f"d{i}"].metadata) for i in range(len(documents))] == list(
        map(repr, documents)
    )
    for condition in where:
        with namespace.read(Reader(where=condition)) as view:
            found = view.held(sorted({one.number for one in held.values()}))
        wanted = {one.doc_id for one in held.values() if condition.matches(facts(one))}
        assert {one.doc_id for one in found.values()} == wanted, condition


@pytest.mark.parametrize("retriever", [Bm25(), Bm25(positional=160)], ids=str)
def test_words_weigh_what_they_do_without_the_condition(store, retriever):
    entries = [
        make_entry(f"d{i}", "One two. Three four five six seven one. " * (1 + i % 3), tags=tags)
        for i, tags in enumerate([frozenset("a"), frozenset(), frozenset("ab"), frozenset("b")] * 3)
    ]
    entries.append(make_entry("rare", "Eight nine ten.", tags=frozenset("b")))
    asked = Asked(vector_of("x"), np.unique(hashed(["one", "three", "eight"])), 50)
    found = []
    with open_store("memory://") as memory:
        for one in (store, memory):
            namespace = one.create(INFO)
            namespace.put(entries)
            with namespace.read(Reader(where=key("tags").has("a"))) as view:
                for scope in (view.scope(asked), view.scope()):
                    scores = score(retriever, scope, asked, np.ones(3, np.float32)).scores
                    assert len(scope.whole) > len(scope) == len(scores)
                    found.append(scores)
    for scores in found:
        np.testing.assert_allclose(scores, found[-1], rtol=1e-6)
