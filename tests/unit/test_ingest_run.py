"""An ingest run again and again: nothing is done twice, and one bad file stops no other."""

import datetime as dt
import json
import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pdf_samples import pdf, text

from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.ingest import batch as batching
from seamline.ingest.labels import Labels
from seamline.ingest.metadata import plain
from seamline.ingest.open import open_ingest, open_searcher, planned
from seamline.ingest.watch import watch
from seamline.parse import Skipped, find_files
from seamline.split import parse_strategy
from seamline.store import Reader, key, open_store
from seamline.testing.stores import seen, vector_of

CONFIG = BenchConfig(strategy="sentence(size=12)", retriever="hybrid")
A = "Oil the pump each day. Check the belt of the motor. Close the red valve at night.\n"
B = "Count the fish in the morning. Feed them at noon, never later.\n"


class Counting:
    """Vectors that follow from the text; remembers what it was asked for."""

    fingerprint = "counting-1"

    def __init__(self):
        self.asked = []

    def embed_documents(self, texts):
        self.asked.append(list(texts))
        return np.array([vector_of(one) for one in texts], np.float32).reshape(-1, 8)

    def embed_queries(self, texts):
        return self.embed_documents(texts)

    @property
    def texts(self):
        return [one for texts in self.asked for one in texts]


@pytest.fixture(params=["memory", "sqlite"])
def place(request, tmp_path):
    """A folder with two documents, a store, and what ingests the one into the other."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(A)
    (docs / "b.txt").write_text(B)
    url = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/index.db"}[request.param]
    with open_store(url) as store:
        yield SimpleNamespace(docs=docs, store=store, run=None)


def ingest(place, *, config=CONFIG, labels=None, embedder=None, skipped=None, **options):
    """(the summary, the texts that were embedded)."""
    model, notes = embedder or Counting(), [] if skipped is None else skipped
    files = find_files([place.docs], skipped=notes)
    config = replace(config, keep_versions=options.pop("keep_versions", 0))
    work = open_ingest(config, place.store, files, labels=labels, embedder=model)
    before = len(model.texts)  # after the one text that told the dimensions
    done = work.run(files, skipped=notes, **options)
    return done, model.texts[before:]


def counts(done):
    return done.new, done.changed, done.unchanged, done.removed


def found(place, reader=None, name="main"):
    """Everything that a reader sees, with the document's number left out."""
    return seen(place.store.open(name), reader or Reader(), ("pump",))


def test_new_unchanged_and_changed(place):
    done, embedded = ingest(place)
    assert counts(done) == (2, 0, 0, 0)
    assert done.chunks == done.embedded + done.reused == len(found(place)["texts"])
    assert len(embedded) == done.embedded == 5
    before = found(place)
    done, embedded = ingest(place)
    assert counts(done) == (0, 0, 2, 0)
    assert (embedded, done.chunks, done.revision) == ([], 0, 1)
    assert found(place) == before


def test_the_same_bytes_written_anew_are_unchanged(place):
    ingest(place)
    (place.docs / "a.txt").write_text(A)
    os.utime(place.docs / "a.txt", (1, 1))
    assert counts(ingest(place)[0]) == (0, 0, 2, 0)


def test_an_edit_embeds_the_changed_chunks_only(place):
    ingest(place)
    (place.docs / "a.txt").write_text(A.replace("red", "green"))
    done, embedded = ingest(place)
    assert counts(done) == (0, 1, 1, 0)
    assert embedded == ["Close the green valve at night."]
    assert (done.embedded, done.reused) == (1, done.chunks - 1)
    texts = found(place)["texts"].values()
    assert "Close the green valve at night." in texts
    assert "Close the red valve at night." not in texts


def test_what_stands_before_an_edit_moves_and_is_not_embedded_again(place):
    ingest(place)
    (place.docs / "a.txt").write_text(f"One more rule, and a long one. {A}")
    _, embedded = ingest(place)
    assert embedded == ["One more rule, and a long one."]
    clean = open_store("memory://")
    other = SimpleNamespace(docs=place.docs, store=clean)
    ingest(other)
    assert without_versions(found(other)) == without_versions(found(place))


def without_versions(view):
    held = [(name, tenant, *rest) for name, tenant, _, *rest in view["held"]]
    return view | {"held": held}


@pytest.mark.parametrize(
    ("labels", "reader"),
    [
        (Labels(access=frozenset({"staff"})), Reader(access=frozenset({"staff"}))),
        (Labels(tags=frozenset({"new"})), Reader(where=key("tags").has("new"))),
        (Labels(metadata={"year": 2024}), Reader(where=key("year") == 2024)),
    ],
)
def test_other_labels_are_written_and_nothing_is_embedded(place, labels, reader):
    ingest(place)
    done, embedded = ingest(place, labels=labels)
    assert (counts(done), embedded) == ((0, 2, 0, 0), [])
    assert found(place, reader)["totals"][0] == 2
    if labels.access:
        assert found(place)["totals"] == (0, 0)
    again, _ = ingest(place, labels=labels)
    assert counts(again) == (0, 0, 2, 0)


def test_another_tenant_is_a_document_of_its_own(place):
    ingest(place)
    done, _ = ingest(place, labels=Labels("acme"))
    assert counts(done) == (2, 0, 0, 0)
    (place.docs / "b.txt").unlink()
    done, _ = ingest(place, labels=Labels("acme"), prune=True)
    assert done.removed == 1
    assert found(place, Reader("acme"))["totals"][0] == 1
    assert found(place)["totals"][0] == 2


def test_what_is_gone_leaves_with_prune_only(place):
    ingest(place)
    (place.docs / "b.txt").unlink()
    assert counts(ingest(place)[0]) == (0, 0, 1, 0)
    assert found(place)["totals"][0] == 2
    assert counts(ingest(place, prune=True)[0]) == (0, 0, 1, 1)
    assert {name for name, _ in found(place)["texts"]} == {"a.txt"}
    (place.docs / "b.txt").write_text(B)
    assert counts(ingest(place)[0]) == (1, 0, 1, 0)


def test_a_file_that_cannot_be_read_any_more_keeps_what_is_stored(place):
    ingest(place)
    (place.docs / "a.txt").write_bytes(b"\xff\xfe\xff broken \xe9")
    notes = []
    done, _ = ingest(place, prune=True, skipped=notes)
    assert (counts(done), done.skipped) == ((0, 0, 1, 0), 1)
    assert [one.doc_id for one in notes] == ["a.txt"]
    assert {name for name, _ in found(place)["texts"]} == {"a.txt", "b.txt"}


def test_a_folder_that_cannot_be_read_keeps_all_that_is_stored_of_it(place):
    (place.docs / "sub").mkdir()
    for name in ("sub/c.txt", "subway.txt"):
        (place.docs / name).write_text(B)
    ingest(place)
    for name in ("sub/c.txt", "subway.txt"):
        (place.docs / name).unlink()
    unreadable = Skipped(str(place.docs / "sub"), "sub", "a folder must be readable")
    files = find_files([place.docs])
    states = planned(CONFIG, place.store, files, Labels(), [unreadable], embedder=Counting())
    assert states["removed"] == ["subway.txt"]
    done, _ = ingest(place, prune=True, skipped=[unreadable])
    assert done.removed == 1
    assert {name for name, _ in found(place)["texts"]} == {"a.txt", "b.txt", "sub/c.txt"}


def test_a_file_without_text_is_skipped_and_keeps_what_is_stored(place):
    (place.docs / "c.txt").write_text(" \n\n ")
    ingest(place, skipped=(notes := []))
    assert [one.doc_id for one in notes] == ["c.txt"]
    (place.docs / "a.txt").write_text("\n")
    done, _ = ingest(place, skipped=[], prune=True)
    assert (counts(done), done.skipped) == ((0, 0, 1, 0), 2)
    assert {name for name, _ in found(place)["texts"]} == {"a.txt", "b.txt"}


def test_a_document_may_have_no_chunk(place):
    files = find_files([place.docs])
    work = open_ingest(CONFIG, place.store, files, embedder=Counting())
    work.run(files)
    object.__setattr__(work.maker, "strategy", Refusing(cuts=False))
    for path in place.docs.iterdir():
        path.write_text("Nothing to cut.\n")
    done = work.run(files)
    assert (counts(done), done.chunks, done.embedded) == ((0, 2, 0, 0), 0, 0)
    assert found(place)["totals"] == (2, 0)
    assert counts(ingest(place)[0]) == (0, 0, 2, 0)


def test_a_text_is_embedded_once_in_a_batch_however_often_it_stands_there(place):
    for number in range(20):
        (place.docs / f"copy{number}.txt").write_text(A)
    done, embedded = ingest(place)
    assert done.embedded == len(embedded) == len(set(embedded)) == 5
    assert done.reused == done.chunks - done.embedded


def test_batches_are_written_as_they_are_full(place, monkeypatch):
    """The limit is a constant of memory; lowered here so that a few documents are many batches."""
    monkeypatch.setattr(batching, "_BATCH", 4)
    for number in range(9):
        (place.docs / f"n{number}.txt").write_text(f"Rule {number} is short. It has two parts.\n")
    done, embedded = ingest(place)
    assert done.new == 11
    assert done.revision > 3
    clean = SimpleNamespace(docs=place.docs, store=open_store("memory://"))
    monkeypatch.setattr(batching, "_BATCH", 1 << 20)
    once, _ = ingest(clean)
    assert once.revision == 1
    assert found(clean) == found(place)
    assert once.chunks == done.chunks
    assert len(embedded) == done.embedded


def test_the_language_of_words_is_read_once_and_kept(place):
    ingest(place)
    assert place.store.open("main").info.language == "english"
    for path in place.docs.iterdir():
        path.write_text("Das ist der Hund, und er ist nicht die Katze, die wir auch haben.\n")
    ingest(place)
    assert place.store.open("main").info.language == "english"
    german = BenchConfig(retriever="hybrid(language=german)")
    with pytest.raises(InvalidConfig, match="are english, but the retriever's language is german"):
        open_searcher(german, place.store, embedder=Counting())
    with pytest.raises(InvalidConfig, match="made with language 'english', got 'german'"):
        ingest(place, config=BenchConfig(strategy=CONFIG.strategy, retriever=german.retriever))


def test_a_namespace_is_of_one_strategy_model_and_tokenizer(place):
    ingest(place)
    other = Counting()
    other.fingerprint = "counting-2"
    before = found(place)
    for config, model, said in [
        (BenchConfig(strategy="whole"), None, "strategy 'sentence"),
        (CONFIG, other, "fingerprint 'counting-1', got 'counting-2'"),
        (BenchConfig(strategy=CONFIG.strategy, tokenizer="words"), None, "tokenizer"),
        (BenchConfig(strategy=CONFIG.strategy, retriever="bm25"), None, "dim 8, got 0"),
    ]:
        with pytest.raises(InvalidConfig, match=said):
            ingest(place, config=config, embedder=model)
    with pytest.raises(InvalidConfig, match="would be by counting-2"):
        open_searcher(CONFIG, place.store, embedder=other)
    assert found(place) == before


def test_a_namespace_without_vectors_asks_no_model(place):
    words = BenchConfig(strategy=CONFIG.strategy, retriever="bm25", namespace="words")
    done, embedded = ingest(place, config=words)
    assert (counts(done), embedded, done.embedded) == ((2, 0, 0, 0), [], 0)
    assert place.store.open("words").info.dim == 0
    answer = open_searcher(words, place.store, embedder=Counting()).search("Where is the pump?")
    assert answer.passages[0].text == "Oil the pump each day."
    assert (answer.answered, answer.similarity) == (True, None)
    with pytest.raises(InvalidConfig, match="holds none: take bm25"):
        open_searcher(
            BenchConfig(retriever="hybrid", namespace="words"), place.store, embedder=Counting()
        )


def test_a_plan_says_what_a_run_does_and_changes_nothing(place):
    files = find_files([place.docs])
    states = planned(CONFIG, place.store, files, Labels(), [], embedder=Counting())
    assert states.pop("new") == ["a.txt", "b.txt"]
    assert not any(states.values())
    assert place.store.namespaces() == []
    ingest(place)
    before = found(place)
    (place.docs / "a.txt").write_text("Oil it.")
    (place.docs / "b.txt").unlink()
    (place.docs / "c.txt").write_text(B)
    states = planned(
        CONFIG, place.store, find_files([place.docs]), Labels(), [], embedder=Counting()
    )
    assert states == {
        "new": ["c.txt"],
        "changed": ["a.txt"],
        "unchanged": [],
        "removed": ["b.txt"],
        "opened": [],
    }
    assert found(place) == before
    assert counts(ingest(place, prune=True)[0]) == (1, 1, 0, 1)


def test_former_versions_are_kept_as_asked(place):
    first = ingest(place, keep_versions=1)[0].revision
    (place.docs / "a.txt").write_text("Oil nothing.\n")
    second = ingest(place, keep_versions=1)[0].revision
    old = found(place, Reader(as_of=first))["texts"].values()
    assert "Oil the pump each day." in old
    assert "Oil nothing." not in old
    assert "Oil nothing." in found(place, Reader(as_of=second))["texts"].values()


def test_every_format_is_ingested_with_what_its_parser_says_of_it(place):
    (place.docs / "t.csv").write_text("name,price\n" + "pump,12\nbelt,3\n" * 200)
    (place.docs / "r.jsonl").write_text(
        '{"text": "Oil \\ud800 it.", "n": NaN, "z": "\\u0000"}\n' * 150
    )
    (place.docs / "f.pdf").write_bytes(
        pdf(text(50, 700, "Oil the pump."), text(50, 700, "Page two."))
    )
    (place.docs / "h.html").write_text(
        "<html><head><title>T&#0;x</title><meta name='a' content='&#xD800;'></head>"
        "<body><h1>Pumps</h1><p>Oil &#xD800; the pump.</p></body></html>"
    )
    (place.docs / "m.md").write_text(
        "---\ntitle: A pump\ndate: 2024-01-02\n---\n\n# A\n\nOil it.\n"
    )
    config = BenchConfig(strategy="adaptive(target=64)", retriever="hybrid")
    notes = []
    done, _ = ingest(place, config=config, skipped=notes)
    assert (notes, done.new) == ([], 7)
    namespace = place.store.open("main")
    with namespace.read(Reader()) as view:
        numbers = sorted(set(view.scope().document.tolist()))
        held, details = view.held(numbers), view.details(numbers)
    for number in numbers:
        facts = [held[number].metadata, *details[number].metadata]
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts  # lists, not tuples
    assert {one.doc_id for one in held.values()} == {name for _, name in find_files([place.docs])}


def test_metadata_that_json_cannot_hold_become_what_it_can():
    day = dt.date(2024, 1, 2)
    deep = 1
    for _ in range(40):
        deep = {"in": [deep]}
    given = {
        "day": day,
        "nan": float("nan"),
        "low": -float("inf"),
        "n": np.float32(1.5),
        "pair": (1, (2, day)),
        "path": Path("a/b"),
        "map": list(range(101)),
        "deep": deep,
        "long": "x" * 70_000,
        7: {None: {"x"}},
        "nul\0": "a\0b \ud800",
        "kept": [1, 2.5, True, None, "é"],
    }
    found = plain(given)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["kept"] == given["kept"]
    assert found["pair"] == [1, [2, "2024-01-02"]]
    assert (found["nan"], found["low"], found["n"], found["path"]) == ("nan", "-inf", "1.5", "a/b")
    assert found["nul\ufffd"] == "a\ufffdb \ufffd"
    assert found["7"] == {"None": "{'x'}"}
    assert "map" not in found
    assert "long" not in found
    assert found["deep"]["in"][0]["in"]


class Refusing:
    """A strategy that cannot cut every document, or cuts none."""

    def __init__(self, *, cuts=True):
        self.cuts = cuts

    def split(self, document):
        if "fish" in document.text:
            raise InvalidConfig("fish cannot be cut")
        return parse_strategy("whole").split(document) if self.cuts else []


def test_a_document_that_cannot_be_cut_is_skipped_and_the_others_are_not(place):
    files, notes = find_files([place.docs]), []
    work = open_ingest(CONFIG, place.store, files, embedder=Counting())
    object.__setattr__(work.maker, "strategy", Refusing())
    done = work.run(files, skipped=notes)
    assert (done.new, done.skipped) == (1, 1)
    assert [(one.doc_id, one.why) for one in notes] == [("b.txt", "fish cannot be cut")]


def test_progress_ends_at_the_last_file(place):
    told = []
    ingest(place, progress=lambda *step: told.append(step))
    assert told == [(1, 2, "a.txt"), (2, 2, "b.txt"), (2, 2, "5 chunks embedded")]


def watched(place, *steps, prune=True):
    """What `watch` yields while the steps are done, one each time it waits."""
    files = find_files([place.docs])
    work = open_ingest(CONFIG, place.store, files, embedder=Counting())
    left, notes, out = list(steps), [], []

    class Ended(Exception):
        pass

    def wait(_seconds):
        if not left:
            raise Ended
        left.pop(0)()

    try:
        out.extend(map(counts, watch(work, [place.docs], prune=prune, skipped=notes, wait=wait)))
    except Ended:
        return out, notes
    raise AssertionError


def test_watch_ingests_what_changes_and_only_that(place):
    ingest(place)
    a, c = place.docs / "a.txt", place.docs / "c.txt"
    out, _ = watched(
        place,
        lambda: None,
        lambda: a.write_text("Oil the other pump.\n"),
        lambda: None,
        lambda: c.write_text(B),
        lambda: os.utime(a, (5, 5)),
        a.unlink,
    )
    assert out == [(0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)]
    assert {name for name, _ in found(place)["texts"]} == {"b.txt", "c.txt"}


def test_watch_sees_what_was_changed_before_it_looked_first(place):
    ingest(place)
    (place.docs / "a.txt").write_text("Oil the other pump.\n")
    assert watched(place, lambda: None)[0] == [(0, 1, 1, 0)]


def test_watch_keeps_everything_while_the_folder_is_away(place):
    ingest(place)
    away = place.docs.with_name("away")
    out, _ = watched(
        place,
        lambda: None,
        lambda: place.docs.rename(away),
        place.docs.mkdir,
        lambda: (place.docs.rmdir(), away.rename(place.docs)),
        lambda: (place.docs / "a.txt").write_text("Back.\n"),
    )
    assert out == [(0, 1, 0, 0)]
    assert found(place)["totals"][0] == 2


def test_watch_without_prune_keeps_what_is_gone(place):
    ingest(place)
    out, _ = watched(place, lambda: None, (place.docs / "b.txt").unlink, prune=False)
    assert out == []
    assert found(place)["totals"][0] == 2


def test_watch_names_what_it_cannot_read_and_goes_on(place):
    ingest(place)
    a = place.docs / "a.txt"
    out, notes = watched(
        place,
        lambda: None,
        lambda: a.write_bytes(b"\xe9\xff\x00"),
        lambda: a.write_text("Oil the other pump.\n"),
    )
    assert [one.doc_id for one in notes] == ["a.txt"]
    assert out == [(0, 0, 0, 0), (0, 1, 0, 0)]


def test_an_ingest_that_fails_in_the_middle_goes_on_where_it_was(place, monkeypatch):
    monkeypatch.setattr(batching, "_BATCH", 1)

    class Failing(Counting):
        def embed_documents(self, texts):
            if any("fish" in one for one in texts):
                raise ConnectionError("the model is away")
            return super().embed_documents(texts)

    with pytest.raises(ConnectionError):
        ingest(place, embedder=Failing())
    assert {name for name, _ in found(place)["texts"]} == {"a.txt"}
    done, embedded = ingest(place)
    assert counts(done) == (1, 0, 1, 0)
    assert not any("pump" in one for one in embedded)


def test_a_file_that_holds_nothing_but_wal_is_still_read_by_sqlite(tmp_path):
    """What was committed is in the file itself or beside it, and plain SQLite can read it."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(A)
    with open_store(f"sqlite:///{tmp_path}/index.db") as store:
        ingest(SimpleNamespace(docs=docs, store=store))
    connection = sqlite3.connect(tmp_path / "index.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("SELECT count(*) FROM document").fetchone() == (1,)
    connection.close()
