"""The body of a DOCX file, one paragraph or table at a time, into a writer's blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from seamline.parse.docx_runs import (
    HARD_BREAK,
    PAGE_BREAK,
    Notes,
    is_on,
    paragraph_text,
    text_boxes,
)
from seamline.parse.docx_styles import Label, Numbering, Style, Styles, heading_level, whole
from seamline.parse.docx_table import TableReader
from seamline.parse.docx_xml import Element, child, name_of, value
from seamline.parse.grid import write_table
from seamline.parse.limits import Limits
from seamline.parse.writer import Writer

__all__ = ["DocxBody"]

_BREAKS = re.compile(f"[{PAGE_BREAK}{HARD_BREAK}]")
_BLANK = " \n\t"
_DEEPEST_INDENT = 8
_CONTAINERS = frozenset(
    """
    mc:AlternateContent mc:Choice w:customXml w:ins w:moveTo w:sdt w:sdtContent
    """.split()
)


class _List(NamedTuple):
    level: int
    number_id: str
    list_number: int
    item_number: int


class DocxBody:
    """Takes the children of `w:body` in order; `finish` ends the document."""

    def __init__(self, styles: Styles, numbering: Numbering, *, limits: Limits) -> None:
        self.writer = Writer()
        self.notes = Notes()
        self._styles = styles
        self._numbering = numbering
        self._limits = limits
        self._lists: list[_List] = []
        self._quote = -1
        self._code: list[str] = []
        self._code_group = -1
        self._breaks: dict[str, list[int]] = {PAGE_BREAK: [0], HARD_BREAK: [0]}
        self._waiting: list[str] = []
        self._title = ""
        self._heading = ""

    def take(self, element: Element) -> None:
        """The next block of the body."""
        name = name_of(element.tag)
        if name == "w:p":
            self._paragraph(element)
        elif name == "w:tbl":
            self._table(element)
        elif name in _CONTAINERS:
            for part in element:
                self.take(part)
        elif name == "m:oMathPara":
            self._end_groups()
            self._write(paragraph_text(_wrapped(element), self.notes), "math")

    def finish(self, notes: dict[tuple[str, str], list[str]]) -> None:
        """Ends the document with the notes the text refers to, and settles pages and title."""
        self._end_groups()
        for key, number in self.notes.referred.items():
            text = " ".join(notes.get(key, []))
            if text:
                self.writer.write(f"[{number}] {text}", "paragraph")
        rendered, hard = self._breaks[PAGE_BREAK], self._breaks[HARD_BREAK]
        pages = rendered if len(rendered) > 1 else hard
        if len(pages) > 1:
            self.writer.metadata["pages"] = tuple(pages)
        if title := self._title or self._heading:
            self.writer.metadata["title"] = title

    def plain_texts(self, element: Element) -> Iterator[str]:
        """The texts of all paragraphs below an element, in order, without page breaks."""
        waiting = [element]
        while waiting:
            part = waiting.pop()
            name = name_of(part.tag)
            if name == "w:p":
                text = _BREAKS.sub("", paragraph_text(part, self.notes)).strip(_BLANK)
                if text:
                    yield text.replace("\n", " ")
            elif name not in ("w:del", "w:moveFrom"):
                waiting.extend(reversed(part))

    # Paragraphs

    def _paragraph(self, element: Element) -> None:
        properties = child(element, "w:pPr")
        style = self._styles.get(value(properties, "w:pStyle") or "")
        if (outline := value(properties, "w:outlineLvl")) is not None:
            style = style._replace(level=heading_level(outline))
        if is_on(child(properties, "w:pageBreakBefore")):
            self._waiting.append(HARD_BREAK)
        text = paragraph_text(element, self.notes)
        is_blank = not _BREAKS.sub("", text).strip(_BLANK)
        label, level, number_id = None, 0, ""
        if not is_blank:
            number_id, level = _number_of(properties, style)
            label = self._numbering.label(number_id, level) if number_id else None
        self._place(text, style, label, depth=level or style.indent, number_id=number_id)
        for box in text_boxes(element):
            for part in box:
                self.take(part)

    def _place(
        self, text: str, style: Style, label: Label | None, *, depth: int, number_id: str
    ) -> None:
        """Writes the paragraph as what its style and label make of it."""
        is_code = style.kind == "code" and label is None and not style.level
        if not is_code:
            self._end_code()
        if style.level:
            self._end_groups()
            self._write_heading(text, style, label)
        elif label is not None and _BREAKS.sub("", text).strip(_BLANK):
            self._end_quote()
            self._write_item(text, label, depth=depth, number_id=number_id)
        elif is_code:
            self._end_lists()
            self._end_quote()
            self._code.append(text)
        elif not _BREAKS.sub("", text).strip(_BLANK):
            self._waiting.extend(_BREAKS.findall(text))
        else:
            self._end_lists()
            if style.kind != "quote":
                self._end_quote()
            elif self._quote < 0:
                self._quote = self.writer.open("quote", 1)
            self._write(text, "paragraph")

    def _write_heading(self, text: str, style: Style, label: Label | None) -> None:
        text = " ".join(re.sub(r"[ \n\t]+", " ", text).split(" "))
        plain = _BREAKS.sub("", text).strip()
        if not plain:
            self._waiting.extend(_BREAKS.findall(text))
            return
        title = f"{label.text} {plain}" if label is not None and label.is_ordered else plain
        if style.is_title:
            self._title = self._title or title
        if style.level == 1:
            self._heading = self._heading or title
        prefix = title[: len(title) - len(plain)]
        self._write(prefix + text.strip(" "), "heading", style.level, title=title)

    def _write_item(self, text: str, label: Label, *, depth: int, number_id: str) -> None:
        while self._lists and self._lists[-1].level > depth:
            self._close_list()
        if self._lists and self._lists[-1].level == depth:
            self.writer.close(self._lists[-1].item_number)
            if self._lists[-1].number_id != number_id:
                self._close_list()
        level = len(self._lists) + 1
        if not self._lists or self._lists[-1].level < depth:
            self.writer.separate(1 if self._lists else 2)
            title = "ordered" if label.is_ordered else "bullet"
            list_number = self.writer.open("list", level, title)
            self._lists.append(_List(depth, number_id, list_number, -1))
        item_number = self.writer.open("list_item", len(self._lists))
        self._lists[-1] = self._lists[-1]._replace(item_number=item_number)
        self.writer.separate(1, "  " * min(len(self._lists) - 1, _DEEPEST_INDENT))
        self.writer.mark(f"{label.text} ")
        self._write(text, "", n_lines=1)

    def _write(
        self, text: str, kind: str, level: int = 0, *, title: str = "", n_lines: int = 2
    ) -> None:
        """Writes a block and notes the pages that begin before or in it."""
        parts = _BREAKS.split(text)
        marks = _BREAKS.findall(text)
        plain = "".join(parts)
        lead = len(plain) - len(plain.lstrip(_BLANK))
        stripped = plain.strip(_BLANK)
        self.writer.write(stripped, kind, level, title=title, n_lines=n_lines)
        start = self.writer.length - len(stripped)
        if stripped:
            self._note_waiting(start)
        at = 0
        for part, mark in zip(parts, marks, strict=False):
            at += len(part)
            if not stripped or at >= lead + len(stripped):
                self._waiting.append(mark)
            else:
                self._breaks[mark].append(start + max(0, at - lead))

    def _note_waiting(self, start: int) -> None:
        for mark in self._waiting:
            self._breaks[mark].append(start)
        self._waiting.clear()

    # Groups of paragraphs

    def _end_groups(self) -> None:
        self._end_code()
        self._end_quote()
        self._end_lists()

    def _end_code(self) -> None:
        if not self._code:
            return
        lines = "\n".join(self._code).rstrip().split("\n")
        first = next(
            (i for i, line in enumerate(lines) if _BREAKS.sub("", line).strip()), len(lines)
        )
        indented, self._code = "\n".join(lines[first:]), []
        code = _BREAKS.sub("", indented)
        self._waiting.extend(mark for line in lines[:first] for mark in _BREAKS.findall(line))
        if code:
            self.writer.write(code, "code")
            self._note_waiting(self.writer.length - len(code))
        self._waiting.extend(_BREAKS.findall(indented))

    def _end_quote(self) -> None:
        if self._quote >= 0:
            self.writer.close(self._quote)
            self._quote = -1

    def _end_lists(self) -> None:
        while self._lists:
            self._close_list()
        self.writer.separate()

    def _close_list(self) -> None:
        self.writer.close(self._lists.pop().list_number)

    # Tables

    def _table(self, element: Element) -> None:
        self._end_groups()
        reader = TableReader(self.plain_texts)
        rows = reader.read(element)
        if reader.is_box:
            for part in reader.cells:
                for block in part:
                    self.take(block)
            self._end_groups()
            return
        starts = write_table(self.writer, rows, limits=self._limits)
        if starts:
            self._note_waiting(starts[0])
        for start, row in zip(starts, reader.elements, strict=True):
            for part in row.iter():
                if name_of(part.tag) == "w:lastRenderedPageBreak":
                    self._breaks[PAGE_BREAK].append(max(start, self._breaks[PAGE_BREAK][-1]))


def _wrapped(element: Element) -> Element:
    wrapper = Element("wrapper")
    wrapper.append(element)
    return wrapper


def _number_of(properties: Element | None, style: Style) -> tuple[str, int]:
    """The number id and level of a paragraph; its own properties win over its style's."""
    own_id = value(properties, "w:numPr", "w:numId")
    own_level = value(properties, "w:numPr", "w:ilvl")
    number_id = style.number_id if own_id is None else own_id
    level = style.number_level if own_level is None else whole(own_level)
    return ("" if number_id == "0" else number_id), level
