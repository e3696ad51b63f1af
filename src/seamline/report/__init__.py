"""Results as terminal tables and as one HTML file."""

from seamline.report.cuts import draw_chunks
from seamline.report.failures import failures_text
from seamline.report.golden import anchors_table, drafts_table, power_table
from seamline.report.html import write_report
from seamline.report.profile import explained_table, profile_table
from seamline.report.terminal import (
    findings_table,
    headline_text,
    measures_table,
    ranking_table,
    tags_table,
)

__all__ = [
    "anchors_table",
    "drafts_table",
    "draw_chunks",
    "explained_table",
    "failures_text",
    "findings_table",
    "headline_text",
    "measures_table",
    "power_table",
    "profile_table",
    "ranking_table",
    "tags_table",
    "write_report",
]
