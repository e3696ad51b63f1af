"""Which files of a folder are left out, and why: none is left out in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seamline.errors import SeamlineError
from seamline.parse.formats import PARSERS, extension

__all__ = ["Skipped", "count_kinds", "is_no_document", "skip", "skipped_records"]

_NO_DOCUMENTS = set(
    """
    .png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .heic .tif .tiff .svg .svgz .psd .ai .eps .xcf
    .raw .cr2 .nef .dng
    .mp3 .wav .flac .ogg .oga .opus .m4a .aac .mid .midi .wma
    .mp4 .m4v .mov .avi .mkv .webm .wmv .flv .mpg .mpeg
    .ttf .otf .woff .woff2 .eot .fon
    .exe .dll .so .dylib .a .o .obj .lib .class .jar .war .pyc .pyo .pyd .wasm .whl .egg .deb .rpm
    .dmg .iso .img .apk .bin .dat .pak
    .db .sqlite .sqlite3 .mdb .npy .npz .pkl .pickle .parquet .feather .arrow .h5 .hdf5 .onnx .pt
    .pth .safetensors .gguf
    .map .lock .sum .tmp .temp .bak .swp .swo .part .crdownload .sig .crt .pem .p12 .pfx
    """.split()
)
_NAMES = set(
    """
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lockb composer.lock
    thumbs.db desktop.ini seamline.toml
    """.split()
)
# Binary, but documents: that no parser reads one of them must be said.
_DOCUMENTS = set(
    """
    .pdf .doc .docx .docm .dot .dotx .odt .rtf .pages .wpd .wps .xls .xlsx .xlsm .xlsb .ods .numbers
    .ppt .pptx .pptm .odp .key .epub .mobi .azw .azw3 .djvu .ps .xps .msg .eml .mbox .pst .one .vsd
    .vsdx .zip .gz .tgz .bz2 .xz .7z .rar .tar .zst .chm .hlp
    """.split()
)
_EMPTY_IS_USUAL = {"__init__.py", "py.typed"}
_SAMPLE = 1024


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left out: its path, the id it would have had, and why.

    `is_document` is False for what is plainly none: pictures, programs, lock files.
    """

    path: str
    doc_id: str
    why: str
    is_document: bool = True


def skip(path: Path, doc_id: str, error: BaseException | str) -> Skipped:
    """A document left out because of an error, or for the reason given."""
    name, doc_id = _printable(str(path)), _printable(doc_id)
    if isinstance(error, str):
        return Skipped(name, doc_id, error)
    why = str(error)
    if not isinstance(error, SeamlineError):
        why = f"unexpected {type(error).__name__} in its parser: {why}"
    return Skipped(name, doc_id, _printable(why.removeprefix(f"{path} ")))


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def is_no_document(path: Path) -> bool:
    """Whether a file in a folder is plainly no document, so that nobody misses it.

    Its name says so, or no parser knows its extension and it holds a zero byte.
    """
    ending = extension(path)
    name = path.name.lower()
    if name in _EMPTY_IS_USUAL:
        return _is_empty(path)
    if name in _NAMES:
        return True
    if ending in PARSERS or ending in _DOCUMENTS:
        return False
    return ending in _NO_DOCUMENTS or _is_binary(path)


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def _is_binary(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return b"\0" in file.read(_SAMPLE)
    except OSError:
        return False


def count_kinds(skipped: Iterable[Skipped]) -> str:
    """How many files there are of each extension, the most frequent first.

    Example:
        >>> paths = ("a.png", "b.PNG", "LICENSE")
        >>> count_kinds(Skipped(path, path, "no document", is_document=False) for path in paths)
        '2 .png, 1 without extension'
    """
    kinds = Counter(extension(one.path) or "without extension" for one in skipped)
    return ", ".join(f"{n:,} {kind}" for kind, n in kinds.most_common())


def skipped_records(skipped: Iterable[Skipped]) -> list[dict[str, str]]:
    """The skipped documents as JSON tells them: `id` and `why`, without paths.

    Example:
        >>> skipped_records([Skipped("docs/a.md", "a.md", "docs/a.md must be UTF-8")])
        [{'id': 'a.md', 'why': 'a.md must be UTF-8'}]
    """
    return [
        {"id": one.doc_id, "why": one.why.replace(one.path, one.doc_id)}
        for one in skipped
        if one.is_document
    ]
