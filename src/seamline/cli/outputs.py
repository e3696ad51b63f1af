"""Files that a command may write to: none that it reads, none among documents, and each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from seamline.errors import InvalidConfig

__all__ = ["refuse_overwriting"]


def refuse_overwriting(
    outputs: Mapping[str, Path | None],
    inputs: Mapping[str, Path | None],
    docs: Iterable[Path] = (),
) -> None:
    """Nothing, unless an output would take the place of an input, a document or another output.

    `outputs` are by their options, `inputs` by what they are, `docs` files and folders
    of documents. In a folder of documents nothing may be written that the next command
    would take for one of them. What is no regular file, like /dev/stdout, is no input.

    Raises:
        InvalidConfig: one would; names the option, the path and what lies there.
    """
    docs = list(docs)
    given = {option: path for option, path in outputs.items() if path and not _special(path)}
    for option, path in given.items():
        taken = [what for what, other in inputs.items() if other and _same(path, other)]
        if not taken and _is_document(path, docs):
            taken = ["one of the documents"]
        if taken:
            raise InvalidConfig(
                f"{option} must not be {taken[0]}, which it would overwrite, got {str(path)!r}: "
                "give another path"
            )
        _refuse_among(option, path, docs)
    for (first, a), (second, b) in combinations(given.items(), 2):
        if _same(a, b):
            raise InvalidConfig(f"{first} and {second} must be two files, got {str(b)!r} twice")


def _is_document(path: Path, docs: Iterable[Path]) -> bool:
    """Whether a file is among the documents in `docs`: given itself, or one of a folder's kinds."""
    if not path.is_file():
        return False
    return any(_is_read_in(path, one) or _same(path, one) for one in docs)


def _is_read_in(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder of documents and is of a kind that is read."""
    from seamline.parse.formats import PARSERS, extension

    return extension(str(path)) in PARSERS and _lies_in(path, folder)


def _lies_in(path: Path, folder: Path) -> bool:
    """Whether a path lies below a folder, and under no name that begins with a dot."""
    if not folder.is_dir():
        return False
    real, top = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    if not real.is_relative_to(top):
        return False
    return not any(part.startswith(".") for part in real.relative_to(top).parts)


def _refuse_among(option: str, path: Path, docs: Iterable[Path]) -> None:
    """Refuse a file that the next command would read, or name as skipped, with the documents."""
    from seamline.golden.sets import GOLDEN_FILE
    from seamline.parse.skipped import is_no_document

    if path.name == GOLDEN_FILE or is_no_document(path):
        return
    for folder in docs:
        if _lies_in(path, folder):
            raise InvalidConfig(
                f"{option} must lie outside the folder of the documents, got {str(path)!r} in "
                f"{str(folder)!r}, where it would be taken for one of them: give another path"
            )


def _special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _same(a: Path, b: Path) -> bool:
    """Whether two paths are one file, under whatever names; it need not be there."""
    if a.exists() and b.exists():
        return a.samefile(b)
    return os.path.realpath(a) == os.path.realpath(b)
