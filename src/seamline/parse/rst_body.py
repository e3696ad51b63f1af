"""The blocks of reStructuredText, found line by line, nested parts one after another."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from seamline.parse.rst_lines import (
    ANONYMOUS,
    BULLET,
    DIRECTIVE,
    DOCTEST,
    ENUMERATOR,
    EXPLICIT,
    FIELD,
    GRID_TOP,
    LINE_BLOCK,
    NOTE,
    OPTION,
    SIMPLE_TOP,
    is_adornment,
    plain_title,
)
from seamline.parse.rst_parts import DEEPEST, Part, Parts
from seamline.parse.rst_tables import Rows, grid_rows, simple_rows

__all__ = ["RstReader"]

_CODE = frozenset("code code-block sourcecode parsed-literal testcode productionlist".split())
_KINDS = {"math": "math", "raw": "html", **dict.fromkeys(_CODE, "code")}
_NUMBER = re.compile(r"[0-9]{1,9}")
_LEAST_RULE = 4  # marks; fewer are text


class RstReader(Parts):
    """Reads a text once; `title` is the first title."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.title = ""
        while self.waiting:
            self._read(self.waiting.pop())

    def _read(self, part: Part) -> None:
        if part.depth:
            part.base = min(self.lines.columns[part.first : part.last])
        at = part.first
        while at < part.last:
            at = self._block(part, at)
        if part.lead >= 0:  # a directive in which nothing is a block
            self.add(part, part.first, part.last, "paragraph")

    def _block(self, part: Part, at: int) -> int:
        """Reads the block that begins in a line; the line after it."""
        if self.lines.columns[at] > part.base:
            return self._quote(part, at)
        line = self.lines[at]
        for begins, read in self._constructs.get(line[0], self._others):
            found = begins.match(line)
            if found and (end := read(self, part, at, found)):
                return end
        if not part.depth and (end := self._heading(part, at, line)):
            return end
        return self._text(part, at)

    def _quote(self, part: Part, at: int) -> int:
        end = self.lines.body_end(at, part.last, part.base + 1)
        self.add(part, at, end, "quote", level=part.quotes + 1)
        self.enter(part, at, end, quotes=part.quotes + 1)
        return end

    def _text(self, part: Part, at: int) -> int:
        """A paragraph, with the literal text that it announces, or a list of definitions."""
        lines, end = self.lines, self.lines.run_end(at, part.last)
        if end == at + 1 and self._is_term(part, at):
            return self._definitions(part, at)
        if not (part.is_item and at == part.first and end == part.last):
            self.add(part, at, end, "paragraph")
        return self._literal(part, end) if lines[end - 1].endswith("::") else end

    def _literal(self, part: Part, at: int) -> int:
        """The literal text that begins in a line: indented, or each line behind the same mark."""
        lines, end = self.lines, at
        if at == part.last:
            return at
        if lines.columns[at] > part.base:
            end = lines.body_end(at, part.last, part.base + 1)
        elif lines.gaps[at] and is_adornment(mark := lines[at][0]):
            run_end = lines.run_end(at, part.last)
            while end < run_end and lines[end][0] == mark:
                end += 1
        if end > at:
            self.put(lines.begins[at], end, "code", title=self.language(at))
        return end

    def _is_term(self, part: Part, at: int) -> bool:
        """Whether an indented line follows at once."""
        after = at + 1
        follows = after < part.last and not self.lines.gaps[after]
        return follows and self.lines.columns[after] > part.base

    def _definitions(self, part: Part, at: int) -> int:
        items: list[tuple[int, int]] = []
        while at < part.last and self._is_term(part, at):
            line = self.lines[at]
            if items and any(
                test.match(line) for test, _ in self._constructs.get(line[0], self._others)
            ):
                break
            items.append((at, self.lines.body_end(at, part.last, part.base + 1)))
            at = items[-1][1]
        self._add_list(part, items, "bullet")
        for first, last in items:
            self.enter(part, first + 1, last, lists=part.lists + 1)
        return at

    def _add_list(self, part: Part, items: list[tuple[int, int]], title: str) -> None:
        self.add(part, items[0][0], items[-1][1], "list", level=part.lists + 1, title=title)
        for first, last in items:
            self.put(self.lines.starts[first], last, "list_item", level=part.lists + 1)

    def _marked(self, part: Part, at: int, found: re.Match[str]) -> int:
        """A list whose items begin with a mark, a number, a field or an option."""
        lines, pattern = self.lines, found.re
        hangs, before = pattern in (BULLET, ENUMERATOR), found
        items: list[tuple[int, int]] = []
        widths: list[int] = []
        more: re.Match[str] | None = found
        while more and _goes_on(before, more) and self._is_item(part, at, more):
            bare = more.end() == lines.ends[at] - lines.starts[at]
            column = part.base + (more.end() if hangs and not bare else 1)
            items.append((at, lines.body_end(at, part.last, column)))
            widths.append(more.end())
            before = more
            at = items[-1][1]
            beside = at < part.last and lines.columns[at] == part.base
            more = pattern.match(lines[at]) if beside else None
        if not items:
            return 0
        self._add_list(part, items, "ordered" if pattern is ENUMERATOR else "bullet")
        inside = {"lists": part.lists + 1, "is_item": True}
        for (first, last), width in zip(items, widths, strict=True):
            self.enter_behind(part, first, last, width=width, hangs=hangs, **inside)
        return at

    def _is_item(self, part: Part, at: int, found: re.Match[str]) -> bool:
        """Whether what looks like a number or an option begins an item, by what follows.

        After a number the next line is blank, indented or another item; an option is
        told about.
        """
        lines, after = self.lines, at + 1
        deeper = after < part.last and lines.columns[after] > part.base
        if found.re is OPTION:
            return deeper or found.end() < lines.ends[at] - lines.starts[at]
        if found.re is not ENUMERATOR or deeper or after == part.last or lines.gaps[after]:
            return True
        return ENUMERATOR.match(lines[after]) is not None

    def _until_gap(self, part: Part, at: int, found: re.Match[str]) -> int:
        """A session with a prompt, or lines that are kept as they are."""
        lines, end = self.lines, at + 1
        while end < part.last and not lines.gaps[end] and lines.columns[end] >= part.base:
            end += 1
        self.add(part, at, end, "code" if found.re is DOCTEST else "paragraph")
        return end

    def _table(self, part: Part, at: int, found: re.Match[str]) -> int:
        read = grid_rows if found.re is GRID_TOP else simple_rows
        rows = read(self.lines, at, part.last)
        return self._add_table(part, rows) if rows else 0

    def _add_table(self, part: Part, table: Rows) -> int:
        rows, headed, end = table
        self.add(part, rows[0][0], end, "table")
        for first, last in rows:
            title = "header" if headed and first == rows[0][0] else ""
            self.put(self.lines.starts[first], last, "table_row", title=title)
        return end

    def _explicit(self, part: Part, at: int, _found: re.Match[str]) -> int:
        """A directive or a footnote; comments, targets and substitutions are no blocks."""
        lines, line = self.lines, self.lines[at]
        if line == ".." and (at + 1 == part.last or lines.gaps[at + 1]):
            return at + 1
        end = lines.body_end(at, part.last, part.base + 1)
        if found := DIRECTIVE.match(line):
            self._directive(part, at, end, found=found)
        elif found := NOTE.match(line):
            lead = self.take_lead(part, at)
            if found.end() == len(line) and at + 1 == end:
                self.put(lead, end, "paragraph")
            self.enter_behind(part, at, end, width=found.end(), lead=lead)
        return end

    def _directive(self, part: Part, at: int, end: int, *, found: re.Match[str]) -> None:
        lines, name = self.lines, found[1].lower()
        below = self._below_options(at, end)
        if kind := _KINDS.get(name):
            given = lines[at][found.end() :].split(maxsplit=1)
            language = given[0] if given else self.language(at)
            self.add(part, at, end, kind, title=language if kind == "code" else "")
        elif name == "csv-table" and below < end:
            self._add_table(
                part, ([(at, below), *((n, n + 1) for n in range(below, end))], True, end)
            )
        elif below == end or part.depth == DEEPEST:
            self.add(part, at, end, "paragraph")
        else:
            self.enter(part, below, end, lead=self.take_lead(part, at))

    def _below_options(self, at: int, end: int) -> int:
        """Where a directive's content begins: behind its options, which end at a blank line."""
        lines, below = self.lines, at + 1
        while below < end and not lines.gaps[below]:
            below += 1
        given, content = lines.columns[at + 1 : below], lines.columns[below:end]
        if given and content and min(given) > min(content):  # more arguments
            return below
        has_options = any(FIELD.match(lines[number]) for number in range(at + 1, below))
        return below if has_options else at + 1

    def _heading(self, part: Part, at: int, line: str) -> int:
        """A title with a line below it, and perhaps above; or a rule."""
        lines, title = self.lines, at
        if over := is_adornment(line):
            title += 1
            if title == part.last or lines.gaps[title]:
                if len(line) >= _LEAST_RULE:
                    self.add(part, at, title, "rule")
                return title if len(line) >= _LEAST_RULE else 0
        under = title + 1
        if under >= part.last or lines.gaps[under] or lines.columns[under]:
            return 0
        drawn = lines[under]
        is_long = len(drawn) >= min(_LEAST_RULE, len(lines[title]))
        if not is_adornment(drawn) or not is_long or (over and drawn != line):
            return 0
        text = plain_title(lines[title])
        self.title = self.title or text
        level = self.level(drawn[0] * (2 if over else 1))
        self.add(part, at, under + 1, "heading", level=level, title=text)
        return under + 1

    def _target(self, part: Part, at: int, _found: re.Match[str]) -> int:
        return self.lines.body_end(at, part.last, part.base + 1)

    # What a block may begin with, by its first character, in the order in which it is tried.
    _others: ClassVar[tuple[_Construct, ...]] = ((ENUMERATOR, _marked),)
    _constructs: ClassVar[dict[str, tuple[_Construct, ...]]] = {
        **dict.fromkeys("*\u2022\u2023\u2043", ((BULLET, _marked),)),
        "-": ((BULLET, _marked), (OPTION, _marked)),
        "+": ((BULLET, _marked), (OPTION, _marked), (GRID_TOP, _table)),
        "/": ((OPTION, _marked),),
        ":": ((FIELD, _marked),),
        ">": ((DOCTEST, _until_gap),),
        "|": ((LINE_BLOCK, _until_gap),),
        "=": ((SIMPLE_TOP, _table),),
        ".": ((EXPLICIT, _explicit),),
        "_": ((ANONYMOUS, _target),),
    }


def _goes_on(before: re.Match[str], found: re.Match[str]) -> bool:
    """Whether a list goes on: with the same bullet, or the next number between the same marks."""
    if found.re is BULLET:
        return found[0][0] == before[0][0]
    if found.re is ENUMERATOR and before is not found:
        low, high = (_NUMBER.search(item[0]) for item in (before, found))
        if low and high and int(high[0]) != int(low[0]) + 1:
            return False
    return found.groups() == before.groups()


_Construct = tuple[re.Pattern[str], Callable[[RstReader, Part, int, re.Match[str]], int]]
