"""Small real benchmarks for the tests of the report."""

import re

from seamline.bench import Results, run_bench
from seamline.config import BenchConfig
from seamline.types import Document, Question, Span

HOSTILE = (
    "Before.\n\n</script><script>window.__pwned = 1</script><!-- <b>\u2028 & end. \x1b[31mRed."
)


def manual(i):
    return (
        f"# Pump {i}\n\nThe pump {i} needs oil of grade {i}0 each month. Close valve {i} first, "
        f"then drain the housing, then open plug {i}{i}.\n\nThe spare key of room {i} hangs "
        f"behind the blue door of hall {i}. Ask the porter for it.\n"
    )


def corpus(n):
    """`n` documents, two questions each; the last document and question are hostile."""
    texts = {f"pump-{i}.md": manual(i) for i in range(n - 1)}
    texts["<i>evil</i>.md"] = HOSTILE
    documents = [Document.from_text(text, doc_id) for doc_id, text in texts.items()]
    questions = []
    for i, document in enumerate(documents[:-1]):
        for tag, words in (("oil", "oil of grade"), ("key", "behind the blue door of hall")):
            start = document.text.index(words)
            end = document.text.index(".", start)
            questions.append(
                Question(f"q{i}-{tag}", document.id, f"{tag} {i}?", ((Span(start, end),),), (tag,))
            )
    evil = Question(
        "</q>", "<i>evil</i>.md", "<script>alert(1)</script>", ((Span(9, 40),),), ("<b>",)
    )
    return documents, [*questions, evil, Question("empty", "pump-0.md", "No gold?", ())]


STRATEGIES = (
    "fixed(size=20, overlap=5)",
    "fixed(size=8, overlap=0)",
    "recursive(size=30, overlap=0)",
    "hierarchical(parent=40, size=12)",
    "whole",
)


def measured(n=12, **settings):
    """The results on `corpus(n)` and its documents by id."""
    documents, questions = corpus(n)
    settings = {"retriever": "bm25", "strategies": STRATEGIES, "budget": 40, "k": 3, **settings}
    settings.setdefault("budgets", (20, 40, 80, 160))
    results = run_bench(documents, questions, BenchConfig(**settings))
    return results, {document.id: document for document in documents}


def changed(results, change):
    """The same results with `change(strategy_row, i)` applied to every strategy."""
    rows = [dict(row) for row in results.data["strategies"]]
    for i, row in enumerate(rows):
        change(row, i)
    return Results({**results.data, "strategies": rows}, results.timings)


def numbers(text):
    return [float(found) for found in re.findall(r"\d\.\d{3}", text)]
