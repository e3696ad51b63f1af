"""What a search in a store finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "Passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document as it is shown: `text == document.text[start:end]`.

    `context` stands before it (a heading path, a table's header). `score` is the retriever's,
    `dense` (cosine) and `words` (BM25) its arms, None where it has no such arm; all three are
    those of the best chunk in the passage, number `ordinal` of its document. `parts` add up to
    the score: what each arm gives it (`dense`, `words`), a `rerank` by token vectors and the
    `neighbours` in its section. `reranked` is the score of a reranker of its own, None without.
    `tokens` counts all that it costs. `metadata` are those of the chunks in it: headings that
    they share, page_range, line_range … from the first to the last of them.
    """

    rank: int
    doc_id: str
    start: int
    end: int
    text: str
    context: str
    tokens: int
    score: float
    dense: float | None
    words: float | None
    parts: Mapping[str, float]
    reranked: float | None
    ordinal: int
    version: int
    source: str
    metadata: Mapping[str, Any]
    document: Mapping[str, Any]

    @property
    def id(self) -> str:
        """`doc#start-end`."""
        return f"{self.doc_id}#{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found: passages, best first, at a `revision` of the namespace.

    `similarity` is the highest cosine of any chunk to the question, None without vectors.
    `answered` is False where that is under the threshold, or nothing was found. `scored`
    counts the chunks that were looked at, `tokens` what all passages cost.
    """

    question: str
    passages: tuple[Passage, ...]
    answered: bool
    similarity: float | None
    scored: int
    revision: int

    @property
    def tokens(self) -> int:
        """The tokens of all passages, their context and separators."""
        return sum(passage.tokens for passage in self.passages)

    @property
    def text(self) -> str:
        """The passages as a model may read them: best first, each below its context."""
        parts = ((passage.context, passage.text) for passage in self.passages)
        return "\n\n".join("\n".join(filter(None, part)) for part in parts)
