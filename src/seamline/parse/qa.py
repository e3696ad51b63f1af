"""Questions with their answers: FAQ in all its forms."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from seamline.parse.heads import Outer
from seamline.parse.regions import Region

__all__ = ["find_pairs"]

_BOLD = r"(?:\*\*|__|\*)?"
_ASKED = re.compile(
    rf"{_BOLD}(?:"
    r"(?:Q(?:uestion)?|QUESTION|Frage|FRAGE|Pregunta|Domanda|Pergunta|Вопрос)[ \t]?\d{0,3}[.:)：]"
    r"|(?P<cjk>问|問|质问|質問|问题|問題)[ \t]?\d{0,3}[.:)：、]"
    r"|(?P<short>F|P|D|В)[ \t]?\d{0,3}[:：]"
    r"|#\d{1,3}[.:)])(?P<rest>[^\n]*)"
)
_ANSWERED = re.compile(
    rf"[\n?？][ \t]*+(?P<start>){_BOLD}"
    r"(?:A(?:nswer)?|ANSWER|Antwort|ANTWORT|Respuesta|Risposta|Resposta|Réponse|R|Ответ|О|答|回答|答案)"
    r"[ \t]?\d{0,3}[.:)：](?=[ \t*_\n]|(?<=：)|\Z)"
)
_NUMBERED = re.compile(r"\*{0,2}\d{1,3}[.)][ \t]+[^\n]*[?？]\*{0,2}[ \t]*(?=\n|\Z)")
_BOLD_QUESTION = re.compile(
    r"(\*\*|__)(?=\S)[^\n]{2,300}?[?？][ \t]*\1[ \t]*(?:\n|\Z)|\*\*(?=\S)[^\n*]{2,300}[?？]\*\*"
)
_LABEL = re.compile(
    r"^[\s*_#>]*(?:(?:Q(?:uestion)?|QUESTION|Frage|FRAGE|Pregunta|Domanda|Pergunta|Вопрос|F|P|D|В|"
    r"问|問|质问|質問|问题|問題)?[ \t]?\d{0,3}[.:)：、])?[\s*_]*"
)
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")
_LONGEST_LINE = 160  # see _may_ask in heads.py
_LONGEST_TITLE = 300
_FAR = 4000  # code points from a question's label to its answer's


class _Asked(NamedTuple):
    """Where a question begins and ends, and in which form it is asked."""

    start: int
    end: int
    form: str
    answer: int = -1


def find_pairs(text: str, outer: Outer) -> list[Region]:
    """Each question with what answers it, up to the next question or heading.

    A question is a line with a label (`Q:`, `Frage 2:`, `问：`) that an answer's
    label follows or that ends in a question mark; a heading or a bold line that
    ends in one; and, where there are two at least, numbered lines that do.
    """
    asked = sorted({one.start: one for one in _all_asked(text, outer)}.values())
    if not asked:
        return []
    stops = outer.stops
    pairs: list[Region] = []
    n_parts: list[int] = []
    for at, one in enumerate(asked):
        limit = asked[at + 1].start if at + 1 < len(asked) else len(text)
        stop = bisect_right(stops, one.start)
        limit = min(limit, stops[stop]) if stop < len(stops) else limit
        is_last = at + 1 == len(asked) or limit != asked[at + 1].start
        if is_last and one.form != "heading" and len(n_parts) > 1:
            limit = _bounded(outer, one, (limit, max(n_parts)))
        pair = _pair(text, one, limit)
        if pair:
            pairs.append(pair)
            n_parts.append(_n_blocks(outer, one.end, limit))
        if is_last:
            n_parts = []
    return pairs


def _all_asked(text: str, outer: Outer) -> Iterator[_Asked]:
    """Questions in every form; of those at one place the last form counts."""
    yield from _lines_alone(text, outer)
    yield from _numbered(text, outer)
    yield from _blocks_that_ask(text, outer)
    yield from _labelled(text, outer)


def _labelled(text: str, outer: Outer) -> Iterator[_Asked]:
    labels = [found for head in outer.labels if (found := _ASKED.match(text, head))]
    if not labels:
        return
    lines = f"\n{text}"  # so that every line has a line feed before it
    answers = [found.end("start") - 1 for found in _ANSWERED.finditer(lines)]
    answers = [at for at in answers if outer.place(at) >= 0]
    limits = [*(found.start() for found in labels[1:]), len(text)]
    for found, limit in zip(labels, limits, strict=True):
        start = found.start()
        at = bisect_right(answers, start)
        answer = answers[at] if at < len(answers) and answers[at] < limit else -1
        if answer >= 0 and answer - start <= _FAR:
            yield _Asked(start, answer, "label", answer)
        elif found["short"] is None and (end := _question_end(text, outer, start)):
            yield _Asked(start, end, "label")


def _question_end(text: str, outer: Outer, start: int) -> int:
    """The end of the line, at most the third of its block, that ends in a question mark; else 0."""
    stop = outer.ends[outer.place(start)]
    end = start
    for _ in range(3):
        line_end = text.find("\n", end, stop)
        end = stop if line_end < 0 else line_end
        if text[start:end].rstrip(" \t*_\"'”’)").endswith(("?", "？")):
            return end
        if end == stop:
            return 0
        end += 1
    return 0


def _blocks_that_ask(text: str, outer: Outer) -> Iterator[_Asked]:
    kinds = outer.kinds
    for at in outer.asking:
        start, end = outer.starts[at], outer.ends[at]
        if kinds[at] == "heading":
            if (
                outer.titles[at].rstrip(" *_\"'”’").endswith(("?", "？"))
                and at + 1 < len(kinds)
                and kinds[at + 1] != "heading"
            ):
                yield _Asked(start, end, "heading")
        elif text.startswith(("**", "__"), start):
            found = _BOLD_QUESTION.match(text, start, end)
            if found:
                yield _Asked(start, start + len(found[0].rstrip()), "bold")


def _numbered(text: str, outer: Outer) -> Iterator[_Asked]:
    """Numbered lines that ask, where there are two and something else than a number follows."""
    kept = []
    for head in outer.numbered:
        at, found = outer.place(head), _NUMBERED.match(text, head)
        if found is None or outer.kinds[at] not in ("paragraph", "list", "heading"):
            continue
        alone = outer.kinds[at] == "list" and outer.ends[at] > found.end()
        if not alone and (head == outer.starts[at] or outer.kinds[at] == "paragraph"):
            kept.append(_Asked(head, found.end(), "number"))
    if len(kept) >= 2:
        yield from kept


def _lines_alone(text: str, outer: Outer) -> Iterator[_Asked]:
    """Paragraphs that are one line and ask, where there are three and paragraphs between them."""
    kept = []
    for at in outer.asking:
        start, end = outer.starts[at], outer.ends[at]
        if (
            outer.kinds[at] != "paragraph"
            or end - start > _LONGEST_LINE
            or text[end - 1] not in "?？"
        ):
            continue
        if "\n" in text[start:end] or not text[start].isupper() or ". " in text[start:end]:
            continue
        then = at + 1
        if then == len(outer.kinds) or outer.kinds[then] in ("heading", "rule"):
            continue
        if text[outer.ends[then] - 1] not in "?？":
            kept.append(_Asked(start, end, "line"))
    if len(kept) >= 3 and len(kept) * 5 >= len(outer.kinds):
        yield from kept


def _n_blocks(outer: Outer, start: int, end: int) -> int:
    """How many blocks begin in [start, end)."""
    return bisect_right(outer.starts, end - 1) - bisect_right(outer.starts, start - 1)


def _bounded(outer: Outer, one: _Asked, limits: tuple[int, int]) -> int:
    """The end of the last answer of several: it has as many blocks as the longest before it."""
    limit, n_most = limits
    begun = outer.ends[outer.place(one.start)] > one.end  # in the question's paragraph
    at = bisect_right(outer.starts, one.end - 1) + (n_most if begun else max(1, n_most))
    return min(limit, outer.starts[at]) if at < len(outer.starts) else limit


def _pair(text: str, one: _Asked, limit: int) -> Region | None:
    """The region of a question, cut where its answer begins; None where nothing answers it."""
    tail = text[one.end : limit]
    ink = len(tail) - len(tail.lstrip())
    if ink == len(tail):
        return None
    answer = one.answer if one.answer >= 0 else one.end + ink
    title = _title(text[one.start : min(one.end, one.start + 2 * _LONGEST_TITLE)])
    return Region("qa_pair", one.start, limit, 0, title, (answer,))


def _title(asked: str) -> str:
    """The question without label, marks and line breaks."""
    bare = _LABEL.sub("", asked, count=1)
    bare = _MARKS.sub("", bare.rstrip("=-~#\n \t"))
    return " ".join(bare.split())[:_LONGEST_TITLE].rstrip(" #")
