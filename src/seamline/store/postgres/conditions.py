"""Conditions as SQL: every value is a parameter, and what is unknown is false, as in `where`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from seamline.errors import InvalidConfig
from seamline.store.values import Reader
from seamline.store.where import OWN, All, Any_, Compare, Has, In, Not, Where, kind_of

__all__ = ["Sql", "compiled", "readable"]

Sql = tuple[str, list[Any]]
"""A condition with a `%s` for each of its parameters."""

_OWN = {
    "id": "d.doc_id",
    "source": "d.source",
    "media_type": "d.media_type",
    "version": "d.version",
}
_FALSE: Sql = ("false", [])


def readable(reader: Reader, at: int) -> Sql:
    """That a row `d` of `document` is one that the reader may search at a revision."""
    statement = (
        "d.tenant = %s AND (d.access = '{}' OR d.access && %s::text[]) AND d.added <= %s "
        "AND (d.removed IS NULL OR d.removed > %s)"
    )
    parameters: list[Any] = [reader.tenant, sorted(reader.access), at, at]
    if reader.where is None:
        return statement, parameters
    asked, more = compiled(reader.where)
    return f"{statement} AND {asked}", parameters + more


def compiled(where: Where) -> Sql:
    """A condition on a row `d` of `document`, true or false, never null.

    Raises:
        InvalidConfig: it is of a kind that is not known.
    """
    if isinstance(where, All):
        return _joined(where.parts, " AND ", "true")
    if isinstance(where, Any_):
        return _joined(where.parts, " OR ", "false")
    if isinstance(where, Not):
        statement, parameters = compiled(where.part)
        return f"(NOT {statement})", parameters
    if isinstance(where, Compare):
        return _compare(where)
    if isinstance(where, In):
        return _in(where)
    if isinstance(where, Has):
        return _has(where)
    raise InvalidConfig(f"a condition must be made by key, &, | and ~, got {where!r}")


def _in(where: In) -> Sql:
    if where.path[0] in (*OWN, "tags"):
        column, number = _OWN.get(where.path[0]), where.path == ("version",)
        kind = "number" if number else "string"
        values = [repr(one) if number else one for one in where.values if kind_of(one) == kind]
        if column is None or len(where.path) > 1:
            return _FALSE
        return f"({column} = ANY (%s::{'numeric' if number else 'text'}[]))", [values]
    place, path = _place(where.path)
    written = [json.dumps(value) for value in where.values]
    return f"coalesce({place} = ANY (%s::text[]::jsonb[]), false)", [*path, written]


def _joined(parts: Sequence[Where], word: str, empty: str) -> Sql:
    found = [compiled(part) for part in parts]
    statement = word.join(statement for statement, _ in found)
    return f"({statement or empty})", [one for _, parameters in found for one in parameters]


def _compare(where: Compare) -> Sql:
    if where.operator == "!=":
        statement, parameters = _compare(Compare(where.path, "=", where.value))
        return f"(NOT {statement})", parameters
    if where.path[0] in (*OWN, "tags"):
        return _compare_own(where)
    place, path = _place(where.path)
    if where.operator == "=":
        return f"coalesce({place} = %s::jsonb, false)", [*path, json.dumps(where.value)]
    text = f"({place} #>> '{{}}')"
    kind = kind_of(where.value)
    ordered, value = _ordered(text, where.operator, where.value)
    # CASE, since AND may look at its right side first, which fails for what is no number.
    is_kind = f"coalesce(jsonb_typeof({place}) = '{kind}', false)"
    return f"(CASE WHEN {is_kind} THEN {ordered} ELSE false END)", [*path, *path, value]


def _compare_own(where: Compare) -> Sql:
    column = _OWN.get(where.path[0])
    number = where.path == ("version",)
    if (
        column is None
        or len(where.path) > 1
        or (kind_of(where.value) != ("number" if number else "string"))
    ):
        return _FALSE
    statement, value = _ordered(column, where.operator, where.value)
    return f"({statement})", [value]


def _ordered(text: str, operator: str, value: Any) -> tuple[str, str]:
    if kind_of(value) == "number":
        # The shortest decimals that name two floats are ordered as the floats are.
        return f"({text})::numeric {operator} %s::numeric", repr(value)
    return f'({text} COLLATE "C") {operator} %s::text', str(value)


def _has(where: Has) -> Sql:
    if where.path == ("tags",):
        is_text = isinstance(where.value, str)
        return ("(%s::text = ANY (d.tags))", [where.value]) if is_text else _FALSE
    if where.path[0] in (*OWN, "tags"):
        return _FALSE
    place, path = _place(where.path)
    is_list = f"coalesce(jsonb_typeof({place}) = 'array', false)"
    statement = f"(CASE WHEN {is_list} THEN {place} @> %s::jsonb ELSE false END)"
    return statement, [*path, *path, json.dumps([where.value])]


def _place(path: Sequence[str]) -> Sql:
    # The path is asked by names alone: as one array it would also count in lists.
    return "(d.metadata" + " -> %s::text" * len(path) + ")", list(path)
