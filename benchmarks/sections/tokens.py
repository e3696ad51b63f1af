"""Recursive, 512 tokens of cl100k_base: beside the peers, and beside tokenising alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import peers
from ours import (
    TiktokenTokens,
    ToktokTokens,
    broken_laws,
    fast_tokenizer,
    split,
    tokens_by_tiktoken,
)
from seamline.split.strategies import Recursive
from sections import Context
from sections.characters import OURS, compare
from timing import Check, Table, cpu_seconds, measure, n_bytes, ratios, speed

SIZE, TOTAL = 512, 600_000
WITHOUT = "seamline, without the extra fast"
SPEC = f"recursive(size={SIZE}, overlap=0, unit=tokens)"
LIMITS = {
    "langchain recursive, tiktoken": 15.0,
    "semantic-text-splitter": 20.0,
    "semchunk": 15.0,
    "chonkie recursive": 8.0,
}


def run(context: Context) -> list[Table]:
    emitted: list[tuple[str, Any]] = []
    ours = split(SPEC)

    def remembered(text: str) -> None:
        emitted.append((text, ours(text)))

    tools = {OURS: remembered}
    if fast_tokenizer():
        tools |= {WITHOUT: split(Recursive(SIZE, 0, unit=ToktokTokens()))}
    tools |= peers.made(peers.TOKENS, SIZE)
    costs = measure(tools, lambda: context.fresh.documents(TOTAL), context.rounds)
    table = compare("Recursive, 512 tokens of cl100k_base, documents of 2 to 20 KB", costs, LIMITS)
    table.note = verified(emitted)
    return [table, beside_tokenising(context)]


def verified(emitted: list[tuple[str, Any]]) -> str:
    """A sentence on every chunk that was emitted while measuring, counted by tiktoken."""
    wrong = [
        law
        for text, chunks in emitted
        for law in broken_laws(text, chunks, SIZE, tokens_by_tiktoken)
    ]
    total = sum(len(chunks) for _, chunks in emitted)
    found = "every law holds" if not wrong else f"BROKEN: {'; '.join(wrong[:3])}"
    return f"All {total} chunks of {OURS} recounted by tiktoken, limit {SIZE}: {found}."


def beside_tokenising(context: Context) -> Table:
    """Cutting as a multiple of tokenising once with the same tokenizer."""
    encoding = peers.tiktoken_encoding()
    table = Table("The same, beside tokenising the text once with the same tokenizer")
    fresh = lambda: context.fresh.documents(TOTAL)  # noqa: E731 - one line says it
    toktok = split(Recursive(SIZE, 0, unit=ToktokTokens()))
    warm = {"tokenise": _toktok().encode_to_numpy, "cut": toktok}
    slow = {
        "tokenise": encoding.encode_to_numpy,
        "cut": split(Recursive(SIZE, 0, unit=TiktokenTokens(encoding))),
    }
    if fast := fast_tokenizer():
        costs = measure({"tokenise": fast, "cut": split(SPEC)}, fresh, 2 * context.rounds)
        table.rows.append(_row("gigatoken (extra fast), in use", costs, 1.5))
    table.rows.append(_row("toktok, in use", measure(warm, fresh, 2 * context.rounds), 1.5))
    table.rows.append(_row("toktok, just loaded", _cold(fresh, context.rounds), 1.5))
    table.rows.append(_row("tiktoken", measure(slow, fresh, context.rounds), 1.15))
    table.note = (
        "toktok keeps words that it has seen. In use: it has seen other texts, none of these. "
        "Just loaded: a new tokenizer for each measurement, its loading not counted."
    )
    return table


def _row(name: str, costs: dict[str, list[float]], limit: float) -> dict[str, Any]:
    ratio, spread = ratios(costs["cut"], costs["tokenise"])
    return {
        "tokenizer": name,
        "tokenising, MB / CPU-s": speed(costs["tokenise"]),
        "cutting, MB / CPU-s": speed(costs["cut"]),
        "cutting costs × tokenising": Check(ratio, limit, at_least=False),
        "range over rounds": spread,
    }


def _toktok() -> Any:
    import toktok

    return toktok._encoding("cl100k_base")  # noqa: SLF001 - the only door to ids


def _forget() -> None:
    """Make the next use load a tokenizer that has seen no text."""
    import toktok

    from seamline.sizers import tokens

    toktok._CACHE.clear()  # noqa: SLF001 - see above
    tokens._vocabulary.cache_clear()  # noqa: SLF001 - see above


def _cold(fresh: Callable[[], list[str]], rounds: int) -> dict[str, list[float]]:
    costs: dict[str, list[float]] = {"tokenise": [], "cut": []}
    for _ in range(rounds):
        for name, values in costs.items():
            _forget()
            run = _toktok().encode_to_numpy if name == "tokenise" else split(SPEC)
            run("a b" * SIZE)  # loads, and makes the table of token widths
            texts = fresh()
            values.append(cpu_seconds(run, texts) / n_bytes(texts) * 1e6)
    return costs
