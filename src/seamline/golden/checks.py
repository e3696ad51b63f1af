"""The warnings about a golden set whose lines are all readable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from seamline.golden.anchor import is_whole, places
from seamline.golden.findings import Finding, clip
from seamline.golden.records import Record
from seamline.golden.rows import KNOWN_ITEM
from seamline.golden.search import QuoteIndex
from seamline.protocols import Sizer
from seamline.types import Chunk, Document, Question, Span

__all__ = ["LEAST_TOKENS", "LONGEST_TOKEN", "copied_words", "terms", "warnings"]

LEAST_TOKENS = 5
# No more characters of a span need be looked at to tell whether it has so few tokens.
LONGEST_TOKEN = 128
# Occurrences of one text looked at in one document.
SOUGHT = 100
# A question copies its answer when it holds this share of the answer's distinct terms
# (at least so many), or a run of the answer's terms this long.
COPIED_SHARE, COPIED_TERMS, COPIED_RUN = 0.6, 5, 7

_TERM = re.compile(r"[^\W_\u2e80-\U0003ffff]+|[\u2e80-\U0003ffff]")
_SPACELESS = re.compile(r"[\u2e80-\U0003ffff]")

Pair = tuple[Record, Question]


def warnings(
    pairs: Sequence[Pair],
    documents: Mapping[str, Document],
    strategies: Mapping[str, Iterable[Chunk]],
    sizer: Sizer,
) -> list[Finding]:
    """All warnings about these questions; of known items not that they copy or leak: they must."""
    found: list[Finding] = []
    for record, question in pairs:
        text = documents[question.doc_id].text
        found += _empty(record, question)
        found += _spans(record, question, text, sizer)
        if KNOWN_ITEM not in question.tags:
            found += _copied(record, question, text)
    found += _repeated(pairs, documents)
    found += _leaks([pair for pair in pairs if KNOWN_ITEM not in pair[1].tags], strategies)
    return found


def _warn(record: Record, code: str, message: str, suggestion: str = "") -> Finding:
    return Finding("warning", code, record.line, record.id, message, suggestion)


def _empty(record: Record, question: Question) -> Iterator[Finding]:
    if not question.slots and not question.lost:
        yield _warn(
            record,
            "no_gold",
            "the question has no answers: it is counted apart and scores nothing",
        )


def _spans(record: Record, question: Question, text: str, sizer: Sizer) -> Iterator[Finding]:
    for span in question.spans:
        gold = text[span.start : span.end]
        where = f"gold span [{span.start}, {span.end})"
        tokens = sizer.size(gold[: LEAST_TOKENS * LONGEST_TOKEN])
        if tokens < LEAST_TOKENS:
            yield _warn(
                record,
                "short_span",
                f"{where} {clip(gold)} has {tokens} of at least {LEAST_TOKENS} tokens",
                "mark the sentence that makes it an answer",
            )
        if gold != gold.strip():
            yield _warn(
                record,
                "white_space",
                f"{where} begins or ends with white space, which most strategies trim, "
                "so no chunk can hold the whole of it",
                "leave the white space out",
            )


def terms(text: str) -> list[str]:
    """Words, and pairs of East Asian characters that stand side by side."""
    found = list(_TERM.finditer(text.lower()))
    words = [term.group() for term in found if not _SPACELESS.match(term.group())]
    if len(words) == len(found):
        return words
    singles = [term for term in found if _SPACELESS.match(term.group())]
    beside = ((a, b) for a, b in pairwise(singles) if a.end() == b.start())
    return words + [a.group() + b.group() for a, b in beside]


def copied_words(question: str, answer: str) -> str:
    """What a question repeats of its answer, in words; empty if that is little.

    Example:
        >>> copied_words("Is the spare belt of the red pump kept dry?", "Keep the spare belt dry.")
        ''
        >>> text = "Spare belts hang beside pumps inside halls."
        >>> copied_words("Do spare belts hang beside pumps inside?", text)
        '6 of 7 terms'
    """
    asked, said = terms(question), terms(answer)
    run = _shared_run(asked, said)
    if run >= COPIED_RUN:
        return f"{run} words in a row"
    distinct = {term for term in said if len(term) > 3 or _SPACELESS.match(term)}
    shared = len(distinct & set(asked))
    copied = len(distinct) >= COPIED_TERMS and shared >= COPIED_SHARE * len(distinct)
    return f"{shared} of {len(distinct)} terms" if copied else ""


def _copied(record: Record, question: Question, text: str) -> Iterator[Finding]:
    for span in question.spans:
        gold = text[span.start : span.end]
        if what := copied_words(question.text, gold):
            yield _warn(
                record,
                "copied",
                f"the question repeats its answer's words ({what} of {clip(gold)}), "
                "which makes it easier than a real one",
                "ask it as someone who has not read the document would",
            )
            return


def _shared_run(asked: Sequence[str], answer: Sequence[str]) -> int:
    """The length of the longest run of terms that both hold."""
    if len(asked) < COPIED_RUN or len(answer) < COPIED_RUN:
        return 0
    places_of: dict[str, list[int]] = {}
    for i, term in enumerate(answer):
        places_of.setdefault(term, []).append(i)
    best = 0
    ending: dict[int, int] = {}
    for term in asked:
        ending = {i: ending.get(i - 1, 0) + 1 for i in places_of.get(term, ())}
        best = max(best, *ending.values()) if ending else best
    return best


def _repeated(pairs: Sequence[Pair], documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Gold text that stands in other places too, where finding it counts as a miss."""
    texts = {doc_id: document.text for doc_id, document in documents.items()}
    index = QuoteIndex(texts[q.doc_id][s.start : s.end] for _, q in pairs for s in q.spans)
    found: dict[str, dict[str, list[int]]] = {}
    for doc_id, text in texts.items():
        for quote, starts in index.find(text, SOUGHT, is_whole).items():
            found.setdefault(quote, {})[doc_id] = starts
    for record, question in pairs:
        for span in question.spans:
            gold = texts[question.doc_id][span.start : span.end]
            message = _again(question, span, found.get(gold, {}))
            if message:
                yield _warn(
                    record,
                    "repeated",
                    f"{clip(gold)} {message}, where finding it counts as a miss",
                    "make the places alternatives (mode any, or expand identical passages)",
                )


def _again(question: Question, span: Span, found: Mapping[str, list[int]]) -> str:
    size = len(span)
    here = [
        start
        for start in found.get(question.doc_id, ())
        if all(start >= s.end or start + size <= s.start for s in question.spans)
    ]
    elsewhere = sum(doc_id != question.doc_id for doc_id in found)
    parts = [f"stands again at {places(here)}"] if here else []
    if elsewhere:
        parts.append(f"stands in {elsewhere} other document{'s' if elsewhere > 1 else ''}")
    return " and ".join(parts)


def _leaks(pairs: Sequence[Pair], strategies: Mapping[str, Iterable[Chunk]]) -> Iterator[Finding]:
    edges: dict[str, tuple[set[tuple[str, int]], set[tuple[str, int]]]] = {}
    for name, chunks in strategies.items():
        rows = [(chunk.doc_id, chunk.start, chunk.end) for chunk in chunks]
        edges[name] = {(d, s) for d, s, _ in rows}, {(d, e) for d, _, e in rows}
    for record, question in pairs:
        for span in question.spans:
            names = [
                name
                for name, (starts, ends) in edges.items()
                if (question.doc_id, span.start) in starts and (question.doc_id, span.end) in ends
            ]
            if names:
                yield _warn(
                    record,
                    "leak",
                    f"gold span [{span.start}, {span.end}) starts and ends exactly on the "
                    f"boundaries of {', '.join(names)}",
                    "if the question was made from a chunk, mark only what answers it",
                )
