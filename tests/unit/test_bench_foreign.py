"""Embedders and splitters that callers bring to a benchmark."""

import numpy as np
import pytest
from test_bench_run import KEYS, MICE, QUESTIONS, Letters, run

from seamline.api import split_text
from seamline.bench import run_bench
from seamline.bench.foreign import as_embedder
from seamline.embed.cache import CachedEmbedder
from seamline.errors import AlignmentError, EmbeddingError, InvalidConfig
from seamline.split import Foreign
from seamline.types import Chunk, Document, Span


class LangChainLike:
    model = "letters"

    def embed_documents(self, texts):
        return (3 * Letters().embed_documents(texts)).tolist()

    def embed_query(self, text):
        return self.embed_documents([text])[0]


def test_an_embedder_of_langchain_gives_unit_vectors_and_a_fingerprint():
    adapted = as_embedder(LangChainLike())
    assert adapted.fingerprint == "LangChainLike-letters"
    assert np.allclose(adapted.embed_documents(["ab", "c"]), Letters().embed_documents(["ab", "c"]))
    assert np.allclose(adapted.embed_queries(["ab"]), Letters().embed_documents(["ab"]))
    given = {"retriever": "dense", "strategies": ["whole"]}
    ours, theirs = run(embedder=Letters(), **given), run(embedder=LangChainLike(), **given)
    assert [row.mean for row in ours.summary()] == [row.mean for row in theirs.summary()]
    assert theirs.data["config"]["embedder"] == "LangChainLike"


class OnlyDocuments:
    def embed_documents(self, texts):
        return texts


@pytest.mark.parametrize(
    ("embedder", "message"),
    [
        (OnlyDocuments(), "got a OnlyDocuments without fingerprint, embed_queries: see docs/howto"),
        (42, "got a int without fingerprint, embed_documents, embed_queries"),
        (Letters, r"got the class Letters: make one, Letters\(\.\.\.\)"),
        ("minilmm", "did you mean 'minilm'"),
    ],
)
def test_what_is_no_embedder_is_refused_with_what_it_lacks(embedder, message):
    with pytest.raises(InvalidConfig, match=message):
        run(embedder=embedder, retriever="dense")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["text"], QUESTIONS), "documents must be Document objects, got a str: read_documents"),
        (("text", QUESTIONS), "documents must be Document objects, got a str"),
        ((42, QUESTIONS), "documents must be Document objects, got a int"),
        (([KEYS, MICE], [{"id": 1}]), "questions must be Question objects, got a dict: load_gold"),
        (([KEYS, MICE], QUESTIONS, {"k": 3}), "config must be a BenchConfig, got a dict"),
    ],
)
def test_wrong_types_are_named(arguments, message):
    with pytest.raises(InvalidConfig, match=message):
        run_bench(*arguments)


class Splitter:
    def __init__(self, answer):
        self.answer = answer

    def split_text(self, text):
        return self.answer(text) if callable(self.answer) else self.answer


class Piece:
    def __init__(self, **texts):
        vars(self).update(texts)


@pytest.mark.parametrize("key", ["page_content", "text"])
def test_pieces_that_keep_their_text_in_an_attribute_are_read(key):
    document = Document.from_text("one\ntwo")
    splitter = Splitter(lambda text: [Piece(**{key: line}) for line in text.split("\n")])
    chunks, exact = Foreign(splitter).split_counted(document)
    assert [chunk.text for chunk in chunks] == ["one", "two"]
    assert exact == 2


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "Splitter must return a list .* for document 'text', got a NoneType"),
        (b"one", "got a bytes"),
        ("one", "got a str"),
        ({"one": 1}, "got a dict"),
        (7, "got a int"),
        ([b"one"], "for document 'text' one is a bytes"),
        ([None], "one is a NoneType"),
        (["one", Piece(page_content=3)], "one is a Piece"),
    ],
)
def test_what_no_chunk_can_be_made_of_is_named_by_its_type(answer, message):
    with pytest.raises(AlignmentError, match=message):
        Foreign(Splitter(answer)).split(Document.from_text("one"))


TWO = Document.from_text("Oil the pump. Rest.")


def chunk(start=0, end=3, text=None, **fields):
    return Chunk("text", start, end, TWO.text[start:end] if text is None else text, **fields)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (chunk(), "list of strings or Chunk objects .* got a Chunk"),
        ([chunk(), "the pump"], "either Chunk objects only or none .* got Chunk, str"),
        ([chunk(-3, 3, "Rest.")], r"chunk 0 .* must have 0 <= start < end <= 19"),
        ([chunk(3, 3)], "0 <= start < end"),
        ([chunk(4, 2, "")], "0 <= start < end"),
        ([chunk(14, 99)], "0 <= start < end <= 19"),
        ([chunk(False, 3, "Oil")], "whole numbers .* got bool and int"),
        ([chunk(0.0, 3, "Oil")], "whole numbers .* got float and int"),
        ([chunk(np.int64(0), 3)], "whole numbers .* got int64 and int"),
        ([chunk(None, 3, "Oil")], "whole numbers .* got NoneType and int"),
        ([chunk(text=b"Oil")], "strings as text, context .* got bytes, str"),
        ([chunk(context=None)], "strings as text, context .* got str, NoneType"),
        ([chunk(indexed_as=7)], "strings as text, context .* got str, str, int"),
        ([chunk(text="oil")], r"its document's text\[start:end\]"),
        ([chunk()._replace(doc_id="other")], "name its document"),
        ([chunk(), chunk()], "chunk 1 .* start and end after those .* 0-3"),
        ([chunk(4, 7), chunk()], "chunk 1 .* start and end after those .* 4-7"),
        ([chunk(0, 12), chunk(4, 7)], "chunk 1 .* start and end after those"),
        ([chunk(4, 7, parent=Span(5, 9))], "lie in its parent"),
        ([chunk(4, 7, parent=Span(0, 99))], "lie in its parent"),
        ([chunk(4, 7, parent=(0, 9))], r"a Span or None as parent, got \(0, 9\)"),
    ],
)
def test_chunks_that_cannot_be_are_refused_with_strategy_and_place(answer, message):
    with pytest.raises(AlignmentError, match=message) as caught:
        Foreign(Splitter(answer), "mine").split(TWO)
    assert "mine" in str(caught.value)


def test_chunks_get_their_number_in_the_document():
    answer = [chunk(0, 3, parent=Span(0, 12)), chunk(4, 7)]
    made = Foreign(Splitter(answer)).split(TWO)
    assert [one.ordinal for one in made] == [0, 1]
    assert [one.span for one in made] == [Span(0, 3), Span(4, 7)]


class Answering(Letters):
    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def embed_documents(self, texts):
        return self.answer(super().embed_documents(texts))

    embed_queries = embed_documents


WRONG = [
    (lambda rows: None, "numbers, all of one length, got a NoneType"),
    (lambda rows: "rows", "got a str"),
    (lambda rows: rows.astype(complex), "got a ndarray of complex128"),
    (lambda rows: rows.astype(str), "got a ndarray of <U"),
    (lambda rows: [[1.0], [0.6, 0.8], *rows[2:]], "got a list"),
    (lambda rows: rows[0], "one vector a text"),
    (lambda rows: rows[None], "one vector a text"),
    (lambda rows: rows[:-1], "one vector a text"),
    (lambda rows: rows[:, :0], "one vector a text"),
    (lambda rows: rows * np.nan, "finite numbers"),
    (lambda rows: rows * 1.01, "length 1 .* got length 1.01 in vector 0 .*: normalise them"),
]
SENTENCES = "Oil the pump. Check the belt. Mice eat cheese. Keys open doors."


@pytest.mark.parametrize(("answer", "message"), WRONG)
def test_vectors_that_cannot_be_are_refused_wherever_they_enter(answer, message):
    embedder = Answering(answer)
    with pytest.raises(EmbeddingError, match=message):
        run(embedder=embedder, retriever="dense", strategies=["whole"])
    with pytest.raises(EmbeddingError, match=message):
        split_text(SENTENCES, "semantic(size=20, floor=1)", embedder=embedder)


def test_vectors_whose_number_of_columns_changes_are_refused():
    widths = iter([26, 25])
    embedder = CachedEmbedder(
        Answering(lambda rows: np.eye(26, dtype=np.float32)[: len(rows), : next(widths)]), None
    )
    embedder.embed_documents(["a"])
    with pytest.raises(EmbeddingError, match="must have one length"):
        embedder.embed_documents(["b"])


@pytest.mark.parametrize("kind", [np.float16, np.float64, list])
def test_vectors_of_other_numbers_serve(kind):
    convert = np.ndarray.tolist if kind is list else lambda rows: rows.astype(kind)
    chunks = split_text(SENTENCES, "semantic(size=20, floor=1)", embedder=Answering(convert))
    assert chunks == split_text(SENTENCES, "semantic(size=20, floor=1)", embedder=Letters())


def test_a_fingerprint_that_is_a_method_is_refused():
    class Method(Letters):
        def fingerprint(self):
            return "letters"

    with pytest.raises(InvalidConfig, match=r"must be a string .* got a method"):
        as_embedder(Method())
