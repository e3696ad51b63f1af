"""Inline Markdown as the text that is read: for headings' titles.

CommonMark's algorithm with GFM's strikethrough and footnotes. Every part is
bounded, so that no title takes more than linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container
from html.entities import html5

from seamline.parse.destinations import link_end, link_label, normalised
from seamline.parse.emphasis import Delimiter, pair_up

__all__ = ["inline_text", "unescaped"]

_ESCAPE = r"\\(?P<mark>[!-/:-@\[-`{-~])"
_ENTITY = r"&(?P<entity>#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]*+);"
_ESCAPED = re.compile(f"{_ESCAPE}|{_ENTITY}")
_VALUE = r"(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\")"
_TAG = (
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+{_VALUE})?+)*+\s*+/?"
    r"|/[A-Za-z][A-Za-z0-9-]*+\s*+)>"
)
_ADDRESS = (
    r"<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20<>]*+"
    r"|[\w.!#$%&'*+/=?^`{|}~-]++@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)>"
)
_TOKEN = re.compile(
    rf"(?P<text>[^\\`*_~\[\]<&!\n]++)|(?P<run>`++)|(?P<marks>\*++|_++|~++)"
    rf"|{_ESCAPE}|{_ENTITY}|(?P<opens>!?\[)|(?P<closes>\])|{_ADDRESS}|(?P<tag>{_TAG})"
    rf"|(?P<markup><(?:!--|\?|!\[CDATA\[|![A-Za-z]))|\\?\n|.",
    re.DOTALL | re.ASCII,
)
_LONGEST = 1000  # characters of a label
_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}


def unescaped(text: str) -> str:
    """The text without backslashes before marks, entities as what they stand for."""
    return _ESCAPED.sub(lambda found: found["mark"] or _character(found["entity"]), text)


def inline_text(text: str, links: Container[str], notes: Container[str]) -> str:
    """The text of inline Markdown without its markup; `links` and `notes` are defined."""
    return _Inline(text, links, notes).read()


def _character(entity: str) -> str:
    """What an entity stands for; itself if it is none."""
    if entity[0] != "#":
        return html5.get(entity + ";", f"&{entity};")
    code = int(f"0{entity[1:]}", 16) if entity[1] in "xX" else int(entity[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _said(kind: str | None, found: re.Match[str]) -> str:
    """The text that a token stands for."""
    if kind == "entity":
        return _character(found["entity"])
    if kind in ("mark", "address"):
        return found[kind]
    if kind == "tag":
        return ""
    return " " if found[0].endswith("\n") else found[0]


class _Inline:
    """`parts` is the text read so far, in which marks are emptied as they find their match."""

    def __init__(self, text: str, links: Container[str], notes: Container[str]) -> None:
        self.text = text
        self.links = links
        self.notes = notes
        self.parts: list[str] = []
        self.delimiters: list[Delimiter] = []
        self.brackets: list[tuple[int, int, int]] = []  # part, offset behind it, delimiters before
        self.dead = 0  # so many of the brackets can open no link, as one lies in them
        self.runs: dict[int, list[int]] = {}  # where runs of so many backquotes start
        self.missing: set[str] = set()  # ends of HTML that do not come any more

    def read(self) -> str:
        text, at = self.text, 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            at = self._token(found) if found else at + 1
        pair_up(self.parts, self.delimiters, 0)
        return "".join(self.parts)

    def _token(self, found: re.Match[str]) -> int:
        """Read one token; where the next starts."""
        kind, taken, end = found.lastgroup, found[0], found.end()
        if kind == "run":
            return self._code(found)
        if kind == "closes":
            return self._close(found)
        if kind == "markup":
            return self._markup(found)
        if kind == "marks":
            self.delimiters.append(Delimiter(self.text, found.start(), end, len(self.parts)))
        elif kind == "opens":
            self.brackets.append((len(self.parts), end, len(self.delimiters)))
        else:
            taken = _said(kind, found)
        self.parts.append(taken)
        return end

    def _code(self, found: re.Match[str]) -> int:
        start, end = found.span()
        if not self.runs:
            for run in re.finditer("`+", self.text):
                self.runs.setdefault(len(run[0]), []).append(run.start())
        starts = self.runs.get(end - start, [])
        at = bisect_left(starts, end)
        if at == len(starts):
            self.parts.append(self.text[start:end])
            return end
        code = self.text[end : starts[at]]
        if code[0] == code[-1] == " " and code.strip(" "):
            code = code[1:-1]
        self.parts.append(code)
        return starts[at] + end - start

    def _markup(self, found: re.Match[str]) -> int:
        start, end = found.span()
        closer = _ENDS.get(found[0], ">")
        low = start + 2 if found[0] == "<!--" else end
        stop = -1 if closer in self.missing else self.text.find(closer, low)
        if stop < 0:
            self.missing.add(closer)
            self.parts.append("<")
            return start + 1
        return stop + len(closer)

    def _close(self, found: re.Match[str]) -> int:
        """`]`: the end of a link, an image or a footnote's mark, or a mere bracket."""
        end = found.end()
        if not self.brackets:
            self.parts.append("]")
            return end
        part, inside, n_before = self.brackets.pop()
        image = self.parts[part] == "!["
        alive = image or len(self.brackets) >= self.dead
        self.dead = min(self.dead, len(self.brackets))
        after = self._target(part, inside, end) if alive else 0
        if not after:
            self.parts.append("]")
            return end
        pair_up(self.parts, self.delimiters, n_before)
        self.parts[part] = ""
        if not image:
            self.dead = len(self.brackets)
        return after

    def _target(self, part: int, inside: int, end: int) -> int:
        """Where the link ends whose text is [inside, end - 1), 0 if it is none."""
        text = self.text
        label = text[inside : end - 1] if end - inside <= _LONGEST else ""
        named = link_label(text, end)
        if text.startswith("(", end) and (after := link_end(text, end)):
            return after
        if named.startswith("[^"):
            named = ""
        if len(named) > 2:
            return end + len(named) if normalised(named[1:-1]) in self.links else 0
        if label.startswith("^") and normalised(label[1:]) in self.notes:
            for at in range(part + 1, len(self.parts)):
                self.parts[at] = ""
            self.parts[part + 1] = self.parts[part][:-1]  # the mark of an image remains
            return end
        if link_label(text, inside - 1) == f"[{label}]" and normalised(label) in self.links:
            return end + len(named)
        return 0
