"""BM25 against bm25s, against the formula written out, and on real questions."""

import json
import math
import re

import numpy as np
import pytest

from seamline.retrieve import parse_retriever
from seamline.retrieve.analyze import Analyzer, analyzer_for
from seamline.retrieve.lexical import Bm25

WINDOW = 200  # words


def scores_of(retriever, texts, questions):
    """float32[q, n]: the score of every pair, 0 where nothing is shared."""
    ranks = retriever.index(texts, None, np.zeros(len(texts), np.int32)).rank(
        questions, depth=len(texts)
    )
    out = np.zeros((len(questions), len(texts)), np.float32)
    for row, ids, scores in zip(out, ranks.ids, ranks.scores, strict=True):
        row[ids[ids >= 0]] = scores[ids >= 0]
    return out


def written_out(texts, question, k1, b):
    """The formula in plain Python over lists of terms."""
    mean = sum(map(len, texts)) / len(texts)
    total = np.zeros(len(texts))
    for term in question:
        df = sum(term in text for text in texts)
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        for i, text in enumerate(texts):
            tf = text.count(term)
            if tf:
                total[i] += idf * tf / (tf + k1 * (1 - b + b * len(text) / mean))
    return total


def random_texts():
    rng = np.random.default_rng(2)
    words = np.array([f"w{i}" for i in range(40)])
    weights = 1 / np.arange(1, 41)
    weights /= weights.sum()
    return [" ".join(rng.choice(words, n, p=weights)) for n in rng.integers(1, 60, 120)]


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.0, 0.5), (2.0, 0.0), (0.9, 1.0)])
def test_scores_are_the_formula(k1, b):
    texts = random_texts()
    questions = ["w0 w7 w39", "w1 w1 w2", "w38", "unknown w3"]
    found = scores_of(Bm25(k1, b, language=None), texts, questions)
    split = [text.split() for text in texts]
    for row, question in zip(found, questions, strict=True):
        assert row == pytest.approx(written_out(split, question.split(), k1, b), rel=2e-6)


def test_scores_are_those_of_bm25s():
    bm25s = pytest.importorskip("bm25s", reason="bm25s is not installed")
    texts = random_texts()
    oracle = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    oracle.index([text.split() for text in texts], show_progress=False)
    questions = ["w0 w7 w39", "w5 w11", "w38 w2 w30 w31"]
    found = scores_of(Bm25(language=None), texts, questions)
    for row, question in zip(found, questions, strict=True):
        assert row == pytest.approx(oracle.get_scores(question.split()), rel=1e-5, abs=1e-6)


def windows(folder):
    """Documents in windows of 200 words: (doc, start, end, text), and the questions."""
    chunks = []
    for path in sorted((folder / "docs").iterdir()):
        text = path.read_text(encoding="utf-8")
        words = [m.span() for m in re.finditer(r"\S+", text)]
        for at in range(0, len(words), WINDOW):
            start, end = words[at][0], words[min(at + WINDOW, len(words)) - 1][1]
            chunks.append((path.stem, start, end, text[start:end]))
    lines = (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    return chunks, [json.loads(line) for line in lines]


def recall(ids, chunks, questions):
    """The mean share of gold characters in the ranked chunks."""
    shares = []
    for row, question in zip(ids, questions, strict=True):
        spans = [(a["start"], a["end"]) for a in question["answers"]]
        gold = {c for s, e in spans for c in range(s, e)}
        shown = set()
        for i in row:
            doc, start, end, _ = chunks[i]
            if i >= 0 and doc == question["doc_id"]:
                shown |= gold.intersection(range(start, end))
        shares.append(len(shown) / len(gold))
    return float(np.mean(shares))


@pytest.mark.parametrize("name", ["chroma", "xquad_en"])
def test_recall_on_real_questions_beside_bm25s(data_set, name):
    bm25s = pytest.importorskip("bm25s", reason="bm25s is not installed")
    stemmer = pytest.importorskip("Stemmer").Stemmer("english")
    chunks, questions = windows(data_set(name))
    texts, asked = [c[3] for c in chunks], [q["question"] for q in questions]
    ours = Bm25().index(texts, None, np.zeros(len(texts), np.int32)).rank(asked, depth=5).ids

    options = {"stopwords": "en", "stemmer": stemmer, "show_progress": False}
    oracle = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    oracle.index(bm25s.tokenize(texts, **options), show_progress=False)
    theirs, _ = oracle.retrieve(bm25s.tokenize(asked, **options), k=5, show_progress=False)

    found, expected = (recall(ids, chunks, questions) for ids in (ours, theirs))
    assert found >= expected - 0.005
    assert found >= 0.9


def test_bigrams_find_chinese_answers(data_set):
    folder = data_set("cmrc2018")
    texts, ids = [], {}
    for number, path in enumerate(sorted((folder / "docs").iterdir())):
        ids[path.stem] = number
        texts.append(path.read_text(encoding="utf-8"))
    lines = (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    index = parse_retriever("bm25").index(texts, None, np.zeros(len(texts), np.int32))
    top = index.rank([q["question"] for q in questions], depth=5).ids
    wanted = np.array([ids[q["doc_id"]] for q in questions])
    assert np.mean(np.any(top == wanted[:, None], axis=1)) >= 0.95


def test_the_language_of_real_sets_is_told(data_set):
    chunks, _ = windows(data_set("xquad_en"))
    assert analyzer_for("auto", [c[3] for c in chunks]) == Analyzer("english")
    chinese = sorted((data_set("cmrc2018") / "docs").iterdir())
    texts = [path.read_text(encoding="utf-8") for path in chinese]
    assert analyzer_for("auto", texts) == Analyzer(None)
