"""What a chunk says of where it comes from: pages, rows, cells, sheets, lines."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.split import parse_strategy
from seamline.split.chunks import make_chunks
from seamline.types import Document, Span

KINDS = {"pages": "page_range", "rows": "row_range", "cells": "cell_range", "lines": "line_range"}


def places(text, cuts, **metadata):
    document = Document.from_text(text, metadata=metadata)
    return [
        chunk.metadata for chunk in make_chunks(document, tuple(map(list, zip(*cuts, strict=True))))
    ]


def test_without_places_a_chunk_shares_its_document_s_metadata():
    document = Document.from_text("one two", metadata={"tenant": "a"})
    (chunk,) = make_chunks(document, ([0], [7]))
    assert chunk.metadata is document.metadata


@pytest.mark.parametrize(("name", "result"), KINDS.items())
def test_the_first_and_the_last_place_that_a_chunk_touches(name, result):
    found = places("aaaabbbbcccc", [(0, 4), (3, 5), (4, 12), (11, 12)], **{name: [0, 4, 8]})
    assert [data[result] for data in found] == [(1, 1), (1, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize(("name", "result"), KINDS.items())
def test_places_may_have_numbers_of_their_own(name, result):
    numbers = f"{name[:-1]}_numbers"
    found = places("aaaabbbb", [(0, 4), (0, 8)], **{name: (0, 4), numbers: (7, 12)})
    assert found == [{result: (7, 7)}, {result: (7, 12)}]


@pytest.mark.parametrize("starts", [[4], (4,)])
def test_before_the_first_place_there_is_none(starts):
    assert places("headrows", [(0, 4), (2, 6)], rows=starts) == [{}, {"row_range": (1, 1)}]


def test_the_lists_of_the_document_stay_with_it():
    text = "a\n" * 2_000
    document = Document.from_text(
        text,
        metadata={"tenant": "a", "lines": range(0, 4_000, 2), "rows": list(range(0, 4_000, 2))},
    )
    chunks = parse_strategy("fixed(size=10, overlap=0, unit=characters)").split(document)
    assert max(len(pickle.dumps(chunk.metadata)) for chunk in chunks) < 200
    assert chunks[-1].metadata["tenant"] == "a"
    assert chunks[-1].metadata["line_range"][1] == 2_000


def test_empty_lists_say_nothing():
    assert places("abc", [(0, 3)], rows=[], sheets=[], sheet_names=[]) == [
        {"rows": [], "sheets": [], "sheet_names": []}
    ]
    assert places("abc", [(0, 3)], rows=[], pages=[0]) == [{"page_range": (1, 1)}]


def test_form_feeds_are_pages_beside_other_places():
    (data,) = places("one\ftwo", [(0, 7)], lines=[0])
    assert data == {"page_range": (1, 2), "line_range": (1, 1)}


BOOK = "# A\n\nr1\nr2\n\n# B\n\nr1\nr2"
SHEETS = {
    "sheets": [0, 12],
    "sheet_names": ["A", "B"],
    "rows": [5, 8, 17, 20],
    "row_numbers": [1, 2, 1, 9],
}


def test_a_chunk_names_its_sheet_and_rows():
    assert places(BOOK, [(0, 7), (8, 10), (17, 22)], **SHEETS) == [
        {"row_range": (1, 1), "sheet": "A"},
        {"row_range": (2, 2), "sheet": "A"},
        {"row_range": (1, 9), "sheet": "B"},
    ]


def test_a_sheet_s_heading_does_not_touch_the_row_above_it():
    assert places(BOOK, [(12, 15), (12, 19)], **SHEETS) == [
        {"sheet": "B"},
        {"row_range": (1, 1), "sheet": "B"},
    ]


def test_across_sheets_rows_have_no_range():
    assert places(BOOK, [(0, 22)], **SHEETS) == [{"sheet": "A, B"}]


def test_parents_keep_their_places():
    document = Document.from_text("one\ntwo", metadata={"lines": [0, 4]})
    chunks = make_chunks(document, ([0, 4], [3, 7]), [Span(0, 7), Span(0, 7)])
    assert [chunk.metadata["line_range"] for chunk in chunks] == [(1, 1), (2, 2)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.data())
def test_ranges_are_those_of_the_letters_in_the_chunk(lengths, data):
    text = "".join(chr(ord("a") + i) * (n + 1) for i, n in enumerate(lengths))
    starts = [text.index(letter) for letter in sorted(set(text))]
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    (found,) = places(text, [(start, end)], rows=starts)
    letters = [ord(letter) - ord("a") + 1 for letter in text[start:end]]
    assert found["row_range"] == (min(letters), max(letters))
