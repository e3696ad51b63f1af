"""Which golden set and documents a command of `seamline golden` is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seamline.cli.bench import chosen_set, settings_of
from seamline.cli.options import limits_here
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.skips import refuse_all_skipped

if TYPE_CHECKING:
    from seamline.parse import Skipped
    from seamline.types import Document

__all__ = ["read_given"]


def read_given(
    docs: Sequence[Path] | None,
    golden: Path | None,
    *,
    config: Path | None = None,
    out: Path | None = None,
    skipped: list[Skipped] | None,
    quiet: bool,
) -> tuple[Path, list[Document]]:
    """The golden set's file and the documents that are given, or else what the config file says.

    Without a list `skipped`, the first file of a folder that cannot be read is refused.
    `out` is what will be written: it may not be among them.

    Raises:
        InvalidConfig: it is.
        MissingInput, InvalidDocument: see `find_set` and `read_set`.
    """
    from seamline.golden.sets import find_set, read_set

    given: tuple[Sequence[str | Path], str | Path | None] = docs or (), golden
    if config or not (docs or golden):
        settings = settings_of(config, {}, quiet=quiet)
        given, limits = chosen_set(docs, golden, settings), settings.limits
    else:
        limits = limits_here()
    paths, file = find_set(*given)
    refuse_overwriting({"--out": out}, {"the golden set": file}, paths)
    strict = skipped is None
    documents = read_set(paths, file, skipped=skipped, strict=strict, limits=limits)
    refuse_all_skipped(len(documents), skipped or ())
    return file, documents
