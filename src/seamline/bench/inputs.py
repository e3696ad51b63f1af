"""What lies beside a run's results: where its documents and golden set are, what it took."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from seamline.bench.results import TIMINGS_FILE, write_atomically
from seamline.errors import InvalidConfig, MissingInput

__all__ = ["INPUTS_FILE", "Inputs", "load_timings", "relative"]

INPUTS_FILE = "inputs.json"
_LONGEST = 1e12  # seconds; more is no time that a run took


@dataclass(frozen=True, slots=True)
class Inputs:
    """The paths of a run: results.json holds none, so that moving a folder changes no byte.

    `tokenizer` is the path of a tokenizer.json, empty where a name was used.
    """

    docs: tuple[Path, ...]
    golden: Path
    tokenizer: Path | None = None

    @classmethod
    def of(cls, docs: Iterable[Path], golden: Path, *, tokenizer: str) -> Inputs:
        """The paths of these documents; `tokenizer` is the setting, a name or a path."""
        file = Path(tokenizer) if tokenizer.endswith(".json") else None
        return cls(tuple(docs), golden, file)

    @classmethod
    def load(cls, folder: Path) -> Inputs | None:
        """Those of the results in `folder`; None where they are not known."""
        try:
            text = (folder / INPUTS_FILE).read_text(encoding="utf-8-sig")
            data = json.loads(text)
            json.dumps(data, ensure_ascii=False).encode()  # no half of a surrogate pair
            if "\\u0000" in text:
                return None
            docs = tuple(folder / path for path in _listed(data["docs"]))
            file = data.get("tokenizer")
            return cls(docs, folder / data["golden"], folder / file if file else None)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def save(self, folder: Path, *, beside: Path) -> None:
        """Write them into `folder`, as seen from the folder `beside` where the file will be."""
        data: dict[str, Any] = {
            "docs": [relative(path, beside) for path in self.docs],
            "golden": relative(self.golden, beside),
        }
        if self.tokenizer:
            data["tokenizer"] = relative(self.tokenizer, beside)
        write_atomically(folder / INPUTS_FILE, _json(data))


def load_timings(folder: Path, *, needed: bool = False) -> dict[str, Any]:
    """What the run in `folder` took; empty where that is not known.

    Raises:
        MissingInput, InvalidConfig: it is `needed`, but there is none, or the file is damaged.
    """
    path = folder / TIMINGS_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        _check_timings(data)
    except OSError as error:
        if not needed:
            return {}
        raise MissingInput(
            f"the times of the run must be readable beside its results, but {path} is not "
            f"({error.strerror}): measure once more, and keep both files together"
        ) from None
    except (ValueError, TypeError, RecursionError) as error:
        if not needed:
            return {}
        raise InvalidConfig(
            f"{path} must hold the times of the run as JSON, but is damaged ({error}): measure "
            "once more"
        ) from None
    return cast("dict[str, Any]", data)


def _check_timings(data: Any) -> None:
    """Times stand by strategy and stage, as numbers from 0 on."""
    parts = _table("the file", data)
    strategies = _table("strategies", parts.get("strategies", {}))
    for name, given in {"stages": parts.get("stages", {}), **strategies}.items():
        for stage, took in _table(name, given).items():
            seconds = _table(stage, took).get("seconds")
            if isinstance(seconds, bool) or not isinstance(seconds, int | float):
                raise TypeError(f"{name}: {stage} has no seconds")
            if not 0 <= seconds < _LONGEST:
                raise ValueError(f"{name}: {stage} has no seconds")


def _table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{name} is no table")
    return value


def _listed(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _json(data: Mapping[str, Any]) -> str:
    return f"{json.dumps(data, ensure_ascii=False, sort_keys=True)}\n"


def relative(path: Path, folder: Path) -> str:
    """`path` as seen from `folder`, with forward slashes; absolute on another drive.

    Example:
        >>> relative(Path("docs/a"), Path("report"))
        '../docs/a'
    """
    real = os.path.realpath  # unlike Path.resolve it takes links that lead to themselves
    own = Path(real(path))
    if path.name not in ("", ".."):
        own = Path(real(path.parent), path.name)
    try:
        return Path(os.path.relpath(own, real(folder))).as_posix()
    except ValueError:  # Windows: another drive
        return own.as_posix()
