"""Who asks: questions that nobody asked are told apart from those of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seamline.golden.rows import SYNTHETIC
from seamline.types import Question

__all__ = ["PEOPLE_TAG", "SYNTHETIC_TAG", "tag_sources"]

SYNTHETIC_TAG, PEOPLE_TAG = "source:synthetic", "source:human"


def tag_sources(questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions, each with a tag for its source if any of them is synthetic.

    So every figure by tag is there for the synthetic ones and for the others apart.

    Example:
        >>> asked = [Question(name, "a.md", "Why?", (), source=name) for name in ("synthetic", "")]
        >>> [question.tags for question in tag_sources(asked)]
        [('source:synthetic',), ('source:human',)]
        >>> tag_sources(asked[1:])[0].tags
        ()
    """
    if not any(question.source == SYNTHETIC for question in questions):
        return tuple(questions)
    return tuple(
        replace(one, tags=tuple(dict.fromkeys((*one.tags, _tag(one))))) for one in questions
    )


def _tag(question: Question) -> str:
    return SYNTHETIC_TAG if question.source == SYNTHETIC else PEOPLE_TAG
