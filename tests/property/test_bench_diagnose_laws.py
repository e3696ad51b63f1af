"""What holds of every explanation, whatever failed and why."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnose_samples import Words
from seamline.bench import run_bench
from seamline.bench.copies import Copies, Phrases
from seamline.bench.failures import LABELS
from seamline.config import BenchConfig
from seamline.measure import parse_measure
from seamline.retrieve.table import ChunkTable
from seamline.types import Chunk, Document, Question, Span

words = st.sampled_from(["amber", "falcon", "nests", "pad", "over", "here", "zebra"])
texts = st.lists(st.lists(words, min_size=1, max_size=9).map(" ".join), min_size=1, max_size=6).map(
    lambda lines: ".\n\n".join(lines) + "."
)
cuts = st.sampled_from(
    [
        "fixed(size=3, overlap=0, unit=words)",
        "fixed(size=5, overlap=4, unit=words)",
        "sentence(size=6, overlap=0, unit=words)",
        "hierarchical(parent=8, size=3, unit=words)",
        "adaptive(target=6, size=12, unit=words)",
        "whole",
    ]
)
rankings = st.sampled_from(
    ["dense", "bm25", "hybrid", "hybrid(fusion=rrf)", "hybrid(positional=9, kernel=9)"]
)


@st.composite
def corpora(draw):
    documents = [
        Document.from_text(text, f"{i}.txt")
        for i, text in enumerate(draw(st.lists(texts, min_size=1, max_size=3)))
    ]
    questions = []
    for number in range(draw(st.integers(1, 4))):
        document = draw(st.sampled_from(documents))
        spans = [draw(spans_of(document)) for _ in range(draw(st.integers(1, 3)))]
        slots = (tuple(sorted(set(spans))),) if draw(st.booleans()) else tuple((s,) for s in spans)
        asked = " ".join(draw(st.lists(words, min_size=1, max_size=3)))
        questions.append(Question(f"q{number}", document.id, asked, slots))
    return documents, questions


@st.composite
def spans_of(draw, document):
    inked = [i for i, sign in enumerate(document.text) if not sign.isspace()]
    low, high = sorted(draw(st.tuples(st.sampled_from(inked), st.sampled_from(inked))))
    return Span(low, high + 1)


@st.composite
def configs(draw):
    cutoff = draw(st.sampled_from(["3t", "8t", "40t", "1", "3"]))
    primary = draw(st.sampled_from(["Recall", "MRR", "Noise"]))
    return BenchConfig(
        measures=(f"{primary}@{cutoff}", f"HitWhole@{cutoff}", f"Recall@{cutoff}"),
        retriever=draw(rankings),
        k=draw(st.integers(1, 3)),
        budget=8,
        budgets=(8, 16),
        tokenizer="words",
        dedupe=draw(st.booleans()),
        merge=draw(st.booleans()),
        scope=draw(st.sampled_from(["corpus", "document"])),
        separator=draw(st.integers(0, 2)),
    )


@settings(max_examples=60)
@given(corpora(), cuts, configs())
def test_every_failed_question_has_one_label_and_no_other_has_any(corpus, cut, config):
    documents, questions = corpus
    results = run_bench(documents, questions, config, strategies=[cut], embedder=Words())
    (row,), (found,) = results.data["strategies"], results.data["diagnosis"]
    cutoff = parse_measure(config.primary).cutoff
    whole = row["measures"][f"HitWhole@{cutoff}"]["values"]
    failed = [
        one["id"] for one, value in zip(results.data["questions"], whole, strict=True) if not value
    ]
    assert sorted(found["labels"]) == sorted(failed) == sorted(found["details"])
    assert tuple(LABELS) == (
        "lost in parsing",
        "cut",
        "crowded out",
        "diluted",
        "missed",
        "truncated",
    )
    assert set(found["labels"].values()) <= set(LABELS)
    assert sum(found["counts"].values()) == len(failed)
    assert found["n"] == len(questions)
    assert all(set(ids) <= set(failed) for ids in found["found_by"].values())
    assert set(found["deduped"]) <= set(failed)

    recall = f"Recall@{cutoff}"
    assert found["oracle"][recall] >= row["measures"][recall]["mean"] - 1e-9
    if not cutoff.in_tokens and not config.dedupe:
        assert not found["counts"]["truncated"]


@settings(max_examples=25)
@given(corpora(), cuts, configs())
def test_cut_is_what_no_piece_holds_and_comes_before_all_else(corpus, cut, config):
    documents, questions = corpus
    results = run_bench(documents, questions, config, strategies=[cut], embedder=Words())
    (row,), (found,) = results.data["strategies"], results.data["diagnosis"]
    shown = {doc_id: row["chunks"][doc_id] for doc_id in row["chunks"]}
    for doc_id, parents in row.get("parents", {}).items():
        shown[doc_id] = [p or c for p, c in zip(parents, shown[doc_id], strict=True)]
    asked = {one["id"]: one for one in results.data["questions"]}
    for name, label in found["labels"].items():
        slot = asked[name]["slots"][found["details"][name]["slot"]]
        pieces = shown[asked[name]["doc_id"]]
        held = any(low <= a and b <= high for low, high in pieces for a, b in slot)
        assert not (held and label == "cut")
        assert not (held and found["details"][name]["larger"])
        assert held or label == "cut" or found["details"][name]["larger"]


CUTS = ["fixed(size=3, overlap=0, unit=words)", "fixed(size=5, overlap=4, unit=words)", "whole"]


@settings(max_examples=25)
@given(corpora(), configs())
def test_no_row_lies_beyond_the_ceiling_of_its_ranking(corpus, config):
    data = run_bench(*corpus, config, strategies=CUTS, embedder=Words()).data
    rows = {row["spec"]: row["measures"] for row in data["strategies"]}
    whole = f"HitWhole@{parse_measure(config.primary).cutoff}"
    for found in data["diagnosis"]:
        for name, ceiling in found["oracle"].items():
            sign = -1 if parse_measure(name).lower_is_better else 1
            values = [own[name]["values"] for own in rows.values()]
            best = np.mean(
                [max(sign * value for value in column) for column in zip(*values, strict=True)]
            )
            assert sign * ceiling >= best - 1e-9
        shown = {
            spec: [
                one["id"]
                for one, value in zip(data["questions"], own[whole]["values"], strict=True)
                if value == 1 and one["id"] in found["labels"]
            ]
            for spec, own in rows.items()
        }
        assert found["found_by_cuts"] == {spec: ids for spec, ids in shown.items() if ids}


@settings(max_examples=20)
@given(corpora(), cuts, configs())
def test_the_same_inputs_give_the_same_explanation(corpus, cut, config):
    first, again = (
        run_bench(*corpus, config, strategies=[cut], embedder=Words()).data["diagnosis"]
        for _ in range(2)
    )
    assert first == again


def phrases_of(text):
    found = text.replace(".", " ").casefold().split()
    return {tuple(found[i : i + 3]) for i in range(len(found) - 2)}


@given(st.lists(st.lists(words, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=8))
def test_near_duplicates_are_those_that_share_four_fifths_of_their_phrases(pieces):
    """Compared with all pairs taken one by one; few pieces, so that none is left uncompared."""
    document = Document.from_text("\n\n".join(pieces), "a.txt")
    starts = np.cumsum([0, *(len(piece) + 2 for piece in pieces)])[:-1].tolist()
    chunks = [
        Chunk(document.id, start, start + len(piece), piece)
        for start, piece in zip(starts, pieces, strict=True)
    ]
    table = ChunkTable.from_chunks(
        [document], [chunks], lambda texts: np.array([len(t.split()) for t in texts], np.int32)
    )
    copies = Copies.of(Phrases.of([document]), table)
    sets = [phrases_of(piece) for piece in pieces]
    for i, left in enumerate(sets):
        for j, right in enumerate(sets):
            both = len(left | right)
            wanted = i == j or (both > 0 and len(left & right) >= 0.8 * both)
            a, b = int(copies.kind[i]), int(copies.kind[j])
            assert (a == b or b in copies.near.get(a, ())) == wanted


@given(st.lists(st.lists(words, min_size=3, max_size=6).map(" ".join), min_size=1, max_size=6))
def test_of_near_duplicates_the_best_ranked_stays_or_the_one_that_must(pieces):
    document = Document.from_text("\n\n".join(pieces), "a.txt")
    starts = np.cumsum([0, *(len(piece) + 2 for piece in pieces)])[:-1].tolist()
    chunks = [
        Chunk(document.id, start, start + len(piece), piece)
        for start, piece in zip(starts, pieces, strict=True)
    ]
    table = ChunkTable.from_chunks(
        [document], [chunks], lambda texts: np.array([len(t.split()) for t in texts], np.int32)
    )
    copies = Copies.of(Phrases.of([document]), table)
    ids = np.arange(len(pieces), dtype=np.int32)
    plain = copies.left_out(ids, [])
    assert plain[0] == 0
    kinds = [int(copies.kind[i]) for i in plain if i >= 0]
    assert len(kinds) == len(set(kinds))
    last = len(pieces) - 1
    kept = copies.left_out(ids, [last])
    assert kept[last] == last
    assert all(copies.kind[i] != copies.kind[last] for i in kept[:last] if i >= 0)
