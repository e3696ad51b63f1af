"""How blocks of HTML in Markdown begin and end."""

from __future__ import annotations

import re

__all__ = ["html_end"]

_BLOCKS = """
address article aside base basefont blockquote body caption center col colgroup dd details dialog
dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search
section summary table tbody td tfoot th thead title tr track ul
""".split()
_VALUE = r"(?:[^\s\"'=<>`]++|'[^'\n]*+'|\"[^\"\n]*+\")"
_ATTRIBUTE = rf"(?:[ \t]++[a-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+{_VALUE})?+)"
_START = re.compile(
    r"<(?:(?P<raw>pre|script|style|textarea)(?=[\s>])"
    r"|(?P<comment>!--)|(?P<processing>\?)|(?P<cdata>!\[CDATA\[)|(?P<declaration>![a-z])"
    rf"|(?P<block>/?(?:{'|'.join(_BLOCKS)})(?=[ \t\n>]|/>))"
    rf"|(?P<tag>(?:[a-z][a-z0-9-]*+{_ATTRIBUTE}*+[ \t]*+/?>|/[a-z][a-z0-9-]*+[ \t]*+>)"
    r"[ \t\v\f]*+\n))",
    re.IGNORECASE | re.ASCII,
)
_ENDS = {
    "comment": "-->",
    "processing": "?>",
    "cdata": "]]>",
    "declaration": ">",
    "block": "",
    "tag": " ",
}


def html_end(text: str, at: int, stop: int) -> str | None:
    """What ends the block of HTML that begins at `at`, in lower case; None if none begins.

    Empty where a blank line ends it, a blank if it moreover goes on with a paragraph.
    """
    found = _START.match(text, at, stop + 1)
    if found is None:
        return None
    kind = found.lastgroup or ""
    return f"</{found['raw'].lower()}>" if kind == "raw" else _ENDS[kind]
