"""Text that no tool has seen before, made of real documents, and the odd shapes.

Tokenizers and some splitters cache words or pieces, so measuring twice on the same
text, or on the same sentences in another order, flatters them. Every text here is
drawn from real paragraphs with its sentences in a new order and 3 % of its longer
words replaced by anagrams. With 3 % a caching tokenizer runs as fast as it does on
real documents from another source; with 0 % it runs up to twice as fast.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PROSE_SETS = ("chroma", "cuad", "qmsum", "tatqa", "techdocs", "xquad_en")
COINED = 0.03


def sources() -> tuple[str, list[Path]]:
    """Where the real text comes from, and its files."""
    data = REPOSITORY.parent / "shared" / "data"
    files = [f for name in PROSE_SETS for f in sorted((data / name / "docs").glob("*"))]
    if files:
        return f"{len(files)} documents of the development sets", files
    files = sorted((REPOSITORY / "examples").glob("*/docs/*"))
    if not files:
        raise SystemExit("no text to measure on: neither ../shared/data nor examples/ is there")
    return f"{len(files)} documents of examples/", files


def _paragraphs(files: list[Path]) -> list[str]:
    texts = [part for f in files for part in re.split(r"\n\s*\n", f.read_text("utf-8"))]
    return [part for part in texts if part.strip()]


class FreshText:
    """Documents made anew at every call: a seed is never used twice."""

    def __init__(self, seed: int = 0) -> None:
        self.origin, files = sources()
        self._paragraphs = _paragraphs(files)
        self._seeds = count(seed * 1_000_003)

    def documents(self, total: int, low: int = 2_000, high: int = 20_000) -> list[str]:
        """Documents of `low` to `high` characters, `total` in all (or slightly more)."""
        rng = random.Random(next(self._seeds))
        made: list[str] = []
        while total > 0:
            made.append(self._document(rng, rng.randint(low, high)))
            total -= len(made[-1])
        return made

    def document(self, size: int) -> str:
        """One document of exactly `size` characters."""
        return self._document(random.Random(next(self._seeds)), size)

    def seed(self) -> int:
        """A number that was not used before."""
        return next(self._seeds)

    def _document(self, rng: random.Random, size: int) -> str:
        parts: list[str] = []
        left = size
        while left > 0:
            parts.append(_reword(rng.choice(self._paragraphs), rng))
            left -= len(parts[-1]) + 2
        return "\n\n".join(parts)[:size]


def _reword(paragraph: str, rng: random.Random) -> str:
    lines = paragraph.split("\n")
    if len(paragraph) > 3_000:  # a transcript without blank lines: a part of it
        first = rng.randrange(len(lines))
        lines = "\n".join(lines[first : first + 8])[:3_000].split("\n")
    if len(lines) == 1:
        sentences = re.split(r"(?<=[.?!]) ", lines[0])
        rng.shuffle(sentences)
        lines = [" ".join(sentences)]
    words = "\n".join(lines).split(" ")
    for at in rng.sample(range(len(words)), int(len(words) * COINED + rng.random())):
        if len(words[at]) > 3 and words[at].isalpha():
            words[at] = "".join(rng.sample(words[at], len(words[at])))
    return " ".join(words)


def _any_of(alphabet: str, n: int, rng: random.Random) -> str:
    return "".join(rng.choices(alphabet, k=n))


def _lines(n: int, rng: random.Random, line: Callable[[random.Random], str]) -> str:
    kinds = [line(rng) for _ in range(997)]
    width = sum(map(len, kinds)) / len(kinds)
    return "".join(rng.choices(kinds, k=int(n / width) + 1))[:n]


def _row(rng: random.Random) -> str:
    word = _any_of(LETTERS, 8, rng)
    return f'{rng.randrange(10**6)},{word}@example.org,"{word.title()}, Inc.",{rng.random():.4f}\n'


def _statement(rng: random.Random) -> str:
    a, b = _any_of(LETTERS, 3, rng), _any_of(LETTERS, 5, rng)
    return f'function {a}({b}){{return {b}.map(x=>x*{rng.randrange(99)}||"{b}")}};'


LETTERS = "abcdefghijklmnopqrstuvwxyz"
HAN = "".join(map(chr, range(0x4E00, 0x5800)))
FACES = "".join(map(chr, range(0x1F600, 0x1F64F)))
MB = 1_000_000

# name -> (characters, maker). The sizes are those of the figures to reach.
SHAPES: dict[str, tuple[int, Callable[[int, random.Random], str]]] = {
    "no space": (5 * MB, lambda n, r: _any_of(LETTERS, n, r)),
    "one character": (5 * MB, lambda n, r: r.choice(LETTERS) * n),
    "newlines": (MB, lambda n, _: "\n" * (n - 1) + "x"),
    "spaces": (MB, lambda n, _: " " * (n - 1) + "x"),
    "one-word sentences": (
        5 * MB,
        lambda n, r: _lines(n, r, lambda q: _any_of(LETTERS, 3, q).title() + ". "),
    ),
    "tiny lines": (3 * MB, lambda n, r: _lines(n, r, lambda q: _any_of(LETTERS, 2, q) + "\n")),
    "50 levels of quotes": (
        3 * MB,
        lambda n, r: _lines(
            n, r, lambda q: "> " * q.randint(1, 50) + f"{_any_of(LETTERS, 6, q)}\n"
        ),
    ),
    "CJK": (MB, lambda n, r: _lines(n, r, lambda q: _any_of(HAN, 14, q) + q.choice("。，！"))),
    "base64": (3 * MB, lambda n, r: base64.b64encode(r.randbytes(n))[:n].decode()),
    "emoji": (MB, lambda n, r: _any_of(FACES, n, r)),
    "one-line JavaScript": (3 * MB, lambda n, r: _lines(n, r, _statement)),
    "CSV": (3 * MB, lambda n, r: _lines(n, r, _row)),
}


def shape(name: str, seed: int) -> str:
    """The odd text called `name`; another seed gives other characters where it can."""
    size, make = SHAPES[name]
    return make(size, random.Random(seed))
