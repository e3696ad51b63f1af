"""Fixed windows of 512 tokens with 64 of overlap, beside the peers."""

from __future__ import annotations

import peers
from ours import ToktokTokens, fast_tokenizer, split
from seamline.split.strategies import Fixed
from sections import Context
from sections.characters import OURS, compare
from timing import Table, measure

LIMITS = {"langchain TokenTextSplitter": 8.0}
WITHOUT = "seamline, without the extra fast"
TOTAL = 600_000


def run(context: Context) -> list[Table]:
    ours = {OURS: split("fixed(size=512, overlap=64, unit=tokens)")}
    if fast_tokenizer():
        ours |= {WITHOUT: split(Fixed(512, 64, unit=ToktokTokens()))}
    tools = ours | peers.made(peers.FIXED, 512, 64)
    costs = measure(tools, lambda: context.fresh.documents(TOTAL), context.rounds)
    return [compare("Fixed, 512 tokens, 64 overlap, documents of 2 to 20 KB", costs, LIMITS)]
