"""Golden sets of a folder, capped so that every one takes minutes and all weigh alike."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamline.api import is_set, load_set
from seamline.bench.corpus import Corpus
from seamline.protocols import Sizer
from seamline.types import Document, Question


@dataclass(frozen=True, slots=True, eq=False)
class GradedSet:
    """One golden set: its name, what is asked of which documents, and where is searched.

    `scope` is `document` where the same questions are asked of every document.
    """

    name: str
    corpus: Corpus
    scope: str

    @property
    def clusters(self) -> list[str]:
        """The document of each question."""
        return [question.doc_id for question in self.corpus.questions]


def read_sets(folder: Path, sizer: Sizer, *, n_docs: int, n_questions: int) -> list[GradedSet]:
    """The golden sets in `folder` (or the one that it is), by name; 0 caps nothing.

    Of more than `n_docs` documents those are kept that lie evenly spaced among the
    documents with questions, then of their questions `n_questions` in the same way.
    """
    found = [folder] if is_set(folder) else sorted(filter(is_set, folder.iterdir()))
    if not found:
        raise SystemExit(f"{folder} must hold golden sets, folders of docs/ and golden.jsonl")
    sets = []
    for path in found:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            documents, questions = load_set(path)
        documents, questions = capped(documents, questions, n_docs, n_questions)
        sets.append(GradedSet(path.name, Corpus.of(documents, questions, sizer), scope_of(path)))
    return sets


def scope_of(folder: Path) -> str:
    """`document` if the set's meta.json says so in `scope`, else `corpus`."""
    meta = folder / "meta.json"
    said = json.loads(meta.read_text(encoding="utf-8")).get("scope", "") if meta.is_file() else ""
    return "document" if str(said).startswith("document") else "corpus"


def capped(
    documents: Sequence[Document], questions: Sequence[Question], n_docs: int, n_questions: int
) -> tuple[list[Document], list[Question]]:
    """The documents and questions that the caps leave, in their order."""
    asked = {question.doc_id for question in questions if question.slots}
    kept = list(documents)
    if n_docs and len(documents) > n_docs:
        kept = spaced([document for document in documents if document.id in asked], n_docs)
    ids = {document.id for document in kept}
    usable = [question for question in questions if question.slots and question.doc_id in ids]
    return kept, spaced(usable, n_questions or len(usable))


def spaced(items: Sequence[Any], n: int) -> list[Any]:
    """At most `n` of the items, evenly spaced.

    Example:
        >>> spaced("abcdef", 3)
        ['a', 'c', 'e']
    """
    n = min(n, len(items))
    return [items[i * len(items) // n] for i in range(n)]
