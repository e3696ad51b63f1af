"""Documents from memory, labels that open documents, and files that hold nothing any more."""

from dataclasses import replace

import numpy as np
import pytest

from seamline import Document, ingest_documents, open_store
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig, MissingInput
from seamline.ingest import batch as batching
from seamline.ingest import run as running
from seamline.ingest.labels import Labels, Rule, Rules
from seamline.ingest.open import planned
from seamline.parse import find_files, parse_text
from seamline.store import Reader, key
from seamline.testing.stores import seen, vector_of

WORDS = {"strategy": "sentence(size=12)", "retriever": "bm25"}
A = Document.from_text("Oil the pump each day. Check the belt of the motor.", "a")
B = Document.from_text("Count the fish in the morning. Feed them at noon.", "b")
STAFF = Labels(access={"staff"})


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    url = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/index.db"}[request.param]
    with open_store(url) as opened:
        yield opened


class Counting:
    """Vectors that follow from the text; remembers what it was asked for."""

    fingerprint = "counting-1"

    def __init__(self):
        self.texts = []

    def embed_documents(self, texts):
        self.texts += texts
        return np.array([vector_of(one) for one in texts], np.float32).reshape(-1, 8)

    embed_queries = embed_documents


def ingest(store, docs, **options):
    return ingest_documents(docs, store, **{**WORDS, **options})


def counts(done):
    return done.new, done.changed, done.unchanged, done.removed


def ids(store, tenant=""):
    return sorted(store.open("main").doc_ids(tenant))


def held(store, name, tenant=""):
    """The current version of a document."""
    return store.open("main").versions(tenant, name)[0]


def texts(store, reader=None):
    return set(seen(store.open("main"), reader or Reader())["texts"].values())


def test_documents_from_memory_are_ingested_once(store):
    model = Counting()
    options = {"retriever": "dense", "embedder": model}
    first = ingest(store, [A, B], **options)
    assert counts(first) == (2, 0, 0, 0)
    assert (first.chunks, first.embedded, first.revision) == (3, 3, 1)
    asked = len(model.texts)
    copies = [replace(B), replace(A)]  # alike, but other objects in another order
    again = ingest(store, copies, **options)
    assert (counts(again), again.chunks, again.revision) == ((0, 0, 2, 0), 0, 1)
    assert len(model.texts) == asked


def test_an_edit_embeds_the_changed_chunks_only(store):
    model = Counting()
    options = {"retriever": "dense", "embedder": model}
    ingest(store, [A, B], **options)
    model.texts.clear()
    edited = Document.from_text(A.text.replace("belt", "bolt"), "a")
    done = ingest(store, [edited, B], **options)
    assert (counts(done), done.reused) == ((0, 1, 1, 0), 1)
    assert model.texts == ["Check the bolt of the motor."]


@pytest.mark.parametrize(
    "other",
    [
        replace(A, metadata={"year": 2024}),
        replace(A, source="elsewhere"),
        replace(A, media_type="text/markdown"),
        replace(A, blocks=parse_text("# Oil\n\nCheck it.\n", "text/markdown").blocks),
        replace(A, text=A.text + " "),
    ],
    ids=["metadata", "source", "media_type", "blocks", "text"],
)
def test_whatever_changes_of_a_document_is_seen(store, other):
    ingest(store, [A])
    assert counts(ingest(store, [other])) == (0, 1, 0, 0)
    assert counts(ingest(store, [replace(other)])) == (0, 0, 1, 0)
    assert counts(ingest(store, [A])) == (0, 1, 0, 0)
    assert held(store, "a").version == 3


def test_metadata_and_source_are_kept(store):
    document = replace(A, source="https://example.org/a", metadata={"year": 2024, "kind": "memo"})
    ingest(store, [document], labels=Labels(metadata={"kind": "rule"}))
    there = held(store, "a")
    assert (there.source, there.metadata) == (document.source, {"year": 2024, "kind": "rule"})
    assert texts(store, Reader(where=key("year") >= 2024)) == texts(store) != set()
    assert texts(store, Reader(where=key("kind") == "memo")) == set()


def test_documents_may_come_one_by_one(store, monkeypatch):
    """The limits are ones of memory; lowered here so that few documents are many batches."""
    monkeypatch.setattr(batching, "_BATCH", 4)
    monkeypatch.setattr(running, "_LOOKUP", 10)
    written = []

    def coming():
        for number in range(200):
            written.append(len(ids(store)) if store.namespaces() else 0)
            yield Document.from_text(f"Rule {number} is short. It has two parts.", f"n{number}")

    told = []
    done = ingest(store, coming(), progress=lambda *step: told.append(step))
    assert counts(done) == (200, 0, 0, 0)
    assert len(ids(store)) == 200
    assert written[-1] > 150
    assert told[0] == (1, 0, "n0")
    assert [name for _, total, name in told if total == 0] == [f"n{i}" for i in range(200)]
    assert counts(ingest(store, iter([A]))) == (1, 0, 0, 0)


@pytest.mark.parametrize("as_one", [list, tuple, iter])
def test_two_with_the_same_id_are_refused(store, as_one):
    other = Document.from_text("Something else.", "a")
    with pytest.raises(InvalidConfig, match="ids of their own, got two named 'a'"):
        ingest(store, as_one([A, B, other]))
    assert "Something else." not in texts(store)
    assert counts(ingest(store, [other], labels=Labels("acme"))) == (1, 0, 0, 0)


def test_prune_leaves_what_came_and_other_tenants_alone(store):
    ingest(store, [A, B])
    ingest(store, [A, B], labels=Labels("acme"))
    assert counts(ingest(store, [B])) == (0, 0, 1, 0)
    assert ids(store) == ["a", "b"]
    assert counts(ingest(store, iter([B]), prune=True)) == (0, 0, 1, 1)
    assert (ids(store), ids(store, "acme")) == (["b"], ["a", "b"])


def test_former_versions_stay_as_asked(store):
    first = ingest(store, [A], keep_versions=1).revision
    ingest(store, [Document.from_text("Oil nothing.", "a")], keep_versions=1)
    assert "Oil the pump each day." in texts(store, Reader(as_of=first))
    assert texts(store) == {"Oil nothing."}


def test_paths_and_documents_are_not_mixed(store, tmp_path):
    (tmp_path / "c.txt").write_text("Close the valve.\n")
    for docs in ([A, tmp_path], [A, str(tmp_path)], [tmp_path, A], [A, None], [A, "text"], [7]):
        with pytest.raises(InvalidConfig, match="documents must be paths"):
            ingest(store, docs)
    with pytest.raises(InvalidConfig, match=r"documents must be paths.* got .*Path"):
        ingest(store, iter([A, tmp_path]))
    assert not store.namespaces() or ids(store) == []


def test_what_is_no_collection_is_refused(store):
    for docs in (7, None):
        with pytest.raises(InvalidConfig, match="documents must be"):
            ingest(store, docs)


def test_one_document_is_a_collection_of_one(store):
    assert ingest(store, A).new == 1


@pytest.mark.parametrize("as_one", [list, tuple, iter])
def test_no_document_at_all_removes_nothing(store, as_one):
    """Else a query that came back empty would empty the index, or settle its language."""
    with pytest.raises(MissingInput):
        ingest(store, as_one([]))
    assert store.namespaces() == []
    ingest(store, [A])
    with pytest.raises(MissingInput):
        ingest(store, as_one([]), prune=True)
    assert ids(store) == ["a"]


@pytest.mark.parametrize("as_one", [list, iter])
def test_the_language_of_words_is_read_off_the_texts(store, as_one):
    german = "Das ist der Hund, und er ist nicht die Katze, die wir auch haben."
    documents = [Document.from_text(f"{german} {number}", f"d{number}") for number in range(80)]
    assert counts(ingest(store, as_one(documents))) == (80, 0, 0, 0)
    assert store.open("main").info.language == "german"
    ingest(store, [A])
    assert store.open("main").info.language == "german"
    ingest(store, as_one([A, B]), namespace="other")
    assert store.open("other").info.language == "english"


def test_the_language_of_the_settings_beats_the_texts(store):
    ingest(store, [A], retriever="bm25(language=french)")
    assert store.open("main").info.language == "french"


@pytest.mark.parametrize(
    ("before", "after", "opened"),
    [
        (set(), set(), 0),
        (set(), {"hr"}, 0),
        ({"hr"}, set(), 1),
        ({"hr"}, {"it"}, 1),
        ({"hr"}, {"hr", "it"}, 1),
        ({"hr", "it"}, {"hr"}, 0),
        ({"hr", "it"}, {"hr", "qa"}, 1),
        ({"hr", "it"}, set(), 1),
    ],
)
def test_opened_counts_what_more_may_read_than_before(store, before, after, opened):
    ingest(store, [A], labels=Labels(access=before))
    done = ingest(store, [A, B], labels=Labels(access=after))
    assert done.opened == opened
    assert done.changed == (before != after)
    assert ingest(store, [A, B], labels=Labels(access=after)).opened == 0


def test_other_tags_metadata_and_texts_open_nothing(store):
    ingest(store, [A], labels=STAFF)
    for labels in (replace(STAFF, tags={"x"}), replace(STAFF, metadata={"y": 1})):
        done = ingest(store, [A], labels=labels)
        assert (done.changed, done.opened) == (1, 0)
    done = ingest(store, [Document.from_text("Oil it.", "a")], labels=STAFF)
    assert (done.changed, done.opened) == (1, 0)
    done = ingest(store, [Document.from_text("Oil it now.", "a")])
    assert (done.changed, done.opened) == (1, 1)


def test_what_is_another_tenants_is_not_opened(store):
    ingest(store, [A], labels=replace(STAFF, tenant="acme"))
    assert ingest(store, [A]).opened == 0


def test_what_was_removed_and_comes_again_is_new_and_not_opened(store):
    ingest(store, [A, B], labels=STAFF, keep_versions=1)
    assert ingest(store, [B], labels=STAFF, keep_versions=1, prune=True).removed == 1
    done = ingest(store, [A, B], labels=Labels(rules=Rules([Rule("b", {"staff"})])))
    assert (counts(done), done.opened) == ((1, 0, 1, 0), 0)


def test_opened_counts_across_batches_and_a_plan_names_them(tmp_path, store, monkeypatch):
    monkeypatch.setattr(batching, "_BATCH", 1)
    for name in ("hr/a", "hr/b", "c"):
        path = tmp_path / "docs" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Rule {name} is short.\n")
    files = find_files([tmp_path / "docs"])
    rules = Rules([Rule("hr/*", access={"hr"})])
    assert ingest(store, tmp_path / "docs", labels=Labels(rules=rules)).opened == 0
    config = BenchConfig(**WORDS)
    states = planned(config, store, files, Labels(), [])
    assert states["opened"] == states["changed"] == ["hr/a.txt", "hr/b.txt"]
    assert planned(config, store, files, Labels(rules=rules), [])["opened"] == []
    done = ingest(store, tmp_path / "docs")
    assert (done.changed, done.unchanged, done.opened) == (2, 1, 2)


@pytest.mark.parametrize("blank", ["", " \n\t\n"])
@pytest.mark.parametrize("way", ["folder", "file"])
def test_an_emptied_file_keeps_its_document(tmp_path, store, blank, way):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text(A.text)
    (folder / "b.txt").write_text(B.text)
    docs = folder if way == "folder" else [folder / "a.txt", folder / "b.txt"]
    ingest(store, docs)
    before = texts(store)
    (folder / "a.txt").write_text(blank)
    skipped = []
    done = ingest(store, docs, prune=True, skipped=skipped)
    assert (counts(done), done.skipped) == ((0, 0, 1, 0), 1)
    assert [(one.doc_id, one.is_document) for one in skipped] == [("a.txt", True)]
    assert "empty" in skipped[0].why or "text" in skipped[0].why
    assert (ids(store), texts(store)) == (["a.txt", "b.txt"], before)
    assert done.revision == 1
    (folder / "a.txt").write_text(A.text)
    assert counts(ingest(store, docs)) == (0, 0, 2, 0)


def test_progress_tells_embedding_in_slices(store, monkeypatch):
    monkeypatch.setattr(batching, "_EMBEDDED", 3)
    model, told = Counting(), []
    some = [Document.from_text(f"Rule {n} is short.", f"n{n}") for n in range(7)]
    ingest(
        store,
        some,
        retriever="dense",
        embedder=model,
        progress=lambda *step: told.append(step),
    )
    assert told == [
        *((n + 1, 7, f"n{n}") for n in range(7)),
        (7, 7, "3 chunks embedded"),
        (7, 7, "6 chunks embedded"),
        (7, 7, "7 chunks embedded"),
    ]


def test_one_chunk_is_told_as_one(store):
    told = []
    some = [Document.from_text("Oil it.", "a")]
    ingest(store, some, retriever="dense", embedder=Counting(), progress=lambda *s: told.append(s))
    assert told[-1] == (1, 1, "1 chunk embedded")


def test_keys_of_metadata_are_strings_or_refused(store):
    with pytest.raises(InvalidConfig, match="metadata must"):
        ingest(store, [A], labels=Labels(metadata={1: "a", "b": "c"}))
