"""Each kind of region cut by a strategy of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from seamline.errors import InvalidConfig
from seamline.protocols import Embedder, Strategy
from seamline.registry import parse_spec
from seamline.split.chunks import make_chunks
from seamline.split.graphemes import at_least
from seamline.split.pack import Cuts
from seamline.split.profile import PROSE, regions
from seamline.split.strategies import Cutter, reason_of
from seamline.split.table_blocks import Between, line_start
from seamline.types import Chunk, Document, Span

__all__ = ["Routed"]

# Which parameter names the strategy of a kind of region; all others are `other`.
_ROUTES = {
    **dict.fromkeys(PROSE, "prose"),
    "questions and answers": "questions",
    "table": "tables",
}
_NAMES = ("prose", "questions", "tables", "other")


@dataclass(frozen=True)
class Routed(Cutter):
    """Prose, questions with answers, tables and the rest, each by a strategy of its own.

    A route is the spec of a strategy, in quotation marks where it has parameters
    itself: routed(prose="recursive(size=256)"). `prose` cuts paragraphs under their
    headings. `questions` cuts questions with their answers; `semantic` may part the two,
    `adaptive` keeps them together. `tables` cuts tables. `other` cuts the rest: lists,
    steps, code, turns, clauses, formulas. Neighbouring regions of one route are cut
    together.

    Raises:
        InvalidConfig: a route is `routed` itself.

    Example:
        >>> strategy = Routed(prose="sentence(size=6)", questions="whole")
        >>> [c.text for c in strategy.split(Document.from_text("One two. Three four five six."))]
        ['One two.', 'Three four five six.']
    """

    name: ClassVar[str] = "routed"
    always: ClassVar[tuple[str, ...]] = ()
    prose: str = "hierarchical"
    questions: str = "semantic"
    tables: str = "table_rows"
    other: str = "adaptive"
    embedder: Embedder | None = field(default=None, repr=False, compare=False)
    prefix: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        self._check_window()
        for name in _NAMES:
            given: Any = getattr(self, name)
            if not isinstance(given, str) or parse_spec(given).name == self.name:
                raise InvalidConfig(
                    f"a route must be the spec of another strategy, got {name}={given!r}"
                )
        _ = self.routes  # an unknown name is refused now, not at the first document

    @cached_property
    def routes(self) -> dict[str, Strategy]:
        """The strategies by the parameter that names them."""
        from seamline.split import parse_strategy

        return {
            name: parse_strategy(getattr(self, name), embedder=self.embedder) for name in _NAMES
        }

    def reason(self, kind: str, document: Document | None = None) -> str:  # noqa: ARG002
        strategy = self.routes[_ROUTES.get(kind, "other")]
        return reason_of(strategy, kind)

    def cut(self, document: Document) -> Cuts:
        found = self._chunks(document)
        return [one.start for one in found], [one.end for one in found]

    def split(self, document: Document) -> list[Chunk]:
        found = self._chunks(document)
        parents = [one.parent for one in found]
        cuts = [one.start for one in found], [one.end for one in found]
        shown = [one.context for one in found]
        indexed = self._said(document, cuts, shown, [one.indexed_as for one in found])
        return make_chunks(document, cuts, parents, contexts=shown, indexed=indexed)

    def _chunks(self, document: Document) -> list[Chunk]:
        """What the strategies make of their parts, in offsets of the document."""
        between = Between(document)
        found: list[Chunk] = []
        for name, start, end in _parts(document):
            part = between.part(start, end)
            for one in self.routes[name].split(part) if part else ():
                parent = one.parent and Span(one.parent.start + start, one.parent.end + start)
                found.append(
                    one._replace(start=one.start + start, end=one.end + start, parent=parent)
                )
        return found


def _parts(document: Document) -> Iterator[tuple[str, int, int]]:
    """Route, start and end of each part: together they are the document."""
    begun = [(_ROUTES.get(region.kind, "other"), region.start) for region in regions(document)]
    starts = [
        (name, start)
        for at, (name, start) in enumerate(begun)
        if at == 0 or name != begun[at - 1][0]
    ]
    at = 0
    for index, (name, _) in enumerate(starts):
        is_last = index + 1 == len(starts)
        end = len(document.text)
        if not is_last:
            end = at_least(document.text, line_start(document.text, starts[index + 1][1], at), at)
        yield name, at, end
        at = end
