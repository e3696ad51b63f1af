"""Two results on the same questions, or what makes them incomparable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from seamline.bench.results import Results
from seamline.bench.schema import QuestionRow, ResultsData
from seamline.errors import NotComparable, UnknownName
from seamline.phrases import counted, listed
from seamline.registry import suggest

__all__ = ["Side", "Values", "sides_of"]

_SETTINGS = ("tokenizer", "scope", "k", "budget", "separator", "identical")

Values = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Side:
    """The values of one results file on the questions that are compared.

    `values` maps a strategy to its value of each of `questions`, NaN where there is
    none; `n_left_out` is how many questions of the file the other one does not have.
    """

    data: ResultsData
    values: Values
    questions: Sequence[QuestionRow]
    n_left_out: int

    @property
    def documents(self) -> list[str]:
        """The document of each question."""
        return [question["doc_id"] for question in self.questions]


def sides_of(first: Results, second: Results | None, measure: str | None) -> tuple[str, list[Side]]:
    """The measure that is compared and one or two sides, paired by question.

    Without a `measure` it is the primary one. Two sides must have searched the same
    texts for the same gold, shown the same number of tokens, and counted them alike; how
    they cut and ranked may differ.

    Raises:
        NotComparable: they have not, in a sentence that names what differs.
        UnknownName: a measure that one of the files does not have.
    """
    given = [one.data for one in (first, second) if one is not None]
    name = measure or given[0]["config"]["primary"]
    if len(given) == 2 and (reasons := _differences(given[0], given[1], measure)):
        raise NotComparable(f"the results must be comparable, but {'; '.join(reasons)}")
    for data in given:
        _check_measure(data, name)
    ids = [{question["id"] for question in data["questions"]} for data in given]
    common = set.intersection(*ids)
    if len(given) == 2 and not common:
        raise NotComparable("the results must share questions by id, but have none in common")
    return name, [_side(data, name, common) for data in given]


def _check_measure(data: ResultsData, name: str) -> None:
    known = list(dict.fromkeys(name for row in data["strategies"] for name in row["measures"]))
    if name not in known:
        raise UnknownName(f"no measure {name!r} in the results; {suggest(name, known)}")


def _side(data: ResultsData, measure: str, common: set[str]) -> Side:
    order = sorted(
        (i for i, question in enumerate(data["questions"]) if question["id"] in common),
        key=lambda i: data["questions"][i]["id"],
    )
    values = {
        row["spec"]: [_number(row["measures"][measure]["values"][i]) for i in order]
        for row in data["strategies"]
    }
    questions = [data["questions"][i] for i in order]
    return Side(data, values, questions, len(data["questions"]) - len(order))


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _differences(one: ResultsData, other: ResultsData, measure: str | None) -> list[str]:
    """What makes the values of two files different things, a phrase each."""
    reasons = [
        f"{key} is {one['config'][key]!r} and {other['config'][key]!r}"
        for key in _SETTINGS
        if one["config"][key] != other["config"][key]
    ]
    primary = [data["config"]["primary"] for data in (one, other)]
    if measure is None and primary[0] != primary[1]:
        reasons.insert(0, f"the primary measure is {primary[0]} and {primary[1]}")
    models = [data["config"]["embedder"] for data in (one, other)]
    if (measure or primary[0]).startswith("Similarity") and models[0] != models[1]:
        reasons.append(f"cosines are those of {models[0]} and {models[1]}")
    return reasons + _texts(one, other) + _gold(one, other)


def _texts(one: ResultsData, other: ResultsData) -> list[str]:
    """Documents that only one searched, that have another text, or other token counts."""
    left, right = ({row["id"]: row for row in data["documents"]} for data in (one, other))
    both = sorted(left.keys() & right.keys())
    changed = [doc for doc in both if left[doc]["digest"] != right[doc]["digest"]]
    sized = [
        doc for doc in both if left[doc]["tokens"] != right[doc]["tokens"] and doc not in changed
    ]
    return [
        *_phrase(sorted(left.keys() - right.keys()), "document", "only in the first"),
        *_phrase(sorted(right.keys() - left.keys()), "document", "only in the second"),
        *_phrase(changed, "document", "with another text"),
        *_phrase(sized, "document", "with the same text but another number of tokens"),
    ]


def _gold(one: ResultsData, other: ResultsData) -> list[str]:
    """Questions of the same id that are not the same."""
    left, right = ({row["id"]: row for row in data["questions"]} for data in (one, other))
    keys = ("doc_id", "text", "slots")
    changed = [
        id_
        for id_ in sorted(left.keys() & right.keys())
        if any(left[id_][key] != right[id_][key] for key in keys)  # type: ignore[literal-required]
    ]
    return _phrase(changed, "question", "with another text, document or gold")


def _phrase(ids: Sequence[str], noun: str, what: str) -> list[str]:
    if not ids:
        return []
    return [f"{counted(len(ids), noun)} {what}: {listed(list(map(repr, ids)))}"]
