"""Markdown into sections with heading paths, beside the peers' Markdown splitters."""

from __future__ import annotations

import random

import peers
from ours import Run, code_in_documents, without_fast
from seamline.parse import parse_text
from seamline.split import parse_strategy
from sections import Context
from sections.characters import OURS, compare
from texts import REPOSITORY
from timing import Check, Table, measure, ratios

LIMITS = {"langchain MarkdownHeaderTextSplitter": 2.5, "llama-index MarkdownNodeParser": 15.0}
AT_1_MB = {"semantic-text-splitter MarkdownSplitter": 5.0}
SPEC = "structure(size=1000, unit=characters)"
SMALL, LARGE = 100_000, 1_000_000


def run(context: Context) -> list[Table]:
    without_fast()
    tools = {
        OURS: _split(SPEC),
        "parsing alone": _parse,
        "with the extra code": _split(SPEC, code=True),
    } | peers.made(peers.MARKDOWN, 1000)
    small = measure(tools, lambda: [_markdown(context, SMALL)], context.rounds)
    large = measure(tools, lambda: [_markdown(context, LARGE)], max(3, context.rounds // 3))
    return [
        compare("Markdown structure with heading paths, 100 KB", small, LIMITS),
        compare("Markdown structure with heading paths, 1 MB", large, LIMITS | AT_1_MB),
        _adaptive(context),
    ]


def _adaptive(context: Context) -> Table:
    """What adaptive costs beside structure, both by tokens, parsing included."""
    tools = {"structure": _split("structure(size=512)"), "adaptive": _split("adaptive")}
    costs = measure(tools, lambda: [_markdown(context, SMALL)], context.rounds)
    ratio, spread = ratios(costs["adaptive"], costs["structure"])
    table = Table("adaptive beside structure, tokens, 100 KB of Markdown")
    table.rows.append(
        {"adaptive × structure": Check(ratio, 1.5, at_least=False), "range over rounds": spread}
    )
    return table


def _parse(text: str) -> object:
    code_in_documents(read=False)
    return parse_text(text, media_type="text/markdown")


def _split(spec: str, *, code: bool = False) -> Run:
    strategy = parse_strategy(spec)

    def run(text: str) -> object:
        code_in_documents(read=code)
        return strategy.split(parse_text(text, media_type="text/markdown"))

    return run


def _markdown(context: Context, size: int) -> str:
    """Real Markdown pages in a new order, cut at blank lines, with other words."""
    draw = random.Random(context.fresh.seed())
    folder = REPOSITORY.parent / "shared" / "data" / "techdocs" / "docs"
    files = sorted(folder.glob("*.md")) or sorted((REPOSITORY / "examples").glob("*/docs/*.md"))
    parts = [part for file in files for part in file.read_text("utf-8").split("\n## ")]
    made: list[str] = []
    left = size
    while left > 0:
        part = draw.choice(parts).replace(
            draw.choice(["the", "and", "is"]), f"w{draw.random():.3f}"
        )
        made.append(part)
        left -= len(part) + 4
    return "\n## ".join(made)[:size]
