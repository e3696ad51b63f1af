"""The columns of documents, from memory where they were read before."""

from __future__ import annotations

import numpy as np

from seamline.errors import StoreError
from seamline.store.postgres.gathered import Laid
from seamline.store.postgres.known import Known
from seamline.store.postgres.source import Source
from seamline.store.values import Ints

__all__ = ["laid_of"]


def laid_of(source: Source, known: Known, numbers: Ints) -> dict[int, Laid]:
    """The columns of documents that the reader may read."""
    found = {number: known.laid.get(number) for number in numbers.tolist()}
    missing = np.array([number for number, one in found.items() if one is None], np.int64)
    for number, columns in source.columns(missing):
        found[number] = known.laid.put(number, Laid.of(columns))
    whole = {number: one for number, one in found.items() if one is not None}
    if len(whole) != len(found):
        lost = sorted(found.keys() - whole.keys())
        raise StoreError(
            f"each document must have its content, but {len(lost)} have none (the first is number "
            f"{lost[0]}): drop the namespace and ingest again"
        )
    return whole
