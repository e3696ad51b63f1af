"""How the cells of a row are put: as English, as `header: value` pairs, by a template.

A wording makes format strings, in which `{0}` … are the row's cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import NamedTuple, Protocol

from seamline.errors import InvalidConfig
from seamline.split import english
from seamline.split.columns import EMPTY, ENDED, EXACT, LONG, NO, NONE, TEXT, YES, Column
from seamline.split.english import listed, with_unit

__all__ = ["TEMPLATES", "English", "Neutral", "Plain", "Templated", "Wording", "fields_of"]

TEMPLATES = ("auto", "sentence", "neutral")
# What the cell of a key is beside `TEXT`: it begins with a digit, it says its noun or that and
# the article, it says the heading.
_DIGITS, _SAYS_NOUN, _SAYS_ALL, _SAYS_HEADING = "dnah"
_SCALE = re.compile(r"\b(?:thousand|million|billion)s?\b", re.IGNORECASE)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class Wording(Protocol):
    """Rows as text, a format string for each pattern of codes; `{0}` … are the cells."""

    def key_codes(self, cells: Sequence[str], codes: list[str]) -> list[str]:
        """The codes of the main key column's cells, with what its wording needs to know."""
        ...

    def template(self, columns: Sequence[Column], codes: str) -> str:
        """The format string of rows whose cells have these codes."""
        ...


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _keys(columns: Sequence[Column], codes: str) -> list[int]:
    """Where the cells of the key stand that are not empty, the main one first."""
    pairs = zip(columns, codes, strict=True)
    found = [at for at, (column, code) in enumerate(pairs) if column.key and code != EMPTY]
    return sorted(found, key=lambda at: columns[at].key)


class Plain:
    """The cells joined by commas: of a table without a header nothing else is known."""

    def key_codes(self, cells: Sequence[str], codes: list[str]) -> list[str]:  # noqa: ARG002
        return codes

    def template(self, columns: Sequence[Column], codes: str) -> str:  # noqa: ARG002
        return ", ".join(f"{{{at}}}" for at, code in enumerate(codes) if code != EMPTY)


class Neutral:
    """`key — header: value; header: value`, in any language."""

    def __init__(self, columns: Sequence[Column]) -> None:
        cjk = any(_CJK.search(one.name) for one in columns)
        self._colon, self._comma = ("\uff1a", "\uff1b") if cjk else (": ", "; ")

    def key_codes(self, cells: Sequence[str], codes: list[str]) -> list[str]:
        pairs = zip(cells, codes, strict=True)
        return [_DIGITS if code != EMPTY and c[0].isdigit() else code for c, code in pairs]

    def template(self, columns: Sequence[Column], codes: str) -> str:
        keys = ", ".join(self._key(columns[at], at, codes[at]) for at in _keys(columns, codes))
        pairs = self.pairs(columns, codes)
        return " \u2014 ".join(part for part in (keys, pairs) if part)

    def _key(self, column: Column, at: int, code: str) -> str:
        """A key by itself, under its name if it is a number or not the main one, with its scale."""
        if _SCALE.search(column.name):
            name = column.name
            whole = name.startswith("(") and name.endswith(")")
            return f"{{{at}}} ({_escaped(name[1:-1] if whole else name)})"
        named = column.name and (code == _DIGITS or column.key > 1)
        return f"{_escaped(column.name)} {{{at}}}" if named else f"{{{at}}}"

    def pairs(self, columns: Sequence[Column], codes: str) -> str:
        """All but the key, as a format string."""
        return self._comma.join(
            f"{_escaped(column.name)}{self._colon}{{{at}}}" if column.name else f"{{{at}}}"
            for at, (column, code) in enumerate(zip(columns, codes, strict=True))
            if code != EMPTY and not column.key
        )


class Field(NamedTuple):
    """Text of a template, and the field behind it, None at the end."""

    text: str
    name: str | None


def fields_of(template: str) -> list[Field]:
    """The parts of a format string, its field names whatever stands in them.

    Raises:
        InvalidConfig: a brace is not closed, or a field has no name.

    Example:
        >>> [field.name for field in fields_of("{key}: {Price: net} {{x}}") if field.name]
        ['key', 'Price: net']
    """
    found = []
    try:
        for text, field, spec, conversion in Formatter().parse(template):
            rest = (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
            found.append(Field(text, None if field is None else f"{field}{rest}".strip()))
    except ValueError as error:
        raise InvalidConfig(
            f"template must be a format string like '{{key}}: {{cells}}', "
            f"got {template!r} ({error}): write {{{{ and }}}} for braces"
        ) from None
    if any(part.name == "" for part in found):
        raise InvalidConfig(
            f"every field of a template needs a name, got {template!r}: write {{table}}, {{path}}, "
            "{key}, {cells} or {the name of a column}"
        )
    return found


class Templated:
    """By a format string with the fields table, path, key, cells and the names of columns."""

    def __init__(
        self, parts: Sequence[Field], columns: Sequence[Column], given: Mapping[str, str]
    ) -> None:
        self._parts = parts
        self._given = given
        self._neutral = Neutral(columns)
        self._names = {form for column in columns for form in _forms(column)}

    def missing(self) -> list[str]:
        """The fields that this table does not have."""
        known = {"key", "cells", *self._given}
        return [
            part.name
            for part in self._parts
            if part.name and part.name not in known and part.name.casefold() not in self._names
        ]

    def key_codes(self, cells: Sequence[str], codes: list[str]) -> list[str]:  # noqa: ARG002
        return codes

    def template(self, columns: Sequence[Column], codes: str) -> str:
        places: dict[str, int] = {}
        for at, column in enumerate(columns):
            for form in _forms(column):
                places.setdefault(form, at)
        return "".join(self._part(part, columns, codes, places) for part in self._parts)

    def _part(
        self, part: Field, columns: Sequence[Column], codes: str, places: Mapping[str, int]
    ) -> str:
        text, name = _escaped(part.text), part.name
        if name is None:
            return text
        if name in self._given:
            return text + _escaped(self._given[name])
        if name == "cells":
            return text + self._neutral.pairs(columns, codes)
        if name == "key":
            return text + ", ".join(f"{{{at}}}" for at in _keys(columns, codes))
        at = places.get(name.casefold())
        return text if at is None else f"{text}{{{at}}}"


def _forms(column: Column) -> tuple[str, ...]:
    """The names that a template may give a column."""
    label = english.measured(column.name).label.casefold()
    return (column.name.casefold(), label) if label else (column.name.casefold(),)


# Nouns that a name stands before ("the Standard plan"), where others stand before the name.
_AFTER = frozenset(
    "account algorithm approach attribute battery class command component configuration course "
    "department device edition element engine environment event extension feature field flag "
    "format function key language layer level license mechanism metric method mode model module "
    "operator option package parameter plan policy procedure process product program project "
    "property protocol role sensor server service setting strategy subscription supplement system "
    "team tier tool type valve variable".split()
)
_BARE = frozenset(["", "name", "title", "full name", "description", "question", "term"])
_GENERAL = frozenset(
    "appendix comparison contents data details example examples features general info information "
    "introduction list notes options overview parameters prices pricing rates reference results "
    "specifications specs summary table tables".split()
)
# What is "the", and not "a … of".
_NAMING = frozenset("code date id name number sku time title version".split())
_LONGEST_NOUN = 4


class English:
    """A sentence: "The Standard plan has a deductible of $50 and includes dependents."."""

    def __init__(self, columns: Sequence[Column], path: Sequence[str]) -> None:
        label = next((one.label for one in columns if one.key == 1), "")
        noun = english.singular(label.removesuffix(" name") if label != "full name" else label)
        words = noun.split()
        if noun in _BARE or len(words) > _LONGEST_NOUN:
            noun, words = "", []
        self._noun, self._after = noun, bool(words) and words[-1] in _AFTER
        self._modifier = _modifier(path, words) if self._after else ""
        self._phrases: dict[tuple[int, str], _Phrase] = {}
        self._words = [word.lower() for word in (noun, self._modifier) if word]

    def key_codes(self, cells: Sequence[str], codes: list[str]) -> list[str]:
        said = "\n".join(cells).lower()
        if not any(word in said for word in self._words):
            return codes
        pairs = zip(cells, codes, strict=True)
        return [self._key_code(cell.lower()) if code != EMPTY else code for cell, code in pairs]

    def _key_code(self, key: str) -> str:
        if self._noun.lower() in key:
            return _SAYS_NOUN if self._after and not key.startswith("the ") else _SAYS_ALL
        return _SAYS_HEADING if self._modifier and self._modifier.lower() in key else TEXT

    def template(self, columns: Sequence[Column], codes: str) -> str:
        nouns: list[str] = []
        verbs: list[str] = []
        tails: list[str] = []
        for at, (column, code) in enumerate(zip(columns, codes, strict=True)):
            if code == EMPTY or column.key:
                continue
            known = id(column), code
            if known not in self._phrases:
                self._phrases[known] = _phrase(column, code)
            part, before, after = self._phrases[known]
            group = (nouns, verbs, tails)[part]
            group.append(f"{before}{{{at}}}{after}" if before is not None else after)
        subject = self._subject(columns, codes, alone=not (nouns or verbs))
        said = _sentence(subject, nouns, verbs)
        stop = "." if said and tails and not (nouns or verbs) else ""
        return f"{said}{stop}{''.join(tails)}".strip()

    def _subject(self, columns: Sequence[Column], codes: str, *, alone: bool) -> str:
        keys = _keys(columns, codes)
        if alone and not keys:
            return ""
        main = next((at for at in keys if columns[at].key == 1), -1)
        name = (
            self._named(f"{{{main}}}", codes[main])
            if main >= 0
            else f"A {_escaped(self._noun) or 'row'}"
        )
        more = [f"{_escaped(columns[at].label)} {{{at}}}".strip() for at in keys if at != main]
        return f"{', '.join([name, *more])}," if more and not alone else ", ".join([name, *more])

    def _named(self, key: str, code: str) -> str:
        noun = _escaped(self._noun)
        if not noun or code == _SAYS_ALL:
            return key
        if code == _SAYS_NOUN:
            return f"The {key}"
        if not self._after:
            return f"{noun[:1].upper()}{noun[1:]} {key}"
        modifier = self._modifier if code != _SAYS_HEADING else ""
        return " ".join(filter(None, ["The", _escaped(modifier), key, noun]))


def _sentence(subject: str, nouns: list[str], verbs: list[str]) -> str:
    if not nouns and not verbs:
        return subject
    first = [f"has {nouns[0]}", *nouns[1:]] if nouns else []
    return f"{subject} {listed([*first, *verbs])}."


class _Phrase(NamedTuple):
    """What a cell says: the part of the sentence, and what stands before and after its value.

    `before` is None where the value itself is not said.
    """

    part: int
    before: str | None
    after: str


_NOUN, _VERB, _TAIL = range(3)
_VALUE = "\x00value\x00"  # no header reads so


def _phrase(column: Column, code: str) -> _Phrase:
    if column.name and _stands_alone(column, code):
        name = _escaped(column.name.rstrip(":"))
        return _Phrase(_TAIL, f" {name}: ", "" if code == ENDED else ".")
    if code in (YES, NO):
        return _Phrase(_VERB, None, _escaped(english.yes_no(column.label)[code == NO]))
    if english.verb_of(column.label) and code != NONE:
        return _Phrase(_VERB, f"{_escaped(column.label)} ", "")
    before, value, after = _noun_phrase(column, code, _VALUE).partition(_VALUE)
    return _Phrase(_NOUN, before, after) if value else _Phrase(_NOUN, None, before)


def _stands_alone(column: Column, code: str) -> bool:
    """Whether a cell makes a sentence of its own: prose, what was done, what is no noun."""
    if code not in (YES, NO) and english.is_no_noun(column.label):
        return True
    done = english.is_participle(column.label) and code in (TEXT, EXACT)
    return code in (LONG, ENDED) or (done and not english.is_plural(column.label))


def _noun_phrase(column: Column, code: str, value: str) -> str:
    """What a row has by one cell, as a format string."""
    label = _escaped(column.label)
    if code == NONE:
        return f"no {label}" if label else value
    shown = with_unit(value, _escaped(column.unit)) if code == EXACT else value
    if not label:
        return shown
    if preposition := english.period(column.label):
        return f"{shown} {preposition} {_escaped(english.measured(column.name).label)}"
    plural, last = english.is_plural(column.label), column.label.rsplit(" ", 1)[-1]
    counted = plural and not column.unit and last not in english.MONEY
    if code == EXACT and counted:
        return f"{shown} {label}"
    if last in _NAMING:
        return f"the {label} {shown}"
    bare = plural or last in english.MASS or column.label.startswith(("total ", "% "))
    return f"{label} of {shown}" if bare else f"{english.article(column.label)} {label} of {shown}"


def _modifier(path: Sequence[str], noun: Sequence[str]) -> str:
    """The last heading, if it is a name that can stand before a key: "Dental Care"."""
    title = path[-1] if path else ""
    words = title.split()
    plain = all(word.isalpha() and word[0].isupper() for word in words)
    if not plain or not 0 < len(words) < _LONGEST_NOUN or english.is_plural(title):
        return ""
    stems = {english.singular(word.lower()) for word in words}
    said = not stems.isdisjoint({english.singular(word) for word in noun})
    general = not _GENERAL.isdisjoint(title.lower().split()) or title.endswith("ing")
    return "" if said or general else title
