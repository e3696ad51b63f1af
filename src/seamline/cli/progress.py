"""A progress bar on stderr, for a person who has waited two seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

__all__ = ["Bar"]

_PATIENCE_SECONDS = 2.0


class Bar:
    """Draws `(stage, strategy, done, total)`; nothing where stderr is no terminal, or if `quiet`.

    `n_strategies` says of how many strategies the current one is the nth.
    """

    def __init__(self, n_strategies: int = 0, *, quiet: bool = False) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._start = time.monotonic()
        self._n_strategies = n_strategies
        self._seen: dict[str, int] = {}
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, stage: str, strategy: str, done: int, total: int) -> None:
        """Show that `done` of `total` parts of a stage are done."""
        number = self._seen.setdefault(strategy, len(self._seen) + 1)
        if not self._wanted or time.monotonic() - self._start < _PATIENCE_SECONDS:
            return
        if self._progress is None:
            self._make()
        of = f"{number}/{self._n_strategies} " if self._n_strategies else ""
        self._progress.update(
            self._task, description=f"{of}{strategy}: {stage}", completed=done, total=total
        )
        self._progress.start()

    def _make(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TimeElapsedColumn,
        )
        from rich.table import Column
        from rich.text import Text

        class Description(ProgressColumn):
            """What is being done, cut to fit."""

            def render(self, task: Any) -> Any:
                return Text(task.description, no_wrap=True, overflow="ellipsis")

        self._progress = Progress(
            Description(table_column=Column(ratio=1)),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("")
