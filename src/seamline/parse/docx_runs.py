"""The text of a DOCX paragraph: its runs, breaks, notes, formulas and text boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from seamline.parse.docx_xml import Element, attribute, child, name_of, value

__all__ = ["HARD_BREAK", "PAGE_BREAK", "Notes", "is_on", "paragraph_text", "text_boxes"]

# XML allows neither character, so no text can hold them.
PAGE_BREAK = "\f"  # where Word began a page when it last laid the document out
HARD_BREAK = "\v"  # where the author asked for a page

_PLAIN = {
    "w:tab": " ",
    "w:ptab": " ",
    "w:cr": "\n",
    "w:noBreakHyphen": "-",
    "w:lastRenderedPageBreak": PAGE_BREAK,
}
_THROUGH = frozenset(
    """
    w:r w:hyperlink w:ins w:moveTo w:smartTag w:sdt w:sdtContent w:fldSimple w:customXml w:dir
    w:bdo mc:AlternateContent mc:Choice
    """.split()
)
_OFF = ("0", "false", "off", "none")


class Notes:
    """Numbers footnotes and endnotes in the order in which the text refers to them."""

    def __init__(self) -> None:
        self.referred: dict[tuple[str, str], int] = {}

    def number(self, kind: str, note_id: str) -> int:
        """The number of a note, from 1."""
        return self.referred.setdefault((kind, note_id), len(self.referred) + 1)


def is_on(element: Element | None) -> bool:
    """Whether a switch such as `w:vanish` is there and not off."""
    return element is not None and attribute(element, "val", "1") not in _OFF


def paragraph_text(paragraph: Element, notes: Notes) -> str:
    """A paragraph's text as a reader sees it, page breaks marked."""
    return "".join(_texts(paragraph, notes))


def _texts(element: Element, notes: Notes) -> Iterator[str]:
    for part in element:
        name = name_of(part.tag)
        if name == "w:t":
            yield (part.text or "").replace("\t", " ")
        elif name in _PLAIN:
            yield _PLAIN[name]
        elif name == "w:br":
            yield "\n" + HARD_BREAK if attribute(part, "type") == "page" else "\n"
        elif name in ("w:footnoteReference", "w:endnoteReference"):
            yield f"[{notes.number(name[2:-9], attribute(part, 'id'))}]"
        elif name in ("m:oMath", "m:oMathPara"):
            yield formula(part)
        elif name in _THROUGH and not is_on(child(part, "w:rPr", "w:vanish")):
            yield from _texts(part, notes)


def text_boxes(paragraph: Element) -> Iterator[Element]:
    """The `w:txbxContent` elements anchored in a paragraph, the outermost ones."""
    waiting = list(reversed(paragraph))
    while waiting:
        part = waiting.pop()
        name = name_of(part.tag).rpartition(":")[2]
        if name == "txbxContent":
            yield part
        elif name != "Fallback" or child_count(part, "txbxContent") == 0:
            waiting.extend(reversed(part))


def child_count(element: Element, local: str) -> int:
    """How many descendants have this local name; Word repeats a text box for old readers."""
    return sum(name_of(part.tag).rpartition(":")[2] == local for part in element.iter())


def formula(element: Element) -> str:
    """A formula on one line: `(a+b)/(c)`, `x^(2)`, `sqrt(y)`."""
    write = _FORMULAS.get(name_of(element.tag))
    if write is not None:
        return write(element)
    if name_of(element.tag) == "m:t":
        return element.text or ""
    return "".join(formula(part) for part in element)


def _part(element: Element, name: str) -> str:
    found = child(element, name)
    return formula(found) if found is not None else ""


def _grouped(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"


def _fraction(element: Element) -> str:
    return f"{_grouped(_part(element, 'm:num'))}/{_grouped(_part(element, 'm:den'))}"


def _raised(element: Element) -> str:
    low, high = _part(element, "m:sub"), _part(element, "m:sup")
    text = _part(element, "m:e")
    text += f"_{_grouped(low)}" if low else ""
    return text + (f"^{_grouped(high)}" if high else "")


def _sum(element: Element) -> str:
    sign = value(element, "m:naryPr", "m:chr") or "∫"
    low, high = _part(element, "m:sub"), _part(element, "m:sup")
    limits = (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")
    return f"{sign}{limits} {_part(element, 'm:e')}"


_FORMULAS: dict[str, Callable[[Element], str]] = {
    "m:f": _fraction,
    "m:sSup": _raised,
    "m:sSub": _raised,
    "m:sSubSup": _raised,
    "m:nary": _sum,
    "m:rad": lambda element: f"sqrt({_part(element, 'm:e')})",
    "m:d": lambda element: f"({_part(element, 'm:e')})",
}
