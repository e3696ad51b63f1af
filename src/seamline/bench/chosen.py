"""The chosen configuration as settings that every command takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamline.bench.calibrate import FEWEST, calibrate
from seamline.bench.configuration import Configuration, configuration_of
from seamline.bench.inputs import Inputs, relative
from seamline.bench.schema import ResultsData
from seamline.config import BenchConfig
from seamline.embed import EMBEDDERS
from seamline.errors import InvalidConfig, SeamlineError
from seamline.measure import parse_measure
from seamline.registry import parse_spec
from seamline.retrieve import parse_retriever
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy

__all__ = ["changes", "chosen_settings", "path_settings", "without_defaults"]

_KEPT = ("scope", "k", "budget", "budgets", "threshold", "separator", "identical", "seed")
_ORDER = (
    "strategy",
    "embedder",
    "retriever",
    "tokenizer",
    "scope",
    "k",
    "budget",
    "budgets",
    "measures",
    "threshold",
    "dedupe",
    "merge",
    "separator",
    "identical",
    "margin",
    "seed",
)


def chosen_settings(
    data: ResultsData,
    chosen: Configuration,
    *,
    margin: float,
    inputs: Inputs | None,
    folder: Path,
) -> dict[str, Any]:
    """All settings that measure `chosen` once more as it was measured, for a file in `folder`.

    `measures` is empty where they are the usual ones. Left out are the embedder where
    none was used, and a tokenizer's file where it is not known where that lies. A `threshold`
    that nobody set is the one that `calibrate` finds for `chosen`, where that can be found.

    Raises:
        InvalidConfig: the strategy, retriever or embedder is an object of the caller's
            own, which no file can name.
    """
    config = data["config"]
    found: dict[str, Any] = {key: config[key] for key in _KEPT}
    found |= {"strategy": chosen.strategy, "retriever": chosen.retriever}
    found |= {"dedupe": chosen.dedupe, "merge": chosen.merge}
    usual = list(BenchConfig(k=config["k"], budget=config["budget"]).measures)
    found["measures"] = [] if config["measures"] == usual else config["measures"]
    if config["embedder"] is not None:
        found["embedder"] = config["embedder"]
    else:
        found.pop("threshold")  # of a cosine that was not measured
    if margin < 1:
        found["margin"] = margin
    if found.get("threshold") == BenchConfig().threshold:
        fits = _calibrated(data, chosen)
        found["threshold"] = found["threshold"] if fits is None else fits
    _check(found)
    tokenizer = config["tokenizer"]
    if not tokenizer.endswith(".json"):
        found["tokenizer"] = tokenizer
    elif inputs and inputs.tokenizer:
        found["tokenizer"] = relative(inputs.tokenizer, folder)
    return {key: found[key] for key in _ORDER if key in found}


def _calibrated(data: ResultsData, chosen: Configuration) -> float | None:
    """The threshold for a configuration; None where too few of its questions were answered."""
    rows = (row for row in data["strategies"] if configuration_of(row, data["config"]) == chosen)
    try:
        found = [calibrate(data, row) for row in rows]
    except InvalidConfig:
        return None
    return next((one.threshold for one in found if one.n_answered >= FEWEST), None)


def _check(found: Mapping[str, Any]) -> None:
    try:
        parse_strategy(found["strategy"])
        parse_retriever(found["retriever"])
        if "embedder" in found:
            EMBEDDERS.get(parse_spec(found["embedder"]).name)
    except SeamlineError as error:
        raise InvalidConfig(
            f"the chosen configuration must have parts that a settings file can name: {error}"
        ) from None


def path_settings(inputs: Inputs, folder: Path) -> dict[str, Any]:
    """Documents and golden set as seen from `folder`."""
    docs = [relative(path, folder) for path in inputs.docs]
    return {"docs": docs[0] if len(docs) == 1 else docs, "golden": relative(inputs.golden, folder)}


def without_defaults(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that differ from the usual ones, and the strategy."""
    return changes({}, wanted)


def changes(old: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What must be set in a file with the settings `old` to get those `wanted`.

    The strategy always, even if it is there already. Two ways to write one retriever,
    tokenizer or list of measures are no change.
    """
    current = BenchConfig()
    return {
        key: value
        for key, value in wanted.items()
        if key == "strategy" or not _same(key, old.get(key, getattr(current, key)), value, old)
    }


def _same(key: str, old: Any, new: Any, settings: Mapping[str, Any]) -> bool:
    if key == "measures":
        return _names(settings.get(key, [])) == _names(new)
    if key in ("retriever", "tokenizer"):
        return _canonical(key, old) == _canonical(key, new)
    return list(old) == list(new) if isinstance(new, list) else bool(old == new)


def _names(measures: Any) -> list[str]:
    return [str(parse_measure(name)) for name in measures]


def _canonical(key: str, name: Any) -> str:
    try:
        return str(parse_retriever(name)) if key == "retriever" else str(parse_sizer(name).name)
    except (SeamlineError, OSError):
        return str(name)
