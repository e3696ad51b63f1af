"""Runs strategies on a golden set and keeps what was found."""

from seamline.bench.results import Results, SummaryRow, write_atomically
from seamline.bench.run import Progress, run_bench

__all__ = ["Progress", "Results", "SummaryRow", "run_bench", "write_atomically"]
