"""What a benchmark runs: defaults, then `seamline.toml`, then the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

from seamline.errors import InvalidConfig, MissingInput, UnknownName
from seamline.grid import GRIDS, Grid
from seamline.measure import CHUNK_MEASURES, LARGEST, default_measures, parse_measure
from seamline.measure.floors import NO_FLOORS, Floors
from seamline.parse.limits import LIMITS, Limits
from seamline.registry import parse_specs, suggest

__all__ = ["CONFIG_FILE", "DEFAULT_STRATEGIES", "BenchConfig", "check_keys", "load_config"]

CONFIG_FILE = "seamline.toml"

DEFAULT_STRATEGIES = (
    "adaptive(target=64)",
    "structure(size=512)",
    "fixed(size=512, overlap=50)",
    "fixed(size=256, overlap=25)",
    "sliding(size=400, step=200)",
    "sentence(size=256, overlap=0)",
    "recursive(size=128, overlap=0)",
    "recursive(size=256, overlap=0)",
    "recursive(size=512, overlap=64)",
    "recursive(size=1000, overlap=100, unit=characters)",
    "semantic(size=512, threshold=0.5, floor=64)",
    "hierarchical(parent=sections, size=200)",
    "hierarchical(parent=512, size=128)",
    "whole",
)


@dataclass(frozen=True, kw_only=True)
class BenchConfig:
    """The settings of one benchmark, checked and complete.

    The first of `measures` is the primary one: strategies are ranked by it. Left
    empty, `measures` are the usual ones at `k` and `budget`. `limits` may be a mapping
    that names those to change. `strategy` is the one that was chosen: where
    `strategies` is not given it is measured alone, and `seamline chunk` cuts by it.
    `margin` is the difference in the primary measure that is too small to matter.
    `floors` may be a mapping as in `Floors.of`: what `seamline check` holds besides.
    `grid` is what `seamline sweep` measures, in any form that `Grid.of` takes.
    `store` is the URL of the store that `seamline ingest` fills and `seamline search` reads,
    `namespace` where in it; `keep_versions` former versions of each document stay there.

    Raises:
        InvalidConfig: a value of the wrong type or out of its range; the message
            begins with the key.
        UnknownName: no such measure.

    Example:
        >>> BenchConfig(k=3, budget=500).primary
        'Recall@500t'
    """

    docs: tuple[str, ...] = ()
    golden: str = ""
    strategy: str = ""
    strategies: tuple[str, ...] = DEFAULT_STRATEGIES
    embedder: str = "minilm"
    retriever: str = "hybrid"
    k: int = 5
    budget: int = 1000
    budgets: tuple[int, ...] = (250, 500, 1000, 2000, 4000, 8000)
    scope: str = "corpus"
    threshold: float = 0.75
    tags: bool = False
    dedupe: bool = False
    merge: bool = False
    separator: int = 0
    identical: bool = False
    tokenizer: str = "tokens"
    margin: float = 0.02
    seed: int = 0
    measures: tuple[str, ...] = ()
    out: str = "report"
    cache_dir: str = ""
    store: str = ""
    namespace: str = "main"
    keep_versions: int = 0
    limits: Limits = LIMITS
    floors: Floors = NO_FLOORS
    grid: Grid = GRIDS["quick"]

    def __post_init__(self) -> None:
        if self.strategy and self.strategies is DEFAULT_STRATEGIES:
            object.__setattr__(self, "strategies", (self.strategy,))
        for key, kind in _kinds().items():
            object.__setattr__(self, key, kind(key, getattr(self, key)))
        for key, (holds, wanted) in _RANGES.items():
            value = getattr(self, key)
            if not holds(value):
                raise InvalidConfig(f"{key} must be {wanted}, got {value!r}")
        for key in _PATHS:
            if "\0" in "".join(getattr(self, key)):
                raise InvalidConfig(f"{key} must be a path, which holds no null character")
        measures = [str(parse_measure(name)) for name in self.measures] or [
            *map(str, default_measures(self.k, self.budget)),
            *CHUNK_MEASURES,
        ]
        object.__setattr__(self, "measures", tuple(dict.fromkeys(measures)))

    @property
    def primary(self) -> str:
        """The measure that the strategies are ranked by."""
        return self.measures[0]


_SQLITE = "sqlite:///"  # a URL that ends in a path
_PATHS = ("docs", "golden", "out", "cache_dir", "tokenizer")


def _increasing(values: Sequence[int]) -> bool:
    rising = all(a < b for a, b in pairwise(values))
    return bool(values) and values[0] > 0 and rising and values[-1] <= LARGEST


_RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "k": (lambda v: 1 <= v <= LARGEST, f"at least 1 and at most {LARGEST}"),
    "budget": (lambda v: 1 <= v <= LARGEST, f"at least 1 token and at most {LARGEST}"),
    "budgets": (
        _increasing,
        f"positive and increasing, like [250, 500, 1000], and at most {LARGEST}",
    ),
    "out": (bool, "the path of a folder"),
    "namespace": (bool, "a name"),
    "scope": (lambda v: v in ("corpus", "document"), "'corpus' or 'document'"),
    "keep_versions": (lambda v: 0 <= v <= LARGEST, f"0 or more and at most {LARGEST}"),
    "separator": (lambda v: 0 <= v <= LARGEST, f"0 or more tokens and at most {LARGEST}"),
    "threshold": (lambda v: -1 <= v <= 1, "a cosine from -1 to 1"),
    "margin": (lambda v: 0 <= v < 1, "from 0 to below 1, like 0.02"),
    "seed": (lambda v: v >= 0, "0 or more"),
    "strategies": (bool, "a list of at least one strategy"),
}


def _scalar(wanted: type, name: str) -> Callable[[str, Any], Any]:
    def check(key: str, value: Any) -> Any:
        if wanted is float and type(value) is int:
            return float(value)
        if type(value) is not wanted:
            raise InvalidConfig(f"{key} must be {name}, got {value!r}")
        return value

    return check


def _listed(item: Callable[[str, Any], Any], name: str) -> Callable[[str, Any], Any]:
    def check(key: str, value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise InvalidConfig(f"{key} must be a list, each item {name}, got {value!r}")
        return tuple(item(f"{key}[{i}]", entry) for i, entry in enumerate(value))

    return check


_NAMES: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _limits(key: str, value: Any) -> Limits:
    if isinstance(value, Limits):
        return value
    if not isinstance(value, Mapping):
        raise InvalidConfig(f"{key} must be a table of limits, got {value!r}")
    known = [item.name for item in fields(Limits)]
    for name in value:
        if name not in known:
            raise UnknownName(f"no limit named {name!r}; {suggest(str(name), known)}")
    try:
        return Limits(**value)
    except InvalidConfig as error:
        raise InvalidConfig(f"{key}.{error}") from None


def _floors(key: str, value: Any) -> Floors:
    if isinstance(value, Floors):
        return value
    if not isinstance(value, Mapping):
        raise InvalidConfig(f"{key} must be a table of floors, got {value!r}")
    return Floors.of(value)


_TABLES: dict[Any, Callable[[str, Any], Any]] = {
    Limits: _limits,
    Floors: _floors,
    Grid: lambda _key, value: Grid.of(value),
}


def _kinds() -> dict[str, Callable[[str, Any], Any]]:
    """For each key the check that its declared type asks for."""
    checks: dict[str, Callable[[str, Any], Any]] = {}
    for key, declared in get_type_hints(BenchConfig).items():
        if declared in _TABLES:
            checks[key] = _TABLES[declared]
            continue
        listed = get_origin(declared) is tuple
        wanted = cast("type", get_args(declared)[0] if listed else declared)
        check = _scalar(wanted, _NAMES[wanted])
        checks[key] = _listed(check, _NAMES[wanted]) if listed else check
    return checks


def load_config(
    path: str | Path | None = None, overrides: Mapping[str, Any] | None = None
) -> BenchConfig:
    """The settings of the file at `path` with `overrides` on top.

    Without `path`, `seamline.toml` of the current folder counts if it is there.
    Overrides that are None say nothing. `docs` may be one string and `strategies`
    one string with semicolons. Paths in the file are relative to its folder.

    Raises:
        MissingInput: `path` is not there.
        InvalidConfig: broken TOML, an unknown key, a value that cannot be; the
            message names the file and the key.

    Example:
        >>> load_config(overrides={"strategies": "whole; fixed(size=256)"}).strategies
        ('whole', 'fixed(size=256)')
    """
    if path is not None and not isinstance(path, str | PathLike):
        raise InvalidConfig(f"the config file must be a path, got a {type(path).__name__}")
    if path is not None and "\0" in str(path):
        raise MissingInput(f"the config file must be there, got {str(path)!r}")
    if path is None:
        path = Path(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else None
    settings = _read(Path(path)) if path else {}
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    check_keys(given)
    return BenchConfig(**{**settings, **_widen(given)})


def _read(path: Path) -> dict[str, Any]:
    try:
        settings = _widen(tomllib.loads(path.read_text(encoding="utf-8-sig")))
        check_keys(settings)
        BenchConfig(**settings)
    except FileNotFoundError:
        raise MissingInput(f"the config file must be there, got {str(path)!r}") from None
    except IsADirectoryError:
        raise MissingInput(
            f"the config file must be a file, got the folder {str(path)!r}"
        ) from None
    except InvalidConfig as error:
        raise type(error)(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:  # bad UTF-8 or TOML, a number of 5,000 digits
        raise InvalidConfig(f"{path} must be a TOML file in UTF-8: {error}") from None
    for key in ("docs", "golden", "out", "cache_dir", "tokenizer", "store"):
        if key in settings:
            settings[key] = _beside(path, key, settings[key])
    return settings


def check_keys(settings: Mapping[str, Any]) -> None:
    """Raise `UnknownName` with the nearest setting unless all of them are known."""
    keys = [item.name for item in fields(BenchConfig)]
    for key in settings:
        if key not in keys:
            raise UnknownName(f"no setting named {key!r}; {suggest(key, keys)}")


def _widen(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Lists where one string may stand for a list."""
    wide = dict(settings)
    if isinstance(wide.get("docs"), str):
        wide["docs"] = [wide["docs"]]
    if isinstance(wide.get("strategies"), str):
        wide["strategies"] = [str(spec) for spec in parse_specs(wide["strategies"])]
    return wide


def _beside(path: Path, key: str, value: Any) -> Any:
    """A path of the config file, as seen from the current folder."""
    if isinstance(value, list):
        return [_beside(path, key, item) for item in value]
    if not value or (key == "tokenizer" and not value.endswith(".json")):
        return value
    if key == "store":
        file = value.removeprefix(_SQLITE)
        return value if file == value else f"{_SQLITE}{path.parent / file}"
    return str(path.parent / value)
