"""What was found wrong with a golden set, one value a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from seamline.errors import InvalidGold

__all__ = ["Finding", "Problem", "Severity", "clip", "invalid_gold"]

Severity = Literal["error", "warning"]
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend (`error`) or to look at (`warning`) in a golden set.

    `line` counts from 1; `question` is the id, empty where the line has none.
    `suggestion` is what to do; for a quote that drifted it is a JSON answer
    that can be pasted in place of the old one.
    """

    severity: Severity
    code: str
    line: int
    question: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        name = f"question {self.question!r}: " if self.question else ""
        return f"{name}{self.message}" + (f": {self.suggestion}" if self.suggestion else "")


class Problem(Exception):
    """A rule that does not hold, on its way to becoming a finding."""

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.suggestion = suggestion

    def finding(self, line: int, question: str = "", severity: Severity = "error") -> Finding:
        """The finding this problem becomes at a line."""
        return Finding(severity, self.code, line, question, self.message, self.suggestion)


def clip(text: str, size: int = 60) -> str:
    """`text` in quotes on one line, shortened in the middle to about `size` characters."""
    if len(text) <= size:
        return repr(text)
    half = size // 2
    return repr(f"{text[:half]}…{text[-half:]}")


def invalid_gold(path: str, findings: Iterable[Finding]) -> InvalidGold | None:
    """One error that names every finding of severity `error`, None where there is none.

    The first ten are written out, the others counted by code.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return None
    lines = [f"{path}:{finding.line}: {finding}" for finding in errors[:SHOWN]]
    if len(errors) == 1:
        return InvalidGold(lines[0])
    rest = Counter(finding.code for finding in errors[SHOWN:])
    if rest:
        kinds = ", ".join(f"{n} {code}" for code, n in sorted(rest.items()))
        lines.append(f"… and {rest.total()} more ({kinds})")
    head = f"{path} has {len(errors)} errors; mend them or leave those questions out:"
    return InvalidGold("\n  ".join([head, *lines]))
