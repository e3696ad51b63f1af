"""HTML and SVG as strings that escape what they are given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

__all__ = ["Markup", "data_block", "join", "measure", "spec", "table", "tag", "with_specs"]

_VOID = frozenset({"br", "hr", "input", "link", "meta", "wbr"})
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
_IN_SCRIPT["\u2029"] = "\\u2029"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # in HTML


class Markup(str):
    """Text that is markup already; every other string is escaped."""

    __slots__ = ()


def _escape(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return _escape(str(value))


def join(parts: Iterable[str], separator: str = "") -> Markup:
    """The parts one after the other, escaped unless they are markup."""
    return Markup(separator.join(p if isinstance(p, Markup) else _escape(p) for p in parts))


def tag(name: str, /, *children: str, **attributes: Any) -> Markup:
    """An element. An attribute that is None or False is left out, True has no value.

    An underscore in an attribute's name stands for a hyphen; one at its end is
    dropped, so that `class_` can be written.

    Example:
        >>> tag("p", "a < b", class_="note")
        '<p class="note">a &lt; b</p>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_value(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    end = "" if name in _VOID else f"{join(children)}</{name}>"
    return Markup(f"<{name}{written}>{end}")


def spec(text: str) -> Markup:
    """A strategy's string, which may break after its opening parenthesis."""
    name, bracket, rest = text.partition("(")
    return tag("code", name + bracket, tag("wbr") if bracket else "", rest, class_="spec")


def measure(name: str) -> Markup:
    """A measure's name, which may break before its cutoff."""
    before, at, cutoff = name.partition("@")
    return join([before, tag("wbr") if at else "", at + cutoff])


def with_specs(text: str, specs: Iterable[str]) -> Markup:
    """A sentence whose strategies are set as such."""
    known = sorted(specs, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text)
    return join(spec(part) if i % 2 else part for i, part in enumerate(parts))


def table(
    head: Iterable[str], rows: Iterable[Iterable[str]], *, caption: str, text_columns: int = 1
) -> Markup:
    """A table in a frame that scrolls sideways; the first cell of a row is its header.

    All but the first `text_columns` columns hold numbers and are set to the right.
    """

    def kind(column: int) -> str | None:
        return "n" if column >= text_columns else None

    heads = [tag("th", cell, scope="col", class_=kind(i)) for i, cell in enumerate(head)]
    body = [
        tag(
            "tr",
            *(
                tag("td", cell, class_=kind(i)) if i else tag("th", cell, scope="row")
                for i, cell in enumerate(row)
            ),
        )
        for row in rows
    ]
    inner = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *body),
    )
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label=caption)


def data_block(data: Any, element_id: str) -> Markup:
    r"""JSON in a script element that no text inside can end or start.

    Example:
        >>> data_block("</script>", "d")
        '<script type="application/json" id="d">"\\u003c/script\\u003e"</script>'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = re.sub("[<>&\u2028\u2029]", lambda found: _IN_SCRIPT[found.group()], text)
    return Markup(f'<script type="application/json" id="{element_id}">{text}</script>')
