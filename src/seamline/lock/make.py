"""Results made into a lock: what was measured must be what the config file names now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seamline.bench.configuration import configuration_of
from seamline.bench.results import Results
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.lock.digest import Cuts, gold_digest, text_digest, tokenizer_digest
from seamline.lock.lock import LOCK_ANEW, Lock, LockedDocument, LockedQuestion
from seamline.lock.measured import Measured
from seamline.lock.probe import probe_of
from seamline.lock.versions import versions
from seamline.phrases import listed
from seamline.types import Document, Question

__all__ = ["FEWEST", "make_lock", "settings_of"]

FEWEST = 5
"""With fewer questions no statistic says anything."""

_MEASURED = ("scope", "k", "budget", "separator", "identical")
_AGAIN = f"measure again: {LOCK_ANEW}"
_USUAL = ("Containment",)  # locked besides the primary measure where the results have them


def make_lock(
    results: Results,
    config: BenchConfig,
    documents: Sequence[Document],
    questions: Sequence[Question],
) -> Lock:
    """The lock of the configuration that `config` names, with what `results` say of it.

    The documents are cut again: results of other documents, other questions or of a
    strategy that cuts otherwise by now are refused. Locked are the primary measure,
    `Containment`, `Recall@k` and the measures that have a floor, as far as the
    results have them.

    Raises:
        InvalidConfig: the results do not hold the configuration, or were measured
            otherwise or on something else; says what to run.
    """
    measured = Measured.of(config, documents, questions)
    row = _row(results, measured)
    _check_settings(results.data["config"], measured)
    _check_corpus(results.data, measured)
    if row["measures"][config.primary]["mean"] is None:
        raise InvalidConfig(
            f"the primary measure must have a value to be locked, but no question gives "
            f"{config.primary} one: name another measure first in seamline.toml"
        )
    cuts = measured.cuts(measured.cut())
    _check_cuts(row, cuts)
    names = _names(row, config)
    return Lock(
        config={
            **settings_of(measured),
            "embedder": results.data["config"]["embedder"] if measured.embeds else None,
        },
        measures=names,
        means={name: row["measures"][name]["mean"] for name in names},
        documents=_documents(measured, cuts),
        questions=_questions(measured, [row["measures"][name]["values"] for name in names]),
        versions=versions(measured.configuration.strategy),
    )


def settings_of(measured: Measured) -> dict[str, Any]:
    """What a lock keeps of the settings: the configuration, and what makes scores comparable."""
    plan, config, own = measured.plan, measured.plan.config, measured.configuration
    digest = tokenizer_digest(plan.sizer)
    return {
        "strategy": own.strategy,
        "retriever": own.retriever,
        "dedupe": own.dedupe,
        "merge": own.merge,
        "embedder": plan.embedder_name if measured.embeds else None,
        "embedder_fingerprint": plan.embedder.fingerprint if measured.embeds else None,
        "probe": probe_of(plan.embedder.cached.embedder) if measured.embeds else None,
        "tokenizer": Path(plan.sizer.name).name if digest else plan.sizer.name,
        "tokenizer_digest": digest,
        **{key: getattr(config, key) for key in _MEASURED},
        "lower_is_better": plan.measures[0].lower_is_better,
        "margin": config.margin,
        "seed": config.seed,
    }


def _row(results: Results, measured: Measured) -> Mapping[str, Any]:
    """The row of the configuration.

    Raises:
        InvalidConfig: there is none; names the configuration and what to run.
    """
    config, wanted = results.data["config"], measured.configuration
    found = [configuration_of(row, config) for row in results.data["strategies"]]
    if wanted in found:
        return results.data["strategies"][found.index(wanted)]
    held = f"{len(found)} others" if len(found) > 1 else str(found[0]) if found else "none"
    raise InvalidConfig(
        f"the results must hold the configuration in seamline.toml, {wanted}, but hold {held}: "
        f"{_AGAIN}"
    )


def _check_settings(was: Mapping[str, Any], measured: Measured) -> None:
    plan, config = measured.plan, measured.plan.config
    now = {key: getattr(config, key) for key in _MEASURED}
    now |= {"tokenizer": plan.sizer.name, "primary": config.primary}
    if measured.embeds:
        now["embedder_fingerprint"] = plan.embedder.fingerprint
    changed = [f"{key} {was[key]!r} and not {now[key]!r}" for key in now if was[key] != now[key]]
    if changed:
        raise InvalidConfig(
            f"the results must be measured as seamline.toml says, but were with "
            f"{', '.join(changed)}: {_AGAIN}"
        )


def _check_corpus(data: Mapping[str, Any], measured: Measured) -> None:
    corpus = measured.corpus
    was = {one["id"]: one["digest"] for one in data["documents"]}
    now = {one.id: one.digest for one in corpus.documents}
    if was != now:
        other = sorted(id_ for id_ in was.keys() | now.keys() if was.get(id_) != now.get(id_))
        raise InvalidConfig(
            f"the results must be of the documents as they are now, but {_named(other)} "
            f"changed since: {_AGAIN}"
        )
    asked = {one["id"]: (one["doc_id"], one["text"], one["slots"]) for one in data["questions"]}
    asks = {
        one.id: (one.doc_id, one.text, [[[s.start, s.end] for s in slot] for slot in one.slots])
        for one in corpus.questions
    }
    if asked != asks:
        other = sorted(i for i in asked.keys() | asks.keys() if asked.get(i) != asks.get(i))
        raise InvalidConfig(
            f"the results must be of the questions as they are now, but {_named(other)} "
            f"changed since: {_AGAIN}"
        )
    if len(asks) < FEWEST:
        raise InvalidConfig(
            f"a lock needs at least {FEWEST} questions with gold to notice anything, "
            f"got {len(asks)}: add questions"
        )


def _check_cuts(row: Mapping[str, Any], cuts: Mapping[str, Cuts]) -> None:
    other = [
        id_
        for id_, own in cuts.items()
        if [tuple(span) for span in row["chunks"].get(id_, ())] != list(own.spans)
    ]
    if other:
        raise InvalidConfig(
            f"the results must be of the cuts that {row['spec']} makes now, but those in "
            f"{_named(other)} are others: {_AGAIN}"
        )


def _named(ids: Sequence[str]) -> str:
    return listed(list(map(repr, ids)))


def _names(row: Mapping[str, Any], config: BenchConfig) -> tuple[str, ...]:
    wanted = (config.primary, *_USUAL, f"Recall@{config.k}", *config.floors.measures)
    return tuple(name for name in dict.fromkeys(wanted) if name in row["measures"])


def _documents(measured: Measured, cuts: Mapping[str, Cuts]) -> dict[str, LockedDocument]:
    corpus = measured.corpus
    return {
        document.id: LockedDocument(
            digest=document.digest,
            tokens=len(ends),
            chunk_tokens=cuts[document.id].tokens,
            boundaries=cuts[document.id].digest,
            spans=cuts[document.id].spans,
        )
        for document, ends in zip(corpus.documents, corpus.ends, strict=True)
    }


def _questions(
    measured: Measured, columns: Sequence[Sequence[float | None]]
) -> dict[str, LockedQuestion]:
    documents = {document.id: document for document in measured.corpus.documents}
    return {
        question.id: LockedQuestion(
            doc_id=question.doc_id,
            asked=text_digest(question.text),
            gold=gold_digest(question, documents[question.doc_id]),
            slots=tuple(tuple((s.start, s.end) for s in slot) for slot in question.slots),
            values=values,
        )
        for question, values in zip(
            measured.corpus.questions, zip(*columns, strict=True), strict=True
        )
    }
