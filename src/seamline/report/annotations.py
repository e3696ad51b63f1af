"""A check as annotations of GitHub Actions, which stand beside the files they are about."""

from __future__ import annotations

import os
from pathlib import Path

from seamline.lock.checked import BROKEN_GOLD, PASS, Checked
from seamline.report.plain import one_line

__all__ = ["checked_annotations", "unusable_annotation"]

_MOST = 10  # of one kind, that GitHub shows of a step


def checked_annotations(
    checked: Checked, *, config: Path, golden: Path, workspace: Path | None = None
) -> list[str]:
    """A line for the runner an error: none where the check passed, one a part that failed.

    Errors of the golden set stand at their lines of it, everything else at the config
    file. Paths are relative to `workspace`, as the runner wants them.
    """
    if checked.code == PASS:
        return []
    title = f"seamline check: {checked.verdict}"
    if checked.code == BROKEN_GOLD:
        place = _place(golden, workspace)
        return [
            _line(place, title, fault.says, line=fault.line) for fault in checked.faults[:_MOST]
        ]
    place, todo = _place(config, workspace), f"{checked.todo[:1].upper()}{checked.todo[1:]}."
    failed = [part for part in checked.parts if not part.ok]
    if len(failed) < 2:
        return [_line(place, title, f"{checked.title}. {todo}")]
    return [_line(place, title, f"{part.name}: {part.says}. {todo}") for part in failed[:_MOST]]


def unusable_annotation(
    says: str, *, config: Path | None = None, workspace: Path | None = None
) -> str:
    """The line for the runner of a check that could not be made, beside the config file."""
    place = _place(config, workspace) if config else ""
    return _line(place, "seamline check: UNUSABLE INPUT", says)


def _place(path: Path, workspace: Path | None) -> str:
    return Path(os.path.relpath(path, workspace)).as_posix() if workspace else path.as_posix()


def _line(file: str, title: str, says: str, *, line: int = 0) -> str:
    at = f"file={_property(file)}," if file else ""
    at += f"line={line}," if line else ""
    return f"::error {at}title={_property(title)}::{_data(one_line(says))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
