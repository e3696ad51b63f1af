"""Text to search terms: folded, split, without stop words, stemmed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import Stemmer
from numpy.typing import NDArray

from seamline.errors import UnknownName
from seamline.registry import suggest
from seamline.retrieve.language import detect_language
from seamline.retrieve.stopwords import stop_words
from seamline.retrieve.words import (
    POINT_BITS,
    bigram_code,
    bigram_codes,
    bigrams,
    split_identifier,
    split_text,
)
from seamline.types import IntArray

__all__ = ["AUTO", "Analyzer", "Terms", "Vocabulary", "analyzer_for", "check_language", "encoded"]

AUTO = "auto"
# Beyond this a "word" is data (base64, a hash), not language.
_LONGEST_STEMMED = 64
_KEPT_WORDS = 1 << 16  # analyzed by one analyzer
_NO_CODES = np.empty(0, np.int64)


class _Ids(dict[str, int]):
    """Numbers strings in the order they are first seen."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class _Memo(dict[str, tuple[str, ...]]):
    """What a function makes of each word; kept for as many as a language has."""

    def __init__(self, make: Callable[[str], tuple[str, ...]]) -> None:
        self._make = make

    def __missing__(self, key: str) -> tuple[str, ...]:
        found = self._make(key)
        if len(key) <= _LONGEST_STEMMED:
            if len(self) >= _KEPT_WORDS:
                self.clear()
            self[key] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The distinct terms of a corpus: words, then bigrams (sorted codes), numbered from 0."""

    words: dict[str, int]
    pairs: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words) + len(self.pairs)

    def terms(self) -> list[str]:
        """The terms by number."""
        pairs = (divmod(code, 1 << POINT_BITS) for code in self.pairs.tolist())
        return [*self.words, *(chr(a) + (chr(b) if b else "") for a, b in pairs)]

    def number(self, term: str) -> int:
        """The number of `term`, -1 where no text holds it."""
        if term in self.words or len(term) > 2:
            return self.words.get(term, -1)
        at = int(np.searchsorted(self.pairs, code := bigram_code(term)))
        found = at < len(self.pairs) and self.pairs[at] == code
        return len(self.words) + at if found else -1


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Every occurrence of a term in n texts: the text it is in and its number (int32[m])."""

    text: IntArray
    term: IntArray
    n_texts: int
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Turns text into terms, by the rules of one `language` (None: of none).

    Full-width forms are folded, words lower-cased, scripts without spaces cut into
    bigrams, stop words dropped, the rest stemmed (Snowball). An identifier gives its
    whole and its parts. Each distinct word is worked on once; linear in the text.

    Raises:
        UnknownName: no such language.

    Example:
        >>> Analyzer("english").terms("The getUserName calls, in 2024")
        ['getusernam', 'get', 'user', 'name', 'call', '2024']
    """

    language: str | None = None
    _stop: frozenset[str] = field(init=False, repr=False, compare=False)
    _stemmer: Any = field(init=False, repr=False, compare=False)
    _of: Callable[[str], tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_language(self.language)
        stemmer = Stemmer.Stemmer(self.language, 0) if self.language else None
        object.__setattr__(self, "_stop", stop_words(self.language))
        object.__setattr__(self, "_stemmer", stemmer)
        object.__setattr__(self, "_of", _Memo(self._analyze).__getitem__)

    def terms(self, text: str) -> list[str]:
        """The terms of one text, those of scripts without spaces last."""
        words, runs = split_text(text)
        return [term for terms in map(self._of, words) for term in terms] + bigrams(runs)

    def encode(self, texts: Sequence[str]) -> Terms:
        """The terms of many texts, numbered."""
        words = _Ids()
        streams, codes = [np.empty(0, np.int32)], [_NO_CODES]
        for text in texts:
            found, runs = split_text(text)
            streams.append(np.fromiter(map(words.__getitem__, found), np.int32, len(found)))
            codes.append(bigram_codes(runs) if runs else _NO_CODES)
        word_text, word_term, numbers = self._expand(words, streams)
        if not any(map(len, codes)):
            return Terms(word_text, word_term, len(texts), Vocabulary(numbers, _NO_CODES))
        pairs, pair_term = np.unique(np.concatenate(codes), return_inverse=True)
        return Terms(
            np.concatenate((word_text, _owners(codes))),
            np.concatenate((word_term, (pair_term + len(numbers)).astype(np.int32))),
            len(texts),
            Vocabulary(numbers, pairs),
        )

    def _expand(
        self, words: Iterable[str], streams: Sequence[IntArray]
    ) -> tuple[IntArray, IntArray, dict[str, int]]:
        """Texts and term numbers of a stream of word numbers, a list a text."""
        numbers, found = _Ids(), list(map(self._of, words))
        counts = np.fromiter(map(len, found), np.int64, len(found))
        flat = map(numbers.__getitem__, chain.from_iterable(found))
        number = np.fromiter(flat, np.int32, int(counts.sum()))
        first = np.cumsum(counts) - counts
        stream = np.concatenate(streams)
        repeats = counts[stream]
        shift = first[stream] - np.cumsum(repeats) + repeats
        at = np.arange(repeats.sum()) + np.repeat(shift, repeats)
        return np.repeat(_owners(streams), repeats), number[at], dict(numbers)

    def _analyze(self, word: str) -> tuple[str, ...]:
        stem = self._stemmer.stemWord if self._stemmer else str
        kept = [part for part in _parts(word) if part not in self._stop]
        return tuple([stem(part) if len(part) <= _LONGEST_STEMMED else part for part in kept])


def _owners(per_text: Sequence[NDArray[Any]]) -> IntArray:
    """The text each value is of; the first array stands before the texts and is empty."""
    lengths = np.fromiter(map(len, per_text), np.int64, len(per_text))
    return np.repeat(np.arange(-1, len(per_text) - 1, dtype=np.int32), lengths)


def _parts(word: str) -> list[str]:
    word = word.strip("_")
    lower = word.lower()
    plain = "_" not in word and (word[1:] == lower[1:] or word.isupper())
    if plain or len(word) > _LONGEST_STEMMED:
        return [lower] if lower else []
    parts = [part.lower() for part in split_identifier(word)]
    return parts if len(parts) < 2 else [lower, *parts]


def check_language(name: str | None) -> None:
    """Raise `UnknownName` unless `name` is a stemmer's language or None."""
    known = Stemmer.algorithms()
    if name is not None and name not in known:
        hint = suggest(str(name), [*known, AUTO, "none"])
        raise UnknownName(f"no language named {name!r}; {hint}")


@lru_cache(maxsize=4)
def encoded(analyzer: Analyzer, texts: tuple[str, ...]) -> Terms:
    """The terms of many texts, kept: a benchmark asks each index the same questions."""
    return analyzer.encode(texts)


def analyzer_for(language: str | None, texts: Sequence[str]) -> Analyzer:
    """The analyzer of a language; for `auto`, of the language of `texts`."""
    return Analyzer(detect_language(texts) if language == AUTO else language)
