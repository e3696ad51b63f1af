"""Chroma's own numbers, made by its framework run unmodified, per question."""

import json

import numpy as np
import pytest

from seamline.golden import load_golden
from seamline.measure import aggregate, chroma_spans, precision_omega
from seamline.split import parse_strategy
from seamline.types import Chunk, Document

CONFIGS = (
    "fixed_200_0",
    "fixed_400_200",
    "recursive_200_0",
    "recursive_400_0",
    "recursive_400_200",
)


@pytest.fixture(scope="module")
def corpus(data_set):
    folder = data_set("chroma")
    documents = [
        Document(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((folder / "docs").iterdir())
    ]
    return documents, load_golden(folder / "golden.jsonl", documents)


@pytest.fixture(scope="module")
def reference(shared):
    path = shared / "reference" / "chroma_precision_omega.json"
    if not path.is_file():
        pytest.skip("the development data holds no reference of Chroma's framework")
    return json.loads(path.read_text(encoding="utf-8"))["configs"]


@pytest.mark.parametrize("config", CONFIGS)
def test_omega_equals_chromas_for_every_question_from_its_spans(corpus, reference, config):
    _, questions = corpus
    row = reference[config]
    assert {question.id for question in questions} == set(row["precision_omega"])
    spans = {doc_id: np.array(spans) for doc_id, spans in row["spans"].items()}
    found = precision_omega(questions, spans, compat="chroma")
    expected = [row["precision_omega"][question.id] for question in questions]
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-9)
    means = aggregate(found.values, [question.doc_id for question in questions])
    for doc_id, mean in row["precision_omega_mean"].items():
        assert means[doc_id].mean == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "config"),
    [
        ("fixed(size=200, overlap=0, unit=tokens)", "fixed_200_0"),
        ("fixed(size=400, overlap=200, unit=tokens)", "fixed_400_200"),
    ],
)
@pytest.mark.parametrize("compat", [None, "chroma"])
def test_our_own_fixed_chunks_land_within_a_third_of_a_point(
    corpus, reference, spec, config, compat
):
    documents, questions = corpus
    strategy = parse_strategy(spec)
    chunks = {document.id: strategy.split(document) for document in documents}
    found = precision_omega(questions, chunks, compat=compat)
    means = aggregate(found.values, [question.doc_id for question in questions])
    for doc_id, mean in reference[config]["precision_omega_mean"].items():
        assert means[doc_id].mean == pytest.approx(mean, abs=0.003), doc_id


def test_chroma_locates_a_chunk_without_its_final_stop_at_the_first_place_it_occurs():
    text = "Yes. No. Yes. No. End."
    cut = [(0, 4), (5, 8), (9, 13), (14, 17), (18, 22)]
    chunks = [Chunk("d", start, end, text[start:end]) for start, end in cut]
    found = chroma_spans(Document("d", text), chunks)
    assert found.tolist() == [[0, 3], [5, 7], [0, 3], [5, 7], [18, 21]]
    assert chroma_spans(Document("d", text), []).shape == (0, 2)
