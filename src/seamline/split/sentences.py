"""Where sentences end: abbreviations, initials, list markers, CJK.

Rules and a word list, one pass, linear. A blank line and the start of a list
item, a table row, a heading or a quote also end a sentence.

This module is compiled where a C compiler is at hand (`sentences.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re

import numpy as np

from seamline.scan import COMPILED, last_mark, next_mark, push
from seamline.types import IntArray

__all__ = ["last_sentence_end", "next_sentence_end", "opens_item", "sentence_ends"]

# Never the end of a sentence, whatever follows.
_TITLES = frozenset(
    "dr mr mrs ms prof st mt messrs mme mlle sen rep gov gen col maj capt lt sgt cmdr adm hon rev "
    "fr pres vs v e.g eg i.e ie cf viz al approx ca resp incl excl esp ed eds trans tel hr fa frl "
    "sog bzw z.b d.h u.a vgl ggf evtl inkl usw ing dipl str art abs ziff nr bd hrsg sr sra ud "
    "av".split()
)
# Not the end when a number follows.
_BEFORE_NUMBER = frozenset(
    "no nos fig figs eq eqs sec secs ch chap vol p pp par para art ref refs tab app ver v "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
# The end only when a word follows that commonly opens a sentence.
_MAYBE = frozenset(
    "etc inc ltd co corp jr sr a.m p.m am pm dept est assn bros u.s u.k u.n e.u ph.d".split()
)
_OPENERS = frozenset(
    "the a an in on at it he she we they you i this that these those there but and or so if when "
    "while however for from with as after before since although because what who how why where "
    "do does did is are was were no not our his her their its my your all each every some one "
    "then now".split()
)
_TITLE, _NUMBER, _SOMETIMES = 1, 2, 4
_ABBREVIATIONS: dict[str, int] = {
    word: _TITLE * (word in _TITLES)
    | _NUMBER * (word in _BEFORE_NUMBER)
    | _SOMETIMES * (word in _MAYBE)
    for word in _TITLES | _BEFORE_NUMBER | _MAYBE
}
# By the letters as the digits of a number: looked up without making a string.
_PACKED = {int.from_bytes(word.encode()): kind for word, kind in _ABBREVIATIONS.items()}
_LONGEST = max(map(len, _ABBREVIATIONS))
# The last letters of those that are long; other long words are no abbreviations.
_LONG = 5
_LONG_ENDS = frozenset(word[-_LONG:] for word in _ABBREVIATIONS if len(word) >= _LONG)
_LONG_LAST = "".join({end[-1] for end in _LONG_ENDS})
_INITIALS = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]\Z")
_WINDOW = 24
# Characters of an item's number, and of the blanks behind it, at most.
_MOST_MARK = 8


def _is_stop(c: str) -> bool:
    return c in "\u3002\uff01\uff1f\uff1b\uff61"


def _is_mark(c: str) -> bool:
    return c in ".!?\u2026"


def _shape(n: int, first: str, last: str) -> int:
    """A number below 8192 for words of a length below 8 with these first and last letters."""
    return n << 10 | (ord(first) & 31) << 5 | ord(last) & 31


def _kind(text: str, first: int, last: int) -> int:  # pragma: no cover - compiled alone
    """What kind of abbreviation `text[first:last]` is, 0 if it is none."""
    n = last - first
    if n > _LONGEST or not _SHAPES[_shape(n, text[first], text[last - 1])]:
        return 0
    packed = 0
    for at in range(first, last):
        code = ord(text[at])
        if code > ord("z"):
            return 0
        packed = packed << 8 | (code | 0x20 if code >= ord("A") else code)
    return _PACKED.get(packed, 0)


def _plain_kind(text: str, first: int, last: int) -> int:
    word = text[first:last]
    return _ABBREVIATIONS.get(word.lower(), 0) if word.isascii() else 0


_SHAPES = bytearray(8192)
for abbreviation in _ABBREVIATIONS:
    _SHAPES[_shape(len(abbreviation), abbreviation[0], abbreviation[len(abbreviation) - 1])] = 1
if not COMPILED:  # pragma: no branch
    globals().update(_kind=_plain_kind)  # the same answers, faster in plain Python


def _word_after(text: str, offset: int) -> int:
    """Where the word after white space at `offset` begins, quotes skipped; -1 if there is none."""
    at = offset
    while at < len(text) and text[at].isspace():
        at += 1
    if at in (offset, len(text)):
        return -1
    first = at
    while at < len(text) and text[at] in "\"'(\u201c\u2018":
        at += 1
    ended = at == len(text) or text[at].isspace()
    return at - 1 if ended and at > first else at


def _is_long(text: str, dot: int) -> bool:
    """Whether the word before `dot` ends with too many letters for an abbreviation."""
    first = dot - _LONG
    if first < 0:
        return False
    for at in range(first, dot):
        if not "a" <= text[at] <= "z":
            return False
    return text[dot - 1] not in _LONG_LAST or text[first:dot] not in _LONG_ENDS


def _word_start(text: str, floor: int, last: int) -> int:
    """Where the word that ends at `last` begins, not before `floor`, opening marks left out."""
    first = last
    while first > floor and not text[first - 1].isspace():
        first -= 1
    while first < last and text[first] in "([{\"'\u201c\u2018\u2013\u2014/":
        first += 1
    return first


def _is_initials(text: str, first: int, last: int) -> bool:
    """Whether the word is a single character, or letters with full stops between them."""
    if last - first == 1:
        return True
    return text[first + 1] == "." and _INITIALS.match(text[first:last]) is not None


def _is_abbreviation(text: str, dot: int, after: int) -> bool:
    """Whether the full stop at `dot` belongs to its word; `after` is where the stop's run ends."""
    if _is_long(text, dot):
        return False
    last, floor = dot, max(0, dot - _WINDOW)
    while last > floor and text[last - 1].isspace():
        last -= 1
    first = _word_start(text, floor, last)
    if first == last:
        return False
    kind = _kind(text, first, last)
    if kind & _TITLE:
        return True
    if text[first].isdigit() and text[first:last].isdigit():
        return _opens_line(text, dot - (last - first))
    initials = _is_initials(text, first, last)
    if not initials and not kind:
        return False
    start = _word_after(text, after)
    return start >= 0 and _goes_on(text, start, kind, initials)


def _goes_on(text: str, start: int, kind: int, initials: bool) -> bool:
    """Whether the word at `start` goes on with the sentence of the abbreviation before it."""
    end = start + 1
    if text[start].isalnum():
        while end < len(text) and text[end].isalnum():
            end += 1
    following = text[start:end]
    if kind & _NUMBER and following.isdigit():
        return True
    if initials or kind & _SOMETIMES:
        return not text[start].isupper() or following.lower() not in _OPENERS
    return False


def _opens_line(text: str, offset: int) -> bool:
    """Whether only white space and list marks stand before `offset` on its line."""
    floor = max(0, offset - _WINDOW)
    line = text[max(text.rfind("\n", floor, offset) + 1, floor) : offset]
    return not line.strip(" \t>*-+")


def _is_end(text: str, start: int, end: int) -> bool:
    """Whether the run of end marks `text[start:end]`, closers included, ends a sentence."""
    if text[start] == "." and (start + 1 >= len(text) or text[start + 1] != "."):
        return not _is_abbreviation(text, start, end)
    follows = _word_after(text, end)
    if follows < 0 or not text[follows].islower():
        return True
    return text[start] in ("!", "?") and end - start == 1


def _ends_block(text: str, line: int) -> bool:
    """Whether the line break at `line` ends a paragraph, or a list item or its like follows."""
    at = line
    while at and text[at - 1].isspace():
        at -= 1
        if text[at] == "\n":
            return False  # one end for a run of blank lines, the first
    at = line + 1
    while at < len(text) and text[at].isspace():
        if text[at] == "\n":
            return True
        at += 1
    line += 1
    while line < at and text[line] in " \t":
        line += 1
    if line < at or at == len(text):
        return False
    return text[at] in "-*+\u2022>|" or _is_marker(text, at)


def _is_marker(text: str, at: int) -> bool:
    """Whether `# ` or `1. ` stands at `at`."""
    stop = min(at + 6, len(text))
    end = at
    while end < stop and text[end] == "#":
        end += 1
    if end == at:
        while end < stop and end - at < 3 and text[end].isdecimal():
            end += 1
        if end == at or end >= len(text) or text[end] not in ".)":
            return False
        end += 1
    return end < len(text) and text[end] in " \t"


def _past(text: str, start: int, stop: int) -> int:
    """Where the end marks of one kind that begin at `start` end, or the white space at a break.

    Not looked for beyond `stop`: a run may be as long as the text.
    """
    end = start + 1
    if text[start] == "\n":  # what follows in a run of blank lines ends nothing
        while end < stop and text[end].isspace():
            end += 1
        return end
    full = _is_stop(text[start])
    while end < stop and (_is_stop(text[end]) if full else _is_mark(text[end])):
        end += 1
    return end


def _end_of(text: str, start: int, high: int) -> int:
    """The end, up to `high`, of the sentence whose last marks begin at `start`, else -1."""
    if text[start] == "\n":
        return start if _ends_block(text, start) else -1
    stop = min(high + 1, len(text))
    end = _past(text, start, stop)
    if _is_stop(text[start]):
        while end < stop and text[end] in "\"')\u201d\u2019\u300d\u300f\uff09":
            end += 1
        return end if end <= high else -1
    while end < stop and text[end] in "\"')]\u201d\u2019\u00bb*_":
        end += 1
    if end > high:
        return -1
    if (end == len(text) or text[end].isspace()) and _is_end(text, start, end):
        return end
    return -1


def next_sentence_end(text: str, low: int, high: int) -> int:
    """The first offset in `(low, high]` after a sentence's last mark, -1 if there is none."""
    high = min(high, len(text))
    at = low
    while True:
        at = next_mark(text, at, high)
        if at >= high:
            break
        end = _end_of(text, at, high)
        if low < end <= high:
            return end
        at = _past(text, at, high)
    if high < len(text) and high > low and text[high] == "\n" and _ends_block(text, high):
        return high
    return -1


def last_sentence_end(text: str, low: int, high: int) -> int:
    """The last offset in `(low, high]` after a sentence's last mark, -1 if there is none."""
    low = max(low, 0)
    if low < high < len(text) and text[high] == "\n" and _ends_block(text, high):
        return high
    at = high = min(high, len(text))
    while True:
        at = last_mark(text, low, at)
        if at < low:
            return -1
        start = at
        if text[at] != "\n":
            stop = _is_stop(text[at])
            while start > low and (
                _is_stop(text[start - 1]) if stop else _is_mark(text[start - 1])
            ):
                start -= 1
        end = _end_of(text, start, high)
        if low < end <= high:
            return end
        at = start


def sentence_ends(text: str) -> IntArray:
    """int32[n]: the offset after each sentence's last mark, strictly increasing.

    The end of the text is not among them unless a mark stands there. Cost:
    linear.

    Example:
        >>> sentence_ends("Dr. Ng left. He took 3.5 h.").tolist()
        [12, 27]
    """
    ends = bytearray()
    at = next_sentence_end(text, 0, len(text))
    while at >= 0:
        push(ends, at)
        at = next_sentence_end(text, at, len(text))
    return np.frombuffer(ends, dtype=np.int32)


def opens_item(text: str, offset: int) -> bool:
    """Whether all that its line holds before an offset opens an item: `2.`, `(b)`, `-`."""
    at = offset
    while at > 0 and offset - at < _MOST_MARK and text[at - 1] in " \t":
        at -= 1
    if at == 0 or text[at - 1] not in ".)-*+":
        return False
    at -= 1
    if text[at] in ".)":
        end = at
        while at > 0 and end - at < _MOST_MARK and (text[at - 1].isalnum() or text[at - 1] == "."):
            at -= 1
        if at == end or (text[at].isalpha() and end - at > 1):
            return False
        if at > 0 and text[at - 1] == "(":
            at -= 1
    while at > 0 and offset - at < 4 * _MOST_MARK and text[at - 1] in " \t>*":
        at -= 1
    return at == 0 or text[at - 1] == "\n"
