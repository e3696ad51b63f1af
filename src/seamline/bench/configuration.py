"""A configuration: how documents are cut, how chunks are ranked, how pieces are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamline.errors import InvalidConfig, SeamlineError, UnknownName
from seamline.registry import Spec, parameters, parse_spec, parse_specs, suggest
from seamline.retrieve import parse_retriever
from seamline.split import STRATEGIES, parse_strategy

__all__ = ["Configuration", "configuration_of", "parse_configuration"]

_SHOWN = ("dedupe", "merge")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to answer: `strategy` and `retriever` are canonical specs.

    As a string the parts are a pipeline: cut, rank, and what is done to pieces
    before they are shown. `parse_configuration` reads it back.

    Example:
        >>> str(Configuration("whole", "bm25", merge=True))
        'whole | bm25 | merge'
    """

    strategy: str
    retriever: str
    dedupe: bool = False
    merge: bool = False

    def __str__(self) -> str:
        shown = [word for word in _SHOWN if getattr(self, word)]
        return " | ".join([self.strategy, self.retriever, *shown])

    @property
    def knobs(self) -> dict[str, Any]:
        """What can be turned: the strategy's name, its parameters, ranking and showing.

        Parameters that were not given have their default. A splitter that is no
        strategy of this program has its name alone.

        Example:
            >>> knobs = Configuration("fixed(size=256, overlap=0)", "dense").knobs
            >>> knobs["strategy"], knobs["size"], knobs["prefix"], knobs["retriever"]
            ('fixed', 256, False, 'dense')
        """
        turned = {"retriever": self.retriever, "dedupe": self.dedupe, "merge": self.merge}
        try:
            spec = parse_spec(self.strategy)
            known = parameters(STRATEGIES.get(spec.name))
        except SeamlineError:
            return {"strategy": self.strategy, **turned}
        usual = {one.name: one.default for one in known if one.name != "embedder"}
        return {"strategy": spec.name, **usual, **spec.params, **turned}


def parse_configuration(text: str, *, retriever: str = "hybrid") -> Configuration:
    """The configuration that `text` names; `retriever` is taken where it names none.

    Raises:
        UnknownName: no such strategy, retriever, parameter or word.
        InvalidConfig: the text is no pipeline of specs.

    Example:
        >>> parse_configuration("fixed-512-50 | bm25 | merge").strategy
        'fixed(size=512, overlap=50)'
    """
    first, *rest = parse_specs(text, mark="|")
    if rest and rest[0].name not in _SHOWN:
        retriever, rest = str(rest[0]), rest[1:]
    words = list(map(_word, rest))
    if len(set(words)) < len(words):
        raise InvalidConfig(f"each word after the retriever must stand once, got {text!r}")
    return Configuration(
        str(parse_strategy(first)),
        str(parse_retriever(retriever)),
        dedupe="dedupe" in words,
        merge="merge" in words,
    )


def _word(spec: Spec) -> str:
    if spec.name not in _SHOWN or spec.params:
        raise UnknownName(
            f"after the retriever only {' and '.join(_SHOWN)} can follow, got {str(spec)!r}; "
            f"{suggest(spec.name, _SHOWN)}"
        )
    return spec.name


def configuration_of(row: Mapping[str, Any], config: Mapping[str, Any]) -> Configuration:
    """What a row of results.json was measured with; older rows leave it to `config`."""
    return Configuration(
        row.get("strategy", row["spec"]),
        row.get("retriever", config["retriever"]),
        dedupe=row.get("dedupe", config["dedupe"]),
        merge=row.get("merge", config["merge"]),
    )
