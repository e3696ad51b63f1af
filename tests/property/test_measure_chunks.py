"""Containment, splits and omega against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.measure import containment, precision_omega, split_rate
from seamline.measure.chunks import ChunkSpans
from seamline.types import Question, Span

span = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda p: (p[0], sum(p)))
chunk_lists = st.lists(span, max_size=10)
slots = st.lists(st.lists(span, min_size=1, max_size=2, unique=True), max_size=3)


def chars(rows):
    return {offset for start, end in rows for offset in range(start, end)}


def question_of(rows, number=0):
    return Question(
        f"q{number}", "d", "?", tuple(tuple(Span(*s) for s in sorted(slot)) for slot in rows)
    )


def array(rows):
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def is_held(gold, chunks):
    return any(start <= gold[0] and gold[1] <= end for start, end in chunks)


@given(st.lists(slots, max_size=4), chunk_lists)
def test_containment_and_split_rate_are_those_of_brute_force(rows, chunks):
    questions = [question_of(row, i) for i, row in enumerate(rows)]
    found = containment(questions, {"d": array(chunks)})
    held = [[any(is_held(s, chunks) for s in slot) for slot in row] for row in rows]
    np.testing.assert_array_equal(
        found.values, [float(all(slots)) if slots else np.nan for slots in held]
    )
    np.testing.assert_array_equal(
        split_rate(questions, {"d": array(chunks)}),
        [slots.count(False) / len(slots) if slots else np.nan for slots in held],
    )
    wanted = [(f"q{i}", j) for i, slots in enumerate(held) for j, ok in enumerate(slots) if not ok]
    assert [(case.question, case.slot) for case in found.split] == wanted
    for case in found.split:
        pieces = [(piece.start, piece.end) for piece in case.pieces]
        assert chars(pieces) == chars([(case.span.start, case.span.end)]) & chars(chunks)
        assert pieces == sorted(pieces, key=lambda piece: piece[0])


@given(chunk_lists, span)
def test_chunks_around_a_span_are_those_that_overlap_or_touch(chunks, gold):
    spans = ChunkSpans(array(chunks))
    start, end = gold
    overlapping = sorted(c for c in chunks if max(c[0], start) < min(c[1], end))
    touching = sorted(c for c in chunks if max(c[0], start) <= min(c[1], end))
    assert sorted(map(tuple, spans.around(Span(*gold)).tolist())) == overlapping
    assert sorted(map(tuple, spans.around(Span(*gold), touching=True).tolist())) == touching


def ratio(gold, chunks, *, chroma):
    least = -1 if chroma else 0
    near = [c for c in chunks if any(min(c[1], g[1]) - max(c[0], g[0]) > least for g in gold)]
    below = chars(near) | (chars(gold) if chroma else set())
    return len(chars(gold) & chars(near)) / len(below) if below else 0.0


@pytest.mark.parametrize("compat", [None, "chroma"])
@given(st.lists(slots, max_size=3), chunk_lists)
def test_omega_is_that_of_sets(compat, rows, chunks):
    questions = [question_of(row, i) for i, row in enumerate(rows)]
    chroma = compat == "chroma"
    expected = []
    for row in rows:
        gold = [max(sorted(slot), key=lambda s: ratio([s], chunks, chroma=chroma)) for slot in row]
        expected.append(ratio(gold, chunks, chroma=chroma) if gold else np.nan)
    found = precision_omega(questions, {"d": array(chunks)}, compat=compat)
    np.testing.assert_allclose(found.values, expected)
    known = [value for value in expected if value == value]  # noqa: PLR0124 - NaN is not itself
    assert found.mean == pytest.approx(np.mean(known) if known else np.nan, nan_ok=True)
