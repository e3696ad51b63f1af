import pickle

import numpy as np
import pytest

from seamline.errors import InvalidConfig, InvalidDocument, SeamlineError
from seamline.types import Block, Chunk, Document, Question, Seams, Span


def test_a_span_has_a_length_and_is_true_even_when_empty():
    assert len(Span(3, 8)) == 5
    assert len(Span(4, 4)) == 0
    assert Span(4, 4)


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (4, 3), (-2, -1)])
def test_a_span_refuses_offsets_out_of_order(start, end):
    with pytest.raises(InvalidConfig, match=rf"0 <= start <= end, got start={start} and end={end}"):
        Span(start, end)


def test_spans_sort_by_start_then_end():
    assert sorted([Span(2, 9), Span(2, 3), Span(0, 5)]) == [Span(0, 5), Span(2, 3), Span(2, 9)]


@pytest.mark.parametrize("text", ["a\nb\nc", "a\r\nb\r\nc", "a\rb\rc", "a\r\nb\rc"])
def test_line_ends_are_made_one(text):
    assert Document("d", text).text == "a\nb\nc"


def test_a_document_without_carriage_returns_keeps_its_very_string():
    text = "one\ntwo"
    assert Document("d", text).text is text


def test_a_digest_is_of_the_text_only():
    one, other = Document("a", "same"), Document("b", "same", media_type="text/markdown")
    assert one.digest == other.digest
    assert one.digest != Document("a", "same ").digest
    assert Document("a", "x\r\ny").digest == Document("a", "x\ny").digest


@pytest.mark.parametrize("text", ["é ok 漢 😀", "plain", ""])
def test_valid_unicode_is_a_document(text):
    assert Document.from_text(text).text == text


def test_a_lone_surrogate_is_refused_with_its_offset():
    with pytest.raises(InvalidDocument, match=r"'d'.*offset 2") as caught:
        Document("d", "ab\ud800c")
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, SeamlineError)


def test_from_text_takes_other_fields():
    block = Block("heading", Span(0, 3), 1, "One")
    document = Document.from_text("One", "a.md", blocks=(block,), metadata={"tenant": "t"})
    assert (document.id, document.blocks, document.metadata) == ("a.md", (block,), {"tenant": "t"})


def test_documents_are_hashable_whatever_their_metadata():
    assert (
        len({Document("a", "x", metadata={"k": []}), Document("a", "x", metadata={"k": []})}) == 1
    )


def test_seams_come_from_any_sequence_and_one_strength_serves_all():
    seams = Seams.of(range(2, 8, 2))
    assert seams.offsets.tolist() == [2, 4, 6]
    assert seams.strengths.tolist() == [1.0, 1.0, 1.0]
    assert (seams.offsets.dtype, seams.strengths.dtype) == (np.int32, np.float32)
    assert len(Seams.of([])) == 0


@pytest.mark.parametrize("offsets", [[3, 3], [5, 2], [-1, 4]])
def test_seams_must_increase(offsets):
    with pytest.raises(InvalidConfig, match="strictly increase"):
        Seams.of(offsets)


def test_seams_need_a_strength_each():
    with pytest.raises(InvalidConfig, match="got 2 offsets and 1 strengths"):
        Seams(np.array([1, 2], np.int32), np.array([1.0], np.float32))


def test_a_chunk_knows_its_id_span_and_what_is_indexed():
    chunk = Chunk("a.md", 0, 5, "Hello")
    assert (chunk.id, chunk.span, chunk.indexed) == ("a.md#0-5", Span(0, 5), "Hello")
    assert chunk.parent_id is None
    row = chunk._replace(indexed_as="Greeting is Hello.", parent=Span(0, 9))
    assert (row.text, row.indexed, row.parent_id) == ("Hello", "Greeting is Hello.", "a.md#0-9")


def test_a_chunks_digest_is_of_what_is_indexed():
    chunk = Chunk("a.md", 0, 5, "Hello")
    assert chunk.digest == Chunk("b.md", 7, 12, "Hello").digest
    assert chunk.digest != chunk._replace(indexed_as="Hallo").digest
    assert chunk._replace(indexed_as="").indexed == ""


def test_chunks_with_metadata_are_hashable_and_survive_pickling():
    chunk = Chunk("a.md", 0, 5, "Hello", metadata={"page": 3})
    assert hash(chunk) == hash(pickle.loads(pickle.dumps(chunk)))
    assert pickle.loads(pickle.dumps(chunk)) == chunk


def test_a_questions_spans_are_sorted_without_duplicates():
    question = Question("q", "a", "?", ((Span(8, 9), Span(2, 4)), (Span(2, 4),)))
    assert question.spans == (Span(2, 4), Span(8, 9))
    assert Question("q", "a", "?", ()).spans == ()


def test_a_kind_of_string_becomes_a_plain_one():
    class Shouted(str):
        __slots__ = ()

        def __str__(self):
            return self.upper()

        def __getitem__(self, key):
            return "other"

    document = Document.from_text(Shouted("Oil it."), Shouted("a.md"))
    assert (type(document.text), type(document.id)) == (str, str)
    assert (document.text, document.id) == ("Oil it.", "a.md")
