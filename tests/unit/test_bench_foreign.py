"""Embedders and splitters that callers bring to a benchmark."""

import numpy as np
import pytest
from test_bench_run import KEYS, MICE, QUESTIONS, Letters, run

from seamline.bench import run_bench
from seamline.bench.foreign import as_embedder
from seamline.errors import AlignmentError, InvalidConfig
from seamline.split import Foreign
from seamline.types import Document


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
