"""The XML parts of a DOCX file, read piece by piece without entities or deep trees."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from xml.etree import ElementTree as ET  # DTDs are refused below, so nothing can expand

from seamline.errors import InvalidDocument
from seamline.parse.archives import Archive
from seamline.parse.limits import Deadline

__all__ = ["Element", "attribute", "child", "name_of", "read_part", "value"]

Element = ET.Element

_DEEPEST = 256  # as libxml2 has it; what walks the trees may recurse
_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w:",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w:",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m:",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m:",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc:",
    "http://purl.org/dc/elements/1.1/": "dc:",
}


@lru_cache(maxsize=4096)
def name_of(tag: str) -> str:
    """The name of an element or attribute with Word's usual prefix, or none.

    Example:
        >>> name_of("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p")
        'w:p'
    """
    space, closed, local = tag[1:].partition("}")
    return _PREFIXES.get(space, "") + local if closed else tag


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along a path of names, if there is one."""
    for name in path:
        if element is None:
            return None
        element = next((part for part in element if name_of(part.tag) == name), None)
    return element


def attribute(element: Element | None, name: str, otherwise: str = "") -> str:
    """An element's attribute by its local name."""
    if element is None:
        return otherwise
    found = (text for key, text in element.items() if name_of(key).rpartition(":")[2] == name)
    return next(found, otherwise)


def value(element: Element | None, *path: str) -> str | None:
    """The `w:val` at the end of a path; empty where the element has none, None without it."""
    found = child(element, *path)
    return None if found is None else attribute(found, "val")


class _Target:
    """Builds the tree of each element at `depth`, hands it over and forgets it."""

    def __init__(self, take: Callable[[Element], None], depth: int, source: str) -> None:
        self._builder = ET.TreeBuilder()
        self._take = take
        self._wanted = depth
        self._depth = 0
        self._source = source

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InvalidDocument(
                f"the XML of {self._source} must nest at most {_DEEPEST} deep: "
                "it is damaged or made to do harm, leave it out"
            )
        self._builder.start(tag, attributes)

    def end(self, tag: str) -> None:
        element = self._builder.end(tag)
        if self._depth == self._wanted:
            self._take(element)
            element.clear()
        self._depth -= 1

    def data(self, text: str) -> None:
        self._builder.data(text)

    def doctype(self, *_: object) -> None:
        raise InvalidDocument(
            f"the XML of {self._source} must hold no DTD, as Word writes none: it is made to do "
            "harm, leave it out"
        )

    def close(self) -> None:
        self._builder.close()


def read_part(
    archive: Archive,
    name: str,
    take: Callable[[Element], None],
    *,
    depth: int,
    deadline: Deadline,
) -> None:
    """Calls `take` with every element at `depth` (1 = the root) of a part, in order.

    Raises:
        InvalidDocument: the part is damaged, nests too deep or holds a DTD.
    """
    target = _Target(take, depth, deadline.source)
    parser = ET.XMLParser(target=target)  # noqa: S314 - the target refuses DTDs and deep trees
    try:
        for piece in archive.pieces(name):
            parser.feed(piece)
            deadline.check()
        parser.close()
    except InvalidDocument:
        raise
    except (ET.ParseError, ValueError, LookupError) as error:
        raise damaged(deadline.source, name, error) from error


def damaged(source: str, name: str, error: Exception) -> InvalidDocument:
    """The error that names the broken part of a file."""
    return InvalidDocument(
        f"{source} must be a whole DOCX file, but its part {name!r} is damaged ({error}): "
        "open it in Word and save it again"
    )
