"""What a check says: figures in sentences, the same in every report."""

from __future__ import annotations

from collections.abc import Sequence

from seamline.compare import Comparison
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.lock.compared import Aside
from seamline.lock.floors import Held
from seamline.lock.lock import Lock
from seamline.lock.moved import Moves
from seamline.measure.floors import CHUNK_SIZE
from seamline.phrases import counted, listed, signed

__all__ = [
    "compared_text",
    "fell_text",
    "floor_text",
    "moved_floors",
    "moved_text",
    "notes_of",
]


_WIDER = "; where few questions differ the interval reaches further than the test, which decides"


def compared_text(lock: Lock, one: Comparison, *, was: float, now: float, aside: Aside) -> str:
    """The primary measure then and now, and what is certain about the difference.

    Without the questions set aside the locked mean is another than the one in the lock.
    """
    asked = counted(one.n, "question")
    text = f"{now:.3f}, locked {was:.3f}"
    text += f" (of those {asked})" if aside.questions else f", on {asked}"
    if not one.n_different:
        return f"{text}: no question scores otherwise"
    return f"{text}: {_difference(one)}, {_verdict(one, lock)}"


def _difference(one: Comparison) -> str:
    text = f"difference {signed(one.mean)}"
    if one.low is not None and one.high is not None:
        text += f" (95 % interval {signed(one.low)} to {signed(one.high)})"
    return text


def _verdict(one: Comparison, lock: Lock) -> str:
    margin = lock.config["margin"]
    return {
        "BETTER": "better",
        "WORSE": f"worse (p {_p(one.p)}{_WIDER if one.wider else ''})",
        "EQUIVALENT": f"equivalent within the margin of {margin:.3f}",
        "NOT SEPARABLE": f"not separable (p {_p(one.p)})",
        "UNRESOLVABLE": f"too few questions differ ({one.n_different}) for any to be separable",
    }[one.verdict]


def _p(p: float) -> str:
    return f"{p:.3f}" if round(p, 3) else "under 0.001"


def fell_text(lock: Lock, one: Comparison) -> str:
    """The title of a regression in the primary measure."""
    way = "rose" if lock.config["lower_is_better"] else "fell"
    interval = ""
    if one.low is not None and one.high is not None:
        interval = f" (95 % interval {signed(one.low)} to {signed(one.high)})"
    return (
        f"{lock.primary} {way} by {abs(one.mean or 0.0):.3f}{interval}, "
        f"beyond the margin of {lock.config['margin']:.3f}"
    )


def floor_text(one: Held) -> str:
    """A value and where it must lie."""
    places = 1 if one.name == CHUNK_SIZE else 3
    value = f"{one.value:.{places}f}"
    if one.low is not None and one.high is not None:
        must = f"must lie from {one.low:.{places}f} to {one.high:.{places}f}"
    elif one.low is not None:
        must = f"must be at least {one.low:.{places}f}"
    else:
        must = f"must be at most {one.high:.{places}f}"
    locked = "" if one.locked is None else f" (locked {one.locked:.{places}f})"
    return f"{value}, {must}{locked}"


def moved_floors(numbers: Sequence[Held]) -> str:
    """How to let floors go that are numbers."""
    ways = {(True, False): "lower", (False, True): "raise", (True, True): "move"}
    kinds: dict[str, list[str]] = {}
    for one in numbers:
        kinds.setdefault(ways[one.low is not None, one.high is not None], []).append(one.name)
    parts = [
        f"{way} the floor{'' if len(names) == 1 else 's'} of {listed(names, len(names))}"
        for way, names in kinds.items()
    ]
    holds = "it is a number, which holds" if len(numbers) == 1 else "they are numbers, which hold"
    return f"{' and '.join(parts)}: {holds} whatever is locked"


def moved_text(moves: Moves) -> str:
    """How many cuts moved, and in how many documents."""
    n = sum(one.kind != "indexed" for one in moves.moves)
    where = f"in {counted(moves.n_documents, 'document')} that did not change"
    if not n:
        return f"what is indexed or shown of the chunks changed {where}"
    return f"{counted(n, 'cut')} moved {where}"


def notes_of(lock: Lock, aside: Aside, one: Comparison | None) -> list[str]:
    """What limits the verdict: documents that changed, what a check of this size cannot see."""
    found = _aside_notes(lock, aside)
    if one is None:
        return found
    if one.detectable is not None:
        found.append(
            f"A true drop of less than {one.detectable:.3f} would often pass unseen with "
            f"{counted(one.n, 'question')} (80 % power)."
        )
    if one.n_clusters < FEWEST_CLUSTERS:
        found.append(
            f"The questions are about {counted(one.n_clusters, 'document')}: with fewer than "
            f"{FEWEST_CLUSTERS} nothing follows for other documents."
        )
    return found


def _aside_notes(lock: Lock, aside: Aside) -> list[str]:
    kinds = (("changed", aside.changed), ("gone", aside.gone), ("new", aside.new))
    parts = [
        f"{counted(len(ids), 'document')} {kind} ({listed(ids)})" for kind, ids in kinds if ids
    ]
    found = []
    if parts:
        found.append(
            f"Since the lock: {', '.join(parts)}. What is searched is not what it was, so scores "
            "may differ for that alone."
        )
    if aside.questions:
        found.append(
            f"{len(aside.questions):,} of {counted(len(lock.questions), 'locked question')} are "
            f"set aside with their documents ({listed(aside.questions)})."
        )
    if aside.new_questions:
        found.append(
            f"{counted(len(aside.new_questions), 'question')} not in the lock "
            f"({listed(aside.new_questions)}): asked, but nothing to compare with."
        )
    return found
