"""Drafts questions about documents, by a language model or from what they ask themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from seamline.embed import parse_embedder
from seamline.embed.cache import CachedEmbedder
from seamline.errors import InvalidConfig, InvalidDocument, ModelError
from seamline.golden.ask import asking, draft_from, finding
from seamline.golden.chat import Chat, Prompt, Rejected
from seamline.golden.filters import Sieve
from seamline.golden.known_items import KINDS, known_items
from seamline.golden.rows import Draft
from seamline.golden.windows import Window, draw_windows
from seamline.sizers import parse_sizer
from seamline.types import Document, Question

__all__ = ["Drafts", "Estimate", "Progress", "draft_by_model", "draft_known_items", "estimate"]

Progress = Callable[[int, int, int], Any]
"""Told how many questions are kept, of how many windows was asked, and of how many at most."""

# Windows drawn for each question wanted: models fail at some, and filters drop more.
_ROUNDS = 3
# Windows asked about before the filters look at what came back, and how many at a time.
_BATCH, _AT_ONCE = 16, 4
# Words of a question and an answer, for an estimate.
_REPLY_TOKENS = 150
_MOST = 1_000_000
_TABLE_ROWS = 2  # rows of one table that may be asked for, for each question wanted


@dataclass(frozen=True, slots=True)
class Drafts:
    """What was drafted, how many drafts were dropped for which reason, and calls that failed."""

    questions: tuple[Draft, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls and tokens (cl100k_base, replies guessed) of a drafting: at least and at most."""

    least_calls: int
    most_calls: int
    least_tokens: int
    most_tokens: int


def draft_known_items(
    documents: Sequence[Document],
    n: int,
    *,
    seed: int = 0,
    existing: Iterable[Question] = (),
) -> Drafts:
    """At most `n` known-item questions, as many of each kind and document as there are.

    Kinds and documents take turns, so that one long table does not make up the
    set. A question that several places ask is left out: it has no one answer. The
    same seed gives the same questions.

    Raises:
        InvalidConfig: `n` is not positive, or `seed` is negative.
        InvalidDocument: no document has a heading, docstring, table row or FAQ pair.

    Example:
        >>> from seamline.parse import read_documents
        >>> documents = list(read_documents(["examples/handbook/docs"]))
        >>> drafts = draft_known_items(documents, 8)
        >>> sorted(Counter(draft.kind for draft in drafts.questions).items())
        [('faq', 3), ('heading', 2), ('row', 3)]
    """
    _check(n, seed)
    rng = np.random.default_rng(seed)
    pools: dict[str, dict[str, list[Draft]]] = {kind: {} for kind in KINDS}
    for document in documents:
        for kind, found in known_items(document, rng, most_rows=_TABLE_ROWS * n).items():
            pools[kind][document.id] = found
    asked = Counter(d.question for pool in pools.values() for own in pool.values() for d in own)
    if not asked:
        raise InvalidDocument(
            "there must be a heading, docstring, table row or FAQ pair to ask for, but the "
            "documents hold none: give --llm URL, which can ask about any text"
        )
    sieve = Sieve(documents, existing, sizer=parse_sizer("tokens"))
    queues = [_in_turns(pool, rng) for pool in pools.values()]
    kept: list[Draft] = []
    waiting = _merged(queues)
    while len(kept) < n and (batch := list(islice(waiting, 2 * (n - len(kept))))):
        one_place = [draft for draft in batch if asked[draft.question] == 1]
        sieve.dropped["asked in several places"] += len(batch) - len(one_place)
        kept += islice(sieve.sift(one_place), n - len(kept))
    return Drafts(tuple(kept), +sieve.dropped)


def _in_turns(pool: dict[str, list[Draft]], rng: np.random.Generator) -> Iterator[Draft]:
    """The drafts of a kind in random order, documents taking turns."""
    order = [list(pool)[i] for i in rng.permutation(len(pool)).tolist()]
    own = [[pool[doc][i] for i in rng.permutation(len(pool[doc])).tolist()] for doc in order]
    return _merged([iter(drafts) for drafts in own])


def _merged(queues: Sequence[Iterator[Draft]]) -> Iterator[Draft]:
    """One of each queue in turn, until all are empty."""
    open_queues = list(queues)
    while open_queues:
        for queue in list(open_queues):
            draft = next(queue, None)
            if draft is None:
                open_queues.remove(queue)
            else:
                yield draft


def draft_by_model(
    documents: Sequence[Document],
    n: int,
    chat: Chat,
    *,
    seed: int = 0,
    existing: Iterable[Question] = (),
    progress: Progress = lambda _kept, _asked, _most: None,
) -> Drafts:
    """At most `n` questions of a model about windows that know no chunker.

    Of each window the model asks one question and copies its answer; it stays if
    the copy is verbatim, the model finds the answer again in a wider passage, and
    no filter objects. At most `3 n` windows are asked about. A call that fails
    costs its window and is reported; a batch of which all fail ends the work, so
    what came before is kept.

    Raises:
        InvalidConfig: `n` is not positive, or `seed` is negative.
        ModelError: the first calls failed, all of them.
    """
    _check(n, seed)
    embedder = CachedEmbedder(parse_embedder("minilm"), None)
    sieve = Sieve(documents, existing, sizer=parse_sizer("tokens"), embedder=embedder)
    windows = _windows(documents, n, seed)
    kept: list[Draft] = []
    failures: list[str] = []
    n_asked = 0
    with chat, ThreadPoolExecutor(_AT_ONCE) as pool:
        while len(kept) < n and (batch := list(islice(windows, min(_BATCH, n - len(kept))))):
            drafts: list[Draft] = []
            n_failed = len(failures)
            for result in pool.map(lambda window: _try(window, chat, sieve), batch):
                n_asked += 1
                progress(len(kept), n_asked, _ROUNDS * n)
                _sort(result, drafts, failures, sieve)
            if len(failures) - n_failed == len(batch):
                if not kept:
                    raise ModelError(failures[0])
                break
            kept += sieve.sift(drafts)
    return Drafts(tuple(kept), +sieve.dropped, tuple(failures))


def _sort(
    result: Draft | Rejected | ModelError, drafts: list[Draft], failures: list[str], sieve: Sieve
) -> None:
    """Put what came of a window where it belongs."""
    if isinstance(result, Draft):
        drafts.append(result)
    elif isinstance(result, Rejected):
        sieve.dropped[str(result)] += 1
    else:
        failures.append(str(result))


def _try(window: Window, chat: Chat, sieve: Sieve) -> Draft | Rejected | ModelError:
    try:
        return draft_from(window, chat, sieve.sizer)
    except (Rejected, ModelError) as error:
        return error


def _windows(documents: Sequence[Document], n: int, seed: int) -> Iterator[Window]:
    """Windows to ask about: a round of `n`, and others in case."""
    rng = np.random.default_rng(seed)
    seen: set[tuple[str, int]] = set()
    for _ in range(_ROUNDS):
        for window in draw_windows(documents, n, rng):
            place = window.document.id, window.span.start
            if place not in seen:
                seen.add(place)
                yield window


def estimate(documents: Sequence[Document], n: int, *, seed: int = 0) -> Estimate:
    """What `draft_by_model` would ask for, without asking: the very windows that it draws."""
    _check(n, seed)
    sizer = parse_sizer("tokens")
    windows = list(_windows(documents, n, seed))
    costs = [
        _cost(asking(one), sizer.size) + _cost(finding(one, ""), sizer.size) for one in windows
    ]
    first = len(costs[:n])
    return Estimate(2 * first, 2 * len(costs), sum(costs[:first]), sum(costs))


def _cost(prompt: Prompt, size: Callable[[str], int]) -> int:
    return size(prompt.system) + size(prompt.user) + _REPLY_TOKENS


def _check(n: int, seed: int) -> None:
    if not 1 <= n <= _MOST:
        raise InvalidConfig(
            f"n must be a positive number of questions, at most {_MOST:,}, got {n:,}"
        )
    if seed < 0:
        raise InvalidConfig(f"seed must be 0 or more, got {seed}")
