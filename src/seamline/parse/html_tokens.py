"""HTML into tags and text, in one pass and in linear time whatever the markup.

Written for this, as the standard library's parser takes quadratic time on
unfinished tags and comments in the Python versions supported here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

__all__ = ["END", "START", "TEXT", "attributes", "tokens", "unescape"]

TEXT, START, END = 0, 1, 2

# Possessive throughout. A quote opens a value only behind `=`; a `<` outside of
# quotes means that the tag was never finished, so what came before it is text.
_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/><]*+)"
    r"((?:[^<>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+)(>|<)"
)
_SIMPLE_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*+)([^<>]*+)(>|<)")  # once a quote was left open
_ATTRIBUTE = re.compile(
    r"""([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?""", re.DOTALL
)
_RAW_END = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in "script style title textarea xmp iframe noembed noframes".split()
}
_ESCAPED = ("", "title", "textarea")  # where text stands: everywhere but in scripts and the like
_LETTER = re.compile(r"</?[a-zA-Z]")
_NO_TAG = ("", "", "", "")
_LONG_NUMBER = re.compile(r"&#0*+[0-9]{8,};?+")


def unescape(text: str) -> str:
    """The text with its character references resolved.

    Example:
        >>> unescape("Oil &amp; water&#33;")
        'Oil & water!'
    """
    if "&" not in text:
        return text
    if "&#" in text:  # Python refuses to read numbers of thousands of digits
        text = _LONG_NUMBER.sub("\N{REPLACEMENT CHARACTER}", text)
    return html.unescape(text)


def attributes(source: str) -> dict[str, str]:
    """A tag's attributes by lower-case name, the first of each name.

    Example:
        >>> attributes(' id=a CLASS="b c" hidden')
        {'id': 'a', 'class': 'b c', 'hidden': ''}
    """
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(source):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found


def tokens(text: str) -> Iterator[tuple[int, str, str]]:  # noqa: C901 - a call a tag costs as much
    """The tokens of an HTML text: (TEXT, text, ""), (START, name, attributes), (END, name, "").

    Names are in lower case, references in text are resolved; comments, declarations
    and the content of scripts and styles are left out. The content of `title` is text.

    Example:
        >>> list(tokens("a<br/><!-- b --> &lt; c</p>"))
        [(0, 'a', ''), (1, 'br', '/'), (0, ' < c', ''), (2, 'p', '')]
    """
    at, begin, raw, pattern = 0, 0, "", _TAG
    while (at := text.find("<", at)) >= 0:
        tag = pattern.match(text, at)
        if tag is None and _LETTER.match(text, at):  # it ran to the end: never let another do so
            pattern = _SIMPLE_TAG
            tag = pattern.match(text, at)
        closing, name, source, last = tag.groups() if tag else _NO_TAG
        if tag and last == "<":
            at = tag.end() - 1
            continue
        end = tag.end() if tag else _other_end(text, at)
        if end == at:
            at += 1
            continue
        if begin < at and raw in _ESCAPED:
            yield TEXT, unescape(text[begin:at]), ""
        begin, raw = end, ""
        if tag:
            name = name.lower()
            yield (END if closing else START), name, source
            if name in _RAW_END and not closing:
                raw = name
                stop = _RAW_END[name].search(text, end)
                end = stop.start() if stop else len(text)
        elif text.startswith("<![CDATA[", at):
            yield TEXT, text[at + 9 : end].removesuffix("]]>"), ""
        at = end
    if begin < len(text) and raw in _ESCAPED:
        yield TEXT, unescape(text[begin:]), ""


def _other_end(text: str, at: int) -> int:
    """Where the comment, declaration or unfinished tag at `at` ends; `at` if it is only a `<`."""
    following = text[at + 1 : at + 2]
    if text.startswith("<!--", at):
        if text.startswith((">", "->"), at + 4):
            return text.index(">", at) + 1
        end, width = text.find("-->", at + 4), 3
    elif text.startswith("<![CDATA[", at):
        end, width = text.find("]]>", at), 3
    elif following in ("!", "?", "/") or (following.isascii() and following.isalpha()):
        end, width = text.find(">", at), 1
    else:
        return at
    return end + width if end >= 0 else len(text)
