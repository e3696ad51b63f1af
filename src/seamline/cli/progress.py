"""How far a command is, on stderr: a bar on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from seamline.cli.output import note
from seamline.phrases import counted

__all__ = ["Bar", "SweepBar"]

_PATIENCE_SECONDS = 2.0
_LINE_SECONDS = 10.0
_WIDE, _NARROW = 100, 60  # columns from which on there is room for a bar of 40, of 10
_WHY = "why questions failed"
_PARTS = {  # what goes before a configuration in the bar's label, and before its count in a line
    "configurations": ("", "configurations"),
    "race": ("on a part of the documents: ", "on a part of the documents"),
    "explained": (f"{_WHY}: ", _WHY),
}


class Bar:
    """Shows `(stage, strategy, done, total)` to a person who waits; nothing if `quiet`.

    On a terminal as a bar after two seconds; elsewhere as a line, at most one in ten
    seconds. `n_strategies` says of how many strategies the current one is the nth.
    """

    _forecasts = False

    def __init__(self, n_strategies: int = 0, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
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
        what = f": {_WHY if stage == 'explain' else stage}"
        if self._is_due():
            self._show(
                f"{of}{strategy}", what, done, total, f"{of}{strategy}{what} {done:,}/{total:,}"
            )

    def _is_due(self) -> bool:
        """Whether to show anything now."""
        patience = _PATIENCE_SECONDS if self._is_terminal else _LINE_SECONDS
        return not self._quiet and time.monotonic() - self._start >= patience

    def _show(self, name: str, what: str, done: int, total: int, line: str) -> None:
        """The bar with a label, of which `name` gives way where there is no room; or `line`."""
        if not self._is_terminal:
            self._start = time.monotonic()
            note(line)
            return
        if self._progress is None:
            self._make()
        self._progress.update(self._task, completed=done, total=total, name=name, what=what)
        self._progress.start()

    def _make(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        console = Console(stderr=True)
        columns = _columns(console.width, forecasts=self._forecasts)
        self._progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task("", name="", what="")


def _columns(width: int, *, forecasts: bool) -> Iterator[Any]:
    """Label, bar, count and time; the count and the time are never cut, the bar goes first."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    class Label(ProgressColumn):
        """What is being done."""

        def render(self, task: Any) -> Any:
            return _Label(task.fields["name"], task.fields["what"])

    yield Label()
    if width >= _NARROW:
        yield BarColumn(bar_width=40 if width >= _WIDE else 10)
    yield MofNCompleteColumn(table_column=Column(no_wrap=True))
    time_column = TimeRemainingColumn if forecasts else TimeElapsedColumn
    yield time_column(table_column=Column(no_wrap=True))


class _Label:
    """A name and what is done with it in one line, the name cut to fit."""

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        self.what = what

    def __rich_measure__(self, _console: Any, options: Any) -> Any:
        from rich.cells import cell_len
        from rich.measure import Measurement

        whole = cell_len(f"{self.name}{self.what}")
        least = min(cell_len(self.what) + 1, whole)
        return Measurement(min(least, options.max_width), min(whole, options.max_width))

    def __rich_console__(self, _console: Any, options: Any) -> Iterator[Any]:
        from rich.cells import cell_len
        from rich.text import Text

        name, what = Text(self.name), Text(self.what)
        name.truncate(max(options.max_width - cell_len(self.what), 0), overflow="ellipsis")
        line = name + what
        line.truncate(options.max_width, overflow="ellipsis")
        yield line


class SweepBar(Bar):
    """Shows the configurations done, the current one with its stage, and the time left.

    What was taken over from an earlier run is said in a line of its own.
    """

    _forecasts = True

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__(quiet=quiet)
        self._name = self._before = ""
        self._label, self._at = "", (0, 0)

    def __call__(self, stage: str, strategy: str, done: int, total: int) -> None:
        """Show that `done` of `total` configurations are done, or parts of the current one."""
        inside = ""
        if stage == "kept":
            taken = f"{done:,} of {counted(total, 'configuration')}"
            note(f"taken over from an earlier run: {taken}", quiet=self._quiet)
            return
        if stage in _PARTS:
            self._name, self._at = strategy, (done, total)
            self._label, self._before = _PARTS[stage]
        elif stage != "explain":
            inside = f": {stage} {done:,}/{total:,}"
        if self._is_due():
            n, of = self._at
            line = f"{self._before} {n:,}/{of:,}: {self._name}{inside}"
            self._show(f"{self._label}{self._name}", inside, n, of, line)
