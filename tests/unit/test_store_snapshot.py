"""A namespace in memory: loaded in blocks, extended without copying what is there."""

import numpy as np
import pytest

from seamline.errors import StoreError
from seamline.retrieve.terms import hashed
from seamline.store import Entry
from seamline.store.arrays import sealed, unsealed
from seamline.store.exact import cosines, on_grid
from seamline.store.snapshot import Filed, Snapshot
from seamline.store.values import Reader
from seamline.testing.stores import make_entry, vector_of


def filed(number, text="One two three."):
    entry: Entry = make_entry(f"d{number}", f"{text} Number n{number}.")
    return Filed(number, "", frozenset(), number, None, entry.columns, entry.vectors)


def told(snapshot):
    scope = snapshot.scope(Reader(), None)
    found = scope.postings(np.unique(hashed(["one", "n7", "n600"])))
    columns = (scope.document, scope.ordinal, scope.section, scope.centre, scope.lengths, *found)
    return [column.tolist() for column in columns], scope.dense(vector_of("x")).tolist()


def test_any_way_to_load_gives_the_same():
    documents = [filed(number) for number in range(1, 620)]
    at_once = Snapshot(8).extended(iter(documents), 619, n_chunks=619)
    step = Snapshot(8)
    for at in range(0, 619, 50):
        step = step.extended(documents[at : at + 50], min(at + 50, 619))
    assert told(at_once) == told(step) == told(Snapshot(8).extended(documents, 619))


def test_small_changes_copy_what_is_there_once_in_a_doubling():
    """The vectors stay where they are but for a few times, however often a document is added."""
    snapshot = Snapshot(8).extended([filed(number) for number in range(1, 101)], 100, n_chunks=100)
    places = set()
    for number in range(101, 401):
        snapshot = snapshot.extended([filed(number)], number, n_chunks=1)
        places.add(snapshot.vectors.__array_interface__["data"][0])
    assert len(places) <= 3


def test_what_was_handed_out_before_stays_as_it_was():
    first = Snapshot(8).extended([filed(1), filed(2)], 2)
    before = told(first)
    second = first.extended([filed(3)], 3, removed={1: 3})
    assert told(first) == before
    assert second.scope(Reader(), None).document.tolist() == [2, 3]
    assert second.scope(Reader(as_of=2), None).document.tolist() == [1, 2]


@pytest.mark.parametrize("share", [0.01, 0.19, 0.21, 0.9, 1.0])
def test_cosines_are_exact_at_the_top_and_alike_for_rows_that_are_alike(share):
    dice = np.random.default_rng(5)
    rows = dice.standard_normal((3000, 37)).astype(np.float32)
    rows[::3] = rows[0]
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    vector = rows[0] * np.float32(0.5) + rows[1] * np.float32(0.5)
    chosen = np.sort(dice.choice(3000, int(3000 * share), replace=False))
    found = cosines(rows, vector, None if share == 1 else chosen)
    exact = (on_grid(rows[chosen]).astype(float) * on_grid(vector).astype(float)).sum(axis=1)
    assert np.abs(found - exact).max() < 1e-6
    top = np.argsort(-exact, kind="stable")[:200]
    assert found[top].tolist() == exact.astype(np.float32)[top].tolist()
    alike = found[chosen % 3 == 0]
    assert len(set(alike.tolist())) <= 1


def test_no_rows_have_no_cosines():
    empty = np.empty(0, np.int64)
    assert cosines(np.eye(4, dtype=np.float32), np.ones(4, np.float32), empty).tolist() == []


@pytest.mark.parametrize("data", [b"", b"x", b"some bytes" * 50])
def test_a_seal_is_broken_by_any_change(data):
    whole = sealed(data)
    assert bytes(unsealed(whole)) == data
    for at in range(0, len(whole), 7):
        broken = bytearray(whole)
        broken[at] ^= 4
        with pytest.raises(StoreError, match="damaged"):
            unsealed(bytes(broken))
    for short in (b"", whole[:-1], whole[1:], whole[:3]):
        with pytest.raises(StoreError, match="damaged"):
            unsealed(short)
