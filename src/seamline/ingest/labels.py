"""Whose documents are, who may read them, and what can be asked of them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seamline.errors import InvalidConfig, MissingInput
from seamline.store.common import check_metadata
from seamline.store.values import check_string, names
from seamline.store.where import OWN

__all__ = ["Labels", "Rule", "Rules", "read_rules"]

_WILD = re.compile(r"[*?]")


@dataclass(frozen=True, slots=True)
class Rule:
    """What the documents get whose id is `id`, or fits it: `*` and `?` stand for any characters.

    Raises:
        InvalidConfig: an id, label or tag that cannot be.
    """

    id: str
    access: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_string("id", self.id)
        if not self.id:
            raise InvalidConfig("id must be a document's id, or a pattern, got an empty string")
        _check(self)


class Rules:
    """Rules by the documents that they are for; what several give one document adds up.

    Raises:
        InvalidConfig: two rules for the same id.
    """

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self._exact: dict[str, Rule] = {}
        self._patterns: dict[str, tuple[re.Pattern[str], Rule]] = {}
        for rule in rules:
            if not isinstance(rule, Rule):
                raise InvalidConfig(f"a rule must be a Rule('hr/*', access=…), got {rule!r}")
            name = _normal(rule.id)
            if name in self._exact or name in self._patterns:
                raise InvalidConfig(f"there must be one rule for an id, got two for {rule.id!r}")
            if _WILD.search(name):
                self._patterns[name] = _pattern(name), rule
            else:
                self._exact[name] = rule

    @property
    def access(self) -> frozenset[str]:
        """All labels that a document may get."""
        rules = [*self._exact.values(), *(rule for _, rule in self._patterns.values())]
        return frozenset().union(*(rule.access for rule in rules))

    def of(self, doc_id: str) -> list[Rule]:
        """The rules for a document: patterns in their order, then the one of its own."""
        name = _normal(doc_id)
        found = [rule for pattern, rule in self._patterns.values() if pattern.match(name)]
        return [*found, self._exact[name]] if name in self._exact else found

    def unused(self, doc_ids: Sequence[str]) -> list[str]:
        """The ids and patterns that fit none of these documents."""
        there = set(map(_normal, doc_ids))
        missed = [rule.id for name, rule in self._exact.items() if name not in there]
        return missed + [
            rule.id
            for pattern, rule in self._patterns.values()
            if not any(map(pattern.match, there))
        ]


def _normal(name: str) -> str:
    """The name in one form: some systems take letters of file names apart from their accents."""
    return unicodedata.normalize("NFC", name)


def _pattern(name: str) -> re.Pattern[str]:
    """What fits an id: a bracket is a bracket, as files have them in their names."""
    return re.compile(re.escape(name).replace(r"\*", ".*").replace(r"\?", ".") + r"\Z", re.DOTALL)


_NONE = Rules()


@dataclass(frozen=True, slots=True)
class Labels:
    """What the documents of an ingest get: their tenant, who may read them, tags, metadata.

    `rules` give some documents more than all get. Of metadata with the same key, what a rule
    gives beats what all get, and that beats what a file says.

    Raises:
        InvalidConfig: a tenant, label or tag that cannot be.

    Example:
        >>> rules = Rules([Rule("hr/*", access={"hr"}), Rule("hr/a.md", metadata={"year": 2024})])
        >>> found = Labels("acme", tags={"new"}, rules=rules).of("hr/a.md")
        >>> sorted(found.access), sorted(found.tags), found.metadata
        (['hr'], ['new'], {'year': 2024})
    """

    tenant: str = ""
    access: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    rules: Rules = _NONE

    def __post_init__(self) -> None:
        check_string("tenant", self.tenant)
        if not isinstance(self.rules, Rules):
            raise InvalidConfig(f"rules must be Rules([…]), got {self.rules!r}")
        _check(self)

    def of(self, doc_id: str) -> Labels:
        """What one document gets."""
        rules = self.rules.of(doc_id)
        if not rules:
            return self
        return Labels(
            self.tenant,
            self.access.union(*(rule.access for rule in rules)),
            self.tags.union(*(rule.tags for rule in rules)),
            {**self.metadata, **{k: v for rule in rules for k, v in rule.metadata.items()}},
        )


def _check(labels: Rule | Labels) -> None:
    for name in ("access", "tags"):
        object.__setattr__(labels, name, names(name, getattr(labels, name)))
    if not isinstance(labels.metadata, Mapping):
        raise InvalidConfig(f"metadata must be a table of keys and values, got {labels.metadata!r}")
    check_metadata("metadata", labels.metadata)
    if taken := sorted(labels.metadata.keys() & {*OWN, "tags"}):
        raise InvalidConfig(
            f"metadata must have other keys than {', '.join(OWN)} and tags, which every document "
            f"has, got {taken[0]!r}"
        )


def read_rules(path: str | Path) -> Rules:
    """The rules of a JSONL file: a line for each, `id` and any of `access`, `tags`, `metadata`.

    Raises:
        MissingInput: there is no such file.
        InvalidConfig: a line that is no rule; names it.
    """
    place = Path(path)
    try:
        lines = place.read_text(encoding="utf-8-sig").split("\n")  # not U+2028, which JSON may hold
    except OSError as error:
        raise MissingInput(f"labels must be a file, got {str(place)!r}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidConfig(f"{place} must be JSONL in UTF-8: {error}") from None
    rules = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                rules.append(_rule(line))
            except (InvalidConfig, RecursionError, ValueError) as error:
                raise InvalidConfig(f"{place}, line {number}: {error}") from None
    try:
        return Rules(rules)
    except InvalidConfig as error:
        raise InvalidConfig(f"{place}: {error}") from None


_KEYS = ("id", "access", "tags", "metadata")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidConfig("a key must stand once in a table, got one twice")
    return found


def _rule(line: str) -> Rule:
    found = json.loads(line, object_pairs_hook=_once)
    if not isinstance(found, dict) or "id" not in found:
        raise InvalidConfig('a rule must be like {"id": "hr/*", "access": ["hr"]}')
    if unknown := sorted(found.keys() - set(_KEYS)):
        raise InvalidConfig(f"a rule has the keys {', '.join(_KEYS)}, got {unknown[0]!r}")
    return Rule(**found)
