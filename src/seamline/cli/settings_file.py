"""The settings file that `seamline recommend` writes, or changes in place."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamline.cli.output import whole_file
from seamline.errors import InvalidConfig, MissingInput, SeamlineError

if TYPE_CHECKING:
    from seamline.bench import Results
    from seamline.bench.inputs import Inputs
    from seamline.bench.recommend import Recommendation

__all__ = ["SettingsFile"]

_UNKNOWN = (
    "# The results do not say where these lie, relative to this file:",
    '# docs = "docs"',
    '# golden = "golden.jsonl"',
)


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What will stand in a settings file, and what to tell about it; no text, no file.

    `same` says that it sets all of that already: then it stays to the byte, its reasons too.
    """

    path: Path
    text: str
    told: str
    same: bool = False

    @classmethod
    def of(
        cls,
        path: Path,
        results: Results,
        found: Recommendation,
        folder: Path,
        *,
        docs: Sequence[Path] | None,
        golden: Path | None,
        force: bool,
    ) -> SettingsFile:
        """The choice in `found` as settings in `path`; `folder` is where the results lie.

        Documents and golden set are those given, else those that a file at `path` names
        already, else those measured.

        Raises:
            InvalidConfig: `path` is a folder, or the file cannot be changed key by key; says
                which lines it needs.
            MissingInput: documents or a golden set that are given are not there.
        """
        from seamline.bench.chosen import chosen_settings, path_settings

        if path.is_dir():
            raise InvalidConfig(f"--out must be the path of a file, got the folder {str(path)!r}")
        if found.chosen is None:
            return cls(path, "", f"settings: nothing to write into {path}")
        beside, inputs = path.parent, _inputs(docs, golden, folder)
        try:
            wanted = chosen_settings(
                results.data,
                found.chosen.configuration,
                margin=found.margin,
                inputs=inputs,
                folder=beside,
            )
        except InvalidConfig as error:
            return cls(path, "", f"settings: nothing written into {path}: {error}")
        paths = path_settings(inputs, beside) if inputs else {}
        why = _why(results, found)
        if force:
            _refuse_other(path)
        if force or not path.is_file():
            return cls(path, _anew(wanted, paths, why), f"settings: {path}")
        return cls._changed(path, wanted, paths, why, given=bool(docs or golden))

    @classmethod
    def _changed(
        cls,
        path: Path,
        wanted: Mapping[str, Any],
        paths: Mapping[str, Any],
        why: Sequence[str],
        *,
        given: bool,
    ) -> SettingsFile:
        from seamline.bench.chosen import changes
        from seamline.bench.tomlfile import changed_toml, toml_lines

        try:
            text, old = _read(path)
            named = not given and bool({"docs", "golden"} & old.keys())
            edits = changes(old, wanted) | ({} if named else _differing(old, paths, path.parent))
            changed = changed_toml(text, edits, why)
        except SeamlineError as error:
            lines = "\n".join(f"  {line}" for line in toml_lines({**paths, **_usual(wanted)}))
            raise InvalidConfig(
                f"{path} must be a settings file that can be changed, but {error}: give --force to "
                f"write it anew, --out for another file, or set in it\n{lines}"
            ) from None
        keys = ", ".join(key for key, value in edits.items() if old.get(key) != value)
        told = f"settings: {path} ({f'changed: {keys}' if keys else 'left as it is'})"
        if named and (differing := _differing(old, paths, path.parent)):
            told += f"; it names other {' and '.join(differing)} than were measured"
        return cls(path, changed, told, same=not keys)

    def write(self) -> None:
        """Write the file, whole or not at all; not where it would say the same."""
        if self.text and not self.same:
            with whole_file(self.path) as file:
                file.write(self.text)


def _refuse_other(path: Path) -> None:
    """Refuse to write over what is no settings file: a lock, a golden set, results."""
    if not path.is_file() or path.suffix == ".toml" or not path.stat().st_size:
        return
    try:
        tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        raise InvalidConfig(
            f"--out must be a settings file where one is there, got {str(path)!r}, which is no "
            "TOML: give another path"
        ) from None


def _inputs(docs: Sequence[Path] | None, golden: Path | None, folder: Path) -> Inputs | None:
    """The documents and golden set given, or those of the run where they are known."""
    from seamline.api import find_set
    from seamline.bench.inputs import Inputs

    known = Inputs.load(folder)
    if not docs and not golden:
        return known
    paths, file = find_set(docs or (), golden)
    for path in (*paths, file):
        if not path.exists():
            raise MissingInput(f"a path must exist, got {str(path)!r}: check its spelling")
    if not file.is_file():
        raise MissingInput(f"the golden set must be a file, got the folder {str(file)!r}")
    return Inputs(tuple(paths), file, known.tokenizer if known else None)


def _why(results: Results, found: Recommendation) -> list[str]:
    """What was found, in lines that a comment can hold."""
    from seamline.report.headline import headline
    from seamline.report.plain import one_line

    said = headline(results, found)
    return [one_line(text) for text in (f"{said.title}.", said.sentences[0], said.sentences[-1])]


def _anew(wanted: Mapping[str, Any], paths: Mapping[str, Any], why: Sequence[str]) -> str:
    from seamline.bench.tomlfile import new_toml

    return new_toml({**paths, **_usual(wanted)}, why, () if paths else _UNKNOWN)


def _usual(wanted: Mapping[str, Any]) -> dict[str, Any]:
    from seamline.bench.chosen import without_defaults

    return without_defaults(wanted)


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a settings file that holds what it may, and what it sets."""
    from seamline.config import load_config

    load_config(path)
    text = path.read_bytes().decode("utf-8-sig")
    return text, tomllib.loads(text)


def _differing(old: Mapping[str, Any], paths: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The paths that a file in `folder` does not name already, in whatever spelling."""

    def clean(value: Any) -> list[str]:
        listed = value if isinstance(value, list) else [value]
        return [os.path.realpath(folder / one) for one in listed]

    return {key: value for key, value in paths.items() if clean(old.get(key, "")) != clean(value)}
