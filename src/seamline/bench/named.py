"""The row of results that a name means: whole, written otherwise, or the part that tells it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from seamline.bench.configuration import parse_configuration
from seamline.errors import SeamlineError, UnknownName
from seamline.phrases import counted, listed
from seamline.registry import suggest

__all__ = ["row_named"]

_MARK = " | "
_SHOWN = 5


def row_named(text: str, specs: Collection[str], *, where: str = "") -> str:
    """The one of `specs` that `text` means; `where` follows the name in an error.

    Itself; else another way to write it; else the only row of that strategy, with these
    parameters or with any; else the only one that begins so.

    Raises:
        UnknownName: none, or several; names them.

    Example:
        >>> rows = ["whole | bm25", "fixed(size=64) | bm25", "fixed(size=128) | bm25"]
        >>> row_named("whole", rows), row_named("fixed(size=6", rows)
        ('whole | bm25', 'fixed(size=64) | bm25')
    """
    if text in specs:
        return text
    for meant in _ways(text):
        found = [spec for spec in specs if meant(spec)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(
                f"a name must mean one row, but {text!r} means {counted(len(found), 'row')}"
                f"{where}: give one whole, {listed(list(map(repr, found)), _SHOWN)}"
            )
    raise UnknownName(f"no strategy {text!r}{where}; {suggest(text, specs)}")


def _ways(text: str) -> Iterator[Callable[[str], bool]]:
    """What a row is held against, the strictest first."""
    try:
        found = parse_configuration(text)
    except SeamlineError:
        pass
    else:
        own = str(found) if "|" in text else found.strategy
        yield lambda spec: spec == own
        if "|" not in text:
            yield lambda spec: spec.split(_MARK)[0] == own
    yield lambda spec: spec.split(_MARK)[0] == text
    if text.isidentifier():
        yield lambda spec: spec.split("(")[0].split(_MARK)[0] == text
    if text:
        yield lambda spec: spec.startswith(text)
