"""What of a lock can still be compared: its settings, its documents, its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.lock.digest import gold_digest, text_digest
from seamline.lock.lock import Lock, LockedDocument, LockedQuestion
from seamline.lock.probe import ALIKE, agreement
from seamline.types import Document, Question

__all__ = [
    "Aside",
    "changed_gold",
    "changed_knobs",
    "changed_settings",
    "changed_tokens",
    "set_aside",
]

_SETTINGS = ("scope", "k", "budget", "separator", "identical", "margin")


@dataclass(frozen=True, slots=True)
class Aside:
    """Documents and questions that are not what they were, by id, each sorted.

    `kept` are the locked questions about unchanged documents; `questions` the locked
    ones about changed documents or documents that are gone; `same` the unchanged
    documents. New ones are searched and asked, but nothing is known to compare with.
    """

    same: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    kept: tuple[str, ...]
    questions: tuple[str, ...]
    new_questions: tuple[str, ...]


def set_aside(lock: Lock, corpus: Corpus) -> Aside:
    """What is the same as when it was locked, and what is not."""
    now = {document.id: document.digest for document in corpus.documents}
    was = {id_: document.digest for id_, document in lock.documents.items()}
    same = {id_ for id_ in was if now.get(id_) == was[id_]}
    kept = {id_ for id_, question in lock.questions.items() if question.doc_id in same}
    return Aside(
        same=tuple(sorted(same)),
        changed=tuple(sorted((was.keys() & now.keys()) - same)),
        gone=tuple(sorted(was.keys() - now.keys())),
        new=tuple(sorted(now.keys() - was.keys())),
        kept=tuple(sorted(kept)),
        questions=tuple(sorted(lock.questions.keys() - kept)),
        new_questions=tuple(sorted({one.id for one in corpus.questions} - lock.questions.keys())),
    )


def changed_settings(lock: Lock, now: Mapping[str, Any], primary: str) -> list[str]:
    """What makes scores another thing than those in the lock, as `name: old → new`.

    `now` is as `Lock.config`. A model counts where both sides need one: whether one
    is needed is part of the configuration.
    """
    was = lock.config
    found = [
        f"{key}: {_shown(was[key])} → {_shown(now[key])}"
        for key in _SETTINGS
        if was[key] != now[key]
    ]
    if lock.primary != primary:
        found.insert(0, f"measure: {lock.primary} → {primary}")
    if was["tokenizer"] != now["tokenizer"]:
        found.append(f"tokenizer: {was['tokenizer']} → {now['tokenizer']}")
    elif was["tokenizer_digest"] != now["tokenizer_digest"]:
        found.append(f"tokenizer: {was['tokenizer']} is another file")
    return found + _changed_model(was, now)


def _changed_model(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Another model, or one of the same name that answers otherwise."""
    if None in (was["probe"], now["probe"]):
        return []
    if was["embedder_fingerprint"] != now["embedder_fingerprint"]:
        names = [f"{side['embedder']} ({side['embedder_fingerprint']})" for side in (was, now)]
        return [f"model: {' → '.join(names)}"]
    if (found := agreement(was["probe"], now["probe"])) < ALIKE:
        return [f"model: {now['embedder']} answers otherwise (cosine {found:.2f} on a probe text)"]
    return []


def changed_gold(lock: Lock, corpus: Corpus, aside: Aside) -> list[str]:
    """What is asked otherwise about unchanged documents, a phrase a question."""
    documents = {document.id: document for document in corpus.documents}
    asked = {question.id: question for question in corpus.questions}
    whys = {id_: _changed(lock.questions[id_], asked.get(id_), documents) for id_ in aside.kept}
    return [f"question {id_!r} {why}" for id_, why in whys.items() if why]


def _changed(was: LockedQuestion, now: Question | None, documents: Mapping[str, Document]) -> str:
    if now is None:
        return "is gone"
    if now.doc_id != was.doc_id:
        return f"is about {now.doc_id!r} and no longer about {was.doc_id!r}"
    if text_digest(now.text) != was.asked:
        return "asks something else"
    slots = tuple(tuple((span.start, span.end) for span in slot) for slot in now.slots)
    if slots != was.slots or gold_digest(now, documents[now.doc_id]) != was.gold:
        return "has other gold"
    return ""


def changed_tokens(
    locked: Mapping[str, LockedDocument], corpus: Corpus, same: Sequence[str]
) -> list[str]:
    """Where the tokenizer, of the same name, counts an unchanged document otherwise."""
    counts = {
        document.id: len(ends) for document, ends in zip(corpus.documents, corpus.ends, strict=True)
    }
    other = [id_ for id_ in same if counts[id_] != locked[id_].tokens]
    return [
        f"tokenizer: counts {locked[id_].tokens:,} → {counts[id_]:,} tokens in {id_!r}"
        for id_ in other[:1]
    ]


def changed_knobs(was: Configuration, now: Configuration) -> list[str]:
    """What was turned in the configuration, as `knob old → new`; none if it is the same.

    Example:
        >>> old = Configuration("fixed(size=512, overlap=50)", "bm25")
        >>> changed_knobs(old, Configuration("fixed(size=200, overlap=50)", "bm25"))
        ['size 512 → 200']
    """
    if was == now:
        return []
    old, new = was.knobs, now.knobs
    if old["strategy"] != new["strategy"]:
        shared = ("retriever", "dedupe", "merge")
        old = {"strategy": was.strategy, **{key: old[key] for key in shared}}
        new = {"strategy": now.strategy, **{key: new[key] for key in shared}}
    keys = dict.fromkeys((*old, *new))
    return [
        f"{key} {_shown(old.get(key))} → {_shown(new.get(key))}"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _shown(value: Any) -> str:
    if isinstance(value, bool | None):
        return {True: "on", False: "off", None: "none"}[value]
    return value if isinstance(value, str) else repr(value)
