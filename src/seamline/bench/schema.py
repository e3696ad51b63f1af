"""The shape of `results.json`, as types; docs/results.md says what each key means."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

__all__ = [
    "SCHEMA",
    "Aligned",
    "ConfigRow",
    "Containment",
    "Cost",
    "Curve",
    "DiagnosisRow",
    "Difference",
    "DocumentRow",
    "DroppedRow",
    "FailureRow",
    "GroupMean",
    "MeasureRow",
    "QuestionRow",
    "ResultsData",
    "Skipped",
    "SplitGold",
    "StrategyRow",
    "TopHit",
]

SCHEMA = 1


class ConfigRow(TypedDict):
    """The settings of the run; `margin` lacks in older files."""

    retriever: str | None
    embedder: str | None
    embedder_fingerprint: str | None
    tokenizer: str
    scope: str
    k: int
    budget: int
    budgets: list[int]
    threshold: float
    dedupe: bool | None
    merge: bool | None
    separator: int
    identical: bool
    margin: NotRequired[float]
    seed: int
    measures: list[str]
    primary: str
    lower_is_better: bool


class DocumentRow(TypedDict):
    """A document that was cut."""

    id: str
    digest: str
    media_type: str
    characters: int
    words: int
    tokens: int
    marks: NotRequired[int]
    pages_without_text: NotRequired[list[int]]


class QuestionRow(TypedDict):
    """A question that was asked."""

    id: str
    doc_id: str
    text: str
    tags: list[str]
    slots: list[list[list[int]]]


class Skipped(TypedDict):
    """A question that was not asked, or a file that was not read, and why."""

    id: str
    why: str


class Aligned(TypedDict):
    """How many chunks of a splitter without offsets were found word for word."""

    chunks: int
    exact: int


class Cost(TypedDict):
    """What a strategy costs at ingest, whatever a cache already held."""

    chunks: int
    indexed_tokens: int
    source_tokens: int
    inflation: float | None
    embedding_calls: int
    embedding_tokens: int
    vector_bytes: int
    truncated_share: float | None


class SplitGold(TypedDict):
    """A gold span that no single chunk holds, and the pieces it lies in."""

    question: str
    slot: int
    span: list[int]
    pieces: list[list[int]]


class Containment(TypedDict):
    """The share of questions whose whole gold lies inside one chunk a slot."""

    rate: float | None
    split: list[SplitGold]


class MeasureRow(TypedDict):
    """One measure of one strategy: a value a question, their mean, its interval."""

    mean: float | None
    low: float | None
    high: float | None
    interval: str | None
    n: int
    values: list[float | None]


class Difference(TypedDict):
    """The paired difference to the best strategy in the primary measure."""

    to: str
    mean: float | None
    low: float | None
    high: float | None
    interval: str | None
    n: int


class GroupMean(TypedDict):
    """A measure's mean over the questions of one tag or document."""

    mean: float | None
    n: int


class Curve(TypedDict):
    """Means at each token budget, and the area of recall over the log of the budget."""

    budgets: list[int]
    recall: list[float | None]
    whole: list[float | None]
    precision: list[float | None]
    area: float | None


class TopHit(TypedDict):
    """The first chunk of a ranking and its cosine to the question."""

    similarity: float
    doc_id: str
    start: int
    end: int


class StrategyRow(TypedDict):
    """Everything about one strategy."""

    spec: str
    strategy: NotRequired[str]
    retriever: NotRequired[str]
    dedupe: NotRequired[bool]
    merge: NotRequired[bool]
    knobs: NotRequired[dict[str, Any]]
    chunks: dict[str, list[list[int]]]
    parents: NotRequired[dict[str, list[list[int] | None]]]
    aligned: Aligned | None
    size: dict[str, dict[str, Any]]
    cost: Cost
    containment: Containment
    boundaries: dict[str, Any]
    measures: dict[str, MeasureRow]
    difference: Difference
    by_tag: dict[str, dict[str, GroupMean]]
    by_document: dict[str, dict[str, GroupMean]]
    curve: Curve
    top1: list[TopHit | None]
    under_threshold: float | None
    retrieved: list[list[list[float]]]


class FailureRow(TypedDict):
    """Where the gold of a failed question stands in the rankings."""

    slot: int
    rank: int | None
    exact_rank: int | None
    larger: bool
    tokens: int


class DiagnosisRow(TypedDict):
    """Why questions failed, and how far the ranking could go; older files lack `found_by_cuts`."""

    spec: str
    cutoff: str
    n: int
    labels: dict[str, str]
    counts: dict[str, int]
    details: dict[str, FailureRow]
    deduped: list[str]
    found_by: dict[str, list[str]]
    cut_through: dict[str, int]
    oracle: dict[str, float | None]
    found_by_cuts: NotRequired[dict[str, list[str]]]


class DroppedRow(TypedDict):
    """A configuration that a sweep under a budget did not measure on all documents, and why.

    The figures are those of the part of the documents on which it was measured last.
    """

    spec: str
    n: int
    mean: float | None
    difference: float | None
    why: str


class ThroughRow(TypedDict):
    """A strategy searched through a store, beside the exact ranking; see `Through`."""

    spec: str
    measure: str
    exact: float | None
    through: float | None
    n_changed: int
    overlap: float
    n_chunks: int


class ResultsData(TypedDict):
    """The whole file."""

    schema: int
    seamline: str
    config: dict[str, Any]
    documents: list[DocumentRow]
    questions: list[QuestionRow]
    skipped: list[Skipped]
    skipped_documents: NotRequired[list[Skipped]]
    notes: NotRequired[list[str]]
    dropped: NotRequired[list[DroppedRow]]
    through: NotRequired[list[ThroughRow]]
    strategies: list[StrategyRow]
    diagnosis: NotRequired[list[DiagnosisRow]]
