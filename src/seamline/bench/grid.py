"""From a grid as it is written to the configurations that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from seamline.bench.configuration import Configuration, parse_configuration
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig, UnknownName
from seamline.grid import GridPart
from seamline.registry import Spec, parameters, parse_spec, parse_specs
from seamline.retrieve import parse_retriever
from seamline.split import PRESETS, STRATEGIES, parse_strategy

__all__ = ["Expansion", "expand"]

_LISTS = ("separators",)  # parameters whose value is a list


@dataclass(frozen=True, slots=True)
class Expansion:
    """The configurations of a grid, each once, in the order in which they are first named.

    `left_out` says which combinations cannot be, and why.
    """

    configurations: tuple[Configuration, ...]
    left_out: tuple[str, ...]


def expand(config: BenchConfig) -> Expansion:
    """What `config.grid` stands for: every combination of every list, each once.

    A list of a spec's parameter is crossed with the others; `separators`, which is a
    list itself, is crossed where it is a list of lists. An `overlap` below 1 is a share
    of the size, rounded. A combination that cannot be (an overlap as large as the size)
    is left out, unless no combination of its spec can. An entry of `strategies` may be a
    whole configuration, `fixed(size=256) | bm25 | merge`, which is crossed with nothing.

    Raises:
        UnknownName: no such strategy, retriever or parameter.
        InvalidConfig: no combination of a spec can be.

    Example:
        >>> grid = {"strategies": "fixed(size=[64, 128], overlap=[0, 100])", "merge": [True]}
        >>> found = expand(BenchConfig(grid=grid))
        >>> list(map(str, found.configurations))[-1]
        'fixed(size=128, overlap=100) | hybrid(alpha=0.5) | merge'
        >>> len(found.configurations), len(found.left_out)
        (3, 1)
    """
    left_out: list[str] = []
    found = [one for part in config.grid.parts for one in _crossed(part, config, left_out)]
    return Expansion(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(left_out)))


def _crossed(part: GridPart, config: BenchConfig, left_out: list[str]) -> Iterator[Configuration]:
    retrievers = [
        name
        for text in part.retrievers or (config.retriever,)
        for name in _possible(parse_spec(text), _retriever, left_out)
    ]
    shown = list(product(part.dedupe or (config.dedupe,), part.merge or (config.merge,)))
    for text in part.strategies:
        first, *rest = parse_specs(text, mark="|")
        if rest:
            yield parse_configuration(text, retriever=config.retriever)
            continue
        for strategy in _possible(_prefixed(first, part.prefix), _strategy, left_out):
            for retriever, (dedupe, merge) in product(retrievers, shown):
                yield Configuration(strategy, retriever, dedupe, merge)


def _prefixed(spec: Spec, prefix: Sequence[bool]) -> Spec:
    """The spec with its preset written out, and `prefix` where it takes it and says nothing."""
    if spec.name in PRESETS:
        preset = parse_spec(PRESETS[spec.name])
        spec = Spec(preset.name, {**preset.params, **spec.params})
    takes = any(one.name == "prefix" for one in parameters(STRATEGIES.get(spec.name)))
    if not prefix or not takes or "prefix" in spec.params:
        return spec
    return Spec(spec.name, {**spec.params, "prefix": list(prefix)})


def _possible(spec: Spec, parse: Callable[[Spec], str], left_out: list[str]) -> list[str]:
    """The canonical names of the combinations that can be; why the others cannot is added."""
    names: list[str] = []
    errors: list[InvalidConfig] = []
    for one in _combinations(spec):
        try:
            names.append(parse(one))
        except UnknownName:
            raise
        except InvalidConfig as error:
            errors.append(error)
            left_out.append(f"{one}: {error}")
    if not names:
        raise errors[0]
    return names


def _combinations(spec: Spec) -> Iterator[Spec]:
    choices = [_choices(spec, key, value) for key, value in spec.params.items()]
    for values in product(*choices):
        params = dict(zip(spec.params, values, strict=True))
        if isinstance(share := params.get("overlap"), float) and 0 < share < 1:
            params["overlap"] = round(share * _size(spec.name, params))
        yield Spec(spec.name, params)


def _choices(spec: Spec, key: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    if key in _LISTS and not any(isinstance(item, list) for item in value):
        return [value]
    if not value:
        raise InvalidConfig(f"each list of a grid must hold at least one value, got {str(spec)!r}")
    return value


def _size(name: str, params: Mapping[str, Any]) -> float:
    """The size that a share is of; 0 where it is no number, which is refused later."""
    usual = {one.name: one.default for one in parameters(STRATEGIES.get(name))}
    size = params.get("size", usual.get("size"))
    return size if isinstance(size, int | float) else 0


def _strategy(spec: Spec) -> str:
    return str(parse_strategy(spec))


def _retriever(spec: Spec) -> str:
    return str(parse_retriever(str(spec)))
