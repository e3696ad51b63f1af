"""A progress bar on stderr, for a person who has waited two seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from seamline.cli.output import note
from seamline.phrases import counted

__all__ = ["Bar", "SweepBar"]

_PATIENCE_SECONDS = 2.0


class Bar:
    """Draws `(stage, strategy, done, total)`; nothing where stderr is no terminal, or if `quiet`.

    `n_strategies` says of how many strategies the current one is the nth.
    """

    _forecasts = False

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
        of = f"{number}/{self._n_strategies} " if self._n_strategies else ""
        self._draw(f"{of}{strategy}: {stage}", done, total)

    def _draw(self, description: str, done: int, total: int) -> None:
        if not self._wanted or time.monotonic() - self._start < _PATIENCE_SECONDS:
            return
        if self._progress is None:
            self._make()
        self._progress.update(self._task, description=description, completed=done, total=total)
        self._progress.start()

    def _make(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
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
            TimeRemainingColumn() if self._forecasts else TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("")


class SweepBar(Bar):
    """Draws the configurations done, the current one with its stage, and the time left.

    What was taken over from an earlier run is said in a line of its own.
    """

    _forecasts = True

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__(quiet=quiet)
        self._quiet = quiet
        self._name = ""
        self._at = (0, 0)

    def __call__(self, stage: str, strategy: str, done: int, total: int) -> None:
        """Show that `done` of `total` configurations are done, or parts of the current one."""
        if stage == "kept":
            taken = f"{done:,} of {counted(total, 'configuration')}"
            note(f"taken over from an earlier run: {taken}", quiet=self._quiet)
        elif stage in ("race", "configurations"):
            part = "on a part of the documents: " if stage == "race" else ""
            self._name, self._at = f"{part}{strategy}", (done, total)
            self._draw(self._name, *self._at)
        else:
            self._draw(f"{self._name}: {stage} {done:,}/{total:,}", *self._at)
