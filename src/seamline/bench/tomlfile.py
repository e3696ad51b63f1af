"""A settings file written, or changed in place so that nothing else in it is touched."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from textwrap import wrap
from typing import Any, NamedTuple

from seamline.errors import InvalidConfig

__all__ = ["changed_toml", "new_toml", "toml_lines"]

_MARK = "# Chosen by `seamline recommend`:"
_INSIDE = "#   "
_WIDE = 96


class _Statement(NamedTuple):
    """A key of the top level, from line `first` to before line `end`."""

    key: str
    first: int
    end: int


def toml_lines(settings: Mapping[str, Any]) -> list[str]:
    r"""A line a setting.

    Example:
        >>> toml_lines({"strategy": "whole", "k": 3, "dedupe": True, "docs": ["a", "b\\c"]})
        ['strategy = "whole"', 'k = 3', 'dedupe = true', 'docs = ["a", "b\\\\c"]']
    """
    return [f"{key} = {_value(value)}" for key, value in settings.items()]


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # JSON writes strings, numbers and booleans as TOML does, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def new_toml(settings: Mapping[str, Any], why: Sequence[str], head: Sequence[str] = ()) -> str:
    """The text of a new file: lines `head`, then the settings, `why` above the strategy."""
    lines = [*head]
    for line in toml_lines(settings):
        if line.startswith("strategy ="):
            lines += ["", *_comment(why)]
        lines.append(line)
    return "\n".join(lines).lstrip("\n") + "\n"


def changed_toml(text: str, changes: Mapping[str, Any], why: Sequence[str]) -> str:
    """The same text with other values for the keys in `changes`, `why` above the strategy.

    A key that is there keeps its place and the comment behind it; a new one follows the
    strategy, or the last key of the top level. Every other line stays as it is, but an
    earlier reason is replaced. `changes` must hold `strategy`.

    Raises:
        InvalidConfig: the text is no TOML, or cannot be changed key by key.
    """
    old = _parsed(text)
    lines = _without_reason(text.replace("\r\n", "\n").split("\n"))
    for key, value in changes.items():
        statements = _statements(lines)
        own = next((one for one in statements if one.key == key), None)
        line = toml_lines({key: value})
        if own is None:
            at = _place(statements, lines)
            lines[at:at] = line
        else:
            lines[own.first : own.end] = [line[0] + _behind(lines[own.first : own.end])]
    at = next(one.first for one in _statements(lines) if one.key == "strategy")
    lines[at:at] = _comment(why)
    out = "\n".join(lines)
    if not _holds(out, {**old, **json.loads(json.dumps(changes))}):
        raise InvalidConfig("its keys cannot be changed one by one")
    return out.replace("\n", "\r\n") if "\r\n" in text else out


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidConfig(f"it is no TOML: {error}") from None


def _holds(text: str, settings: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == settings
    except ValueError:
        return False


def _comment(why: Sequence[str]) -> list[str]:
    wrapped = [line for one in why for line in wrap(one, _WIDE, break_on_hyphens=False)]
    return [_MARK, *(f"{_INSIDE}{line}" for line in wrapped)]


def _without_reason(lines: list[str]) -> list[str]:
    """The lines without the reasons that an earlier recommendation gave."""
    if _MARK not in lines:
        return lines
    at = lines.index(_MARK)
    inside = sum(1 for _ in takewhile(lambda line: line.startswith(_INSIDE), lines[at + 1 :]))
    return _without_reason(lines[:at] + lines[at + 1 + inside :])


def _statements(lines: Sequence[str]) -> list[_Statement]:
    """The statements before the first table; each ends where it can first be read whole."""
    found, at = [], 0
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("["):
            break
        end = at + 1
        if line and not line.startswith("#"):
            key, end = _read(lines, at)
            found.append(_Statement(key, at, end))
        at = end
    return found


def _read(lines: Sequence[str], first: int) -> tuple[str, int]:
    for end in range(first + 1, len(lines) + 1):
        try:
            (key,) = tomllib.loads("\n".join(lines[first:end]))
        except ValueError:
            continue
        return key, end
    raise InvalidConfig("its keys cannot be told apart")


def _place(statements: Sequence[_Statement], lines: Sequence[str]) -> int:
    """Where a new line goes: behind the strategy, or behind the last key, or on top."""
    if not statements:
        return next(
            (i for i, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines)
        )
    own = [one.end for one in statements if one.key == "strategy"]
    return own[0] if own else statements[-1].end


def _behind(lines: Sequence[str]) -> str:
    """The comment behind a statement of one line, with the blanks before it."""
    line = lines[0]
    at = line.find("#")
    while len(lines) == 1 and at >= 0:
        try:
            tomllib.loads(line[:at])
        except ValueError:
            at = line.find("#", at + 1)
            continue
        return line[len(line[:at].rstrip()) :]
    return ""
