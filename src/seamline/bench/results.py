"""A benchmark's results: the same bytes for the same inputs, written whole or not at all."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from seamline.bench.checked import check_results
from seamline.bench.price import Price, shown_measure
from seamline.bench.schema import SCHEMA, Cost, Difference, ResultsData, StrategyRow
from seamline.bench.shown import as_html, as_text, interval, number
from seamline.errors import InvalidConfig, MissingInput
from seamline.phrases import fault_in_json

__all__ = [
    "RESULTS_FILE",
    "TIMINGS_FILE",
    "Results",
    "SummaryRow",
    "canonical",
    "price_of",
    "rank_key",
    "write_atomically",
]

RESULTS_FILE = "results.json"
TIMINGS_FILE = "timings.json"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_CUTS = ("chunks", "parents")
_POWERS = np.array([10.0**places for places in range(23)])


@dataclass(frozen=True, repr=False)
class Results:
    """What a benchmark found (`data`), and apart from it what it took (`timings`).

    `data` is the content of results.json, rounded as it is written: results read
    back equal those written. `timings` maps a stage, or a strategy's spec and
    stage, to seconds and bytes; it takes no part in comparisons. Printed, results
    are their ranking in at most 15 lines, in a notebook a table.
    """

    data: ResultsData
    timings: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    @classmethod
    def of(cls, data: Mapping[str, Any], timings: Mapping[str, Any] | None = None) -> Results:
        """Results of any nested data: rounded, numpy turned into plain values."""
        return cls(cast("ResultsData", canonical(data)), canonical(timings or {}))

    @classmethod
    def load(cls, path: Path | str) -> Results:
        """The results of a results.json, or of a folder that holds one.

        Raises:
            MissingInput: there is none.
            InvalidConfig: it is no results file, or one of another schema.
        """
        path = Path(path)
        path = path / RESULTS_FILE if path.is_dir() else path
        if not path.is_file():
            raise MissingInput(f"no results at {str(path)!r}: write them with `seamline bench`")
        try:
            data = _parsed(path.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise InvalidConfig(
                f"{path} must be a results file in JSON, but {fault_in_json(error)}: measure again"
            ) from None
        _check(path, data)
        _fill(data["strategies"])
        try:
            check_results(data)
        except InvalidConfig as error:
            raise InvalidConfig(f"{path}: {error}") from None
        return cls(data)

    def dumps(self) -> str:
        """The text of results.json: cuts that rows share stand in the first of them."""
        return _json({**self.data, **_with_shared_cuts(self.data)})

    def save(self, folder: Path | str) -> Path:
        """Write results.json and timings.json into `folder`; the path of the first."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / TIMINGS_FILE, _json(self.timings))
        write_atomically(folder / RESULTS_FILE, self.dumps())
        return folder / RESULTS_FILE

    def summary(self) -> list[SummaryRow]:
        """One row a strategy, the best first by the primary measure, then the cheapest."""
        config = self.data["config"]
        primary, lower = config["primary"], config["lower_is_better"]

        def key(row: StrategyRow) -> tuple[float, tuple[float, ...], str]:
            mean = row["measures"][primary]["mean"]
            return rank_key(mean, price_of(row, config), row["spec"], lower=lower)

        return [_summary_row(row, primary) for row in sorted(self.data["strategies"], key=key)]


class SummaryRow(NamedTuple):
    """One line of the table that compares strategies.

    `mean` with `low` and `high` is the primary measure and `interval` what its
    interval rests on; `difference` is paired, to the best strategy; `means`
    holds every measure.
    """

    spec: str
    mean: float | None
    low: float | None
    high: float | None
    interval: str | None
    difference: Difference
    means: dict[str, float | None]
    containment: float | None
    mean_tokens: float | None
    cost: Cost

    def __repr__(self) -> str:
        return (
            f"SummaryRow({self.spec!r}, mean={number(self.mean)}, interval={interval(self)}, "
            f"chunks={self.cost['chunks']:,})"
        )


def rank_key(
    mean: float | None, price: Price, spec: str, *, lower: bool
) -> tuple[float, tuple[float, ...], str]:
    """A sort key: the best mean first, then the cheapest; without a mean, last."""
    rounded = canonical(mean)
    key = math.inf if rounded is None else rounded if lower else -rounded
    return key, price.key(), spec


def price_of(row: StrategyRow, config: Mapping[str, Any], *, seconds: float | None = None) -> Price:
    """The price of a row of results with this `config`; `seconds` a question, if known."""
    name = shown_measure(config, row["measures"])
    shown = row["measures"][name]["mean"] if name else None
    return Price.of(row["cost"], row.get("strategy", row["spec"]), shown=shown, seconds=seconds)


def _summary_row(row: StrategyRow, primary: str) -> SummaryRow:
    measured = row["measures"][primary]
    return SummaryRow(
        spec=row["spec"],
        mean=measured["mean"],
        low=measured["low"],
        high=measured["high"],
        interval=measured["interval"],
        difference=row["difference"],
        means={name: measure["mean"] for name, measure in row["measures"].items()},
        containment=row["containment"]["rate"],
        mean_tokens=row["size"]["tokens"]["mean"],
        cost=row["cost"],
    )


class Plain(list[Any]):
    """A list that is canonical already: `canonical` need not walk it."""


def canonical(value: Any) -> Any:
    """`value` in plain JSON types: floats to ten significant digits, NaN as None.

    Example:
        >>> canonical({"a": (1 / 3, float("nan"))})
        {'a': [0.3333333333, None]}
    """
    if isinstance(value, float):  # numpy's float64 is one too
        return float(f"{value:.10g}") + 0.0 if math.isfinite(value) else None
    if isinstance(value, int | str | Plain) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): canonical(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _rounded(value) if value.dtype.kind == "f" else value.tolist()
    return [canonical(item) for item in value]


def _rounded(values: Any) -> Any:
    """As `canonical`, for many floats at once."""
    if values.ndim != 1:
        return canonical(values.tolist())
    finite = np.isfinite(values)
    exact = np.where(finite, values, 0.0).astype(np.float64)
    size = np.abs(exact)
    places = 9 - np.floor(np.log10(np.where(size > 0, size, 1.0))).astype(int)
    # Powers of ten up to 22 are exact, so dividing by one gives the nearest double.
    scale = _POWERS[np.clip(places, 0, 22)]
    rounded = (np.rint(exact * scale) / scale + 0.0).tolist()
    if finite.all():
        return rounded
    return [value if known else None for value, known in zip(rounded, finite, strict=True)]


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content`, a text in UTF-8, to `path`, whole or not at all, with the mode it had."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with partial.open("wb") as file:
            if path.exists():
                shutil.copymode(path, partial)
            file.write(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _json(value: Any) -> str:
    text = json.dumps(
        value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text + "\n"


def _with_shared_cuts(data: Mapping[str, Any]) -> dict[str, Any]:
    """The rows, those without cuts whose strategy an earlier one has; nothing without rows."""
    seen: set[str] = set()
    rows = []
    for row in data.get("strategies", ()):
        strategy = row.get("strategy", row["spec"])
        kept = row if strategy not in seen else {k: v for k, v in row.items() if k not in _CUTS}
        rows.append(kept)
        seen.add(strategy)
    return {"strategies": rows} if rows else {}


def _fill(rows: Any) -> None:
    """Give rows without cuts those of the first row of their strategy."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict):
            continue
        held = first.setdefault(str(row.get("strategy", row.get("spec"))), row)
        row.update({key: held[key] for key in _CUTS if key in held and key not in row})


def _parsed(text: str) -> Any:
    """The content of a JSON text without NaN, infinities and halves of surrogate pairs."""
    data = json.loads(text, parse_constant=_refuse)
    if _SURROGATE.search(text):
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _refuse(name: str) -> None:
    raise ValueError(f"numbers must be finite, got {name}")


def _check(path: Path, data: Any) -> None:
    if not isinstance(data, dict) or "schema" not in data:
        raise InvalidConfig(
            f"{path} must be a results file, but is another one (it names no schema): give that of "
            "`seamline bench` or `seamline sweep`"
        )
    schema = data["schema"]
    if schema != SCHEMA:
        raise InvalidConfig(
            f"{path} must be a results file of schema {SCHEMA}, got schema {schema!r}: "
            "run `seamline bench` again with this version"
        )
    missing = sorted(
        ResultsData.__annotations__.keys()
        - {"notes", "skipped_documents", "diagnosis", "dropped", "through"}
        - data.keys()
    )
    if missing:
        raise InvalidConfig(f"{path} must be a whole results file, but lacks {', '.join(missing)}")
