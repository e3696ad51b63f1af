"""What is compared: a way to cut, a way to rank and a way to show, by name or as specs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from grading.routes import KINDS, Blind
from peers import chonkie_tokens
from seamline.errors import SeamlineError
from seamline.protocols import Embedder, Sizer, Strategy
from seamline.split import parse_strategy
from seamline.split.align import as_strategy

RECIPE = "hybrid(alpha=0.6, positional=160, kernel=512)"

STRATEGIES = {
    "adaptive": "adaptive",
    "structure": "structure",
    "fixed-512": "fixed(size=512, overlap=50)",
    "fixed-256": "fixed(size=256, overlap=0)",
    "sliding-400": "sliding(size=400, step=200)",
    "recursive-512-64": "recursive(size=512, overlap=64)",
    "recursive-512": "recursive(size=512, overlap=0)",
    "recursive-256": "recursive(size=256, overlap=0)",
    "recursive-128": "recursive(size=128, overlap=0)",
    "recursive-64": "recursive(size=64, overlap=0)",
    "semantic": "semantic(size=512, threshold=0.5, floor=64)",
    "hierarchical": "hierarchical(parent=512, size=128)",
    "langchain-512": "langchain-512",
    "chonkie-512": "chonkie-512",
}
"""Names of cuts; those of the peers are made below."""

RANKINGS = {
    "dense": ("dense", False),
    "bm25": ("bm25", False),
    "hybrid": ("hybrid(alpha=0.5)", False),
    "rrf": ("hybrid(alpha=0.5, fusion=rrf)", False),
    "recipe": (RECIPE, True),
    "maxsim": (f"{RECIPE[:-1]}, rerank=maxsim)", True),
}
"""Names of rankings: a retriever, and whether touching pieces are joined."""

_ASIDE = ("recursive-64", "structure")  # by name only
DEFAULT = (
    *(
        f"{cut}/{ranking}"
        for cut in STRATEGIES
        if cut not in _ASIDE
        for ranking in ("dense", "hybrid")
    ),
    "structure/dense",
    "structure/hybrid",
    "structure/recipe",
    "recursive-128/recipe",
    "adaptive/recipe",
    "adaptive/oracle",
    "recursive-128/oracle",
)
BASELINE = "recursive-256/hybrid"


@dataclass(frozen=True)
class Design:
    """One row: chunks of `strategy` (a spec, or a peer's name), ranked by `retriever`.

    With `merge` touching pieces are shown as one; with `oracle` the pieces are in
    the best order there is, whatever the retriever.
    """

    name: str
    strategy: str
    retriever: str
    merge: bool = False
    oracle: bool = False
    blind: tuple[str, ...] = ()
    """Kinds of blocks that the strategy is not shown."""


def parse_designs(text: str) -> list[Design]:
    """The designs that names and specs with commas (or semicolons) between describe.

    A design is `cut/ranking`: both a name of the tables above or a spec, the ranking
    also `oracle`; `+merge` at its end joins touching pieces.
    """
    parts = re.split(r"[,;](?![^()]*\))", text)
    return [parse_design(part.strip()) for part in parts if part.strip()]


def parse_design(text: str) -> Design:
    """The design of one `cut/ranking`, or of a cut alone, which is ranked by `dense`."""
    given, plus, option = text.partition("+")
    if plus and option.strip() != "merge":
        raise SystemExit(f"a design ends in +merge or in nothing, got {text!r}")
    cut, _, ranking = (part.strip() for part in given.partition("/"))
    strategy = STRATEGIES.get(cut, cut)
    if ranking == "oracle":
        return Design(text, strategy, "bm25", merge=True, oracle=True)
    retriever, merge = RANKINGS.get(ranking or "dense", (ranking, False))
    return Design(text, strategy, retriever, merge or bool(plus))


def ablation(cut: str) -> list[Design]:
    """The recipe on one cut, and what is left of it without each of its parts."""
    strategy = STRATEGIES.get(cut, cut)
    whole = Design(f"{cut}, all parts", strategy, RECIPE, merge=True)

    def without(name: str, retriever: str, **fields: Any) -> Design:
        return replace(whole, name=name, retriever=retriever, **fields)

    parts = [
        without("no BM25", "hybrid(alpha=1.0, kernel=512)"),
        without("no dense", "hybrid(alpha=0.0, positional=160, kernel=512)"),
        without("no kernel", "hybrid(alpha=0.6, positional=160)"),
        without("no positional BM25", "hybrid(alpha=0.6, kernel=512)"),
        without("neither kernel nor positional", "hybrid(alpha=0.6)"),
        without("RRF for z-scores", "hybrid(alpha=0.6, fusion=rrf, positional=160, kernel=512)"),
        without("touching units apart", RECIPE, merge=False),
        without("units of recursive 128", RECIPE, strategy=STRATEGIES["recursive-128"]),
        without("units of recursive 256", RECIPE, strategy=STRATEGIES["recursive-256"]),
        without("perfect ranking of these units", "bm25", oracle=True),
    ]
    return [whole, *(part for part in parts if replace(part, name=whole.name) != whole)]


def routes(cut: str) -> list[Design]:
    """The recipe on one cut, and the same where one kind of region after another is not seen."""
    whole = Design(f"{cut}, all seen", STRATEGIES.get(cut, cut), RECIPE, merge=True)
    everything = tuple(kind for kinds in KINDS.values() for kind in kinds)
    return [
        whole,
        *(replace(whole, name=f"without {name}", blind=kinds) for name, kinds in KINDS.items()),
        replace(whole, name="without any", blind=everything),
    ]


def made(
    designs: Iterable[Design], embedder: Embedder, sizer: Sizer
) -> Iterator[tuple[Design, Strategy]]:
    """The designs whose strategies can be made; the others are named on stderr."""
    for design in designs:
        try:
            strategy = _strategy(design.strategy, embedder, sizer)
            yield design, Blind(strategy, design.blind) if design.blind else strategy
        except (SeamlineError, ImportError) as error:
            print(f"left out {design.name}: {error}", file=sys.stderr)


def _strategy(spec: str, embedder: Embedder, sizer: Sizer) -> Strategy:
    name, _, size = spec.partition("-")
    if name in _PEERS and size.isdigit():
        return as_strategy(_PEERS[name](int(size), sizer))
    return parse_strategy(spec, embedder=embedder)


class _Splitter:
    """An object with `split_text`, made of a function."""

    def __init__(self, label: str, split: Callable[[str], list[str]]) -> None:
        self.label = label
        self.split_text = split

    def __repr__(self) -> str:
        return self.label


def _langchain(size: int, sizer: Sizer) -> _Splitter:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=sizer.size
    )
    return _Splitter(f"langchain-{size}", splitter.split_text)


def _chonkie(size: int, _sizer: Sizer) -> _Splitter:
    """By cl100k_base: chonkie cuts long words only with a tokenizer that encodes.

    Where it cuts inside a character (in 7 of 86 Chinese documents) that one is left out.
    """
    chunk = chonkie_tokens(size)
    label = f"chonkie-{size}"
    return _Splitter(label, lambda text: [part.text.strip("\ufffd") for part in chunk(text)])


_PEERS = {"langchain": _langchain, "chonkie": _chonkie}
