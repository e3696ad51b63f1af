"""Runs strategies on a golden set and keeps what was found."""

from seamline.bench.results import Results, SummaryRow, write_atomically

__all__ = ["Results", "SummaryRow", "write_atomically"]
