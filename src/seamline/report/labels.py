"""Why questions fail, in words."""

from __future__ import annotations

from seamline.bench.schema import DiagnosisRow
from seamline.phrases import counted

__all__ = ["LABELS", "cutoff_text"]

LABELS = {
    "lost in parsing": "the text made of the file lacks the gold",
    "cut": "no chunk holds the whole gold, though one could",
    "crowded out": "shown once near-duplicates and text shown before are taken out",
    "diluted": "its chunk is not ranked in, the gold alone would be",
    "missed": "not ranked in, even alone (what surrounds it may help)",
    "truncated": "ranked in, but the budget ends before the end of the gold",
}
"""The labels, in the order in which they are looked for, and what each means."""


def cutoff_text(found: DiagnosisRow) -> str:
    """Within what the gold must be shown, in words.

    Example:
        >>> cutoff_text({"cutoff": "1000t"}), cutoff_text({"cutoff": "5"})
        ('1,000 tokens', 'the first 5 pieces')
    """
    at = found["cutoff"]
    if at.endswith("t"):
        return counted(int(at[:-1]), "token")
    return "the first piece" if at == "1" else f"the first {int(at):,} pieces"
