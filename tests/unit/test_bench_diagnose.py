"""Why questions failed: corpora in which the reason is certain by construction."""

import pytest

from diagnose_samples import (
    ASKED,
    GOLD,
    RIVALS,
    Paragraphs,
    Words,
    ask,
    document,
    explained,
    filler,
)
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.diagnose import diagnose
from seamline.bench.plan import make_plan
from seamline.bench.trial import Ranking, Trials
from seamline.config import BenchConfig
from seamline.retrieve import parse_retriever
from seamline.types import Question

RETRIEVERS = ("dense", "bm25(language=none)", "hybrid(alpha=0.5, language=none)")
SHOWN = ({}, {"dedupe": True}, {"merge": True})

every_retriever = pytest.mark.parametrize("retriever", RETRIEVERS)
every_way = pytest.mark.parametrize("shown", SHOWN, ids=["plain", "dedupe", "merge"])


def label(*given, **settings):
    found = explained(*given, **settings)
    assert set(found["labels"].values()) <= set(found["counts"])
    assert sum(found["counts"].values()) == len(found["labels"])
    return found["labels"].get("q1")


@every_retriever
@every_way
def test_what_is_shown_whole_has_no_label(retriever, shown):
    doc = document(GOLD, *RIVALS)
    assert label(doc, ask(doc, GOLD), retriever=retriever, **shown) is None


@every_retriever
@every_way
def test_cut(retriever, shown):
    """Four words a chunk: the gold of two stands over a border, and only one chunk is shown."""
    doc = document(f"one two three amber falcon six seven eight {' '.join(RIVALS)}")
    given = {"budget": 4, "retriever": retriever, **shown}
    strategy = "fixed(size=4, overlap=0, unit=words)"
    assert label(doc, ask(doc, "amber falcon six"), strategy, **given) == "cut"


@every_retriever
@every_way
def test_crowded_out(retriever, shown):
    """Copies stand before the gold, and fill the budget of three pieces."""
    copy = f"{ASKED} amber falcon nests"
    copies = [f"{copy} {word}" for word in ("there", "there", "there.", "There")]
    doc = document(*copies, f"{GOLD} {filler(4)}")
    given = {"budget": 21, "retriever": retriever, **shown}
    found = explained(doc, ask(doc, GOLD), **given)
    assert found["labels"] == {"q1": "crowded out"}
    assert found["deduped"] == []  # no text is shown twice: the copies stand in different places


def test_crowded_out_by_overlap_unless_text_is_shown_once():
    """Windows that move by a word repeat the same text before the gold comes."""
    words = f"amber falcon nests x1 x2 x3 x4 x5 {filler(12)} amber falcon {filler(6, 'other')}"
    doc = document(words)
    question = ask(doc, "amber falcon other0")
    strategy = "fixed(size=6, overlap=5, unit=words)"
    plain = explained(doc, question, strategy, budget=14)
    assert plain["labels"] == {"q1": "crowded out"}
    assert plain["deduped"] == ["q1"]
    assert explained(doc, question, strategy, budget=14, dedupe=True)["labels"] == {}
    assert explained(doc, question, strategy, budget=14, merge=True)["labels"] == {}


@every_retriever
@every_way
def test_diluted(retriever, shown):
    """Thirty words of something else push the chunk below its rivals; the gold alone is first."""
    doc = document(f"{GOLD}. {filler(30)}", *RIVALS)
    found = explained(doc, ask(doc, GOLD), retriever=retriever, **shown)
    assert found["labels"] == {"q1": "diluted"}
    assert found["details"]["q1"]["exact_rank"] == 1
    assert found["details"]["q1"]["rank"] == len(RIVALS) + 1
    assert found["oracle"]["Recall@12t"] == 1.0


@every_retriever
@every_way
def test_missed(retriever, shown):
    """The gold has no word of the question, alone or in its chunk."""
    gold = "quiet harbour bells"
    doc = document(f"{gold} ring", *RIVALS)
    found = explained(doc, ask(doc, gold), retriever=retriever, **shown)
    assert found["labels"] == {"q1": "missed"}
    if retriever.startswith("bm25"):
        assert found["details"]["q1"] == {
            "slot": 0,
            "rank": None,
            "exact_rank": None,
            "larger": False,
            "tokens": 3,
        }
    assert found["oracle"]["Recall@12t"] == 0.0


@every_retriever
@every_way
def test_truncated_within_the_last_piece(retriever, shown):
    """The best piece has twenty words, the budget twelve, and the gold stands at the end."""
    doc = document(f"{ASKED} {ASKED} {ASKED} {filler(8)} {GOLD}", *RIVALS[:3])
    assert label(doc, ask(doc, GOLD), retriever=retriever, **shown) == "truncated"


@every_retriever
def test_truncated_past_the_budget_but_among_the_first_k(retriever):
    doc = document(f"{GOLD}. {filler(30)}", *RIVALS[:4])
    given = {"budget": 12, "retriever": retriever}
    assert label(doc, ask(doc, GOLD), k=5, **given) == "truncated"
    assert label(doc, ask(doc, GOLD), k=4, **given) == "diluted"


def test_truncated_where_not_even_the_gold_alone_fits():
    gold = f"{ASKED} {ASKED} {ASKED} {filler(4, 'long')}"
    doc = document(f"{gold}. {filler(60)}", *RIVALS)
    assert label(doc, ask(doc, gold), budget=10) == "truncated"


def test_diluted_though_the_gold_alone_comes_past_the_budget():
    """Three pieces of twenty words go before it alone, thirteen before its chunk; k is five."""
    rivals = [f"{ASKED} {ASKED} {ASKED} {filler(11, f'r{i}x')}" for i in range(3)]
    doc = document(f"{GOLD} {filler(3, 'own')}. {filler(60)}", *rivals, *RIVALS)
    found = explained(doc, ask(doc, f"{GOLD} {filler(3, 'own')}"), budget=30, k=5)
    assert found["details"]["q1"]["exact_rank"] <= 5
    assert found["details"]["q1"]["rank"] > 5
    assert found["labels"] == {"q1": "diluted"}


def test_lost_in_parsing():
    doc = document(GOLD)
    lost = Question("q2", doc.id, "Which?", (), lost="a passage")
    found = explained(doc, [ask(doc, GOLD), lost])
    assert found["labels"] == {"q2": "lost in parsing"}
    assert (found["n"], found["counts"]["lost in parsing"]) == (2, 1)
    assert found["details"] == {}


@every_retriever
def test_only_its_own_document_counts_where_that_is_all_that_is_searched(retriever):
    doc = document(f"{GOLD}. {filler(30)}")
    others = [document(rival, doc_id=f"b{i}.txt") for i, rival in enumerate(RIVALS)]
    documents = [doc, *others]
    given = {"retriever": retriever, "budget": 12}
    assert label(documents, ask(doc, GOLD), **given) == "diluted"
    assert label(documents, ask(doc, GOLD), scope="document", **given) is None


@every_retriever
def test_a_parent_holds_what_its_children_cut(retriever):
    """Children of four words, parents of eight: what is shown is the parent, and it is whole."""
    words = f"one two three amber falcon six seven eight {filler(40)}"
    doc = document(words)
    gold = "amber falcon six"
    given = {"retriever": retriever, "budget": 8}
    plain = "recursive(size=4, overlap=0, unit=words)"
    parents = "hierarchical(parent=8, size=4, unit=words)"
    assert label(doc, ask(doc, gold), plain, **given | {"budget": 4}) == "cut"
    assert label(doc, ask(doc, gold), parents, **given) is None
    small = "hierarchical(parent=4, size=2, unit=words)"
    assert label(doc, ask(doc, gold), small, **given | {"budget": 4}) == "cut"


def test_gold_that_no_chunk_could_hold_is_not_cut_but_larger():
    gold = f"amber {filler(9, 'long')}"
    doc = document(f"{gold} {' '.join(RIVALS)}")
    strategy = "fixed(size=4, overlap=0, unit=words)"
    found = explained(doc, ask(doc, gold), strategy, budget=8)
    assert found["details"]["q1"]["larger"] is True
    assert found["labels"]["q1"] != "cut"


def test_the_earliest_label_of_several_slots_is_the_questions():
    """One slot is diluted, another missed, a third cut: cut comes first."""
    bells = "quiet harbour bells"
    doc = document(f"{GOLD}. {filler(30)}", f"{bells} ring", *RIVALS)
    found = explained(doc, ask(doc, bells, GOLD))
    assert (found["labels"]["q1"], found["details"]["q1"]["slot"]) == ("diluted", 1)
    assert explained(doc, ask(doc, bells))["labels"]["q1"] == "missed"


def test_one_alternative_is_enough():
    bells = "quiet harbour bells"
    doc = document(f"{bells} ring", GOLD, *RIVALS)
    assert explained(doc, ask(doc, bells, GOLD, mode="any"))["labels"] == {}
    doc = document(f"{bells} ring", f"{GOLD}. {filler(30)}", *RIVALS)
    assert label(doc, ask(doc, bells, GOLD, mode="any")) == "diluted"


def test_what_bm25_finds_and_meaning_misses_is_named():
    """One rare word decides for BM25; in a long chunk it hardly moves the cosine."""
    rivals = [f"{ASKED} {filler(2, f'r{i}x')}" for i in range(8)]
    doc = document(f"zebra {filler(60)}", *rivals)
    question = Question("q1", doc.id, f"{ASKED} zebra", ask(doc, "zebra").slots)
    found = explained(doc, question, budget=40)
    assert found["labels"] == {"q1": "missed"}  # cosine 1/2 alone, 3 / (2 * root of 5) the rivals
    assert found["found_by"] == {"bm25": ["q1"]}


def test_what_meaning_finds_and_bm25_misses_is_named_where_the_run_embeds():
    """Rivals repeat one rare word that is in the question once; the gold has all the others."""
    rivals = [f"zebra {filler(3, f'r{i}x')}" for i in range(3)]
    common = [f"{ASKED} {filler(60, f'c{i}x')}" for i in range(8)]
    doc = document(f"{ASKED} here", *rivals, *common)
    question = Question("q1", doc.id, f"{ASKED} zebra", ask(doc, ASKED).slots)
    config = BenchConfig(
        tokenizer="words", budget=8, budgets=(8,), k=1, measures=("Recall@8t",), retriever="dense"
    )
    plan = make_plan(config, [Paragraphs()], Words())
    corpus = Corpus.of([doc], [question], plan.sizer)
    queries = plan.embedder.embed_queries([question.text])
    trials = Trials(plan, corpus, [question.text], queries, Clock(), lambda *_: None)
    chunked = trials.chunk(plan.strategies[0])
    ranking = Ranking("bm25", parse_retriever("bm25(language=none)"), dedupe=False, merge=False)
    _, values = trials.rank(chunked, ranking)
    found = diagnose(trials, chunked, ranking, values)
    assert found["found_by"] == {"dense": ["q1"]}


def test_both_halves_of_hybrid_are_tried_and_meaning_only_where_the_run_embeds():
    doc = document(f"{GOLD}. {filler(30)}", *RIVALS)
    hybrid = explained(doc, ask(doc, GOLD), retriever="hybrid(alpha=0.5, language=none)")
    assert set(hybrid["found_by"]) == {"dense", "bm25"}
    assert explained(doc, ask(doc, GOLD), retriever="bm25")["found_by"] == {}


def test_the_cutoff_is_that_of_the_primary_measure():
    doc = document(f"{GOLD}. {filler(30)}", *RIVALS)
    found = explained(doc, ask(doc, GOLD), measures=["Recall@3"])
    assert (found["cutoff"], found["labels"]) == ("3", {"q1": "diluted"})
    assert explained(doc, ask(doc, GOLD), measures=["Recall@10"])["labels"] == {}
    whole = explained(doc, ask(doc, GOLD), measures=["Containment"], k=3)
    assert (whole["cutoff"], whole["labels"]) == ("3", {"q1": "diluted"})


def test_a_splitter_that_gives_nothing_cuts_everything():
    class Nothing:
        def split_text(self, _text):
            return []

    doc = document(GOLD)
    for retriever in RETRIEVERS:
        found = explained(doc, ask(doc, GOLD), Nothing(), retriever=retriever)
        assert found["labels"] == {"q1": "cut"}


def test_the_same_run_gives_the_same_explanation():
    doc = document(f"{GOLD}. {filler(30)}", *RIVALS)
    first, again = (explained(doc, ask(doc, GOLD)) for _ in range(2))
    assert first == again


def test_cut_through_names_what_the_gold_is_part_of():
    rows = "\n".join(f"| {name} | amber falcon {name} nests over there |" for name in "abcdef")
    doc = document(f"| name | what |\n|---|---|\n{rows}")
    strategy = "fixed(size=6, overlap=0, unit=words)"
    found = explained(doc, ask(doc, "amber falcon c nests over there"), strategy, budget=6)
    assert found["labels"] == {"q1": "cut"}
    assert found["cut_through"]["table_row"] == 1
