"""Source code into documents with blocks, beside tree-sitter's own parse of the same text."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import playwright
import tree_sitter

from seamline.parse.code import JAVASCRIPT, PYTHON, C, CodeParser
from seamline.parse.code_tree import load_language
from sections import Context
from timing import Check, Table, measure, ratios, speed

TOTAL, LIMIT = 1_500_000, 1.5
LIBRARIES = {
    "Python, the standard library": (PYTHON, Path(sysconfig.get_path("stdlib")), "*.py"),
    "JavaScript, playwright's driver": (JAVASCRIPT, Path(playwright.__file__).parent, "*.js"),
    "C, the headers of numpy and Python": (C, Path(np.get_include()), "*.h"),
}


def run(context: Context) -> list[Table]:
    table = Table("Source code into documents, beside tree-sitter's own parse")
    for name, (parser, folder, pattern) in LIBRARIES.items():
        costs = measure(_tools(parser), _sampler(folder, pattern, context), context.rounds)
        ratio, spread = ratios(costs["document"], costs["tree"])
        table.rows.append(
            {
                "code": name,
                "tree alone, MB / CPU-s": speed(costs["tree"]),
                "document with blocks, MB / CPU-s": speed(costs["document"]),
                "document costs × tree": Check(ratio, LIMIT, at_least=False),
                "range over rounds": spread,
            }
        )
    table.note = (
        f"Files of 1 to 400 KB drawn anew for every round, {TOTAL / 1e6:g} MB each time. "
        "The tree alone is `Parser.parse(bytes)` of py-tree-sitter, encoding included."
    )
    return [table]


def _tools(parser: CodeParser) -> dict[str, Callable[[str], object]]:
    bare = tree_sitter.Parser(load_language(parser.grammar))
    return {
        "tree": lambda text: bare.parse(text.encode()),
        "document": lambda text: parser.parse(text, "file"),
    }


def _sampler(folder: Path, pattern: str, context: Context) -> Callable[[], list[str]]:
    """Files drawn anew for every round; both tools get the same, as some code costs far more."""
    files = [f for f in sorted(folder.rglob(pattern)) if 1_000 < f.stat().st_size < 400_000]
    if not files:
        raise SystemExit(f"no {pattern} in {folder} to measure on")

    def sample() -> Iterator[list[str]]:
        while True:
            rng, texts, left = random.Random(context.fresh.seed()), [], TOTAL
            while left > 0:
                texts.append(rng.choice(files).read_text("utf-8", errors="replace"))
                left -= len(texts[-1])
            yield texts
            yield texts

    return sample().__next__
