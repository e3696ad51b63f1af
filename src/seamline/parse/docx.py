"""DOCX into a document: headings, paragraphs, lists and tables in their order."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass

from seamline.errors import InvalidDocument
from seamline.parse.archives import Archive
from seamline.parse.docx_body import DocxBody
from seamline.parse.docx_styles import Numbering, Styles
from seamline.parse.docx_xml import Element, attribute, name_of, read_part
from seamline.parse.limits import LIMITS, Deadline, Limits
from seamline.types import Document

__all__ = ["PARSER", "DocxParser"]


@dataclass(frozen=True, slots=True)
class DocxParser:
    """Reads Word's .docx with the standard library, within `limits`."""

    limits: Limits = LIMITS
    media_type: str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    def parse(self, data: bytes | str, source: str) -> Document:
        """The document with its blocks, nested or disjoint, sorted by (start, -end).

        Kinds, and what `level` and `title` say:

        - `heading`: by style or outline level, 1 to 6, with its number if it has one;
          the style Title is level 1. title = its text.
        - `paragraph`: also each foot- or endnote the text refers to, `[1] …` at the end.
        - `list` (`ordered` or `bullet`, level = depth) and `list_item`, with the
          labels that Word shows.
        - `table` and `table_row`: cells between pipes, merged cells repeated, the
          header rows one row with the title `header`. A table of one column is a
          frame: what it holds stands as it would without.
        - `code`, `quote`: by style, neighbours joined. `math`: a display formula.

        Deleted and hidden text, comments, headers and footers are left out; text
        boxes follow their paragraph. `metadata` may hold `title` (of the file, else
        the first title or level-1 heading) and `pages` (where pages began when Word
        last laid the document out, else at the author's page breaks).

        Raises:
            InvalidDocument: it is no DOCX file, is damaged or protected, unpacks to
                too much, or its XML holds a DTD or nests too deep.
        """
        raw = data.encode() if isinstance(data, str) else data
        deadline = Deadline(source, self.limits)
        archive = Archive(raw, source, kind="DOCX", limits=self.limits)
        return _Package(archive, deadline).read(self.media_type)


PARSER = DocxParser()


class _Package:
    """The parts of a DOCX file and how they refer to each other."""

    def __init__(self, archive: Archive, deadline: Deadline) -> None:
        self._archive = archive
        self._deadline = deadline
        self._names = {name.lower(): name for name in archive.names}

    def read(self, media_type: str) -> Document:
        """The whole document."""
        main = self._related("").get("officeDocument", "word/document.xml")
        if main.lower() not in self._names:
            raise InvalidDocument(
                f"{self._deadline.source} must be a Word document, but this archive holds "
                f"no {main!r}: check the file and its extension"
            )
        parts = self._related(main)
        styles, numbering = Styles(), Numbering()
        self._read(parts.get("styles", ""), styles.add, depth=2)
        self._read(parts.get("numbering", ""), numbering.add, depth=2)
        body = DocxBody(styles, numbering, limits=self._deadline.limits)
        self._read(main, body.take, depth=3)
        body.finish(self._notes(body, parts))
        if title := self._title():
            body.writer.metadata["title"] = title
        return body.writer.document(self._deadline.source, media_type)

    def _read(self, name: str, take: Callable[[Element], None], *, depth: int) -> None:
        if name.lower() in self._names:
            real = self._names[name.lower()]
            read_part(self._archive, real, take, depth=depth, deadline=self._deadline)

    def _related(self, part: str) -> dict[str, str]:
        """The parts that `part` refers to, by the last word of the relation's type."""
        folder, name = posixpath.split(part)
        found: dict[str, str] = {}

        def take(element: Element) -> None:
            kind = attribute(element, "Type").rpartition("/")[2]
            target = attribute(element, "Target")
            if attribute(element, "TargetMode") != "External":
                path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                found.setdefault(kind, path)

        self._read(posixpath.join(folder, "_rels", f"{name}.rels"), take, depth=2)
        return found

    def _notes(self, body: DocxBody, parts: dict[str, str]) -> dict[tuple[str, str], list[str]]:
        notes: dict[tuple[str, str], list[str]] = {}

        def take(element: Element) -> None:
            kind = name_of(element.tag).removeprefix("w:")
            key = (kind, attribute(element, "id"))
            if key in body.notes.referred:
                notes[key] = list(body.plain_texts(element))

        for part in ("footnotes", "endnotes"):
            self._read(parts.get(part, ""), take, depth=2)
        return notes

    def _title(self) -> str:
        titles: list[str] = []

        def take(element: Element) -> None:
            if name_of(element.tag) == "dc:title" and element.text:
                titles.append(" ".join(element.text.split()))

        core = self._related("").get("core-properties", "docProps/core.xml")
        self._read(core, take, depth=2)
        return titles[0] if titles else ""
