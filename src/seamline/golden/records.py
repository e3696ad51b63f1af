"""Reads a golden set's lines into records, keeping every problem it meets."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from seamline.errors import InvalidConfig, InvalidGold, MissingInput
from seamline.golden.findings import Finding, Problem
from seamline.phrases import fault_in_json

__all__ = ["Quote", "Record", "misspelt", "read_records"]

KEYS = (
    "id",
    "doc_id",
    "question",
    "answers",
    "mode",
    "tags",
    "source",
    "reviewed",
    "doc_sha256",
    "lost",
)
QUOTE_KEYS = ("text", "start", "end", "occurrence", "before", "after")
# How alike a key and a known one must be for it to be a slip and not a key of the user's own.
_NEAR = 0.8


@dataclass(frozen=True, slots=True)
class Quote:
    """An answer as it was written: offsets, text, or both, and what helps to find it."""

    text: str | None = None
    start: int | None = None
    end: int | None = None
    occurrence: int | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a golden set, its types checked, its answers not yet looked up.

    `lost` says that quotes which the document lacks got lost when it was parsed.
    """

    line: int
    id: str
    doc_id: str
    question: str
    slots: tuple[tuple[Quote, ...], ...]
    tags: tuple[str, ...] = ()
    source: str = ""
    reviewed: bool | None = None
    doc_sha256: str = ""
    lost: bool = False
    misspelt: tuple[str, ...] = ()


def _misspelt(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What to say of the keys that are nearly known ones, of the line and of its answers."""
    answers = row.get("answers")
    items = [
        item
        for slot in (answers if isinstance(answers, list) else [])
        for item in (slot if isinstance(slot, list) else [slot])
        if isinstance(item, dict)
    ]
    found = [*_slips(row, KEYS, "a question")]
    for item in items:
        found += _slips(item, QUOTE_KEYS, "an answer")
    return tuple(dict.fromkeys(found))


def _slips(row: Mapping[str, Any], known: Sequence[str], what: str) -> Iterator[str]:
    free = [key for key in known if key not in row]
    for key in row:
        near = [] if key in known else difflib.get_close_matches(key.lower(), free, 1, _NEAR)
        if near:
            yield f"{key!r} is no key of {what} and is ignored: did you mean {near[0]!r}?"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise MissingInput(
            f"a golden set must be a file, but {str(path)!r} does not exist"
        ) from None
    except OSError as error:
        raise MissingInput(
            f"a golden set must be a readable file, but {path} is not: {error.strerror}"
        ) from None
    except UnicodeDecodeError as error:
        raise InvalidGold(
            f"{path} must be UTF-8, but byte {error.start} is not: save it as UTF-8"
        ) from None
    except ValueError as error:  # a null character
        raise MissingInput(f"a golden set must be a file, got {str(path)!r}: {error}") from None
    # Not splitlines(): JSON strings may hold U+2028 and others that it splits at.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are there once: of two values, none is silently lost."""
    row = dict(pairs)
    if len(row) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise Problem("json", f"a key must be given once, but {twice!r} is there twice")
    return row


_KINDS = {
    list: "a list",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _object(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_single)
        if "\\u" in line:
            json.dumps(row, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Problem(
            "json",
            f"a line must be one JSON object, but {error.msg} at column {error.colno}",
            "put each question on a line of its own",
        ) from None
    except UnicodeEncodeError:
        raise Problem(
            "json", "strings must be valid Unicode, but one holds half a surrogate pair"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Problem(
            "json", f"a line must be one JSON object, but {fault_in_json(error)}"
        ) from None
    if not isinstance(row, dict):
        raise Problem(
            "json",
            f"a line must be one JSON object, got {_KINDS.get(type(row), 'another value')}",
            'write {"id": …, "doc_id": …, "question": …, "answers": […]}',
        )
    return row


def _string(row: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = row.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or (default is None and not value.strip()):
        got = "nothing" if value is None else json.dumps(value, ensure_ascii=False)[:40]
        code = "empty_question" if key == "question" else "field"
        raise Problem(code, f"{key!r} must be a non-empty string, got {got}")
    return value.replace("\r\n", "\n").replace("\r", "\n")


def _count(row: Mapping[str, Any], key: str, least: int) -> int | None:
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Problem("field", f"{key!r} must be a whole number >= {least}, got {value!r}")
    return value


def _quote(item: Any) -> Quote:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        raise Problem("field", f"an answer must be an object or a quote, got {item!r:.40}")
    start, end = _count(item, "start", 0), _count(item, "end", 0)
    text = None if item.get("text") is None else _string(item, "text")
    if (start is None) != (end is None):
        raise Problem("field", "an answer needs both 'start' and 'end' or neither, got one")
    if start is None and text is None:
        raise Problem(
            "field", "an answer needs 'start' and 'end', or a 'text' to look for, got neither"
        )
    if start is not None and end is not None and start >= end:
        raise Problem("offsets", f"a gold span needs start < end, got [{start}, {end})")
    return Quote(
        text,
        start,
        end,
        _count(item, "occurrence", 1),
        _string(item, "before", ""),
        _string(item, "after", ""),
    )


def _answers(row: Mapping[str, Any]) -> list[Any]:
    answers = row.get("answers")
    if answers is None:
        near = difflib.get_close_matches("answers", [key for key in row if key not in KEYS], n=1)
        if near:
            raise Problem("field", f"there is no 'answers' but {near[0]!r}", "rename the key")
        return []
    if not isinstance(answers, list):
        raise Problem("field", f"'answers' must be a list, got a {type(answers).__name__}")
    return answers


def _slots(row: Mapping[str, Any]) -> tuple[tuple[Quote, ...], ...]:
    answers = _answers(row)
    mode = row.get("mode", "all")
    if mode not in ("all", "any"):
        raise Problem("field", f"'mode' must be 'all' or 'any', got {mode!r}")
    nested = [isinstance(item, list) for item in answers]
    if any(nested) and not all(nested):
        raise Problem("field", "'answers' must be all spans or all lists of spans, got both")
    if any(nested):
        if mode == "any":
            raise Problem(
                "field", "nested answers are all of the slots, any span of a slot: drop 'mode'"
            )
        if not all(answers):
            raise Problem("field", "a slot of nested answers must not be empty")
        return tuple(tuple(_quote(item) for item in slot) for slot in answers)
    quotes = tuple(_quote(item) for item in answers)
    if mode == "any":
        return (quotes,) if quotes else ()
    return tuple((quote,) for quote in quotes)


def _tags(row: Mapping[str, Any]) -> tuple[str, ...]:
    tags = row.get("tags")
    if tags is None:
        return ()
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise Problem("field", f"'tags' must be a list of strings, got {tags!r:.40}")
    return tuple(dict.fromkeys(tags))


def _id(row: Mapping[str, Any]) -> str:
    value = row.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _string(row, "id")


def _flag(row: Mapping[str, Any], key: str) -> bool | None:
    value = row.get(key)
    if value is not None and not isinstance(value, bool):
        raise Problem("field", f"{key!r} must be true or false, got {value!r:.40}")
    return value


def _record(number: int, row: Mapping[str, Any]) -> Record:
    return Record(
        number,
        _id(row),
        _string(row, "doc_id"),
        _string(row, "question"),
        _slots(row),
        _tags(row),
        _string(row, "source", ""),
        _flag(row, "reviewed"),
        _string(row, "doc_sha256", "").lower(),
        bool(_flag(row, "lost")),
        _misspelt(row),
    )


def _unique(record: Record, first: dict[str, int]) -> Record:
    if record.id in first:
        raise Problem(
            "duplicate_id",
            f"ids must be unique, but line {first[record.id]} has this one too",
            "give one of the two another id",
        )
    first[record.id] = record.line
    return record


def misspelt(line: int, name: str, said: str) -> Finding:
    """The warning about a key that is nearly a known one."""
    message, _, suggestion = said.partition(": ")
    return Finding("warning", "unknown_key", line, name, message, suggestion)


def read_records(path: str | Path) -> tuple[list[Record], list[Finding]]:
    """The records of the file and a finding for every line that is not one.

    UTF-8 with or without BOM, LF or CRLF; blank lines are fine.

    Raises:
        MissingInput: the file is not there or cannot be read.
        InvalidGold: the file is not UTF-8.
    """
    if not isinstance(path, str | PathLike):
        raise InvalidConfig(f"the golden set must be a path, got a {type(path).__name__}")
    records: list[Record] = []
    findings: list[Finding] = []
    first: dict[str, int] = {}
    row: Mapping[str, Any]
    for number, line in _lines(Path(path)):
        name, row = "", {}
        try:
            row = _object(line)
            name = str(row.get("id") or "")
            records.append(_unique(_record(number, row), first))
        except Problem as problem:
            findings.append(problem.finding(number, name))
            findings += (misspelt(number, name, said) for said in _misspelt(row))
    return records, findings
