"""Which short lines of a plain text are headings, and of what level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from seamline.parse.outline_pieces import Piece

__all__ = ["settle_headings", "word_number"]

# `Section 4.`, `ARTICLE IV Definitions`, `Chapter 2: Oil`, `§ 7 Haftung`: the word's
# rank, its number, what follows.
_RANKS = {
    "part": 0, "book": 0, "teil": 0, "volume": 0,
    "chapter": 1, "kapitel": 1, "appendix": 1, "annex": 1, "schedule": 1, "exhibit": 1,
    "attachment": 1, "anhang": 1, "anlage": 1, "title": 1,
    "article": 2, "artikel": 2, "section": 3, "abschnitt": 3, "§": 3,
}  # fmt: skip
_WORDED = re.compile(
    rf"(?P<word>(?:{'|'.join(word for word in _RANKS if word != '§')})\b|§)[ \t]*"
    r"(?P<number>\d{1,4}(?:\.\d{1,3})*[a-z]?|[IVXLC]{1,7}\b|[A-Z]\b(?:-\d+)?"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
    r"(?P<mark>[ \t]*[.:)–—-]*)[ \t]*(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_SMALL_LETTER = re.compile("[a-z]")
_SPACED = re.compile(r"(?:[A-Z] ){3,}[A-Z]")
_COMPANY = re.compile(
    r"\b(?:inc|corp|corporation|llc|ltd|limited|gmbh|l\.?p|plc|co|ag|s\.a)\.?,?$", re.IGNORECASE
)
_PERMALINK = re.compile(r"[ \t]*[#¶]+$")
_SENTENCE_END = re.compile(r"[.!?:…。！？：]['\")\]”’»]*$")
_SMALL = frozenset(
    "a an and as at but by for from if in into is nor not of off on onto or per so than that the "
    "their this to up via vs vs. with your you we it its are how der die das und oder in im von "
    "zu zur zum für mit de la le les des du et en un una el los las y".split()
)
_ASKING = frozenset(
    "what why how when who whom whose where which is are am was were can could do does did should "
    "will would may must has have need shall isn't aren't can't don't doesn't what's who's where's "
    "was wie warum wieso wann wer wo wem wen welche welcher welches kann können ist sind hat haben "
    "darf muss soll wird werden gibt comment pourquoi quand qui que quoi où quel quelle est puis "
    "cómo como por qué que cuándo quién dónde cuál puedo perché quando chi dove quale".split()
)
_WORD = re.compile(r"[^\W\d_][\w'’.-]*")
_PAGE = re.compile(
    r"\W*(?:page|seite|p\.)?\W*\d{1,4}(?:[ ]?(?:of|/|von)[ ]?\d{1,4})?\W*", re.IGNORECASE
)
_DEEPEST = 6
_STEP_GAP = 500  # characters below a step that is a heading, not an item
_RUNNING = 3  # a line that stands alone this often is a page's head or foot


def word_number(line: str) -> tuple[str, str] | None:
    """The word and number that open a line like `Article IV Definitions`; None if none do.

    Example:
        >>> word_number("ARTICLE IV DEFINITIONS"), word_number("Section 4 of the Act applies.")
        (('article', 'ARTICLE IV'), None)
    """
    found = _WORDED.match(line)
    if found is None or not _worded_heading(found):
        return None
    return found["word"].lower(), line[: found.end("number")]


def _worded_heading(found: re.Match[str]) -> bool:
    """Whether what follows the number is a title, not the rest of a sentence."""
    rest, number = found["rest"].strip(), found["number"]
    if not found["word"][0].isupper() and found["word"] != "§":
        return False
    if number.isalpha() and not number.isupper() and not number[0].isupper():
        return False
    if not rest:
        return True
    if not (rest[0].isupper() or rest[0].isdigit() or rest[0] in "\"'“(«„["):
        return False
    ended = rest[-1] in ".;," and not rest.isupper()
    return (not ended or len(rest.split()) <= 6) and ". " not in rest[:-1]


def settle_headings(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those lines that head what follows as `heading`, with `number` as the level.

    No piece is a `line` any more. A heading stands alone between blank lines (or
    over an underline), is short, ends as no sentence does, and something follows.
    """
    repeated = _repeated(text, pieces)
    far = _far_steps(pieces)
    settled = list(pieces)
    for at, piece in enumerate(pieces):
        if piece.kind in ("line", "item"):
            style = "step" if at in far else _style(text, pieces, at, repeated)
            settled[at] = _named(text, piece, style) if style else _plain(piece)
    _unsettle_lonely_numbers(settled, pieces)
    return _with_levels(settled)


def _far_steps(pieces: Sequence[Piece]) -> frozenset[int]:
    """The places of lines like `Step 2: Oil`, where most head more text than an item has."""
    places = [at for at, piece in enumerate(pieces) if piece.style == "step" and not piece.joined]
    gaps = [pieces[then].start - pieces[one].end for one, then in pairwise(places)]
    if sum(gap > _STEP_GAP for gap in gaps) * 2 <= len(gaps):
        return frozenset()
    return frozenset(at for at in places if _heads(pieces, at))


def _heads(pieces: Sequence[Piece], at: int) -> bool:
    piece = pieces[at]
    alone = at + 1 < len(pieces) and not pieces[at + 1].joined
    return alone and 0 < len(piece.title) <= 80 and piece.title[-1] not in ".;,:"


def _plain(piece: Piece) -> Piece:
    return piece._replace(kind="paragraph") if piece.kind == "line" else piece


def _named(text: str, piece: Piece, style: str) -> Piece:
    title = _without_permalink(" ".join(text[piece.start : piece.end].split()))
    title = title.replace(" ", "") if _SPACED.fullmatch(title) else title
    return piece._replace(kind="heading", style=style, title=title)


def _repeated(text: str, pieces: Sequence[Piece]) -> frozenset[str]:
    """The lines that stand alone again and again: heads and feet of pages."""
    counts = Counter(text[p.start : p.end] for p in pieces if p.kind == "line")
    return frozenset(line for line, n in counts.items() if n >= _RUNNING)


def _style(text: str, pieces: Sequence[Piece], at: int, repeated: frozenset[str]) -> str:
    """How the heading that the piece may be is made: a key for its level; empty if it is none."""
    piece = pieces[at]
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if following is None or piece.joined or following.joined:
        return ""
    line = text[piece.start : piece.end]
    if len(line) > 100 or "\n" in line:
        return ""
    if piece.kind == "item":
        return "" if text[following.start].islower() else _numbered(piece, following)
    if named := word_number(line):
        return f"word {_RANKS[named[0]]}"
    if line in repeated or _PAGE.fullmatch(line):
        return ""
    if _is_caps(line):
        return "caps"
    before = pieces[at - 1] if at else None
    return "title" if _is_title(text, piece, (before, following)) else ""


def _numbered(piece: Piece, following: Piece) -> str:
    style, rest = piece.style, piece.title.strip()
    if style not in ("1.", "1", "I.", "A.") and not style.startswith("1.1"):
        return ""
    if not rest or not (rest[0].isupper() or rest[0].isdigit()) or rest[-1] in ".;,!:":
        return ""
    if ". " in rest or "  " in rest or ". ." in rest or ".." in rest or len(rest) > 80:
        return ""
    if following.kind == "item" and not _opens_below(piece, following):
        return ""
    if following.indent > piece.indent and following.kind in ("paragraph", "code"):
        return ""
    depth = style.count("1")
    return f"{style}" if depth <= 1 else f"num {depth}"


def _opens_below(piece: Piece, following: Piece) -> bool:
    """Whether an item right below a numbered line is of a deeper number, or another list's."""
    return following.style != piece.style and (
        following.number <= 1 or following.style.startswith("1.1")
    )


def _without_permalink(line: str) -> str:
    return _PERMALINK.sub("", line) if line.endswith(("#", "¶")) else line


def _is_caps(line: str) -> bool:
    if _SMALL_LETTER.search(line):
        return False
    line = _without_permalink(line.strip())
    letters = [sign for sign in line if sign.isalpha()]
    if len(letters) < 4 or len(line) > 80 or not all(map(str.isupper, letters)):
        return False
    if _SPACED.fullmatch(line):
        return True
    if line[-1] in ".,;!" or "  " in line or "\t" in line or _COMPANY.search(line):
        return False
    return len(letters) * 2 >= len(line) and line[0].isalnum()


def _is_title(text: str, piece: Piece, beside: tuple[Piece | None, Piece]) -> bool:
    """Whether a short line of words is the title of the prose below it."""
    before, following = beside
    line = _without_permalink(text[piece.start : piece.end].strip())
    if not 3 <= len(line) <= 80 or not line[0].isupper() or line[-1] in ".,;:!…。，；：！-–—)\"”'":
        return False
    if "  " in line or "\t" in line or ". " in line or "|" in line or _COMPANY.search(line):
        return False
    if piece.indent > 8 or not _is_prose(text, following, 2 * len(line)):
        return False
    words = _WORD.findall(line)
    if line[-1] in "?？" and (not words or words[0].lower() not in _ASKING):
        return False
    if not 1 <= len(words) <= 12 or sum(map(len, words)) * 10 < 6 * len(line):
        return False
    capital = all(word[0].isupper() or word in _SMALL for word in words)
    return _closed(text, before) and (capital or len(words) <= 10)


def _is_prose(text: str, piece: Piece, n_least: int) -> bool:
    """Whether the piece is a paragraph of at least one whole sentence, longer than a title."""
    if piece.kind == "code":
        return True
    if piece.kind not in ("paragraph", "line") or piece.end - piece.start < max(40, n_least):
        return False
    first = text[piece.start]
    tail = text[max(piece.start, piece.end - 4) : piece.end].rstrip()
    return not first.islower() and _SENTENCE_END.search(tail) is not None


def _closed(text: str, before: Piece | None) -> bool:
    """Whether what stands before the line does not go on in it: no prose, or its end."""
    if before is None or before.kind not in ("paragraph", "line", "item"):
        return True
    tail = text[max(before.start, before.end - 4) : before.end].rstrip()
    is_short = before.kind == "line" and before.end - before.start <= 60
    return is_short or _SENTENCE_END.search(tail) is not None


def _unsettle_lonely_numbers(settled: list[Piece], pieces: Sequence[Piece]) -> None:
    """Take back numbers without a dot, letters and Roman numbers that do not count up."""
    for style in ("1", "A.", "I."):
        places = [at for at, piece in enumerate(settled) if piece.style == style]
        heads = [at for at in places if settled[at].kind == "heading"]
        numbers = [settled[at].number for at in heads]
        steps = sum(then == one + 1 for one, then in pairwise(numbers))
        if steps * 2 < len(heads) or steps == 0:
            for at in heads:
                settled[at] = _plain(pieces[at])


def _group(style: str) -> str:
    """Numbers of all depths are one group; other styles each their own."""
    return "num" if style.startswith("num ") or style in ("1.", "1") else style


def _rank(style: str, groups: list[str]) -> tuple[int, int]:
    """How high a style stands; `groups` are those of the document in order of appearance."""
    kind, _, detail = style.partition(" ")
    place = groups.index(_group(style))
    if kind in ("under", "over"):
        return 0, place
    if kind == "word":
        return 1, int(detail)
    if style in ("caps", "I.", "A."):
        return 2, ("caps", "I.", "A.").index(style)
    return 3, place * (_DEEPEST + 1) + (int(detail) if kind == "num" else 1)


def _with_levels(settled: list[Piece]) -> list[Piece]:
    """The headings with their levels; 1 for the highest kind that there is.

    Underlines come first, then words (`Chapter`), then capitals, then numbers by
    their depth, steps and titles; among alike, what appears first.
    """
    styles = dict.fromkeys(piece.style for piece in settled if piece.kind == "heading")
    groups = list(dict.fromkeys(map(_group, styles)))
    ranks = sorted({_rank(style, groups) for style in styles})
    levels = {style: min(_DEEPEST, ranks.index(_rank(style, groups)) + 1) for style in styles}
    return [
        piece._replace(number=levels[piece.style]) if piece.kind == "heading" else piece
        for piece in settled
    ]
