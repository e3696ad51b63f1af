"""Clauses of contracts: numbered provisions with what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from seamline.parse.contracts import is_contract
from seamline.parse.heads import Outer
from seamline.parse.outline_headings import word_number
from seamline.parse.outline_pieces import read_marker
from seamline.parse.regions import Region

__all__ = ["contract_clauses", "find_clauses"]

_LEAST = 4  # clauses
_DEEPEST = 8

_LINE = re.compile(
    r"\n[ \t]*+(?P<start>)(?=(?:\*\*|__)?(?:\(?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{2,6})[.)]"
    r"|\d{1,3}\.\d|[Ss]ection|SECTION|[Aa]rticle|ARTICLE|[Cc]lause|CLAUSE|Artikel|Abschnitt|§))"
)
# Behind the end of a sentence in the same line: texts that have lost their line feeds.
_SIGN = r"\([A-Za-z\d]{1,4}\)"
_DOTTED = r"\d{1,2}\.(?:\d{1,2}\.?)*"
_INLINE = re.compile(
    rf"[.;:,)”\"][ ]{{1,40}}(?=(?:{_SIGN}|[a-z][.)]|{_DOTTED})[ ]{{1,20}}[\"“]?[A-Z])"
    rf"|[^ \n][ ]{{3,40}}(?=(?:{_SIGN}|[a-z]\)|{_DOTTED})[ ]{{1,20}}\S)"
    r"|[A-Z]{2}[ ]{1,4}(?=\d{1,2}\.\d{1,2}\.?[ ]{1,4}[A-Z])"
)
_GAP = re.compile(r" (?=[(\d]|[a-z][.)])")
_WIDEST = 40  # blanks of a gap
_MARKED = re.compile(r"(\(?[A-Za-z\d]{1,6}[.)]|\d{1,3}(?:\.\d{1,3})+[.)]?)(?=[ \t]*[\"“A-Z*_])")
_ENDED = re.compile(
    r"\n[ \t]*(?:IN WITNESS WHEREOF|In witness whereof|IN TESTIMONY WHEREOF|\[?SIGNATURE|Signed by)"
)
_WORD_RANKS = {"article": 0, "artikel": 0, "section": 1, "abschnitt": 1, "clause": 1, "§": 1}
# Where a sentence follows: `Section 2. Fees. The client shall pay.`
_RUN_IN = re.compile(
    r"((?i:section|article|clause|artikel|abschnitt)|§) ?(\d{1,3})[.:](?= [\"“]?[A-Z])"
)
_LETTERS = {"i": 9, "v": 22, "x": 24, "l": 12, "c": 3}


class _Marker(NamedTuple):
    offset: int
    family: str
    number: int
    title: str
    rank: int  # of Article, Section, 1, 1.1, …; -1 where the place in the list decides
    inline: bool = False


def find_clauses(text: str, outer: Outer) -> list[Region]:
    """The clauses, each up to the next of its level or of one further out.

    None where the text does not read like a contract.
    """
    return contract_clauses(text, outer) if is_contract(text) else []


def contract_clauses(text: str, outer: Outer) -> list[Region]:
    """The clauses of a contract, none where they would be fewer than four.

    A clause ends at a heading that is none, and at the signatures.
    """
    stops = sorted([*_headings(outer), *(found.start() for found in _ENDED.finditer(f"\n{text}"))])
    regions = _nested(list(_markers(text, outer)), stops, len(text))
    return regions if len(regions) >= _LEAST else []


def _headings(outer: Outer) -> Iterator[int]:
    """Where headings without a number of a clause begin."""
    for kind, start, title in zip(outer.kinds, outer.starts, outer.titles, strict=True):
        if kind == "heading" and not _marker_in(title, 0):
            yield start


def _markers(text: str, outer: Outer) -> Iterator[_Marker]:
    """The markers that open blocks and lines of paragraphs, in order."""
    columns = zip(outer.kinds, outer.starts, outer.titles, strict=True)
    titles = {start: title for kind, start, title in columns if kind == "heading"}
    lines = {found.start("start") - 1 for found in _LINE.finditer(f"\n{text}")} | titles.keys()
    inside = set(_inline(text)) - lines
    for offset in sorted(lines | inside):
        at = outer.place(offset)
        if at < 0 or outer.kinds[at] not in ("paragraph", "heading"):
            continue
        line = titles.get(offset) or text[offset : offset + 120].partition("\n")[0]
        if marker := _marker_in(line, offset):
            yield marker._replace(inline=offset in inside)


def _inline(text: str) -> Iterator[int]:
    """Where `_INLINE` ends, looked for only at blanks, as it would take long at every sign."""
    for gap in _GAP.finditer(text):
        offset = gap.end()
        low = max(0, offset - _WIDEST - 1)
        before = low + len(text[low:offset].rstrip(" "))
        if any(_INLINE.match(text, at) for at in (before - 1, before - 2) if at >= 0):
            yield offset


def _marker_in(line: str, offset: int) -> _Marker | None:
    line = line.lstrip("*_ \t")
    if named := word_number(line):
        return _worded(named, offset)
    if run_in := _RUN_IN.match(line):
        return _worded((run_in[1].lower(), run_in[0][:-1]), offset)
    marker = read_marker(line, 0, len(line))
    if marker is None or marker[0] in ("step", "1") or marker[1] == 0:
        squeezed = _MARKED.match(line)
        marker = read_marker(f"{squeezed[1]} x", 0, 20) if squeezed else None
        if marker is None or not marker[1] or squeezed is None:
            return None
        sign = squeezed[1]
    else:
        sign = line[: marker[2]].strip()
    family, number, _ = marker
    return _Marker(offset, family, number, sign.rstrip(".:"), _rank(family))


def _worded(named: tuple[str, str], offset: int) -> _Marker | None:
    word, sign = named
    if word not in _WORD_RANKS:
        return None
    return _Marker(offset, word, 0, " ".join(sign.split()), _WORD_RANKS[word])


def _rank(family: str) -> int:
    return 1 + family.count("1") if family == "1." or family.startswith("1.1") else -1


def _nested(markers: list[_Marker], stops: list[int], length: int) -> list[Region]:
    """The regions of markers that count up; a stop ends all that are open."""
    regions: list[Region] = []
    opened: list[_Marker] = []
    live: list[tuple[int, int]] = []  # (index in regions, depth) of regions without an end
    last: tuple[int, ...] = (0,)
    marked = [(marker.offset, marker) for marker in markers]
    for offset, marker in sorted([*((stop, None) for stop in stops), *marked], key=_first):
        if marker and marker.inline and marker.rank >= 0 and not _follows(marker, last):
            continue
        depth = 0 if marker is None else _enter(opened, marker)
        if depth < 0:
            continue
        while live and live[-1][1] >= depth:
            at, _ = live.pop()
            regions[at] = regions[at]._replace(end=offset)
        if marker is not None:
            live.append((len(regions), depth))
            regions.append(Region("clause", offset, length, len(live), marker.title))
            last = _numbers(marker) if marker.rank >= 2 else last
    return regions


def _first(event: tuple[int, _Marker | None]) -> int:
    return event[0]


def _numbers(marker: _Marker) -> tuple[int, ...]:
    return tuple(int(part) for part in marker.title.split(".") if part.isdigit())


def _follows(marker: _Marker, last: tuple[int, ...]) -> bool:
    """Whether a number in the middle of a line is the next after `last`, or the one after that."""
    numbers = _numbers(marker)
    if not last < numbers:
        return False
    if len(numbers) <= len(last):
        *outer, number = numbers
        return tuple(outer) == last[: len(outer)] and number - last[len(outer)] <= 2
    return numbers[: len(last)] == last and set(numbers[len(last) :]) == {1}


def _enter(opened: list[_Marker], marker: _Marker) -> int:
    """The depth of the marker, from 1, among those that are open; -1 where it fits none."""
    if marker.rank >= 0:
        while opened and (opened[-1].rank < 0 or opened[-1].rank >= marker.rank):
            opened.pop()
        opened.append(marker)
        return len(opened)
    for at in range(len(opened) - 1, -1, -1):
        same = _as_next(marker, opened[at])
        if same is not None:
            opened[at:] = [same]
            return len(opened)
    if marker.number != 1 or len(opened) >= _DEEPEST:
        return -1
    opened.append(marker)
    return len(opened)


def _as_next(marker: _Marker, last: _Marker) -> _Marker | None:
    """The marker as the next, or the one after it, of the last one's list; None if it is not."""
    if last.rank >= 0:
        return None
    if marker.family == last.family:
        return marker if marker.number == 1 or 0 < marker.number - last.number <= 2 else None
    letter = _LETTERS.get(marker.title.strip("().").lower())
    lettered = marker.family.replace("i", "a").replace("I", "A") == last.family
    if lettered and letter is not None and 0 < letter - last.number <= 2:
        return marker._replace(family=last.family, number=letter)
    return None
