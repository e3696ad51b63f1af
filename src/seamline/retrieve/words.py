"""Text to words: where words lie, and what an identifier is made of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from operator import add

import numpy as np
import regex
from numpy.typing import NDArray

__all__ = ["POINT_BITS", "bigram_code", "bigram_codes", "bigrams", "split_identifier", "split_text"]

POINT_BITS = 21
# Longer runs are cut, so that 5 MB without a space stay small terms (Lucene's limit).
_LONGEST_WORD = 255
_ASCII = re.compile(rf"[A-Za-z0-9_]{{1,{_LONGEST_WORD}}}")
# A word starts with a letter or digit; marks (vowel signs, accents) belong to it.
_UNICODE = regex.compile(rf"[\p{{L}}\p{{N}}_][\p{{L}}\p{{M}}\p{{N}}_]{{0,{_LONGEST_WORD - 1}}}")
# Scripts written without spaces (Korean has some, but its particles stick to the words):
# Thai, Lao, Myanmar, Khmer, Hangul, kana, bopomofo, Han.
_UNSPACED = re.compile(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3\u1100-\u11ff\uac00-\ud7af"
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_IDENTIFIER_PART = regex.compile(
    r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}_]+|\p{Lu}+[^\p{L}_]*",
)


def split_text(text: str) -> tuple[list[str], list[str]]:
    """The words of `text` and its runs of scripts without spaces, case kept.

    Full-width and other compatibility forms are folded (NFKC). A word is a run of
    letters, marks, digits and underscores, cut every 255 characters.

    Example:
        >>> split_text("ＡＢＣ 北京市 x_1")
        (['ABC', 'x_1'], ['北京市'])
    """
    if text.isascii():
        return _ASCII.findall(text), []
    text = unicodedata.normalize("NFKC", text)
    runs = _UNSPACED.findall(text)
    return _UNICODE.findall(_UNSPACED.sub(" ", text) if runs else text), runs


def bigrams(runs: Iterable[str]) -> list[str]:
    """Every two neighbouring characters of each run, or the only one.

    Example:
        >>> bigrams(["北京市", "中"])
        ['北京', '京市', '中']
    """
    return [pair for run in runs for pair in (map(add, run, run[1:]) if run[1:] else [run])]


def bigram_codes(runs: Iterable[str]) -> NDArray[np.int64]:
    """int64: the same bigrams as numbers, singles last; strings would not fit in memory.

    Example:
        >>> bigram_codes(["北京市", "中"]).tolist() == [*map(bigram_code, ["北京", "京市", "中"])]
        True
    """
    joined = "\n".join(runs)
    points = np.frombuffer(f"\n{joined}\n".encode("utf-32-le"), np.uint32).astype(np.int64)
    inside = points != ord("\n")
    pair = inside[:-1] & inside[1:]
    alone = inside[1:-1] & ~inside[:-2] & ~inside[2:]
    pairs = (points[:-1][pair] << POINT_BITS) | points[1:][pair]
    return np.concatenate((pairs, points[1:-1][alone] << POINT_BITS))


def bigram_code(pair: str) -> int:
    """The number of one bigram or single character."""
    return ord(pair[0]) << POINT_BITS | (ord(pair[1]) if len(pair) > 1 else 0)


def split_identifier(word: str) -> list[str]:
    """The parts of a camelCase or snake_case word, case kept; one for a plain word.

    Example:
        >>> split_identifier("parseHTTPHeader_v2")
        ['parse', 'HTTP', 'Header', 'v2']
    """
    return _IDENTIFIER_PART.findall(word)
