"""Counts, differences and lists in words, the same in every message and report."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counted", "listed", "signed"]


def counted(n: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in the plural where it must be.

    Example:
        >>> counted(1, "chunk"), counted(1200, "chunk"), counted(0, "query", "queries")
        ('1 chunk', '1,200 chunks', '0 queries')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(items: Sequence[str], most: int = 3) -> str:
    """All of them, or the first `most` and how many more; never one more, which could be named.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c", "d"]), listed(["a", "b", "c", "d", "e"])
        ('a and b', 'a, b, c and d', 'a, b, c and 2 more')
    """
    if len(items) > most + 1:
        return f"{', '.join(items[:most])} and {len(items) - most:,} more"
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def signed(value: float | None) -> str:
    """A difference with its sign, of which there is none at 0; a dash where there is none.

    Example:
        >>> signed(-0.0301), signed(0.2), signed(-0.0001), signed(None)
        ('−0.030', '+0.200', '0.000', '–')
    """
    if value is None:
        return "–"
    written = f"{value:+.3f}".replace("-", "−")
    return written if written[1:] != "0.000" else "0.000"
