"""Names for parts, and parts as strings: `recursive(size=512, overlap=64)`.

A spec is a name, optionally followed by `key=value` pairs in parentheses.
Values are whole numbers, decimals, true/false, none, bare words, quoted strings
and lists of these. `parse_spec` and `format_spec` are each other's inverse.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from importlib.metadata import EntryPoint
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from seamline.errors import InvalidConfig, UnknownName

__all__ = [
    "Parameter",
    "Registry",
    "Spec",
    "build",
    "format_spec",
    "parameters",
    "parse_spec",
    "parse_specs",
    "spec_of",
    "suggest",
]

_NAME = re.compile(r"\s*([A-Za-z][\w.-]*)\s*")
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=")
_QUOTED = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\')\s*', re.DOTALL)
_BARE = re.compile(r"\s*([^\s,()\[\]=\"']+)\s*")
_PLAIN = re.compile(r"[A-Za-z_./][\w./:@+-]*\Z")
_WORDS = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, slots=True)
class Spec:
    """A part's name and the parameters given for it."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return format_spec(self.name, self.params)


class _Reader:
    """Reads one spec after another from a text, and says where it failed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, wanted: str) -> InvalidConfig:
        rest = self.text[self.at : self.at + 20] or "the end"
        return InvalidConfig(
            f"{self.text!r} is not a spec like name(key=value): "
            f"expected {wanted} at position {self.at}, got {rest!r}"
        )

    def take(self, pattern: re.Pattern[str], wanted: str) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            raise self.fail(wanted)
        self.at = found.end()
        return found.group(1)

    def skip(self, mark: str) -> bool:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def spec(self) -> Spec:
        name = self.take(_NAME, "a name")
        params: dict[str, Any] = {}
        if self.skip("(") and not self.skip(")"):
            while True:
                key = self.take(_KEY, "key=value")
                if key in params:
                    raise InvalidConfig(f"{self.text!r} gives {key!r} twice: keep one")
                try:
                    params[key] = self.value()
                except RecursionError:
                    raise self.fail("fewer brackets") from None
                if self.skip(")"):
                    break
                if not self.skip(","):
                    raise self.fail("',' or ')'")
        return Spec(name, params)

    def value(self) -> Any:
        if self.skip("["):
            return self.values()
        if _QUOTED.match(self.text, self.at):
            return _unquote(self.take(_QUOTED, "a string"))
        return _scalar(self.take(_BARE, "a value"))

    def values(self) -> list[Any]:
        items: list[Any] = []
        while not self.skip("]"):
            if items and not self.skip(","):
                raise self.fail("',' or ']'")
            items.append(self.value())
        return items


def _unquote(token: str) -> str:
    if token[0] == "'":
        token = '"' + token[1:-1].replace('"', '\\"').replace("\\'", "'") + '"'
    try:
        return str(json.loads(token, strict=False))
    except json.JSONDecodeError:
        return token[1:-1]


def _scalar(token: str) -> Any:
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    for number in (int, float):
        try:
            return number(token)
        except ValueError:
            continue
    return token


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise InvalidConfig(
            f"a spec must be a string like name(key=value), got a {type(given).__name__}"
        )
    return given


def parse_spec(text: str) -> Spec:
    """The one spec that `text` holds.

    Raises:
        InvalidConfig: the text is not a spec; says where and what was expected.

    Example:
        >>> parse_spec("recursive(size=512, overlap=64)").params["overlap"]
        64
    """
    reader = _Reader(_text(text))
    spec = reader.spec()
    if reader.text[reader.at :].strip():
        raise reader.fail("the end")
    return spec


def parse_specs(text: str, mark: str = ";") -> list[Spec]:
    """The specs of a list separated by semicolons, or by another `mark`.

    Example:
        >>> [spec.name for spec in parse_specs("fixed; recursive(size=256)")]
        ['fixed', 'recursive']
    """
    reader = _Reader(_text(text))
    specs: list[Spec] = []
    while True:
        separated = not specs
        while reader.skip(mark):
            separated = True
        if not reader.text[reader.at :].strip():
            break
        if not separated:
            raise reader.fail(repr(mark))
        specs.append(reader.spec())
    if not specs:
        raise InvalidConfig("at least one spec like name(key=value) is needed, got an empty list")
    return specs


def _format_value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_format_value(item) for item in value) + "]"
    if isinstance(value, str):
        plain = _PLAIN.match(value) and not isinstance(_scalar(value), (int, float))
        return value if plain and value.lower() not in _WORDS else json.dumps(value)
    return repr(value)


def format_spec(name: str, params: Mapping[str, Any]) -> str:
    """The canonical string of a name and its parameters, in the order given.

    Example:
        >>> format_spec("fixed", {"size": 512, "unit": "tokens"})
        'fixed(size=512, unit=tokens)'
    """
    if not params:
        return name
    return f"{name}({', '.join(f'{key}={_format_value(v)}' for key, v in params.items())})"


def spec_of(part: Any, name: str, always: Sequence[str] = ()) -> Spec:
    """The spec of a dataclass instance: the fields that differ from their default.

    Fields named in `always` are kept whatever their value; fields that do not
    take part in `repr` are never kept.
    """
    params = {
        item.name: getattr(part, item.name)
        for item in fields(part)
        if item.repr and (item.name in always or getattr(part, item.name) != item.default)
    }
    return Spec(name, params)


def suggest(name: str, known: Iterable[str]) -> str:
    """What to try instead of `name`: the nearest known name, or all of them."""
    names = sorted(known)
    if not names:
        return "there are none"
    near = difflib.get_close_matches(name, names, n=3)
    if not near:
        return f"there are: {', '.join(names)}"
    return f"did you mean {min(near, key=lambda one: Levenshtein.distance(name, one))!r}?"


class Parameter(NamedTuple):
    """A parameter that a spec may give; `required` where there is no default."""

    name: str
    default: Any
    required: bool


def parameters(factory: Callable[..., Any]) -> list[Parameter]:
    """The parameters that a spec may give for `factory`, in their order, shared ones last.

    Of a dataclass the fields that `repr` shows, of anything else its arguments.

    Raises:
        InvalidConfig: `factory` cannot be called.
    """
    if is_dataclass(factory):
        shown = [item for item in fields(factory) if item.init and item.repr]
        shown.sort(key=lambda item: item.kw_only is True)
        return [Parameter(item.name, *_field_default(item)) for item in shown]
    if not callable(factory):
        raise InvalidConfig(
            f"a part must be a class or a function that makes it, got a {type(factory).__name__}"
        )
    named = inspect.signature(factory).parameters.values()
    return [
        Parameter(p.name, None if p.default is p.empty else p.default, p.default is p.empty)
        for p in named
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]


def _field_default(item: Field[Any]) -> tuple[Any, bool]:
    if item.default_factory is not MISSING:
        return item.default_factory(), False
    return (None, True) if item.default is MISSING else (item.default, False)


def build(factory: Callable[..., Any], spec: Spec, kind: str, /, **extra: Any) -> Any:
    """Call `factory` with a spec's parameters; unknown ones are refused by name."""
    known = parameters(factory)
    allowed = [one.name for one in known if one.name not in extra]
    for key in spec.params:
        if key not in allowed:
            hint = suggest(key, allowed) if allowed else "it takes none"
            raise UnknownName(f"{kind} {spec.name!r} has no parameter {key!r}; {hint}")
    for one in known:
        if one.required and one.name not in spec.params and one.name not in extra:
            raise InvalidConfig(
                f"{kind} {spec.name!r} needs {one.name}: write {spec.name}({one.name}=...)"
            )
    return factory(**spec.params, **extra)


class Registry:
    """A table of names and where their parts live, filled lazily.

    `table` maps a name to `"module:attribute"`; entry points of `group` add to
    it, so an installed package can plug in its own parts. An entry point never
    hides a built-in name.
    """

    def __init__(self, kind: str, group: str, table: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._table = dict(table)
        self._points: dict[str, EntryPoint] | None = None
        self._own: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._table or name in self._plugins()

    def _plugins(self) -> dict[str, EntryPoint]:
        if self._points is None:
            found: dict[str, EntryPoint] = {}
            for point in importlib.metadata.entry_points(group=self.group):
                if point.name not in self._table:
                    found.setdefault(point.name, point)
            self._points = found
        return self._points

    def names(self) -> list[str]:
        """All known names: the built-in ones first, in their order."""
        return [*self._table, *self._plugins()]

    def get(self, name: str) -> Any:
        """The part called `name`, imported now if it was not yet.

        Raises:
            UnknownName: no such part; the message suggests the nearest name.
            InvalidConfig: an installed package names this part but does not load;
                the message names the package and the cause.
        """
        if name in self._own:
            return self._own[name]
        if name in self._table:
            module, _, attribute = self._table[name].partition(":")
            self._own[name] = getattr(importlib.import_module(module), attribute)
            return self._own[name]
        points = self._plugins()
        if name not in points:
            raise UnknownName(f"no {self.kind} named {name!r}; {suggest(name, self.names())}")
        return self._load(points[name])

    def load(self) -> tuple[dict[str, Any], list[InvalidConfig]]:
        """Every part by name, without those that do not load, and why these do not."""
        parts: dict[str, Any] = {}
        broken: list[InvalidConfig] = []
        for name in self.names():
            try:
                parts[name] = self.get(name)
            except InvalidConfig as error:
                broken.append(error)
        return parts, broken

    def _load(self, point: EntryPoint) -> Any:
        try:
            return point.load()
        except Exception as error:
            package = f"the package {point.dist.name!r}" if point.dist else "an installed package"
            raise InvalidConfig(
                f"{self.kind} {point.name!r} of {package} must load, but its entry point "
                f"{point.value!r} in {self.group!r} does not ({type(error).__name__}: {error}): "
                "mend or uninstall that package"
            ) from error
