"""The parts of the PostgreSQL store that need no server."""

from dataclasses import replace
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from seamline.errors import InvalidConfig, MissingInput
from seamline.store import key, open_store
from seamline.testing.stores import make_entry

pytest.importorskip("psycopg")

from seamline.store.postgres import candidates
from seamline.store.postgres.conditions import compiled
from seamline.store.postgres.gathered import Gathered, Laid, Run
from seamline.store.postgres.known import Lru
from seamline.store.postgres.link import Link
from seamline.store.postgres.sample import _pick

LINE = "One two three four five six seven eight. "


def laid_at(places):
    """A document of which each chunk has a section and a middle."""
    columns = make_entry("a", LINE * len(places)).columns
    assert len(columns) == len(places)
    section, middle = (np.array(column, np.int32) for column in zip(*places, strict=True))
    return Laid.of(replace(columns, section=section, middle=middle))


PLACES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6000)), min_size=1, max_size=60)


@given(PLACES, st.data())
def test_what_is_around_hits_is_near_them_in_their_sections(places, data):
    hits = data.draw(st.lists(st.integers(0, len(places) - 1), min_size=1, unique=True))
    spans = candidates._around(laid_at(places), np.array(hits, np.int64))
    assert all(a < b for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    found = {i for low, high in spans for i in range(low, high)}
    line = sorted(range(len(places)), key=lambda i: places[i])
    wanted = set()
    for hit in hits:
        for i in range(len(places)):
            (section, middle), (own, centre) = places[i], places[hit]
            near = section == own and abs(middle - centre) <= 2 * candidates._TOKENS
            steps = abs(line.index(i) - line.index(hit))
            if near and steps <= candidates._CHUNKS:
                wanted.add(i)
    assert found == wanted


SPANS = st.lists(st.integers(0, 40), unique=True, max_size=12).map(
    lambda edges: list(zip(sorted(edges)[::2], sorted(edges)[1::2], strict=False))
)


@given(SPANS, SPANS, SPANS)
def test_what_is_left_of_runs_is_in_none_of_others(first, second, others):
    def runs(number, spans):
        return [Run(number, None, low, high) for low, high in spans]

    def chunks(found):
        return {(run.number, i) for run in found for i in range(run.low, run.high)}

    ours, theirs = runs(1, first) + runs(2, second), runs(1, others)
    left = candidates._without(ours, theirs)
    assert chunks(left) == chunks(ours) - chunks(theirs)
    assert all(run.low < run.high for run in left)
    assert sum(run.high - run.low for run in left) == len(chunks(left))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=5), st.data())
def test_gathered_runs_are_the_chunks_of_whole_documents(sizes, data):
    documents = [Laid.of(make_entry(f"d{i}", LINE * n).columns) for i, n in enumerate(sizes)]
    whole = Gathered.of(
        [Run(i, one, 0, n) for i, (one, n) in enumerate(zip(documents, sizes, strict=True))]
    )
    runs, rows = [], []
    for i, (one, n) in enumerate(zip(documents, sizes, strict=True)):
        first = sum(sizes[:i])
        edges = sorted(data.draw(st.lists(st.integers(0, n), max_size=6, unique=True)))
        for low, high in zip(edges[::2], edges[1::2], strict=False):
            runs.append(Run(i, one, low, high))
            rows += range(first + low, first + high)
    some = Gathered.of(runs)
    for name in ("document", "ordinal", "centre", "tokens", "lengths"):
        assert some.columns[name].tolist() == whole.columns[name][rows].tolist()
    same = [
        np.equal.outer(one, one)
        for one in (some.columns["section"], whole.columns["section"][rows])
    ]
    assert np.array_equal(*same)
    terms = np.unique(whole.hashes)[::2]
    term, row, count = whole.postings(terms)
    kept = np.isin(row, rows)
    place = {row: i for i, row in enumerate(rows)}
    wanted = (term[kept].tolist(), [place[r] for r in row[kept].tolist()], count[kept].tolist())
    assert tuple(one.tolist() for one in some.postings(terms)) == wanted


@given(PLACES, st.floats(0, 1), st.integers(1, 2**40))
def test_a_sample_takes_runs_of_one_section(places, share, number):
    laid = laid_at(sorted(places))
    runs = _pick(number, laid, share)
    assert runs == _pick(number, laid, share)
    for run in runs:
        assert len(set(laid.section[run.low : run.high].tolist())) == 1
    assert sum(run.high - run.low for run in _pick(number, laid, 1.1)) == len(places)


def test_a_sample_takes_about_its_share():
    laid = laid_at([(i, i) for i in range(20)])
    taken = sum(len(_pick(number, laid, 0.3)) for number in range(1, 501))
    assert 0.27 < taken / (500 * 20) < 0.33


def test_what_was_used_longest_ago_is_let_go_first():
    known = Lru(10, len)
    for name, value in (("a", "xxxx"), ("b", "xxxx"), ("a", "xx"), ("c", "xxxx")):
        known.put(name, value)
    assert known.get("a") == "xx"
    known.put("d", "xxxx")
    assert [known.get(name) for name in "abcd"] == ["xx", None, "xxxx", "xxxx"]
    known.put("e", "x" * 50)
    assert [bool(known.get(name)) for name in "acde"] == [False, False, False, True]


def test_conditions_hold_no_value_in_their_text():
    odd = "'; DROP TABLE x; --"
    where = ((key(odd) == odd) | key("a").one_of([odd, 3])) & ~(key("n") > 7) & key("tags").has(odd)
    statement, parameters = compiled(where)
    assert odd not in statement
    assert "7" not in statement
    assert statement.count("%s") == len(parameters)


@pytest.mark.parametrize("url", ["postgresql:/x", "postgres", "postgresql://a\0b"])
def test_what_is_no_url_is_refused(url):
    with pytest.raises((InvalidConfig, MissingInput)):
        open_store(url)


def test_a_url_of_several_hosts_is_kept():
    link = Link("postgresql://u:secret@a,b:1/x?target_session_attrs=read-write&sslpassword=t")
    assert "secret" not in link.url
    assert "sslpassword" not in link.url
    assert Link(link.url)._given == {k: v for k, v in link._given.items() if "password" not in k}
