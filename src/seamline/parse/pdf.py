"""PDF into a document: paragraphs, headings, lists and tables told by where text stands."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from seamline.errors import InvalidDocument, MissingExtra
from seamline.parse.limits import LIMITS, Deadline, Limits, check_bytes
from seamline.parse.pdf_chars import page_pieces
from seamline.parse.pdf_margins import without_margins
from seamline.parse.pdf_text import PdfWriter, clean_title
from seamline.types import Document

__all__ = ["PARSER", "PdfParser"]

_PDFIUM = threading.Lock()  # PDFium is not safe to call from two threads
_MOST_BOOKMARKS = 10_000
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class PdfParser:
    """Reads .pdf files that hold text, with PDFium, within `limits`."""

    limits: Limits = LIMITS
    media_type: str = "application/pdf"

    def parse(self, data: bytes | str, source: str) -> Document:
        """The document with its blocks, nested or disjoint, sorted by (start, -end).

        Columns are read one after the other, words hyphenated at a line's end are
        joined, what repeats at the top or bottom of pages is left out. Kinds:

        - `heading`: the outline's titles, larger or bold lines; level by size.
        - `paragraph`: lines in a row, over the end of a column or page too.
        - `list` (level 1) and `list_item`: lines that begin with a bullet or number.
        - `table`, `table_row`: text in ruled cells or in columns, cells between pipes.

        `metadata` holds `pages`, where each page begins; it may hold `title`, and
        `pages_without_text`, pages that show pictures only.

        Raises:
            MissingExtra: `pypdfium2` is not installed.
            InvalidDocument: it is no PDF, is damaged, needs a password, is too
                large, or most of its pages are pictures (run OCR first).
        """
        pdfium = _load()
        raw = data.encode() if isinstance(data, str) else data
        check_bytes(raw, source, self.limits)
        if b"%PDF-" not in raw[:1024]:
            raise InvalidDocument(
                f"{source} must be a PDF file, but begins with {raw[:8].hex(' ') or 'nothing'}: "
                "check the file and its extension"
            )
        with _PDFIUM, _opened(pdfium, raw, source) as pdf:
            return self._read(pdfium, pdf, source)

    def _read(self, pdfium: Any, pdf: Any, source: str) -> Document:
        n_pages = len(pdf)
        if not 0 < n_pages <= self.limits.max_pages:
            raise InvalidDocument(
                f"{source} must have 1 to {self.limits.max_pages:,} pages, got {n_pages:,}: "
                "split it, leave it out, or raise max_pages"
            )
        deadline = Deadline(source, self.limits)
        pages, heights, scanned, n_characters = [], [], [], 0
        for number in range(n_pages):
            deadline.check()
            pieces, height, is_picture = _page(pdfium, pdf, number)
            n_characters += sum(len(piece.text) for piece in pieces)
            if n_characters > self.limits.max_characters:
                raise InvalidDocument(
                    f"{source} must hold at most {self.limits.max_characters:,} characters, "
                    f"but page {number + 1} goes beyond: split it, leave it out, or raise "
                    "max_characters"
                )
            pages.append(pieces)
            heights.append(height)
            if is_picture:
                scanned.append(number + 1)
        _check_text(source, pages, scanned)
        writer = PdfWriter(_bookmarks(pdf))
        for pieces in without_margins(pages, heights):
            deadline.check()
            writer.add_page(pieces)
        document = writer.document(source, self.media_type, title=_title(pdf))
        if scanned:
            document.metadata["pages_without_text"] = tuple(scanned)  # type: ignore[index]
        return document


PARSER = PdfParser()


def _load() -> Any:
    try:
        import pypdfium2  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise MissingExtra(
            "reading .pdf needs pypdfium2, which is not installed: pip install 'seamline[pdf]'"
        ) from error
    return pypdfium2


@contextmanager
def _opened(pdfium: Any, data: bytes, source: str) -> Iterator[Any]:
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise InvalidDocument(
                f"{source} must be readable without a password: save it without one"
            ) from error
        raise InvalidDocument(
            f"{source} must be a whole PDF file, but PDFium cannot open it ({error}): it is "
            "damaged or cut off, save it again"
        ) from error
    try:
        yield pdf
    except pdfium.PdfiumError as error:
        raise InvalidDocument(
            f"{source} must be a whole PDF file, but PDFium cannot read all of it ({error}): "
            "save it again"
        ) from error
    finally:
        pdf.close()


def _page(pdfium: Any, pdf: Any, number: int) -> tuple[list[Any], float, bool]:
    """A page's pieces, its height in points, and whether it shows only pictures."""
    page = pdf[number]
    try:
        pieces, height = page_pieces(pdfium.raw, page)
        is_picture = False
        if not pieces:
            images = page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)
            is_picture = next(iter(images), None) is not None
        return pieces, height, is_picture
    finally:
        page.close()


def _check_text(source: str, pages: list[list[Any]], scanned: list[int]) -> None:
    n_text = sum(map(bool, pages))
    if n_text and len(scanned) <= n_text:
        return
    numbers = scanned or list(range(1, len(pages) + 1))
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    raise InvalidDocument(
        f"{source} must hold text, but there is no text on page {shown}{more}: run OCR first "
        f"(such as `ocrmypdf`)"
    )


def _bookmarks(pdf: Any) -> dict[tuple[int, str], int]:
    """The level of each title of the outline, by page (from 0) and plain text."""
    found: dict[tuple[int, str], int] = {}
    for bookmark in islice(pdf.get_toc(), _MOST_BOOKMARKS):
        target = bookmark.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            found.setdefault((page, clean_title(bookmark.get_title())), bookmark.level + 1)
    return found


def _title(pdf: Any) -> str:
    title = " ".join(str(pdf.get_metadata_value("Title") or "").split())
    title = title.removeprefix("Microsoft Word - ")
    is_name = title.lower().endswith((".doc", ".docx", ".indd", ".tex", ".qxd", ".pdf", ".rtf"))
    return "" if is_name or title.lower() in ("untitled", "(anonymous)") else title
