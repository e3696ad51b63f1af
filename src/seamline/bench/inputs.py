"""What lies beside a run's results: where its documents and golden set are, what it took."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamline.bench.results import TIMINGS_FILE, write_atomically

__all__ = ["INPUTS_FILE", "Inputs", "load_timings", "relative"]

INPUTS_FILE = "inputs.json"


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
            data = json.loads((folder / INPUTS_FILE).read_text(encoding="utf-8-sig"))
            docs = tuple(folder / path for path in _listed(data["docs"]))
            file = data.get("tokenizer")
            return cls(docs, folder / data["golden"], folder / file if file else None)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
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


def load_timings(folder: Path) -> dict[str, Any]:
    """What the run in `folder` took; empty where that is not known."""
    try:
        data = json.loads((folder / TIMINGS_FILE).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


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
