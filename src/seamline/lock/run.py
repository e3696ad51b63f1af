"""Locks and checks of files: what a config file names, read and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seamline.bench.chunked import Progress
from seamline.bench.results import RESULTS_FILE, Results
from seamline.config import CONFIG_FILE, BenchConfig, load_config
from seamline.errors import MissingInput
from seamline.golden.sets import find_set, load_set, read_set
from seamline.lock.check import check
from seamline.lock.checked import Checked
from seamline.lock.lock import LOCK_FILE, Lock
from seamline.lock.make import make_lock
from seamline.parse import Skipped

__all__ = ["Project"]

Told = Callable[[int, Sequence[Skipped]], None]
"""Called with how many documents were read, and what was skipped."""


@dataclass(frozen=True, slots=True)
class Project:
    """A config file and the lock beside it."""

    config_file: Path = Path(CONFIG_FILE)
    lock_file: Path = field(default=Path())
    config: BenchConfig = field(init=False)

    def __post_init__(self) -> None:
        if not self.config_file.is_file():
            raise MissingInput(
                "there must be a config file that names documents, golden set and strategy, but "
                f"there is none at {str(self.config_file)!r}: run where it is, or give --config"
            )
        if self.lock_file == Path():
            object.__setattr__(self, "lock_file", self.config_file.with_name(LOCK_FILE))
        object.__setattr__(self, "config", load_config(self.config_file))

    @property
    def results_file(self) -> Path:
        """Where `seamline bench` leaves its results."""
        return Path(self.config.out) / RESULTS_FILE

    @property
    def golden_file(self) -> Path:
        """The golden set."""
        return find_set(self.config.docs, self.config.golden or None)[1]

    @property
    def docs(self) -> list[Path]:
        """The files and folders of the documents."""
        return find_set(self.config.docs, self.config.golden or None)[0]

    @property
    def inputs(self) -> dict[str, Path]:
        """The files that are read, by what they are; the lock is not among them."""
        return {
            "the config file": self.config_file,
            "the golden set": self.golden_file,
            "the results": self.results_file,
        }

    def lock(self, results: Path | None = None, *, told: Told | None = None) -> Lock:
        """The lock of the configuration, with what the results say of it; not written yet.

        Raises:
            MissingInput, InvalidConfig, InvalidGold: see `make_lock`.
        """
        found = Results.load(results or self.results_file)
        skipped: list[Skipped] = []
        documents, questions = load_set(
            self.config.docs, self.config.golden or None, skipped=skipped, limits=self.config.limits
        )
        if told:
            told(len(documents), skipped)
        return make_lock(found, self.config, documents, questions)

    def check(
        self,
        floors: Sequence[str] = (),
        *,
        progress: Progress | None = None,
        told: Told | None = None,
    ) -> Checked:
        """The check of the configuration against the lock; `floors` add to those of the config.

        Raises:
            MissingInput, InvalidConfig, InvalidGold: see `check`.
        """
        held = self.config.floors.with_options(floors)
        lock = Lock.load(self.lock_file)
        paths, golden = find_set(self.config.docs, self.config.golden or None)
        skipped: list[Skipped] = []
        documents = read_set(paths, golden, skipped=skipped, limits=self.config.limits)
        if told:
            told(len(documents), skipped)
        return check(
            lock,
            self.config,
            documents,
            golden,
            floors=held,
            skipped=skipped,
            progress=progress,
        )
