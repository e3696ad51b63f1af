"""What begins and ends with each HTML element that matters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from seamline.parse.html_reader import PARAGRAPH, HtmlReader, Opener
from seamline.parse.html_stack import Closer
from seamline.parse.html_table import HtmlTable

__all__ = ["OPENERS"]

Attributes = Mapping[str, str]

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|highlight-source|highlight|lang)-([\w+#.-]+)")
_POWER = re.compile(r"[0-9+-]{1,4}")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_DISPLAY_STYLE = "{\\displaystyle "


def _heading(reader: HtmlReader, name: str, _: Attributes) -> Closer:
    if reader.in_cell and reader.table is not None and not reader.table.has_header:
        reader.dissolve_table()
    return reader.set_kind(("heading", int(name[1])))


def _paragraph(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    return reader.set_kind(reader.kind if reader.kind[0] == "heading" else PARAGRAPH)


def _quote(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    reader.n_quotes += 1
    close_block = reader.open_block("quote", reader.n_quotes)
    close_kind = reader.set_kind(PARAGRAPH)

    def close() -> None:
        close_kind()
        close_block()
        reader.n_quotes -= 1

    return close


def _pre(reader: HtmlReader, name: str, found: Attributes) -> Closer:
    if reader.in_cell and reader.table is not None and not reader.table.has_header:
        reader.dissolve_table()
    _note_language(reader, name, found)
    reader.n_pre += 1

    def close() -> None:
        reader.n_pre -= 1
        if reader.n_pre or reader.in_cell:
            return
        lines = "".join(reader.run).rstrip().split("\n")
        reader.run.clear()
        first = next((i for i, line in enumerate(lines) if line.strip()), 0)
        text, title = "\n".join(lines[first:]), reader.language
        if text:
            reader.write(text, "code", title=title)
            reader.language = ""

    return close


def _note_language(reader: HtmlReader, name: str, found: Attributes) -> None:
    language = _LANGUAGE.search(found.get("class", ""))
    if language and (name in ("pre", "code") or not language[0].strip().startswith("lang-")):
        reader.language = language[1]


def _code(reader: HtmlReader, name: str, found: Attributes) -> None:
    if reader.n_pre:
        _note_language(reader, name, found)


def _list(reader: HtmlReader, name: str, found: Attributes) -> Closer:
    if reader.in_cell:
        return reader.end_run
    style = found.get("type", "1") or "1" if name == "ol" else ""
    reader.lists.open(style, found)
    title = "ordered" if name == "ol" else "bullet"
    close_block = reader.open_block("list", reader.lists.depth, title=title)
    close_kind = reader.set_kind(PARAGRAPH)

    def close() -> None:
        close_kind()
        close_block()
        reader.lists.close()
        if not reader.lists.depth:
            reader.writer.separate()

    return close


def _item(reader: HtmlReader, _: str, found: Attributes) -> Closer:
    if reader.in_cell:
        return lambda: reader.run.append("; ")
    close_block = reader.open_block("list_item", max(1, reader.lists.depth))
    waiting = reader.lists.start_item(found)
    close_kind = reader.set_kind(("", 0))

    def close() -> None:
        close_kind()
        close_block()
        reader.lists.end_item(waiting)
        reader.writer.separate(1)

    return close


class _Terms:
    """A `dl`: each item is a term, or several, with what is said about it."""

    def __init__(self, reader: HtmlReader) -> None:
        self.number = -1
        self.was_term = False
        self.asks = False
        self.reader = reader

    def begin(self, *, is_term: bool) -> None:
        """A `dt` or `dd` begins: an item of its own, or the next part of one."""
        writer = self.reader.writer
        if self.number < 0 or (is_term and not self.was_term):
            if self.number >= 0:
                writer.close(self.number)
            writer.separate(1)
            self.number = writer.open("list_item", max(1, self.reader.lists.depth))
            self.asks = False
            if is_term:
                self.reader.untitled.append((self.number, True))
        self.was_term = is_term


def _definitions(reader: HtmlReader, _: str, found: Attributes) -> Closer:
    if reader.in_cell:
        return reader.end_run
    outer, reader.terms = reader.terms, _Terms(reader)
    close_list = _list(reader, "ul", found)

    def close() -> None:
        close_list()
        reader.terms = outer

    return close


def _term(reader: HtmlReader, name: str, _: Attributes) -> Closer:
    if reader.in_cell or reader.terms is None:
        return reader.end_run
    reader.terms.begin(is_term=name == "dt")
    return reader.set_kind(PARAGRAPH if reader.terms.asks and name == "dd" else ("", 0))


def _details(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    return reader.open_block("qa_pair", wants_title=True)


def _main(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    reader.end_run()
    start = reader.writer.length

    def close() -> None:
        reader.end_run()
        reader.main.append((start, reader.writer.length))

    return close


def _other(reader: HtmlReader, name: str, found: Attributes) -> Closer | None:
    """An element that matters by its attributes only."""
    _note_language(reader, name, found)
    if found.get("role") == "main":
        return _main(reader, name, found)
    if found.get("itemtype", "").endswith("schema.org/Question"):
        return reader.open_block("qa_pair", wants_title=True)
    return None


def _table(reader: HtmlReader, _: str, found: Attributes) -> Closer | None:
    outer = reader.table
    if outer is not None and outer.has_header and reader.in_cell:
        return None  # its cells are part of the outer cell
    if outer is not None:
        reader.dissolve_table()
    if found.get("role") in ("presentation", "none") or reader.n_pre:
        return None
    table = reader.table = HtmlTable()
    reader.table_place = len(reader.stack)

    def close() -> None:
        if reader.table is table:
            reader.write_table()

    return close


def _table_part(reader: HtmlReader, name: str, found: Attributes) -> Closer | None:
    table = reader.table
    if table is None or reader.stack.last("table") != reader.table_place:
        return None
    if name in ("thead", "tbody", "tfoot"):
        table.start_section(name)
        return table.end_section
    if name == "tr":
        table.end_row()
        return table.end_row
    table.start_cell(name, found)
    reader.in_cell = True

    def close() -> None:
        if reader.table is table:
            table.end_cell(reader.take_cell())
        else:
            reader.end_run()

    return close


def _raised(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    run, start = reader.run, len(reader.run)
    before = next((text[-1] for text in reversed(run[-4:]) if text), "")

    def close() -> None:
        inside = "".join(reader.run[start:]) if len(reader.run) == start + 1 else ""
        if (before.isalnum() or before in ")]") and before and _POWER.fullmatch(inside):
            reader.run[start:] = [inside.translate(_RAISED)]

    return close


def _quotation(reader: HtmlReader, _: str, __: Attributes) -> Closer:
    reader.run.append("“")
    return lambda: reader.run.append("”")


def _math(reader: HtmlReader, _: str, found: Attributes) -> Closer | None:
    is_display = found.get("display") == "block" and not reader.in_cell and not reader.n_pre
    if is_display:
        reader.end_run()
    closer = reader.set_kind(("math", 0)) if is_display else None
    reader.math_start = len(reader.run)
    tex = found.get("alttext", "")

    def close() -> None:
        if tex:
            _put_tex(reader, tex)
        reader.math_start = -1
        if closer is not None:
            closer()

    return close


def _put_tex(reader: HtmlReader, tex: str) -> None:
    tex = " ".join(tex.split())
    if tex.startswith(_DISPLAY_STYLE) and tex.endswith("}"):
        tex = tex[len(_DISPLAY_STYLE) : -1].strip()
    mark = "$$" if reader.kind[0] == "math" else "$"
    reader.run[reader.math_start :] = [f"{mark}{tex}{mark}"]


def _annotation(reader: HtmlReader, _: str, found: Attributes) -> Closer:
    start, is_tex = len(reader.run), "tex" in found.get("encoding", "").lower()

    def close() -> None:
        text = "".join(reader.run[start:])
        del reader.run[start:]
        if is_tex and 0 <= reader.math_start <= start:
            _put_tex(reader, text)

    return close


OPENERS: dict[str, Opener] = {
    "*": _other,
    "annotation": _annotation,
    "blockquote": _quote,
    "code": _code,
    "details": _details,
    "dl": _definitions,
    "li": _item,
    "main": _main,
    "math": _math,
    "p": _paragraph,
    "pre": _pre,
    "q": _quotation,
    "sup": _raised,
    "table": _table,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("ol", "ul", "menu", "dir"), _list),
    **dict.fromkeys(("dt", "dd"), _term),
    **dict.fromkeys(("thead", "tbody", "tfoot", "tr", "td", "th"), _table_part),
}
