import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from seamline.bench import Results, run_bench
from seamline.bench.schema import ResultsData, StrategyRow
from seamline.config import BenchConfig
from seamline.embed.cache import CachedEmbedder
from seamline.embed.minilm import MiniLM
from seamline.errors import (
    AlignmentError,
    InvalidConfig,
    InvalidDocument,
    InvalidGold,
    MissingInput,
    UnknownName,
)
from seamline.sizers import parse_sizer
from seamline.split import Foreign
from seamline.types import Chunk, Document, Question, Span

GOLDEN = Path(__file__).parents[1] / "golden" / "bench_tiny.json"

KEYS = Document.from_text(
    "# Keys\n\nPress F5 to refresh the page. Press F1 for help.\n\n"
    "## Editing\n\nPress Delete to remove a line. Undo brings it back.\n",
    "keys.md",
    media_type="text/markdown",
)
MICE = Document.from_text(
    "Mice have two buttons. The left one selects. The right one opens a menu.\n", "mice.txt"
)


def ask(number, document, text, *quotes, tags=()):
    slots = []
    for quote in quotes:
        start = document.text.index(quote)
        slots.append((Span(start, start + len(quote)),))
    return Question(f"q{number}", document.id, text, tuple(slots), tags=tags)


QUESTIONS = (
    ask(1, KEYS, "How do I refresh the page?", "Press F5 to refresh", tags=("keys",)),
    ask(2, KEYS, "How do I remove a line and undo it?", "Press Delete", "Undo brings it back"),
    ask(3, MICE, "What does the right button open?", "The right one opens a menu", tags=("mice",)),
)
STRATEGIES = (
    "sentence(size=8, overlap=0, unit=words)",
    "hierarchical(parent=20, size=6, unit=words)",
    "whole",
)


class Letters:
    """Counts the letters of a text: a real embedder that needs no model."""

    fingerprint = "letters-1"
    max_tokens = 10

    def __init__(self):
        self.texts = []

    def embed_documents(self, texts):
        self.texts += texts
        rows = np.array(
            [[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        )
        rows = rows.reshape(len(texts), 26) + 1e-3
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_documents


def run(questions=QUESTIONS, documents=(KEYS, MICE), strategies=STRATEGIES, **settings):
    given = {"retriever": "bm25", "k": 2, "budget": 20, "budgets": [10, 20, 40]} | settings
    parts = {key: given.pop(key) for key in ("embedder", "progress") if key in given}
    return run_bench(documents, questions, BenchConfig(**given), strategies=strategies, **parts)


def rows(results):
    return {row["spec"]: row for row in results.data["strategies"]}


def tiny():
    results = run(measures=["Recall@20t", "HitWhole@2", "Containment", "Tokens@2"])
    return {key: value for key, value in results.data.items() if key != "seamline"}


def read(text):
    return json.loads(text, parse_float=lambda number: round(float(number), 6))


def test_a_tiny_run_gives_the_file_kept_beside_the_tests():
    """Run this file as a script to write the file anew, then read its diff."""
    assert read(json.dumps(tiny())) == read(GOLDEN.read_text(encoding="utf-8"))


def test_the_data_has_the_keys_that_its_types_declare():
    data = run().data
    sometimes = {"skipped_documents", "diagnosis", "dropped", "through"}
    assert data.keys() | sometimes == ResultsData.__annotations__.keys()
    for row in data["strategies"]:
        assert row.keys() | {"parents"} == StrategyRow.__annotations__.keys()
        assert ("parents" in row) == row["spec"].startswith("hierarchical")


def test_the_file_says_what_was_measured_and_on_what():
    data = run(retriever="bm25(b=0.5)", seed=3, scope="document").data
    config = data["config"]
    assert config["retriever"] == "bm25(b=0.5)"
    assert config["tokenizer"] == "cl100k_base"
    assert (config["k"], config["budget"], config["budgets"]) == (2, 20, [10, 20, 40])
    assert (config["seed"], config["scope"], config["primary"]) == (3, "document", "Recall@20t")
    assert config["embedder"] is config["embedder_fingerprint"] is None
    assert data["documents"][0] == {
        "id": "keys.md",
        "digest": KEYS.digest,
        "media_type": "text/markdown",
        "characters": len(KEYS.text),
        "words": len(KEYS.text.split()),
        "tokens": parse_sizer("tokens").size(KEYS.text),
        "marks": 0,  # it was not parsed
    }
    assert data["questions"][0]["slots"] == [[[8, 27]]]


def test_values_counted_by_hand():
    document = Document.from_text("aa bb cc dd. ee ff gg hh. ", "d")
    question = Question("q", "d", "ff dd?", ((Span(9, 15),),))  # "dd. ee"
    results = run(
        [question],
        [document],
        ["sentence(size=4, overlap=0, unit=words)"],
        tokenizer="words",
        budget=6,
        budgets=[4, 6],
        k=1,
    )
    row = results.data["strategies"][0]
    assert row["chunks"] == {"d": [[0, 12], [13, 25]]}
    assert row["measures"]["Recall@1"]["values"] == [0.6666666667]  # "dd. " is 4 of 6
    assert row["measures"]["Precision@1"]["values"] == [0.3076923077]  # 4 of 13 shown
    assert row["measures"]["Recall@6t"]["values"] == [
        1.0
    ]  # and "ee": the space between is whole too
    assert row["measures"]["Tokens@1"]["values"] == [4.0]
    assert row["curve"]["recall"] == [0.6666666667, 1.0]
    assert row["curve"]["area"] == pytest.approx((2 / 3 + 1) / 2)
    assert row["containment"] == {
        "rate": 0.0,
        "split": [{"question": "q", "slot": 0, "span": [9, 15], "pieces": [[9, 12], [13, 15]]}],
    }
    assert row["retrieved"] == [[[0, 0, 12, pytest.approx(row["retrieved"][0][0][3])]]]


def test_means_groups_and_differences_are_those_of_the_values():
    results = run()
    data = results.data
    primary = data["config"]["primary"]
    best = results.summary()[0]
    for row in data["strategies"]:
        for name, measure in row["measures"].items():
            known = [value for value in measure["values"] if value is not None]
            assert measure["n"] == len(known)
            if known:
                assert measure["mean"] == pytest.approx(np.mean(known))
            by_tag = {tag: means[name]["mean"] for tag, means in row["by_tag"].items()}
            assert by_tag == {"keys": measure["values"][0], "mice": measure["values"][2]}
        by_document = row["by_document"]["keys.md"][primary]
        values = row["measures"][primary]["values"]
        assert by_document == {"mean": pytest.approx(np.mean(values[:2])), "n": 2}
        difference = row["difference"]
        assert difference["to"] == best.spec
        assert difference["mean"] == pytest.approx(np.mean(values) - best.mean)


def test_few_documents_get_intervals_of_questions_that_say_so():
    methods = {
        measure["interval"]
        for row in run().data["strategies"]
        for measure in row["measures"].values()
    }
    assert methods == {"wilson", None}


def test_a_parent_is_shown_in_its_childs_place():
    row = rows(run())["hierarchical(parent=20, size=6, unit=words)"]
    parents = row["parents"]["keys.md"]
    assert len(parents) == len(row["chunks"]["keys.md"])
    (doc, start, end, _), *_ = row["retrieved"][0]
    assert doc == 0
    assert [start, end] in parents


def test_a_question_without_gold_is_skipped_by_name():
    nothing = Question("q9", "keys.md", "Why?", ())
    data = run([QUESTIONS[0], nothing]).data
    assert data["skipped"] == [{"id": "q9", "why": "no gold"}]
    assert [question["id"] for question in data["questions"]] == ["q1"]


def test_embedded_texts_are_counted_cached_or_not_and_embedded_once():
    letters = Letters()
    strategies = ["whole", "fixed(size=1000, overlap=0)", "semantic(size=50, threshold=0.9)"]
    results = run(strategies=strategies, retriever="dense", embedder=letters)
    assert len(letters.texts) == len(set(letters.texts))
    whole, fixed, semantic = results.data["strategies"]
    assert whole["cost"] == fixed["cost"]
    assert whole["cost"]["embedding_calls"] == whole["cost"]["chunks"] == 2
    assert whole["cost"]["embedding_tokens"] == whole["cost"]["indexed_tokens"]
    assert whole["cost"]["vector_bytes"] == 2 * 26 * 4
    assert whole["cost"]["truncated_share"] == pytest.approx(
        1 - 20 / whole["cost"]["embedding_tokens"]
    )
    n_sentences = 7  # of nine, two are too short to be compared alone
    assert semantic["cost"]["embedding_calls"] == semantic["cost"]["chunks"] + n_sentences
    assert results.data["config"]["embedder"] == "Letters"
    assert results.data["config"]["embedder_fingerprint"] == "letters-1"


def test_an_embedder_counts_its_unseen_tokens_itself_if_it_can():
    class Counting(Letters):
        def beyond_window(self, texts):
            return len(texts), 8 * len(texts)

    for embedder in (Counting(), CachedEmbedder(Counting(), None)):
        row = run(strategies=["whole"], retriever="dense", embedder=embedder).data["strategies"][0]
        assert row["cost"]["truncated_share"] == 1 / 8
        assert row["cost"]["embedding_tokens"] == row["cost"]["indexed_tokens"]


def test_minilm_counts_what_it_cuts_off_in_word_pieces():
    long = Document.from_text("xylophonist " * 200, "tickets.md")
    question = ask(1, long, "Who plays?", "xylophonist")
    row = run([question], [long], ["whole"], retriever="dense", embedder="minilm").data
    share = row["strategies"][0]["cost"]["truncated_share"]
    beyond, total = MiniLM().beyond_window(["xylophonist " * 199 + "xylophonist"])
    assert share == beyond / total > 0.5


def test_a_cache_of_ones_own_is_used_and_an_unknown_window_is_no_share():
    letters = Letters()
    letters.max_tokens = None
    cached = CachedEmbedder(letters, None)
    first, again = (run(strategies=["whole"], retriever="dense", embedder=cached) for _ in range(2))
    assert first == again
    assert len(letters.texts) == len(set(letters.texts))
    assert first.data["strategies"][0]["cost"]["truncated_share"] is None
    assert first.data["config"]["embedder"] == "Letters"


def test_similarity_is_a_cosine_whatever_ranked():
    for retriever in ("dense", "hybrid"):
        row = run(strategies=["whole"], retriever=retriever, embedder=Letters()).data["strategies"][
            0
        ]
        top = row["top1"]
        first = row["measures"]["Similarity@1"]["values"]
        assert all(one <= hit["similarity"] for one, hit in zip(first, top, strict=True))
        assert all(0 < hit["similarity"] <= 1 for hit in top)
        assert {"doc_id": "mice.txt", "start": 0, "end": 72}.items() <= top[2].items()
    dense = run(strategies=["whole"], retriever="dense", embedder=Letters(), threshold=0.99)
    assert dense.data["strategies"][0]["under_threshold"] == 1.0


@pytest.mark.parametrize("scope", ["corpus", "document"])
def test_top1_is_the_best_cosine_in_scope_even_where_another_chunk_ranks_first(scope):
    spec = "fixed(size=3, overlap=0, unit=words)"
    settings = {"strategies": [spec], "embedder": Letters(), "scope": scope, "threshold": 0.84}
    dense = run(retriever="dense", **settings).data["strategies"][0]
    hybrid = run(retriever="hybrid(alpha=0.1)", **settings).data["strategies"][0]
    vectors, letters = [], Letters()
    for document in (KEYS, MICE):
        pieces = [document.text[start:end] for start, end in dense["chunks"][document.id]]
        vectors.append(letters.embed_documents(pieces))
    own = {"keys.md": vectors[0], "mice.txt": vectors[1]}
    best = [
        float((chosen @ letters.embed_queries([question.text])[0]).max())
        for question in QUESTIONS
        for chosen in [own[question.doc_id] if scope == "document" else np.concatenate(vectors)]
    ]
    assert hybrid["top1"] == dense["top1"]
    assert [hit["similarity"] for hit in hybrid["top1"]] == pytest.approx(best, abs=1e-5)
    assert hybrid["under_threshold"] == pytest.approx(1 / 3) == sum(one < 0.84 for one in best) / 3
    first = {"dense": dense, "hybrid": hybrid}
    values = {name: row["measures"]["Similarity@1"]["values"] for name, row in first.items()}
    assert values["dense"] == [hit["similarity"] for hit in dense["top1"]]
    assert min(np.subtract(values["hybrid"], values["dense"])) < 0


def test_without_vectors_there_is_no_similarity():
    row = run(strategies=["whole"]).data["strategies"][0]
    assert row["top1"] == [None] * 3
    assert row["under_threshold"] is None
    assert row["measures"]["Similarity@1"]["mean"] is None
    assert row["cost"]["embedding_calls"] == row["cost"]["vector_bytes"] == 0


def test_the_scope_of_one_document_finds_nothing_elsewhere():
    everywhere, inside = (
        run(
            strategies=["sentence(size=8, unit=words)"],
            k=9,
            retriever="dense",
            embedder=Letters(),
            scope=scope,
        )
        for scope in ("corpus", "document")
    )
    own = [0, 0, 1]
    for results, alone in ((everywhere, False), (inside, True)):
        found = [{hit[0] for hit in hits} for hits in results.data["strategies"][0]["retrieved"]]
        assert (found == [{number} for number in own]) == alone


def test_dedupe_pays_repeated_text_once():
    spec = "sliding(size=8, step=2, unit=words)"
    plain, deduped = (
        run(strategies=[spec], dedupe=dedupe, k=3).data["strategies"][0]["measures"]
        for dedupe in (False, True)
    )
    assert deduped["Precision@3"]["mean"] > plain["Precision@3"]["mean"]


def test_merge_pays_the_separator_of_touching_pieces_once():
    document = Document.from_text("aa bb cc dd.\n\nee ff gg hh.\n\nzz.", "d")
    question = Question("q", "d", "bb ff", ((Span(0, 26),),))
    apart, merged = (
        run(
            [question],
            [document],
            ["sentence(size=4, overlap=0, unit=words)"],
            tokenizer="words",
            budget=10,
            budgets=[9, 10],
            measures=["Tokens@10t", "Recall@10t", "Tokens@2"],
            separator=2,
            merge=merge,
        ).data["strategies"][0]["measures"]
        for merge in (False, True)
    )
    # Two sentences of 4 words: 2 * (4 + 2) are too many apart, 8 + 2 fit as one run.
    assert merged["Tokens@10t"]["mean"] == apart["Tokens@10t"]["mean"] == 10
    assert merged["Recall@10t"]["mean"] == 1
    assert apart["Recall@10t"]["mean"] < 1
    assert merged["Tokens@2"]["mean"] == apart["Tokens@2"]["mean"] == 12


def test_positions_and_sections_reach_the_retriever():
    spec = "bm25(positional=100)"
    plain = rows(run(strategies=["sentence(size=8, unit=words)"], k=9))
    spread = rows(run(strategies=["sentence(size=8, unit=words)"], k=9, retriever=spec))
    (few,), (many,) = plain.values(), spread.values()
    assert sum(map(len, many["retrieved"])) > sum(map(len, few["retrieved"]))


class Lines:
    def split_text(self, text):
        return [" ".join(line.split()) for line in text.split("\n")]


class Halves:
    name = "halves"

    def split(self, document):
        middle = len(document.text) // 2
        for start, end in ((0, middle), (middle, len(document.text))):
            yield Chunk(document.id, start, end, document.text[start:end])


def test_splitters_of_ones_own_are_measured_and_aligned():
    results = run(strategies=[Lines(), Halves(), Foreign(Lines(), "lines again"), "whole"])
    lines, halves, again, whole = results.data["strategies"]
    assert [row["spec"] for row in (lines, halves, again)] == ["Lines", "halves", "lines again"]
    assert lines["aligned"] == again["aligned"] == {"chunks": 5, "exact": 5}
    assert halves["aligned"] == {"chunks": 4, "exact": 4}
    assert whole["aligned"] is None


def test_pieces_that_are_not_in_the_document_are_refused():
    with pytest.raises(AlignmentError, match=r"'keys\.md'"):
        run(strategies=[SimpleNamespace(split_text=lambda text: ["elsewhere"])])


def test_a_splitter_that_gives_nothing_scores_nothing():
    row = run(strategies=[SimpleNamespace(split=lambda document: [])]).data["strategies"][0]
    assert row["measures"]["Recall@20t"]["values"] == [0.0, 0.0, 0.0]
    assert row["retrieved"] == [[], [], []]
    assert row["cost"]["inflation"] == 0.0


def test_nothing_found_scores_nothing_with_vectors_too():
    empty = SimpleNamespace(split=lambda document: [])
    row = run(strategies=[empty], retriever="hybrid", embedder=Letters()).data["strategies"][0]
    assert row["top1"] == [None] * 3
    assert row["measures"]["Hit@2"]["mean"] == 0.0


@pytest.mark.parametrize(
    ("strategies", "error", "message"),
    [
        (
            ["fixed(overlap=50)", "whole", "fixed-512-50"],
            InvalidConfig,
            r"got 'fixed\(size=512, overlap=50\)' 2 times \(.*presets.*\): drop one",
        ),
        (42, InvalidConfig, "a list, or a mapping of names to strategies, got a int"),
        ({"": "whole"}, InvalidConfig, "name of a strategy must be a non-empty string, got ''"),
        ([Lines], InvalidConfig, r"got the class Lines: make one, Lines\(\.\.\.\)"),
        ([], InvalidConfig, "at least one strategy"),
        (["recursiv"], UnknownName, "did you mean 'recursive'"),
        ([42], InvalidConfig, r"split\(document\)"),
    ],
)
def test_strategies_that_cannot_work_are_refused(strategies, error, message):
    with pytest.raises(error, match=message):
        run(strategies=strategies)


@pytest.mark.parametrize(
    ("questions", "documents", "error", "message"),
    [
        (QUESTIONS, [], MissingInput, "at least one document"),
        (QUESTIONS, [KEYS, MICE, KEYS], InvalidDocument, "'keys.md' twice"),
        (QUESTIONS, [KEYS], InvalidGold, "'mice.txt' is not"),
        ([QUESTIONS[0]] * 2, [KEYS], InvalidGold, "'q1' twice"),
        ([Question("q", "keys.md", "?", ())], [KEYS], InvalidGold, "got 1 questions with none"),
        ([Question("q", "keys.md", "?", ((Span(0, 999),),))], [KEYS], InvalidGold, "ends at 999"),
    ],
)
def test_questions_that_do_not_fit_are_refused(questions, documents, error, message):
    with pytest.raises(error, match=message):
        run(questions, documents)


def test_a_tokenizer_without_token_ends_is_refused():
    with pytest.raises(InvalidConfig, match="tokenizer must say where its tokens end"):
        run(tokenizer="characters")


def test_a_measure_where_less_is_better_ranks_the_least_first():
    results = run(measures=["Tokens@2"])
    means = [row.mean for row in results.summary()]
    assert means == sorted(means)
    assert results.data["strategies"][0]["difference"]["to"] == results.summary()[0].spec


def test_progress_counts_up_to_the_total_in_every_stage():
    events = []
    run(retriever="dense", embedder=Letters(), progress=lambda *event: events.append(event))
    last = {(stage, spec): (done, total) for stage, spec, done, total in events}
    stages = {stage for stage, _ in last}
    assert stages == {"split", "embed", "measure", "explain"}
    assert {spec for _, spec in last} == set(STRATEGIES)
    assert all(done == total for done, total in last.values())


def test_timings_are_apart_and_name_every_stage():
    results = run(retriever="dense", embedder=Letters())
    assert "seconds" not in results.dumps()
    assert results.timings["stages"].keys() == {"read", "embed questions", "intervals"}
    stages = {"split", "describe", "embed", "index", "rank", "measure", "explain"}
    assert {spec: set(own) for spec, own in results.timings["strategies"].items()} == dict.fromkeys(
        STRATEGIES, stages
    )
    row = results.timings["strategies"]["whole"]["rank"]
    assert row["seconds"] >= 0
    assert row["peak_bytes"] > 1 << 20


def test_the_same_inputs_give_the_same_bytes_and_another_seed_other_intervals(tmp_path):
    first, again = run(), run()
    assert first.dumps() == again.dumps()
    assert Results.load(first.save(tmp_path)) == again
    other = run(seed=1)
    assert other.dumps() != first.dumps()
    means = [[m["mean"] for m in row["measures"].values()] for row in first.data["strategies"]]
    assert means == [
        [m["mean"] for m in row["measures"].values()] for row in other.data["strategies"]
    ]


def test_more_strategies_change_nothing_about_the_others():
    alone = rows(run(strategies=["whole"]))["whole"]
    among = rows(run())["whole"]
    del alone["difference"], among["difference"]
    assert alone == among
    assert not any(math.isnan(value) for value in alone["curve"]["recall"])


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(tiny(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
