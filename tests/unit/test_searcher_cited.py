"""What a passage is cited by, and what stands before it, whatever it was joined from."""

from pathlib import Path

import pytest

from seamline import Document, Labels, Rule, Rules, ingest_documents, open_searcher, open_store
from seamline.ingest.cut import Maker
from seamline.parse import parse_text, read_documents
from seamline.retrieve.analyze import Analyzer
from seamline.retrieve.walk import count_tokens
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy

DOCS = Path(__file__).parents[2] / "examples" / "runbooks" / "docs"
STRATEGIES = [
    "adaptive(target=64)",
    "hierarchical(parent=sections, size=100)",
    "recursive(size=64, overlap=16)",
    "table_rows",
]
QUESTIONS = [
    "How long does the old key still work?",
    "Who is called at night?",
    "rows in the table",
]
SIZER = parse_sizer("tokens")


def lines_of(text, start, end):
    return [text.count("\n", 0, start) + 1, text.count("\n", 0, end - 1) + 1]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("way", [{}, {"merge": True}, {"dedupe": True}], ids=str)
def test_passages_are_cited_by_all_that_is_in_them(strategy, way):
    documents = list(read_documents([DOCS]))
    texts = {document.id: document.text for document in documents}
    settings = {"strategy": strategy, "retriever": "bm25", **way}
    with open_store("memory://") as store:
        ingest_documents(documents, store, **settings)
        searcher = open_searcher(store, **settings)
        maker = Maker(parse_strategy(strategy), SIZER, Analyzer("english"))
        cuts = {document.id: maker.cut(document) for document in documents}
        for question in QUESTIONS:
            for found in (searcher.search(question, k=9), searcher.search(question, budget=400)):
                for passage in found.passages:
                    text, cut = texts[passage.doc_id], cuts[passage.doc_id]
                    assert passage.text == text[passage.start : passage.end]
                    check_lines(passage, text, cut)
                    check_tokens(passage, cut)


def check_lines(passage, text, cut):
    if passage.start in cut.columns.start:
        own = lines_of(text, passage.start, passage.end)
        assert passage.metadata["line_range"] == own
        return
    inside = [
        i
        for i, (start, end) in enumerate(zip(cut.columns.start, cut.columns.end, strict=True))
        if passage.start <= start < passage.end or i == passage.ordinal
    ]
    starts, ends = cut.columns.start[inside], cut.columns.end[inside]
    assert passage.metadata["line_range"] == lines_of(text, int(starts.min()), int(ends.max()))


def check_tokens(passage, cut):
    """What is paid is the text and the context that is shown, unless the budget cut it off."""
    own = count_tokens(cut.ends, passage.start, passage.end)
    paid = passage.tokens - own
    whole = passage.start in cut.columns.start and passage.end in (
        *cut.columns.end,
        *cut.columns.parent_end,
    )
    if whole:
        # The text of a chunk is counted by itself; within its document a token may be shared.
        assert abs(paid - SIZER.size(passage.context)) <= 2


def test_a_reader_of_text_gets_its_context():
    document = parse_text("# Pumps\n\nOil the pump weekly.\n", "p.md", media_type="text/markdown")
    with open_store("memory://") as store:
        ingest_documents([document], store, retriever="bm25")
        with open_searcher(store, retriever="bm25") as searcher:
            answer = searcher.search("pump", k=1)
    (passage,) = answer.passages
    assert answer.text == "\n".join(filter(None, (passage.context, passage.text)))


def test_rules_say_what_single_documents_get():
    documents = [Document.from_text(f"Oil pump {name}.", name) for name in ("hr/a", "hr/b", "c")]
    rules = Rules(
        [
            Rule("hr/*", access={"hr"}, metadata={"year": 2023}),
            Rule("hr/b", tags={"new"}, metadata={"year": 2024}),
            Rule("gone"),
            Rule("x/?"),
        ]
    )
    assert rules.unused([document.id for document in documents]) == ["gone", "x/?"]
    labels = Labels(access={"all"}, metadata={"kind": "memo", "year": 1}, rules=rules)
    with open_store("memory://") as store:
        namespace = (
            store.open("main")
            if ingest_documents(iter(documents), store, labels=labels, retriever="bm25")
            else None
        )
        held = {name: namespace.versions("", name)[0] for name in ("hr/a", "hr/b", "c")}
    assert {name: sorted(one.access) for name, one in held.items()} == {
        "hr/a": ["all", "hr"],
        "hr/b": ["all", "hr"],
        "c": ["all"],
    }
    assert held["hr/b"].tags == {"new"}
    assert [one.metadata["year"] for one in held.values()] == [2023, 2024, 1]
    assert held["c"].metadata["kind"] == "memo"
