"""The recommendation as one HTML file that needs nothing else."""

from __future__ import annotations

from seamline.bench import Results
from seamline.bench.recommend import Recommendation
from seamline.report.choice import knobs, opening, quality_and_cost
from seamline.report.html import page
from seamline.report.model import standings
from seamline.report.recommendation import title

__all__ = ["recommendation_html"]


def recommendation_html(results: Results, found: Recommendation) -> str:
    """The text of the file: what to take, quality against cost, and what each knob does.

    It loads nothing and runs no script.
    """
    placed = standings(results, found)
    parts = [
        opening(results, found),
        quality_and_cost(found, placed),
        knobs(results, found),
    ]
    return page(title(found), [part for part in parts if part is not None])
