"""The laws every store keeps, as plain functions: test your own with `check_store`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamline.errors import InvalidConfig, MissingInput
from seamline.retrieve.lexical import Bm25
from seamline.retrieve.live import score
from seamline.store.base import Asked, Namespace, Store
from seamline.store.values import Entry, Held, NamespaceInfo, Reader
from seamline.store.where import key
from seamline.testing.entries import DIM, INFO, make_entry, vector_of
from seamline.types import FloatArray

__all__ = ["CHECKS", "INFO", "check_store", "make_entry", "seen", "vector_of"]

_RANKING = Bm25(language=None, positional=12)
_NEAR = 2e-3
_STRANGE = 'it\'s "odd"; DROP TABLE document; -- \\ % _ $1 {} é 👩‍👧 \u202e'


@dataclass(frozen=True, slots=True, eq=False)
class Near:  # noqa: PLW1641 - compared, never a key
    """Scores by name, equal to others as near as vectors of half precision make them."""

    scores: dict[Any, float]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Near) or self.scores.keys() != other.scores.keys():
            return False
        return all(abs(one - other.scores[name]) <= _NEAR for name, one in self.scores.items())


def seen(namespace: Namespace, reader: Reader, words: Sequence[str] = ("one",)) -> dict[str, Any]:
    """Everything that a reader sees of a namespace, in a form that two stores can agree on."""
    query = vector_of(" ".join(words))
    terms = np.unique(_hashed(words))
    with namespace.read(reader) as view:
        totals = view.count()
        asked = Asked(query, terms, 1000)
        scope = view.scope(asked)
        scored = score(_RANKING, scope, asked, np.ones(len(terms), np.float32))
        numbers = sorted(set(scope.document.tolist()))
        held, columns, details = view.held(numbers), view.columns(numbers), view.details(numbers)
        rows = list(zip(scope.document.tolist(), scope.ordinal.tolist(), strict=True))
        spans = [(n, int(columns[n][0].start[i]), int(columns[n][0].end[i])) for n, i in rows]
        names = [(held[n].doc_id, i) for n, i in rows]
        dense = scope.dense(query) if namespace.info.dim else np.zeros(len(rows))
        term, row, count = scope.postings(terms)
        found = {
            "totals": (totals.documents, totals.chunks),
            "held": sorted(_described(one) for one in held.values()),
            "texts": dict(zip(names, view.texts(spans), strict=True)),
            "scores": Near(dict(zip(names, map(float, scored.scores), strict=True))),
            "dense": Near(dict(zip(names, map(float, dense), strict=True))),
            "postings": sorted(
                (t, *names[r], c)
                for t, r, c in zip(term.tolist(), row.tolist(), count.tolist(), strict=True)
            ),
            "contexts": {n: details[k].heads[i] for n, (k, i) in zip(names, rows, strict=True)},
        }
    sections: dict[int, list[Any]] = {}
    for name, section in zip(names, scope.section.tolist(), strict=True):
        sections.setdefault(section, []).append(name)
    return found | {"sections": sorted(sections.values())}


def _hashed(words: Sequence[str]) -> Any:
    from seamline.retrieve.terms import hashed

    return hashed(list(words))


def _described(held: Held) -> tuple[Any, ...]:
    return (
        held.doc_id,
        held.tenant,
        held.version,
        held.digest,
        sorted(held.access),
        sorted(held.tags),
        repr(sorted(held.metadata.items())),
        held.source,
        held.media_type,
        held.n_chunks,
    )


def check_store(make: Callable[[], Store]) -> None:
    """Check a store against every law; `make` opens one that is empty."""
    for check in CHECKS:
        with_store(make, check)


def with_store(make: Callable[[], Store], check: Callable[[Store], None]) -> None:
    """One law, on a store of its own."""
    store = make()
    try:
        check(store)
    finally:
        store.close()


def check_namespaces(store: Store) -> None:
    """Namespaces are made once, opened by name, and dropped whole."""
    other = NamespaceInfo(_STRANGE[:40].replace("\u202e", ""), "whole")
    store.create(INFO).put([make_entry("a", "One two.")])
    assert store.create(INFO).info == INFO
    store.create(other)
    assert [one.name for one in store.namespaces()] == sorted([INFO.name, other.name])
    _refused(lambda: store.create(NamespaceInfo("laws", "whole", DIM, "laws-1")), "strategy")
    _refused(lambda: store.create(NamespaceInfo("laws", INFO.strategy, DIM, "x")), "fingerprint")
    _refused(lambda: store.create(NamespaceInfo("laws", INFO.strategy, 9, "laws-1")), "dim")
    _refused(lambda: store.open("lows"), "'laws'", MissingInput)
    assert store.drop(INFO.name)
    assert not store.drop(INFO.name)
    assert [one.name for one in store.namespaces()] == [other.name]
    with store.create(INFO).read(Reader()) as view:
        assert view.count().documents == 0


def check_replaced(store: Store) -> None:
    """A document that is put again takes the place of its former version."""
    namespace = store.create(INFO)
    first = namespace.put([make_entry("a", "One two three."), make_entry("b", "Four one.")])
    second = namespace.put([make_entry("a", "Five six seven one one.")])
    assert second > first
    found = seen(namespace, Reader())
    assert found["texts"] == {("a", 0): "Five six seven one one.", ("b", 0): "Four one."}
    assert [row[:4:2] for row in found["held"]] == [("a", 2), ("b", 1)]
    assert namespace.digests("", ["a", "zz"]) == {
        "a": make_entry("a", "Five six seven one one.").digest
    }
    assert len(namespace.versions("", "a")) == 1


def check_same(store: Store) -> None:
    """A document that is put again unchanged changes nothing."""
    namespace = store.create(INFO)
    both = [make_entry("a", "One two."), make_entry("b", "Three one.")]
    first = namespace.put(both)
    assert namespace.put(both) == namespace.put([]) == first
    assert namespace.put([both[0], make_entry("b", "Four.")]) == first + 1
    assert [namespace.versions("", name)[0].version for name in "ab"] == [1, 2]
    assert namespace.put([make_entry("a", "One two.", tags=frozenset({"new"}))]) == first + 2
    assert seen(namespace, Reader(where=key("tags").has("new")))["totals"] == (1, 1)


def check_removed(store: Store) -> None:
    """What is removed is gone, and its id may be used again."""
    namespace = store.create(INFO)
    namespace.put([make_entry(name, "One two.") for name in ("b", "a", "é", "Z")])
    assert list(namespace.doc_ids("")) == ["Z", "a", "b", "é"]
    assert namespace.remove("", ["a", "a", "nobody"]) == 1
    assert namespace.remove("other", ["b"]) == 0
    assert list(namespace.doc_ids("")) == ["Z", "b", "é"]
    namespace.put([make_entry("a", "One again.")])
    assert seen(namespace, Reader())["totals"] == (4, 4)


def check_versions(store: Store) -> None:
    """Former versions are read as of their revision as long as they are kept."""
    namespace = store.create(INFO)
    texts = ["One.", "One two.", "One two three.", "One two three four."]
    revisions = [namespace.put([make_entry("a", text)], keep_versions=2) for text in texts]
    for revision, text in list(zip(revisions, texts, strict=True))[1:]:
        found = seen(namespace, Reader(as_of=revision))
        assert found["texts"] == {("a", 0): text}, found["texts"]
    _refused(lambda: seen(namespace, Reader(as_of=revisions[0])), "as_of")
    _refused(lambda: seen(namespace, Reader(as_of=revisions[-1] + 1)), "as_of")
    assert [held.version for held in namespace.versions("", "a")] == [4, 3, 2]
    assert namespace.remove("", ["a"], keep_versions=2) == 1
    assert seen(namespace, Reader())["totals"] == (0, 0)
    assert seen(namespace, Reader(as_of=revisions[-1]))["texts"] == {("a", 0): texts[-1]}


def check_tenants(store: Store) -> None:
    """Nobody sees, changes or counts what belongs to another tenant, by any call."""
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One of ours.", tenant="ours", access=frozenset({"staff"}))])
    namespace.put([make_entry("a", "One of theirs.", tenant="theirs")])
    with namespace.read(Reader("ours", frozenset({"staff"}))) as view:
        numbers = view.scope(Asked(vector_of("x"), _hashed(["one"]), 10)).document.tolist()
        assert len(numbers) == 1
    for reader in (Reader("theirs"), Reader("theirs", frozenset({"staff"})), Reader(), Reader("o")):
        with namespace.read(reader) as view:
            assert view.held(numbers) == {}
            assert view.columns(numbers) == {}
            assert view.details(numbers) == {}
            assert view.texts([(n, 0, 12) for n in numbers]) == [""]
            assert numbers[0] not in view.scope().document.tolist()
        assert "One of ours." not in repr(seen(namespace, reader))
    assert seen(namespace, Reader())["totals"] == (0, 0)
    assert namespace.vectors("theirs", "b") == {}
    digests = make_entry("a", "One of ours.").details.digests
    assert set(namespace.vectors("ours", "a")) == set(digests)
    assert [held.tenant for held in namespace.versions("theirs", "a")] == ["theirs"]
    assert namespace.remove("theirs", ["a"]) == 1
    assert list(namespace.doc_ids("ours")) == ["a"]
    assert list(namespace.doc_ids("theirs")) == []
    assert list(namespace.doc_ids("")) == []


def check_access(store: Store) -> None:
    """Labelled documents are read with one of their labels only."""
    namespace = store.create(INFO)
    labels = {"open": (), "hr": ("hr",), "both": ("hr", "board"), "odd": (_STRANGE,)}
    namespace.put([make_entry(name, "One.", access=frozenset(own)) for name, own in labels.items()])

    def read(*access: str) -> set[str]:
        return {name for name, _ in seen(namespace, Reader(access=frozenset(access)))["texts"]}

    assert read() == {"open"}
    assert read("hr") == {"open", "hr", "both"}
    assert read("board") == {"open", "both"}
    assert read(_STRANGE) == {"open", "odd"}
    assert read("h", "r", "hr,board", "%", "{hr}") == {"open"}


def check_conditions(store: Store) -> None:
    """Conditions pick the same documents everywhere, and never fewer than there are."""
    namespace = store.create(INFO)
    facts: dict[str, dict[str, Any]] = {
        "a": {"year": 2023, "kind": "policy", "draft": True, "list": [1, "x"]},
        "b": {"year": 2024.5, "kind": "Policy", "draft": False, "deep": {"er": {"x": 1}}},
        "c": {"year": "2024", "kind": _STRANGE, "draft": None, "list": []},
        "d": {"a b": 1, 'q"u': 2, "year": 10**15, "kind": "é"},
    }
    namespace.put(
        [
            make_entry(name, "One.", metadata=own, tags=frozenset({name, "all"}), source=f"/{name}")
            for name, own in facts.items()
        ]
    )
    conditions = [
        ("", key("nothing") == 1),
        ("abcd", ~(key("nothing") == 1)),
        ("a", key("year") == 2023),
        ("ad", (key("year") == 2023) | (key("a b") == 1)),
        ("b", (key("year") > 2023) & (key("year") < 10**10)),
        ("bd", key("year") >= 2024.5),  # noqa: PLR2004 - an example
        ("c", (key("kind") == _STRANGE) & (key("year") == "2024")),
        ("abd", key("year") != "2024"),
        ("acd", key("kind") != "Policy"),
        ("cd", (key("kind") == _STRANGE) | (key('q"u') == 2)),
        ("bcd", key("draft") != True),  # noqa: E712 - a condition
        ("b", key("draft") == False),  # noqa: E712 - a condition
        ("ab", key("kind").one_of(["policy", "Policy", 3])),
        ("", key("kind").one_of([])),
        ("d", key("a b") == 1),
        ("", key("a b") == True),  # noqa: E712 - a condition, and another one than the last
        ("a", key("draft") == True),  # noqa: E712 - a condition
        ("", key("draft") == 1),
        ("", key("list").has(True)),  # noqa: FBT003 - a value
        ("abc", key("tags").has("all") & ~(key("id") == "d")),
        ("bd", key("tags").has("b") | key("source").one_of(["/d"])),
        ("a", key("list").has("x")),
        ("a", key("list").has(1)),
        ("", key("list").has("1")),
        ("b", key("deep.er.x") == 1),
        ("d", key("kind") > "z"),
        ("abcd", key("version") == 1),
        ("abcd", key("media_type") == "text/plain"),
        ("abc", (key("kind") >= "P") & (key("kind") <= "policy")),
    ]
    for wanted, where in conditions:
        found = seen(namespace, Reader(where=where))
        names = "".join(sorted({name for name, _ in found["texts"]}))
        assert names == wanted, f"{where} gave {names!r}, not {wanted!r}"


def check_strings(store: Store) -> None:
    """Every string is kept as it is, whatever a query language makes of it."""
    namespace = store.create(INFO)
    text = f"One {_STRANGE} end. With a \0 and \x7f. " + "word " * 3000 + "One last."
    entry = make_entry(
        _STRANGE,
        text,
        tenant=_STRANGE,
        source=_STRANGE,
        tags=frozenset({_STRANGE}),
        metadata={_STRANGE: {"in": [_STRANGE, 1.5, None, True]}},
    )
    namespace.put([entry])
    found = seen(namespace, Reader(_STRANGE))
    assert "".join(found["texts"].values()).replace(" ", "") == text.replace(" ", "")
    (held,) = found["held"]
    assert held[0] == held[1] == held[7] == _STRANGE
    assert held[6] == repr(sorted(entry.metadata.items()))
    assert namespace.digests(_STRANGE, [_STRANGE]) == {_STRANGE: entry.digest}


def check_refused(store: Store) -> None:
    """What cannot be put is refused, and nothing of it is stored."""
    namespace = store.create(INFO)
    good = make_entry("good", "One two.")
    bad: list[tuple[Sequence[Entry], str]] = [
        ([good, make_entry("bad", "One.", dim=9)], "8 dimensions"),
        ([good, make_entry("bad", "One.", dim=0)], "8 dimensions"),
        ([good, good], "twice"),
        ([good, make_entry("", "One.")], "id"),
        ([good, make_entry("a\0b", "One.")], "null"),
        ([good, make_entry("bad", "One.", metadata={"x": object()})], "JSON"),
        ([good, make_entry("bad", "One.", metadata={"x": float("nan")})], "JSON"),
    ]
    for entries, said in bad:
        _refused(lambda entries=entries: namespace.put(entries), said)  # type: ignore[misc]
    assert seen(namespace, Reader())["totals"] == (0, 0)
    namespace.put([good])
    _refused(lambda: _asked(namespace, vector_of("x", 9)), "8 dimensions")


def _asked(namespace: Namespace, vector: FloatArray) -> None:
    with namespace.read(Reader()) as view:
        view.scope(Asked(vector, _hashed(["one"]), 10))


def check_steady(store: Store) -> None:
    """A view sees one moment, whatever is written meanwhile."""
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One before."), make_entry("b", "One stays.")])
    other = store.open(INFO.name)
    with namespace.read(Reader()) as view:
        scope = view.scope()
        numbers = sorted(set(scope.document.tolist()))
        _elsewhere(lambda: other.put([make_entry("a", "One after."), make_entry("c", "New one.")]))
        _elsewhere(lambda: other.remove("", ["b"]))
        assert sorted(view.texts([(n, 0, 11) for n in numbers])) == [
            "One before.",
            "One stays."[:11],
        ]
        assert view.count().documents == len(view.held(numbers)) == 2
    found = seen(namespace, Reader())
    assert found["texts"] == {("a", 0): "One after.", ("c", 0): "New one."}


def _elsewhere(work: Callable[[], object]) -> None:
    """Do something in another thread, and raise what it raises."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def check_plain(store: Store) -> None:
    """A namespace may hold no vectors; a document may hold no chunk."""
    namespace = store.create(NamespaceInfo("plain", "whole"))
    namespace.put([make_entry("a", "One two.", dim=0), make_entry("blank", " \n ", dim=0)])
    found = seen(namespace, Reader())
    assert found["totals"] == (2, 1)
    assert found["postings"] == [(0, "a", 0, 1.0)]
    _refused(lambda: namespace.put([make_entry("a", "One.")]), "holds no vectors")


def _refused(work: Callable[[], object], said: str, kind: type[Exception] = InvalidConfig) -> None:
    try:
        work()
    except kind as error:
        told = str(error)
    else:
        raise AssertionError(f"what should be refused, saying {said!r}, was not")
    assert said in told, f"the error should say {said!r}: {told}"


CHECKS: tuple[Callable[[Store], None], ...] = (
    check_namespaces,
    check_replaced,
    check_same,
    check_removed,
    check_versions,
    check_tenants,
    check_access,
    check_conditions,
    check_strings,
    check_refused,
    check_steady,
    check_plain,
)
