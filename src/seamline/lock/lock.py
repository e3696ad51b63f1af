"""The lock: a configuration with what it scored and where it cut, as a file to be committed."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from seamline.bench.checked import LARGEST_NUMBER, value_range
from seamline.bench.configuration import Configuration
from seamline.bench.results import canonical, write_atomically
from seamline.errors import InvalidConfig, MissingInput
from seamline.lock.digest import pack_spans, unpack_spans
from seamline.measure import LARGEST
from seamline.phrases import fault_in_json

__all__ = ["FORMAT", "LOCK_ANEW", "LOCK_FILE", "Lock", "LockedDocument", "LockedQuestion"]

LOCK_FILE = "seamline.lock"
FORMAT = 1
LOCK_ANEW = "seamline bench --out report/locked && seamline lock report/locked"
"""The commands that lock what seamline.toml names; they leave results that lie in report/."""

_ABOUT = (
    "Written by `seamline lock`: commit it beside seamline.toml, do not edit it. `seamline check` "
    f"holds the configuration to it. To lock anew: `{LOCK_ANEW}`."
)
_AGAIN = f"lock again: {LOCK_ANEW}"


@dataclass(frozen=True, slots=True)
class LockedDocument:
    """A document as it was cut: SHA-256 of its text, its tokens, its chunks.

    `chunk_tokens` is what its chunks have together, `boundaries` the digest of
    `Cuts`, `spans` where the chunks lie.
    """

    digest: str
    tokens: int
    chunk_tokens: int
    boundaries: str
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> LockedDocument:
        """The document of a line of the file."""
        tokens, chunk_tokens, cuts = row["tokens"], row["chunk_tokens"], list(row["cuts"])
        if not all(type(number) is int for number in (tokens, chunk_tokens, *cuts)):
            raise TypeError("a document's tokens and cuts are not whole numbers")
        _check_texts(row, "digest", "boundaries")
        spans = unpack_spans(cuts)
        _check_spans(spans)
        _check_spans([(0, tokens), (0, chunk_tokens)])
        return cls(row["digest"], tokens, chunk_tokens, row["boundaries"], spans)

    def row(self) -> dict[str, Any]:
        """Its line of the file."""
        return {
            "digest": self.digest,
            "tokens": self.tokens,
            "chunk_tokens": self.chunk_tokens,
            "boundaries": self.boundaries,
            "cuts": pack_spans(self.spans),
        }


@dataclass(frozen=True, slots=True)
class LockedQuestion:
    """A question as it was asked, and its value by each measure of the lock (None for none).

    `asked` and `gold` are digests of its words and of its gold's; `slots` is where
    the gold lay.
    """

    doc_id: str
    asked: str
    gold: str
    slots: tuple[tuple[tuple[int, int], ...], ...]
    values: tuple[float | None, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> LockedQuestion:
        """The question of a line of the file."""
        slots = tuple(tuple((start, end) for start, end in slot) for slot in row["slots"])
        if not all(type(place) is int for slot in slots for span in slot for place in span):
            raise TypeError("a question's slots are not whole numbers")
        for slot in slots:
            _check_spans(slot)
        _check_texts(row, "doc_id", "asked", "gold")
        return cls(row["doc_id"], row["asked"], row["gold"], slots, tuple(row["values"]))

    def row(self) -> dict[str, Any]:
        """Its line of the file."""
        return {
            "doc_id": self.doc_id,
            "asked": self.asked,
            "gold": self.gold,
            "slots": self.slots,
            "values": self.values,
        }


@dataclass(frozen=True, slots=True)
class Lock:
    """What `seamline check` holds a configuration to.

    `config` has the configuration and what makes scores comparable, `measures` the
    names of the values a question, the primary one first; `means` are theirs, for
    readers. Documents and questions are by id.
    """

    config: Mapping[str, Any]
    measures: tuple[str, ...]
    means: Mapping[str, float | None]
    documents: Mapping[str, LockedDocument]
    questions: Mapping[str, LockedQuestion]
    versions: Mapping[str, str]

    @property
    def primary(self) -> str:
        """The measure that decides."""
        return self.measures[0]

    @property
    def configuration(self) -> Configuration:
        """What was locked."""
        return Configuration(
            self.config["strategy"],
            self.config["retriever"],
            dedupe=self.config["dedupe"],
            merge=self.config["merge"],
        )

    def dumps(self) -> str:
        """The text of the file: a line a document and a question, the same for the same lock."""
        head = {
            "about": _ABOUT,
            "lock": FORMAT,
            "config": dict(self.config),
            "means": dict(self.means),
            "measures": self.measures,
            "versions": dict(self.versions),
        }
        lines = [f"{_json(key)}: {_spread(value)}" for key, value in head.items()]
        for name, items in (("documents", self.documents), ("questions", self.questions)):
            rows = {key: item.row() for key, item in items.items()}
            lines.append(f"{_json(name)}: {_spread(rows)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def loads(cls, text: str, path: str = LOCK_FILE) -> Lock:
        """The lock of a file's text; `path` is what errors call it.

        Raises:
            InvalidConfig: it is no lock, or one of another format.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidConfig(
                f"{path} must be a lock in JSON, but {fault_in_json(error)}: {_AGAIN}"
            ) from None
        _check_format(data, path)
        try:
            return _made(data)
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else f"is damaged ({error})"
            raise InvalidConfig(f"{path} must be a whole lock, but {what}: {_AGAIN}") from None

    @classmethod
    def load(cls, path: Path | str) -> Lock:
        """The lock of a file.

        Raises:
            MissingInput: there is none.
            InvalidConfig: it is no lock, or one of another format.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise MissingInput(
                f"there must be a lock to check against, but there is none at {str(path)!r}: "
                "write it with `seamline lock` after `seamline bench`"
            ) from None
        except UnicodeDecodeError as error:
            raise InvalidConfig(
                f"{path} must be a lock in UTF-8, but {fault_in_json(error)}: {_AGAIN}"
            ) from None
        return cls.loads(text, str(path))

    def save(self, path: Path | str) -> None:
        """Write the file, whole or not at all."""
        write_atomically(Path(path), self.dumps())


def _json(value: Any) -> str:
    return json.dumps(canonical(value), sort_keys=True, ensure_ascii=False, allow_nan=False)


def _spread(value: Any) -> str:
    """A value's JSON, of a mapping a line an item."""
    if not isinstance(value, dict):
        return _json(value)
    rows = [f"  {_json(key)}: {_json(value[key])}" for key in sorted(value)]
    return "{\n" + ",\n".join(rows) + "\n}"


def _check_format(data: Any, path: str) -> None:
    given = data.get("lock") if isinstance(data, dict) else None
    if given == FORMAT and type(given) is int:
        return
    if type(given) is int and given > FORMAT:
        raise InvalidConfig(
            f"{path} must be a lock of format {FORMAT}, but is of format {given}, written by a "
            f"newer seamline ({_written_by(data)}): upgrade seamline, or {_AGAIN}"
        )
    raise InvalidConfig(f"{path} must be a lock of format {FORMAT}, got format {given!r}: {_AGAIN}")


def _written_by(data: Mapping[str, Any]) -> str:
    known = data.get("versions")
    return str(known.get("seamline", "unknown")) if isinstance(known, dict) else "unknown"


_CONFIG: dict[str, tuple[type, ...]] = {
    "strategy": (str,),
    "retriever": (str,),
    "dedupe": (bool,),
    "merge": (bool,),
    "embedder": (str, type(None)),
    "embedder_fingerprint": (str, type(None)),
    "probe": (str, type(None)),
    "tokenizer": (str,),
    "tokenizer_digest": (str, type(None)),
    "scope": (str,),
    "k": (int,),
    "budget": (int,),
    "separator": (int,),
    "identical": (bool,),
    "lower_is_better": (bool,),
    "margin": (int, float),
    "seed": (int,),
}


def _made(data: Mapping[str, Any]) -> Lock:
    config = {key: data["config"][key] for key in _CONFIG}
    _check_config(config)
    b64decode(config["probe"] or "", validate=True)
    lock = Lock(
        config=config,
        measures=_names(data["measures"]),
        means=_table(data, "means", (int, float, type(None))),
        documents={key: LockedDocument.of(row) for key, row in data["documents"].items()},
        questions={key: LockedQuestion.of(row) for key, row in data["questions"].items()},
        versions=_table(data, "versions", (str,)),
    )
    for name, mean in lock.means.items():
        _check_value(name, mean, "the mean")
    for key, question in lock.questions.items():
        _check_values(key, question.values, lock.measures)
        if question.doc_id not in lock.documents:
            raise ValueError(f"the document of question {key!r} is not in it")
    return lock


def _check_config(config: Mapping[str, Any]) -> None:
    for key, kinds in _CONFIG.items():
        if type(config[key]) not in kinds:
            raise TypeError(f"config.{key} is {config[key]!r}")
    if not 0 <= config["margin"] < 1 or config["seed"] < 0:
        raise ValueError("config.margin or config.seed cannot be")
    for key, least in (("k", 1), ("budget", 1), ("separator", 0)):
        if not least <= config[key] <= LARGEST:
            raise ValueError(f"config.{key} cannot be {config[key]}")


def _table(data: Mapping[str, Any], key: str, kinds: tuple[type, ...]) -> dict[str, Any]:
    """The table at `key`, whose values are of these kinds."""
    table = data[key]
    if not isinstance(table, dict):
        raise TypeError(f"{key} is {table!r}")
    for name, value in table.items():
        if type(value) not in kinds:
            raise TypeError(f"{key}.{name} is {value!r}")
    return table


def _check_texts(row: Mapping[str, Any], *keys: str) -> None:
    for key in keys:
        if not isinstance(row[key], str):
            raise TypeError(f"{key} is {row[key]!r}")


def _names(given: Sequence[Any]) -> tuple[str, ...]:
    if not (isinstance(given, list) and given and all(isinstance(one, str) for one in given)):
        raise TypeError(f"measures are {given!r}")
    return cast("tuple[str, ...]", tuple(given))


def _check_values(key: str, values: Sequence[Any], measures: Sequence[str]) -> None:
    fit = all(v is None or type(v) in (int, float) for v in values)
    if len(values) != len(measures) or not fit:
        raise ValueError(f"question {key!r} needs {len(measures)} values, got {list(values)!r}")
    for name, value in zip(measures, values, strict=True):
        _check_value(name, value, f"question {key!r}")


def _check_value(measure: str, value: float | None, where: str) -> None:
    """A value must lie in its measure's range, as any that was measured does."""
    low, high = value_range(measure)
    low, high = max(low, -LARGEST_NUMBER), min(high, LARGEST_NUMBER)
    if value is not None and not low <= value <= high:
        raise ValueError(f"{where} has {value:.6g} as {measure}, which cannot be")


def _check_spans(spans: Sequence[tuple[int, int]]) -> None:
    if not all(0 <= start <= end <= LARGEST_NUMBER for start, end in spans):
        raise ValueError("a cut, a slot or a count of tokens cannot be")
