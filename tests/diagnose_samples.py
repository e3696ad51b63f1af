"""Tiny corpora in which each reason to fail is certain, and an embedder that anybody can add up."""

import numpy as np

from seamline.bench import run_bench
from seamline.config import BenchConfig
from seamline.types import Document, Question, Span


class Words:
    """Counts words: the cosine is what two texts have in common over the root of their lengths."""

    fingerprint = "words-1"
    max_tokens = None

    def __init__(self):
        self.numbers = {}

    def embed_documents(self, texts):
        rows = np.zeros((len(texts), 6000))
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").replace("?", " ").split():
                row[self.numbers.setdefault(word, len(self.numbers))] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    embed_queries = embed_documents


class Paragraphs:
    """Cuts at blank lines."""

    def split_text(self, text):
        return text.split("\n\n")


def filler(n, name="pad"):
    """`n` words that stand nowhere else."""
    return " ".join(f"{name}{i}" for i in range(n))


ASKED = "amber falcon nests"
# Two of the three words each, none of them a near-duplicate of another.
RIVALS = [
    f"{pair} {filler(2, f'rival{i}x')}"
    for i, pair in enumerate(3 * ["amber falcon", "falcon nests", "amber nests"])
]
GOLD = "amber falcon nests here"


def ask(document, *quotes, number=1, mode="all"):
    spans = [Span(at := document.text.index(quote), at + len(quote)) for quote in quotes]
    slots = (tuple(spans),) if mode == "any" else tuple((span,) for span in spans)
    return Question(f"q{number}", document.id, f"{ASKED}?", slots)


def document(*paragraphs, doc_id="a.txt"):
    return Document.from_text("\n\n".join(paragraphs), doc_id)


def explained(documents, questions, strategy=None, **settings):
    """The explanation of one strategy's failures, by paragraphs unless told otherwise."""
    documents = [documents] if isinstance(documents, Document) else documents
    questions = [questions] if isinstance(questions, Question) else questions
    usual = {"retriever": "dense", "tokenizer": "words", "k": 1, "budgets": [8, 16]}
    settings = {**usual, **settings}
    settings.setdefault("measures", [f"Recall@{settings.setdefault('budget', 12)}t"])
    config = BenchConfig(**settings)
    results = run_bench(
        documents, questions, config, strategies=[strategy or Paragraphs()], embedder=Words()
    )
    return results.data["diagnosis"][0]
