"""The `seamline` command: one file a command."""

from __future__ import annotations

from seamline.cli.early import watch_early

TYPE_CHECKING = False  # importing typing would take longer than all that is here
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run `seamline` with `argv` (the process's own arguments if None); the exit code."""
    watch_early()
    from seamline.cli.entry import main as run

    return run(argv)
