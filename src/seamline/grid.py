"""A grid of configurations as settings describe it: by name, or as tables of lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import parse_specs, suggest

__all__ = ["GRIDS", "Grid", "GridPart"]


@dataclass(frozen=True, kw_only=True)
class GridPart:
    """Strategies crossed with ways to rank and to show; what is left empty is as for `bench`.

    Lists inside a spec are crossed too: `fixed(size=[128, 256], overlap=[0, 64])` are
    four strategies. `prefix` says whether headings are indexed with each chunk, for the
    strategies that take it and do not say it themselves.

    Raises:
        InvalidConfig: a value of the wrong type, or no strategy.
    """

    strategies: tuple[str, ...]
    retrievers: tuple[str, ...] = ()
    prefix: tuple[bool, ...] = ()
    merge: tuple[bool, ...] = ()
    dedupe: tuple[bool, ...] = ()

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> GridPart:
        """The part that a table of settings describes; one value may stand for a list."""
        known = [item.name for item in fields(cls)]
        for key in table:
            if key not in known:
                raise UnknownName(f"grid has no setting {key!r}; {suggest(str(key), known)}")
        read = {key: _listed(key, value) for key, value in table.items()}
        if not read.get("strategies"):
            raise InvalidConfig("grid.strategies must be a list of at least one strategy")
        return cls(**read)


@dataclass(frozen=True)
class Grid:
    """The union of its parts; `name` is that of a ready-made grid, else empty.

    Raises:
        UnknownName: no grid of that name, or no such setting in a table.
        InvalidConfig: neither a name nor a table nor a list of tables.

    Example:
        >>> Grid.of({"strategies": "fixed(size=[128, 256]); whole", "merge": [False, True]}).parts[
        ...     0
        ... ].strategies
        ('fixed(size=[128, 256])', 'whole')
    """

    parts: tuple[GridPart, ...]
    name: str = ""

    @classmethod
    def of(cls, value: Any) -> Grid:
        """The grid that a name, a table or a list of tables describes."""
        if isinstance(value, Grid):
            return value
        if isinstance(value, str):
            if value not in GRIDS:
                raise UnknownName(f"no grid named {value!r}; {suggest(value, GRIDS)}")
            return GRIDS[value]
        tables = [value] if isinstance(value, Mapping) else value
        listed = isinstance(tables, list | tuple) and tables
        if not listed or not all(isinstance(table, Mapping) for table in tables):
            raise InvalidConfig(
                f"grid must be {' or '.join(map(repr, GRIDS))}, a table or a list of tables, "
                f"got {value!r}"
            )
        return cls(tuple(map(GridPart.of, tables)))

    def ranked(self, retriever: str) -> Grid:
        """The grid with one ranking in place of those that its parts name.

        Example:
            >>> Grid.of("quick").ranked("bm25").parts[0].retrievers
            ('bm25',)
        """
        return Grid(tuple(replace(part, retrievers=(retriever,)) for part in self.parts), self.name)


def _listed(key: str, value: Any) -> tuple[Any, ...]:
    specs = key in ("strategies", "retrievers")
    if specs and isinstance(value, str):
        return tuple(map(str, parse_specs(value)))
    items = tuple(value) if isinstance(value, list | tuple) else (value,)
    wanted, name = (str, "strings") if specs else (bool, "true and false")
    if not all(type(item) is wanted for item in items):
        raise InvalidConfig(f"grid.{key} must be a list of {name}, got {value!r}")
    return items


_RECIPE = "hybrid(alpha=0.6, positional=160, kernel=512)"

GRIDS = {
    "quick": Grid(
        (
            GridPart(
                strategies=(
                    "adaptive",
                    "structure",
                    "recursive(size=[128, 256, 512], overlap=0)",
                    "fixed(size=512, overlap=50)",
                    "sentence",
                    "hierarchical(parent=512, size=128)",
                    "whole",
                ),
                retrievers=("hybrid",),
            ),
            GridPart(
                strategies=("adaptive", "recursive(size=256, overlap=0)"),
                retrievers=("dense", "bm25"),
            ),
            GridPart(strategies=("adaptive",), retrievers=(_RECIPE,), merge=(True,)),
        ),
        "quick",
    ),
    "full": Grid(
        (
            GridPart(
                strategies=(
                    "adaptive(target=[64, 128])",
                    "structure(size=[256, 512])",
                    "recursive(size=[128, 256, 400, 512, 800, 1000], overlap=[0, 0.125])",
                    "fixed(size=[128, 256, 512, 1000], overlap=[0, 0.125])",
                    "fixed(size=1000, overlap=[0, 150], unit=characters)",
                    "fixed(size=512, overlap=50)",
                    "sliding(size=400, step=200)",
                    "sentence(size=[128, 256])",
                    "semantic(size=512, threshold=[0.45, 0.5, 0.75])",
                    "semantic(size=512, threshold=0.5, floor=64)",
                    "semantic(size=512, distance=0.35)",
                    "hierarchical(parent=sections, size=200)",
                    "hierarchical(parent=512, size=128)",
                    "hierarchical(parent=128, size=64)",
                    "routed",
                    "whole",
                ),
                retrievers=("hybrid",),
            ),
            GridPart(
                strategies=(
                    "adaptive",
                    "structure",
                    "recursive(size=256, overlap=0)",
                    "fixed(size=512, overlap=50)",
                ),
                retrievers=("hybrid",),
                prefix=(False, True),
            ),
            GridPart(
                strategies=(
                    "adaptive",
                    "recursive(size=256, overlap=0)",
                    "recursive(size=512, overlap=64)",
                    "fixed(size=512, overlap=50)",
                    "semantic(size=512, threshold=0.5)",
                ),
                retrievers=("dense", "bm25"),
            ),
            GridPart(
                strategies=("adaptive(target=[64, 128])", "recursive(size=128, overlap=0)"),
                retrievers=("hybrid", _RECIPE),
                merge=(True,),
            ),
        ),
        "full",
    ),
}
"""Ready-made grids by name."""
