"""Which files are meant by the paths a user gives, and what each document is called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from seamline.errors import InvalidConfig, InvalidDocument, MissingInput, UnsupportedFormat
from seamline.parse.formats import PARSERS, conversions, extension
from seamline.parse.skipped import Skipped, count_kinds, is_no_document, skip

__all__ = ["find_files"]

_SHOWN = 10
_PIPE = "a pipe, a socket or a device: write what it gives into a file"
_READ = "documents are .md, .txt, .html, .docx, .pdf and others (docs/formats.md has all)"


def find_files(
    paths: Sequence[str | Path],
    *,
    skipped: list[Skipped] | None = None,
    leave_out: Iterable[str | Path] = (),
) -> list[tuple[Path, str]]:
    """The documents' files with their ids, every path checked, no document read yet.

    Arguments keep their order; the files of a folder, subfolders included, are
    sorted by their posix path relative to it, which is also the id. A file given
    itself is called by its name. Names that begin with a dot are left out, and so
    are files of folders that are plainly no documents (pictures, programs, lock
    files) or in `leave_out`. The same file under the same id is taken once;
    different files with the same id get the name of their argument's folder in
    front. A linked folder is followed unless it was visited already, so loops of
    links end.

    With a list `skipped`, what would be refused in a folder is put there instead,
    and what is no document too. A file that is given itself is always refused.

    Raises:
        MissingInput: a path is not there, there is no document at all, a file is a
            broken link or not a regular file.
        UnsupportedFormat: files no parser reads, named.
        InvalidConfig: different files would have the same id.
        InvalidDocument: a file name that is not valid Unicode.
    """
    roots = _roots(paths)
    if not roots:
        raise MissingInput("at least one file or folder must be given, got none")
    notes: list[Skipped] = []
    found = [(root, *pair) for root in roots for pair in _files_of(root, skipped)]
    kept = _documents(found, {_real(path) for path in leave_out}, notes)
    if skipped is None:
        _check_formats([path for _, path, _ in kept])
        _check_readable([path for _, path, _ in kept])
    else:
        kept = list(_usable(kept, notes))
        skipped.extend(dict.fromkeys(notes))
    if not kept:
        raise MissingInput(
            f"at least one document must be in {', '.join(repr(str(root)) for root in roots)}, but "
            f"what is there was left out ({count_kinds(notes) or 'the golden set'}); {_READ}"
        )
    return _with_unique_ids(kept)


Found = tuple[Path, Path, str]


def _real(path: str | Path) -> Path:
    """Where a path leads; unlike `Path.resolve` it takes links that lead to themselves."""
    return Path(os.path.realpath(path))


def _documents(
    found: Sequence[Found], left_out: Collection[Path], notes: list[Skipped]
) -> list[Found]:
    """The files but for those of folders that are plainly no documents."""
    kept = []
    for root, path, doc_id in found:
        if path is not root and is_no_document(path):
            notes.append(replace(skip(path, doc_id, "it is no document"), is_document=False))
        elif path is root or not left_out or _real(path) not in left_out:
            kept.append((root, path, doc_id))
    return kept


def _usable(found: Sequence[Found], notes: list[Skipped]) -> Iterator[Found]:
    """The files that a parser is there for; others are noted, or refused if given themselves."""
    for root, path, doc_id in found:
        try:
            _check_formats([path])
            _check_readable([path])
        except UnsupportedFormat:
            if path is root:
                raise
            ending = extension(path)
            kind = f"{ending} files" if ending else "files without an extension"
            why = f"no parser reads {kind}: {conversions([ending])}"
            notes.append(skip(path, doc_id, why))
        except (MissingInput, InvalidDocument) as error:
            if path is root:
                raise
            notes.append(skip(path, doc_id, error))
        else:
            yield root, path, doc_id


def _roots(paths: Any) -> list[Path]:
    many = isinstance(paths, Iterable) and not isinstance(paths, str | bytes | os.PathLike)
    roots: list[Path] = []
    for path in paths if many else [paths]:
        if not isinstance(path, str | os.PathLike):
            raise InvalidConfig(
                f"documents must be paths of files and folders, got a {type(path).__name__}"
            )
        roots.append(Path(path))
    return roots


def _files_of(root: Path, skipped: list[Skipped] | None) -> list[tuple[Path, str]]:
    if not root.exists():
        raise MissingInput(f"a path must exist, got {str(root)!r}: check its spelling")
    if not root.is_dir():
        return [(root, root.name)]
    found = [(path, path.relative_to(root).as_posix()) for path in _walk(root, skipped)]
    if not found:
        raise MissingInput(
            f"a folder must hold at least one document, found none in {str(root)!r}; {_READ}"
        )
    return sorted(found, key=lambda pair: pair[1])


def _walk(root: Path, skipped: list[Skipped] | None) -> Iterator[Path]:
    """Every file below `root`: real folders first, so that a link never hides one."""
    seen: set[tuple[int, int]] = set()
    real, linked = [root], list[Path]()
    while real or linked:
        folder = real.pop() if real else linked.pop(0)
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            # By name: comparing paths would have each keep its parts once more.
            entries = sorted(folder.iterdir(), key=lambda path: path.name)
        except OSError as error:
            refusal = _unreadable(folder, error)
            if skipped is None or folder is root:
                raise refusal from error
            skipped.append(skip(folder, folder.relative_to(root).as_posix(), refusal))
            continue
        for path in entries:
            if path.name.startswith("."):
                continue
            if path.is_dir():
                (linked if path.is_symlink() else real).append(path)
            else:
                yield path


def _unreadable(folder: Path, error: OSError) -> MissingInput:
    return MissingInput(
        f"a folder must be readable, got {str(folder)!r} ({error.strerror}): check its permissions"
    )


def _check_formats(paths: Sequence[Path]) -> None:
    unknown = [str(path) for path in paths if extension(path) not in PARSERS]
    if unknown:
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        named = ", ".join(map(repr, unknown[:_SHOWN]))
        raise UnsupportedFormat(
            f"documents must be of a format that is read, got {named}{more}: "
            f"{conversions(map(extension, unknown))}"
        )


def _check_readable(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.is_file():
            raise MissingInput(
                f"a document must be a regular file, got {str(path)!r}, "
                + ("a broken link: mend it" if path.is_symlink() and not path.exists() else _PIPE)
                + " or leave it out"
            )
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise InvalidDocument(
                f"a file name must be valid Unicode, got {str(path)!r}: rename the file"
            ) from None


def _with_unique_ids(found: Sequence[tuple[Path, Path, str]]) -> list[tuple[Path, str]]:
    if all(root is found[0][0] for root, _, _ in found):  # where each has a path of its own
        return [(path, doc_id) for _, path, doc_id in found]
    distinct = {(_real(path), doc_id): (root, path) for root, path, doc_id in reversed(found)}
    files = [(root, path, doc_id) for (_, doc_id), (root, path) in reversed(distinct.items())]
    uses = Counter(doc_id for _, _, doc_id in files)
    named = [
        (path, doc_id if uses[doc_id] == 1 else f"{_folder_name(root)}/{doc_id}")
        for root, path, doc_id in files
    ]
    owners: dict[str, Path] = {}
    for path, doc_id in named:
        other = owners.setdefault(doc_id, path)
        if other is not path:
            raise InvalidConfig(
                f"document ids must be unique, but {str(other)!r} and {str(path)!r} would both "
                f"be {doc_id!r}: give the folder above them both instead"
            )
    return named


def _folder_name(root: Path) -> str:
    folder = _real(root)
    return folder.name if root.is_dir() else folder.parent.name
