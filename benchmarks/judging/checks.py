"""Every check by its name, and the verdict on a tool."""

from __future__ import annotations

from collections.abc import Callable

from judging import structure_checks, text_checks
from judging.piece import Case, Tool
from judging.view import View

__all__ = ["CHECKS", "judge"]

CHECKS: dict[str, Callable[[View], str]] = {
    name: getattr(module, name)
    for module in (text_checks, structure_checks)
    for name in module.__all__
}


def judge(case: Case, tool: Tool, text: str) -> str:
    """What is wrong with a tool's chunks of a text: nothing where all is right."""
    try:
        cut = tool.run(text)
        view = View(case, tool, text, cut.text, cut.pieces)
        return next(filter(None, (CHECKS[name](view) for name in case.checks)), "")
    except Exception as error:  # noqa: BLE001 - a peer may raise what it likes
        return type(error).__name__
