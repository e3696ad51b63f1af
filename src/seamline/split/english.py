"""Headers of tables as English: articles, units, what a yes or a no says."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = [
    "MASS",
    "MONEY",
    "Measured",
    "article",
    "is_label",
    "is_no_noun",
    "is_number",
    "is_participle",
    "is_plural",
    "is_value",
    "listed",
    "lowered",
    "measured",
    "period",
    "singular",
    "verb_of",
    "with_unit",
    "yes_no",
]

_VOWEL_SOUND = re.compile(
    r"(?!(?:uni(?!n|m)|us(?:e|a|u)|util|eu|one\b|once|ubiq|urin|uran)|[Uu][A-Z])[aeiou]"
    r"|(?:hour|hono|heir|honest)|(?:8|11\b|18\b)",
    re.IGNORECASE,
)
_SPELLED = re.compile(r"[A-Z](?:[A-Z0-9]|\b)")  # an acronym, said letter by letter
_SPELLED_WITH_AN = frozenset("AEFHILMNORSX")

MASS = frozenset(
    "access bandwidth equipment feedback income information memory parking software staff "
    "storage stock support traffic training".split()
)
MONEY = frozenset(
    "amounts assets costs deposits earnings expenses fees funds leases liabilities losses prices "
    "proceeds profits rates revenues sales savings taxes wages".split()
)
"""What is had "of" an amount, not counted."""
_SINGULAR_IN_S = ("ss", "us", "is", "as", "ics", "series", "means")

# The verbs that headers begin with ("Includes dependents") or end with ("Dependents covered").
_BASES = (
    "accept allow apply ban block contain cover enable exclude expire forbid include match need "
    "offer own permit prohibit provide require run ship store support use want work"
).split()
_PARTICIPLES = {
    "accepted": "accept",
    "allowed": "allow",
    "banned": "ban",
    "contained": "contain",
    "covered": "include",
    "excluded": "exclude",
    "forbidden": "forbid",
    "included": "include",
    "needed": "need",
    "offered": "offer",
    "permitted": "permit",
    "prohibited": "prohibit",
    "provided": "provide",
    "required": "require",
    "supported": "support",
}
_ADJECTIVES = frozenset(
    "active closed compliant correct empty external final free full internal live local mandatory "
    "new obsolete official online open optional persistent present primary private public ready "
    "redundant remote safe secret stable sterile unique urgent vacant valid vegan".split()
)

_ROLES = frozenset(
    "admin administrator bestseller candidate citizen default holder leader manager member owner "
    "resident student veteran".split()
)


# Prepositions, adverbs and the like.
_NO_NOUNS = frozenset(
    "about above across after again ago along already also always and around as at before "
    "behind below between beyond but by down during else ever for from here how if in inside "
    "into like most near never next not now often on once only onto or out outside over per rather "
    "since so soon still than then there through till to together too toward under unless until up "
    "upon usually versus very via vs what when where whether which while who whose why with within "
    "without yet".split()
)


def _third(base: str) -> str:
    if base.endswith("ly"):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"


_VERBS = {_third(base): base for base in _BASES}

_PREFIXED = r"[kMmGTnµμcdhp]?"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|KRW|ZAR)"
# What is a unit even without brackets, and what is one only inside them.
_STRICT = (
    rf"%|‰|°[CF]?|[kKMm]?{_CURRENCY}|[€$£¥](?:k|m|bn)?|k[gmWN]|[cmn]m|m[gls]|[kMG]?Wh|[KMG]i?B|[km]m²|m[²³]|"
    r"km/h|mph|kPa|MPa|[kMG]Hz|[mk]V|kbps|Mbps|Gbps"
)
_LOOSE = (
    rf"{_STRICT}|[kmM][€$£¥]|[€$£¥]\s?(?:k|m|bn|million|billion|thousand)s?|"
    rf"{_CURRENCY} (?:k|m|bn|million|billion|thousand)s?|(?:million|billion|thousand)s?|"
    rf"{_PREFIXED}(?:m|g|t|s|h|l|L|W|V|A|J|N|Pa|Hz|B|b|K|C|F|eV|mol|lm|lx|Ω|VA|Ah|bit|bar|cal|min)|"
    r"sec(?:ond)?s?|minutes?|mins?|hrs?|hours?|d|days?|wks?|weeks?|months?|yrs?|years?|in|inch(?:es)?|"
    r"ft|feet|yd|mi|miles?|lbs?|oz|gal|psi|px|pt|dB|ppm|ppb|rpm|pcs|pieces|units|people|persons|"
    r"bytes|points|times|percent|pages|words|tokens|characters"
)
_TAIL = r"[²³]?(?:\^?-?\d)?(?:[/·]\w+[²³]?| per \w+)*"
_MEASURED = (
    re.compile(rf"(?P<label>.*\S)\s*[(\[]\s*(?:in )?(?P<unit>(?:{_LOOSE}){_TAIL})\s*[)\]]"),
    re.compile(rf"(?P<label>.*\S),\s*(?:in )?(?P<unit>(?:{_LOOSE}){_TAIL})"),
    re.compile(rf"(?P<label>.*\S) in (?P<unit>(?:{_LOOSE}){_TAIL})"),
    re.compile(rf"(?P<label>.*\S) (?P<unit>(?:{_STRICT}){_TAIL})"),
    re.compile(rf"(?P<label>)[(\[]?(?P<unit>(?:{_STRICT}){_TAIL})[)\]]?"),
)
_SCALES = {"thousands": "thousand", "millions": "million", "billions": "billion", "percent": "%"}

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?"
_NUMBER = re.compile(
    r"[-+−~≈<>≤≥±]{0,2}\s?\(?\d[\d.,'’\u00a0\u202f]*(?:[eE][-+]?\d+)?\)?"
    r"(?:\s?(?:[-–±/x×]|to)\s?\d[\d.,'’]*)?"
)
_VALUE = re.compile(
    r"[-+−~≈<>≤≥±(]{0,2}\s?[$€£¥]?\s?[-−(]?\d|[$€£¥]?\s?[-–—]*\Z|n/?[am]\b",
    re.IGNORECASE,
)
# A header that can be said in a sentence: a few words, no date, no clause.
_LABEL = re.compile(r"[A-Za-z#%$€][^,;:]*[\w)\]%?.$€]|\w|[#%$€]")
_NO_LABEL = re.compile(
    rf"(?:as of|as at|at|by|for|from|less|more|of|to|with)\b|.*\b(?:ended|ending)\b|"
    rf".*\b{_MONTH}\s\d|.*\b(?:vs?\.?|versus)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 5
_NO_PARTICIPLES = ("eed", "bed", "red", "shed", "sled", "med", " ed", "LED")
_PERIOD = re.compile(
    rf"(?:(?:FY|CY)\s?(?:\d{{2}}|(?:19|20)\d\d)|(?:19|20)\d\d(?:[-/–]\d{{2,4}})?|"
    rf"[QH][1-4]|{_MONTH})(?:[ ,/-]{{1,2}}(?:(?:19|20)\d\d|[QH][1-4]))?",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)(?:day|nesday|rsday|urday|sday)?", re.IGNORECASE
)


class Measured(NamedTuple):
    """A header's label and the unit of its numbers, empty where it names none."""

    label: str
    unit: str


@lru_cache(maxsize=4096)
def measured(header: str) -> Measured:
    """The label and the unit of a header.

    Example:
        >>> [tuple(measured(name)) for name in ("Weight (kg)", "2024 kEUR", "Price (net)", "%")]
        [('Weight', 'kg'), ('2024', 'kEUR'), ('Price (net)', ''), ('', '%')]
    """
    for pattern in _MEASURED:
        found = pattern.fullmatch(header)
        if found:
            unit = found["unit"].strip()
            return Measured(found["label"], _SCALES.get(unit, unit))
    return Measured(header, "")


def with_unit(value: str, unit: str) -> str:
    """A number and its unit as they are written.

    Example:
        >>> with_unit("5", "%"), with_unit("5", "kg"), with_unit("5", "$")
        ('5%', '5 kg', '$5')
    """
    if not unit or unit[0] in "%‰°":
        return f"{value}{unit}"
    if unit[0] in "$€£¥":
        return f"{unit[0]}{value} {unit[1:].strip()}".strip()
    return f"{value} {unit}"


def lowered(header: str) -> str:
    """A header inside a sentence: small letters, but for acronyms and the like.

    Example:
        >>> lowered("Annual Maximum"), lowered("SSO login"), lowered("pH")
        ('annual maximum', 'SSO login', 'pH')
    """
    return " ".join(word.lower() if word[1:].islower() else word for word in header.split())


def article(phrase: str) -> str:
    """The indefinite article of a phrase.

    Example:
        >>> [article(word) for word in ("hour", "unit", "SSO login", "annual fee", "URL")]
        ['an', 'a', 'an', 'an', 'a']
    """
    if _SPELLED.match(phrase) and not phrase[:2].istitle():
        return "an" if phrase[0] in _SPELLED_WITH_AN else "a"
    return "an" if _VOWEL_SOUND.match(phrase) else "a"


@lru_cache(maxsize=4096)
def is_plural(label: str) -> bool:
    """Whether the noun that a label is about stands in the plural.

    Example:
        >>> [is_plural(label) for label in ("hours worked", "days of leave", "status", "fee")]
        [True, True, False, False]
    """
    if is_participle(label) and " " in label:
        label = label.rpartition(" ")[0]
    head = re.split(r" (?:of|per|for|in|at|by|to|with|on)\b| ?\(", label, maxsplit=1)[0]
    return head.endswith("s") and not head.endswith(_SINGULAR_IN_S)


def singular(noun: str) -> str:
    """A noun in the singular.

    Example:
        >>> singular("plans"), singular("policies"), singular("classes"), singular("status")
        ('plan', 'policy', 'class', 'status')
    """
    if not is_plural(noun):
        return noun
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("sses", "shes", "ches", "xes")) else noun[:-1]


def is_number(cell: str) -> bool:
    """Whether a cell is a number or a range of them, without a unit.

    Example:
        >>> [is_number(cell) for cell in ("1,200", "(5)", "5-6", "$5", "5 kg", "2024-05-01")]
        [True, True, True, False, False, False]
    """
    return _NUMBER.fullmatch(cell) is not None


def is_value(cell: str) -> bool:
    """Whether a cell begins as an amount or a date does, or says that there is none.

    Example:
        >>> [is_value(cell) for cell in ("$5m", "12 kg", "2024-05-01", "P-001")]
        [True, True, True, False]
    """
    return _VALUE.match(cell) is not None


def is_participle(label: str) -> bool:
    """Whether a label ends in what was done ("last updated", "founded").

    Example:
        >>> is_participle("last updated"), is_participle("top speed")
        (True, False)
    """
    return label.endswith("ed") and not label.endswith(_NO_PARTICIPLES)


def is_label(header: str) -> bool:
    """Whether a header can be said in a sentence: a few words, no date and no clause.

    Example:
        >>> [is_label(name) for name in ("Weight (kg)", "2024", "Year ended May 31,", "")]
        [True, True, False, False]
    """
    if period(measured(header).label):
        return True
    fits = _LABEL.fullmatch(header) and not _NO_LABEL.match(header)
    return bool(fits) and header.count(" ") < _MOST_WORDS


def period(label: str) -> str:
    """The preposition of a label that is a time, else empty.

    Example:
        >>> period("2024"), period("Q1 2024"), period("Mon"), period("month")
        ('in', 'in', 'on', '')
    """
    if _PERIOD.fullmatch(label) and not label.lower().startswith("mark"):
        return "in"
    return "on" if _DAY.fullmatch(label) else ""


def is_no_noun(label: str) -> bool:
    """Whether a label is a letter, or ends in a word that nothing can be had of.

    Example:
        >>> [is_no_noun(label) for label in ("since", "valid until", "f", "start", "°")]
        [True, True, True, False, False]
    """
    last = label.rpartition(" ")[2].rstrip("?:").lower()
    return last in _NO_NOUNS or (len(label) == 1 and label.isalpha())


def verb_of(label: str) -> str:
    """The verb that a label is ("includes"), else empty."""
    return label if label in _VERBS else ""


def yes_no(label: str) -> tuple[str, str]:
    """What a yes and what a no in a column says.

    Example:
        >>> for label in ("includes dependents", "dependents covered", "taxable", "fire alarm"):
        ...     print(yes_no(label))
        ('includes dependents', 'does not include dependents')
        ('includes dependents', 'does not include dependents')
        ('is taxable', 'is not taxable')
        ('has fire alarm', 'has no fire alarm')
    """
    label = label.rstrip("?").strip()
    first, _, rest = label.partition(" ")
    if first in _VERBS and rest:
        return label, f"does not {_VERBS[first]} {rest}"
    if first in ("is", "can", "has", "must") and rest:
        no = {"is": "is not", "can": "cannot", "has": "has no", "must": "need not"}[first]
        return label, f"{no} {rest}"
    if first in ("in", "on", "out", "under", "at") and rest:
        return f"is {label}", f"is not {label}"
    before, _, last = label.rpartition(" ")
    if last in _PARTICIPLES and before:
        base = _PARTICIPLES[last]
        return f"{_third(base)} {before}", f"does not {base} {before}"
    if last in _ROLES:
        return f"is {article(label)} {label}", f"is not {article(label)} {label}"
    described = last.endswith(("able", "ible")) or (
        not before and (last.endswith("ed") or last in _ADJECTIVES)
    )
    if described:
        return f"is {label}", f"is not {label}"
    return f"has {label}", f"has no {label}"


def listed(items: list[str]) -> str:
    """The items as one enumeration.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c"])
        ('a and b', 'a, b, and c')
    """
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"
