"""Files that a command may write to: none that it reads, and each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from seamline.errors import InvalidConfig

__all__ = ["is_document", "refuse_overwriting"]


def refuse_overwriting(
    outputs: Mapping[str, Path | None],
    inputs: Mapping[str, Path | None],
    docs: Iterable[Path] = (),
) -> None:
    """Nothing, unless an output, by its option, would take the place of an input or another output.

    `inputs` are by what they are, `docs` files and folders of documents. What is no
    regular file, like /dev/stdout, is no input.

    Raises:
        InvalidConfig: one would; names the option, the path and what lies there.
    """
    docs = list(docs)
    given = {option: path for option, path in outputs.items() if path and not _special(path)}
    for option, path in given.items():
        taken = [what for what, other in inputs.items() if other and _same(path, other)]
        if not taken and is_document(path, docs):
            taken = ["one of the documents"]
        if taken:
            raise InvalidConfig(
                f"{option} must not be {taken[0]}, which it would overwrite, got {str(path)!r}: "
                "give another file"
            )
    for (first, a), (second, b) in combinations(given.items(), 2):
        if _same(a, b):
            raise InvalidConfig(f"{first} and {second} must be two files, got {str(b)!r} twice")


def is_document(path: Path, docs: Iterable[Path]) -> bool:
    """Whether a file is among the documents in `docs`: given itself, or one of a folder's kinds."""
    from seamline.parse.formats import PARSERS, extension

    if not path.is_file():
        return False
    readable, real = extension(str(path)) in PARSERS.names(), Path(os.path.realpath(path))
    return any(
        (one.is_dir() and readable and real.is_relative_to(os.path.realpath(one)))
        or _same(path, one)
        for one in docs
    )


def _special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _same(a: Path, b: Path) -> bool:
    """Whether two paths are one file, under whatever names; it need not be there."""
    if a.exists() and b.exists():
        return a.samefile(b)
    return os.path.realpath(a) == os.path.realpath(b)
