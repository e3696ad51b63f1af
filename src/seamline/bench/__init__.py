"""Runs strategies on a golden set and keeps what was found."""

from seamline.bench.results import Results, SummaryRow, write_atomically
from seamline.bench.run import Progress, run_bench
from seamline.bench.sweep import run_sweep

__all__ = ["Progress", "Results", "SummaryRow", "run_bench", "run_sweep", "write_atomically"]
