"""Turns of transcripts and chats: who speaks, up to where the next one does."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from seamline.parse.heads import Outer
from seamline.parse.regions import Region

__all__ = ["find_turns"]

_TIME = (
    r"[\[(]?(?:\d{4}-\d\d-\d\d[T, ]{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4},?[ ])?"
    r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:[ ]?[AaPp]\.?[Mm]\.?)?[\])]?"
)
_NAME = r"[^\W\d_](?:[^\n:：*<>|\[\]{}\"“=]{0,98}[^\s:：*<>|\[\]{}\"“=])?"
_TURN = re.compile(
    rf"(?:(?P<time1>{_TIME})[ \t]*[-–—]?[ \t]*)?(?P<bold>\*\*|__)?(?:\[(?P<time2>{_TIME})\][ \t]*)?"
    rf"(?P<name>{_NAME})(?:[ \t]*(?P<time3>[\[(]{_TIME}[\])]))?"
    r"[ \t]*(?:(?:\*\*|__)[ \t]?[:：]|[:：](?:\*\*|__)?)(?:[ \t]+(?=\S)|(?=[ \t]*\n)|(?<=：))"
    rf"|(?P<named>{_NAME})[ \t]+"
    rf"(?P<time4>[\[(]{_TIME}[\])]|\d{{1,2}}:\d\d(?::\d\d)?(?=[ \t]*\n))[ \t]*"
    rf"|(?:(?P<time5>{_TIME})[ \t]+)?<(?:v[ \t]+)?(?P<nick>[^\W\d_][\w .'’|-]{{0,40}})>[ \t]*(?=\S)"
)
_MESSAGE = re.compile(
    r"\{[\"'](?:content|role)[\"']:[ ]"
    r"(?:[\"'](?P<role>system|user|assistant|tool|human|ai)[\"'],|[\"'])"
)
_ROLE_BEHIND = re.compile(r"[\"']role[\"']:[ ][\"'](\w{1,20})[\"']\}")
# Labels that open a line of other texts again and again.
_LABELS = frozenset(
    "问 答 問 质问 質問 问题 問題 回答 答案 "
    "pregunta respuesta domanda risposta pergunta resposta "
    "réponse вопрос ответ f r p d "
    "note notes warning caution tip hint important example examples source sources figure fig "
    "table todo summary question answer q a step e.g i.e see also ps p.s from to cc bcc subject "
    "date time sent re fw fwd tel phone fax email e-mail address url http https by name title its "
    "attn attention author authors version status type input output result results return returns "
    "raises args arguments parameters default usage pros cons advantages disadvantages abstract "
    "keywords definition theorem lemma proof remark observation where location price total id key "
    "value file path language license homepage frage antwort hinweis beispiel achtung quelle datum "
    "betreff von an bank company buyer seller client problem solution cause fix effect "
    "symptom reason pro con before after expected actual given when then goal goals why how what "
    "who".split()
)
_PARTICLES = frozenset("de da di du la le van von der den of the and und y e et al bin ben".split())
_ROLES = re.compile(
    r"(?:user|assistant|human|ai|bot|system|agent|customer|support|interviewer|interviewee|"
    r"moderator|host|guest|operator|caller|doctor|patient|speaker[ ]?\w{1,3}|sprecher[ ]?\w{1,2}|"
    r"the chair|chair|judge|the court|the witness|unidentified speaker)\b",
    re.IGNORECASE,
)
_SPOKEN_END = re.compile(r"[.?!…,。？！}\])\"”'’–—-]$")
_LONGEST = 4000  # code points of an ordinary turn, in the middle of a transcript
_SAMPLE = 400
_MOST_SHORT = 12  # turns of a talk in which most speak once
_TO_EACH_OTHER = re.compile(
    r"[?？]|\b(?:i|we|you|your|our|us|me|my|let's|thanks|ich|wir|sie|du|uns|danke|je|nous|vous|merci)\b",
    re.IGNORECASE,
)
_MARKS = ("bold", "time1", "time2", "time3", "time4", "time5")
_SENTENCE = re.compile(r"[^\W\d_]{5,}[.?!] ")  # no `Hon.`, no initial


class _Start(NamedTuple):
    offset: int
    behind: int
    name: str
    marked: bool  # by a time or in bold


def find_turns(text: str, outer: Outer) -> list[Region]:
    """The turns of the document where it is a transcript, else of its sections that are.

    A transcript has at least four turns, most of them by names that come again,
    and what is said reads as speech: it ends as sentences do, or has a time, or
    is said in a role (`Interviewer`, `User`). In a short talk one name that comes
    again is enough. A turn runs to the next one or to the next heading.
    """
    starts = _starts(text, outer)
    if len(starts) < 4:
        return []
    stops = outer.stops
    if _is_transcript(text, starts):
        return _regions(_speakers(starts), stops, len(text))
    sections: dict[int, list[_Start]] = {}
    for start in starts:
        sections.setdefault(bisect_right(stops, start.offset), []).append(start)
    kept: list[_Start] = []
    for at, part in sections.items():
        if _is_transcript(text, part):
            kept += _speakers(part)
        elif _is_short_talk(text, part, stops[at] if at < len(stops) else len(text)):
            kept += part
    return _regions(kept, stops, len(text))


def _starts(text: str, outer: Outer) -> list[_Start]:
    starts = []
    for head in outer.turns:
        found = _TURN.match(text, head)
        if found is None:
            continue
        name = found["name"] or found["named"] or found["nick"]
        if _is_name(name):
            marked = any(found[key] for key in _MARKS)
            starts.append(_Start(head, found.end(), " ".join(name.split()), marked))
    if len(starts) < 4 and _MESSAGE.search(text):
        return _messages(text, outer) if "'role': '" in text or '"role": "' in text else []
    return starts


def _messages(text: str, outer: Outer) -> list[_Start]:
    """The messages of a chat in the form `{'content': …, 'role': 'user'}`."""
    starts: list[_Start] = []
    places = [found for found in _MESSAGE.finditer(text) if outer.place(found.start()) >= 0]
    roles = [(found.start(), found[1]) for found in _ROLE_BEHIND.finditer(text)]
    for found in places:
        at = bisect_right(roles, (found.start(), ""))
        role = found["role"] or (roles[at][1] if at < len(roles) else "")
        if role:
            starts.append(_Start(found.start(), found.end(), role, marked=True))
    return starts


def _is_name(name: str) -> bool:
    words = name.split()
    if not words or len(words) > 12 or ("(" not in name and len(words) > 6):
        return False
    bare = _bare_words(name) if "(" in name else words
    if len(bare) > 1 and not all(map(_may_be_in_name, bare)) and not _ROLES.match(name):
        return False
    if name.lower().rstrip(" .0123456789") in _LABELS or name.count("(") != name.count(")"):
        return False
    return "://" not in name and name[-1] not in ".;,!?" and not _SENTENCE.search(name)


def _bare_words(name: str) -> list[str]:
    return name.split(" (", 1)[0].split()


def _may_be_in_name(word: str) -> bool:
    return not word[0].islower() or word in _PARTICLES


def _bare(name: str) -> str:
    return name.split(" (", 1)[0].lower()


def _is_transcript(text: str, starts: Sequence[_Start]) -> bool:
    if len(starts) < 4:
        return False
    counts = Counter(_bare(start.name) for start in starts)
    n_again = sum(n for n in counts.values() if n > 1)
    if sum(n > 1 for n in counts.values()) < 2 or n_again * 2 < len(starts):
        return False
    offsets = [start.offset for start in starts]
    gaps = [then - one for one, then in pairwise(offsets)]
    return median(gaps) <= _LONGEST and _is_speech(text, starts, counts)


def _is_short_talk(text: str, starts: Sequence[_Start], end: int) -> bool:
    """Whether few people speak here, most of them once, and nothing else stands below the first.

    One at least speaks again, others between; every paragraph up to `end` begins with
    a name and ends as a sentence does; one asks, another answers; and at least half are
    said to somebody.
    """
    counts = Counter(_bare(start.name) for start in starts)
    names = [_bare(start.name) for start in starts]
    if not 4 <= len(starts) <= _MOST_SHORT or not 3 <= len(counts) < len(starts):
        return False
    if any(one == then for one, then in pairwise(names)):
        return False
    if len(starts) - len(counts) > 2 and not _alternate(starts):
        return False
    stops = [*(start.offset for start in starts[1:]), end]
    said = [text[start.behind : stop].strip() for start, stop in zip(starts, stops, strict=True)]
    if not all(_SPOKEN_END.search(words) and "\n\n" not in words for words in said):
        return False
    if not all(_looks_named(start.name) for start in starts) or not any(map(_asks, said[:-1])):
        return False
    return sum(_TO_EACH_OTHER.search(words) is not None for words in said) * 2 >= len(said)


def _asks(words: str) -> bool:
    return words.endswith(("?", "？"))


def _is_speech(text: str, starts: Sequence[_Start], counts: Counter[str]) -> bool:
    """Whether most of what stands behind the names is spoken; judged by the first turns."""
    if not _alternate(starts):
        return False
    n_spoken = 0
    sample = starts[:_SAMPLE]
    for at, start in enumerate(sample):
        stop = starts[at + 1].offset if at + 1 < len(starts) else len(text)
        said = text[max(start.behind, stop - 200) : stop].rstrip()
        in_role = _ROLES.match(start.name) is not None and counts[_bare(start.name)] > 1
        n_spoken += start.marked or in_role or _SPOKEN_END.search(said) is not None
    return n_spoken * 10 >= 6 * len(sample)


def _alternate(starts: Sequence[_Start]) -> bool:
    """Whether the names do not come in one order again and again, as the fields of records do."""
    names = [_bare(start.name) for start in starts[:_SAMPLE]]
    n_names = len(set(names))
    if n_names < 3 or any(start.marked for start in starts):
        return True
    n_same = sum(a == b for a, b in zip(names, names[n_names:], strict=False))
    return n_same * 10 < 8 * (len(names) - n_names)


def _speakers(starts: Sequence[_Start]) -> list[_Start]:
    """Those whose name comes again, or looks like a name: a few words with capitals."""
    counts = Counter(_bare(start.name) for start in starts)

    def speaks(at: int) -> bool:
        start = starts[at]
        if counts[_bare(start.name)] > 1 or start.marked:
            return True
        is_far = at + 1 == len(starts) or starts[at + 1].offset - start.offset > _LONGEST
        return not is_far and _looks_named(start.name)

    return [start for at, start in enumerate(starts) if speaks(at)]


def _looks_named(name: str) -> bool:
    return "(" in name or (not name[0].islower() and len(name.split()) <= 3)


def _regions(starts: Sequence[_Start], stops: Sequence[int], length: int) -> list[Region]:
    regions = []
    for at, start in enumerate(starts):
        end = starts[at + 1].offset if at + 1 < len(starts) else length
        stop = bisect_right(stops, start.offset)
        if stop < len(stops):
            end = min(end, stops[stop])
        regions.append(Region("turn", start.offset, end, 0, start.name))
    return regions
