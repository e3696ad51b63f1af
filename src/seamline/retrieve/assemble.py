"""From ranked chunks to what the reader is shown: parents, the first k, token budgets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamline.errors import InvalidConfig
from seamline.retrieve.merge import merged
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.walk import Shown, walk
from seamline.types import FloatArray, IntArray

__all__ = ["ChunkTable", "Shown", "assemble", "assemble_budgets", "sufficient_depth"]


def assemble(  # noqa: PLR0913 - an option each
    ids: IntArray,
    scores: FloatArray,
    table: ChunkTable,
    *,
    k: int | None = None,
    budget: int | None = None,
    dedupe: bool = False,
    merge: bool = False,
    separator_tokens: int = 0,
    token_ends: Sequence[IntArray] | None = None,
) -> Shown:
    """What is shown of one question's ranking: the first `k` pieces, within `budget` tokens.

    A hit whose chunk has a parent shows the parent, once, at its best rank. Every piece
    costs its tokens, its context and `separator_tokens`. The piece at which the budget
    runs out is cut after the last token that fits, and is the last. With `dedupe`,
    characters shown before are cut off and cost nothing; a hit with nothing left is not
    shown and does not count towards `k`. `ids` of -1 are not chunks.

    With `merge`, pieces that overlap or touch (only white space between) become one run,
    which stands where its first hit does, costs the text from its start to its end once
    and the separator and the context of its first piece once. That includes `dedupe`.

    `token_ends` holds for each document the code-point end of every token; it is needed
    with `budget`, `dedupe` and `merge`.

    Raises:
        InvalidConfig: `k` or `budget` is negative, or `token_ends` is missing.

    Example:
        >>> column = lambda *values: np.array(values, np.int32)
        >>> table = ChunkTable(
        ...     doc=column(0, 0),
        ...     start=column(0, 10),
        ...     end=column(9, 19),
        ...     tokens=column(3, 3),
        ...     parent_start=column(-1, -1),
        ...     parent_end=column(-1, -1),
        ...     parent_tokens=column(0, 0),
        ...     context_tokens=column(0, 0),
        ... )
        >>> ends = [column(3, 6, 9, 13, 16, 19)]
        >>> shown = assemble(column(1, 0), np.float32([0.9, 0.5]), table, budget=4, token_ends=ends)
        >>> shown.start.tolist(), shown.end.tolist(), shown.tokens.tolist()
        ([10, 0], [19, 3], [3, 1])
    """
    budgets = [] if budget is None else [budget]
    _check(k, budgets, token_ends, needs_ends=dedupe or merge or bool(budgets))
    if merge and token_ends is not None:
        return merged(
            ids,
            scores,
            table,
            k=k,
            budgets=[budget],
            ends=token_ends,
            separator=separator_tokens,
        )[0]
    walked = walk(
        ids,
        scores,
        table,
        k=k,
        most=budget,
        ends=token_ends if dedupe else None,
        separator=separator_tokens,
    )
    if budget is None or token_ends is None:
        return walked.shown
    return walked.within(budget, token_ends)


def assemble_budgets(  # noqa: PLR0913 - see assemble
    ids: IntArray,
    scores: FloatArray,
    table: ChunkTable,
    *,
    budgets: Sequence[int],
    token_ends: Sequence[IntArray],
    k: int | None = None,
    dedupe: bool = False,
    merge: bool = False,
    separator_tokens: int = 0,
) -> list[Shown]:
    """What `assemble` shows at each of the `budgets`, in one walk of the ranking.

    Raises:
        InvalidConfig: as `assemble` does.
    """
    _check(k, budgets, token_ends, needs_ends=True)
    if merge:
        return merged(
            ids,
            scores,
            table,
            k=k,
            budgets=budgets,
            ends=token_ends,
            separator=separator_tokens,
        )
    walked = walk(
        ids,
        scores,
        table,
        k=k,
        most=max(budgets, default=0),
        ends=token_ends if dedupe else None,
        separator=separator_tokens,
    )
    return [walked.within(budget, token_ends) for budget in budgets]


def sufficient_depth(
    table: ChunkTable,
    *,
    k: int = 0,
    budget: int = 0,
    dedupe: bool = False,
    merge: bool = False,
    separator_tokens: int = 0,
) -> int:
    """How many ranked chunks surely fill `k` pieces and `budget` tokens, at most all of them.

    A ranking of this depth gives what the whole ranking would. The worst case counts:
    that the smallest pieces, and all children of the parents with the most, come first.
    """
    n = len(table)
    if dedupe or merge or not n:
        return n
    _, first, children = np.unique(table.piece, return_index=True, return_counts=True)
    by_count = np.sort(children)[::-1]
    depth_k = int(by_count[: max(k - 1, 0)].sum()) + 1
    cost = table.shown_tokens[first].astype(np.int64) + separator_tokens
    order = np.argsort(cost / children, kind="stable")
    n_pieces = int(np.searchsorted(np.cumsum(cost[order]), budget)) + 1
    depth_budget = int(children[order][:n_pieces].sum())
    return min(n, max(depth_k, depth_budget if budget else 0))


def _check(
    k: int | None,
    budgets: Sequence[int],
    token_ends: Sequence[IntArray] | None,
    *,
    needs_ends: bool,
) -> None:
    for name, value in (("k", k), *(("budget", budget) for budget in budgets)):
        if value is not None and value < 0:
            raise InvalidConfig(f"{name} must be at least 0, got {value}")
    if needs_ends and token_ends is None:
        raise InvalidConfig(
            "a budget, dedupe and merge need the token ends of the documents, got none: "
            "pass token_ends"
        )
