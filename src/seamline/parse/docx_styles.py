"""What Word's styles and numbering say: headings, lists, code, quotes, and each number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from seamline.parse.docx_xml import Element, attribute, child, name_of, value
from seamline.parse.html_lists import numeral

__all__ = ["Label", "Numbering", "Style", "Styles", "heading_level", "whole"]

_HEADING = re.compile(r"(?i)heading ([1-9])\Z")
_TITLE = re.compile(r"(?i)title\Z")
_CODE = re.compile(
    r"(?i)html preformatted|macro(?: text)?|source ?code|preformatted text"
    r"|(?:.*[^a-z])?code(?:[^a-z].*)?"
)
_QUOTE = re.compile(r"(?i)(?:intense )?quote|quotations|block text|block quotation")
_DEEPER = re.compile(r"(?i)list (?:bullet|number|continue)? ?([2-5])\Z")
_PLACE = re.compile(r"%([1-9])")
_STYLES = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_LONGEST_CHAIN = 32


class Style(NamedTuple):
    """What a paragraph's style says; `level` 0 where it is no heading."""

    kind: str = ""
    level: int = 0
    is_title: bool = False
    number_id: str = ""
    number_level: int = 0
    indent: int = 0


class Styles:
    """Paragraph styles by id, what they are based on resolved."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}
        self._styles: dict[str, Style] = {}
        self._default = ""

    def add(self, element: Element) -> None:
        """Takes a `w:style` element."""
        if name_of(element.tag) != "w:style" or attribute(element, "type") != "paragraph":
            return
        style_id = attribute(element, "styleId")
        copy = Element(element.tag, dict(element.items()))
        copy.extend(list(element))
        self._elements[style_id] = copy
        if attribute(element, "default") in ("1", "true", "on"):
            self._default = style_id

    def get(self, style_id: str) -> Style:
        """The style with this id, the default one if there is none."""
        style_id = style_id if style_id in self._elements else self._default
        if style_id not in self._styles:
            self._styles[style_id] = self._resolve(style_id)
        return self._styles[style_id]

    def _resolve(self, style_id: str) -> Style:
        style = Style()
        for element in reversed(self._chain(style_id)):
            style = _named(style, value(element, "w:name") or "")
            properties = child(element, "w:pPr")
            if (outline := value(properties, "w:outlineLvl")) is not None:
                style = style._replace(level=heading_level(outline))
            if number := value(properties, "w:numPr", "w:numId"):
                level = whole(value(properties, "w:numPr", "w:ilvl"))
                style = style._replace(number_id=number, number_level=level)
        return style

    def _chain(self, style_id: str) -> list[Element]:
        chain: list[Element] = []
        while style_id in self._elements and len(chain) < _LONGEST_CHAIN:
            chain.append(self._elements[style_id])
            style_id = value(chain[-1], "w:basedOn") or ""
        return chain


class Label(NamedTuple):
    """What stands before a numbered paragraph: its text, and whether it is a number."""

    text: str
    is_ordered: bool


@dataclass
class _Level:
    start: int = 1
    style: str = "decimal"
    pattern: str = ""
    is_decimal: bool = False


@dataclass
class _Abstract:
    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts numbered paragraphs as Word does."""

    def __init__(self) -> None:
        self._abstracts: dict[str, _Abstract] = {}
        self._of_number: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}

    def add(self, element: Element) -> None:
        """Takes a `w:abstractNum` or `w:num` element."""
        name = name_of(element.tag)
        if name == "w:abstractNum":
            abstract = self._abstracts[attribute(element, "abstractNumId")] = _Abstract()
            for part in element:
                if name_of(part.tag) == "w:lvl":
                    abstract.levels[whole(attribute(part, "ilvl"))] = _level(part)
        elif name == "w:num":
            number_id = attribute(element, "numId")
            self._of_number[number_id] = value(element, "w:abstractNumId") or ""
            self._restarts[number_id] = {
                whole(attribute(part, "ilvl")): whole(start)
                for part in element
                if (start := value(part, "w:startOverride")) is not None
            }

    def label(self, number_id: str, level: int) -> Label | None:
        """The label of the next paragraph with this number id and level, if it has one."""
        abstract = self._abstracts.get(self._of_number.get(number_id, ""))
        if abstract is None or level not in abstract.levels:
            return None
        restart = self._restarts[number_id].pop(level, None)
        rule = abstract.levels[level]
        before = abstract.counts.get(level, rule.start - 1)
        abstract.counts[level] = before + 1 if restart is None else restart
        for deeper in [one for one in abstract.counts if one > level]:
            del abstract.counts[deeper]
        if rule.style == "bullet":
            return Label("-", is_ordered=False)
        if rule.style == "none" and not rule.pattern:
            return None

        def number(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            one = abstract.levels.get(at, rule)
            style = "1" if rule.is_decimal else _STYLES.get(one.style, "1")
            return numeral(abstract.counts.get(at, one.start), style)

        text = _PLACE.sub(number, rule.pattern).strip()
        return Label(text, is_ordered=True) if text else None


def _level(element: Element) -> _Level:
    return _Level(
        start=whole(value(element, "w:start"), 1),
        style=value(element, "w:numFmt") or "decimal",
        pattern=value(element, "w:lvlText") or "",
        is_decimal=child(element, "w:isLgl") is not None,
    )


def _named(style: Style, name: str) -> Style:
    """The style with what its name says; names of built-in styles are English everywhere."""
    if heading := _HEADING.match(name):
        style = style._replace(level=min(6, int(heading[1])))
    if _TITLE.match(name):
        style = style._replace(level=1, is_title=True)
    if deeper := _DEEPER.match(name):
        style = style._replace(indent=int(deeper[1]) - 1)
    if _CODE.fullmatch(name):
        return style._replace(kind="code")
    return style._replace(kind="quote") if _QUOTE.fullmatch(name) else style


def heading_level(outline: str) -> int:
    """The level of a heading with this outline level, 0 for body text."""
    level = whole(outline, 9)
    return min(6, level + 1) if level < 9 else 0


def whole(text: str | None, otherwise: int = 0) -> int:
    """A small whole number, or `otherwise`."""
    text = text or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else otherwise
