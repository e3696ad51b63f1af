"""Which versions a lock was made with: the first suspects where cuts move."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, entry_points, requires, version

from seamline.errors import InvalidConfig
from seamline.registry import parse_spec
from seamline.split import STRATEGIES

__all__ = ["changed_versions", "versions"]

_NAME = re.compile(r"[\w.-]+")
_TOOLS = re.compile(r"""extra == ['"](dev|bench|testing)['"]""")


def versions(strategy: str = "") -> dict[str, str]:
    """The versions of seamline and of what it runs on, by package, sorted.

    Optional packages count where they are installed, and so does the one that
    brought `strategy` if it is not seamline's own.
    """
    packages = {"seamline", *_origin(strategy)}
    for line in requires("seamline") or ():
        name = _NAME.match(line)
        if name and not _TOOLS.search(line):
            packages.add(name.group())
    return {one: found for one in sorted(packages) if (found := _version(one))}


def changed_versions(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What is of another version now, as `name old → new`.

    Example:
        >>> changed_versions({"numpy": "2.0", "regex": "1"}, {"numpy": "2.1", "regex": "1"})
        ['numpy 2.0 → 2.1']
    """
    return [
        f"{name} {was.get(name, 'none')} → {now.get(name, 'none')}"
        for name in sorted({*was, *now})
        if was.get(name) != now.get(name)
    ]


def _origin(strategy: str) -> list[str]:
    """The package whose entry point a strategy is, if there is one."""
    try:
        name = parse_spec(strategy).name
    except InvalidConfig:
        return []
    return [
        point.dist.name for point in entry_points(group=STRATEGIES.group, name=name) if point.dist
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
