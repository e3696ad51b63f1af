"""`seamline measures`: what a benchmark can count."""

from __future__ import annotations

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import print_json, render

EXAMPLES = examples("seamline measures", "seamline measures --json")


def measures(as_json: Json = False, _debug: Debug = False) -> None:
    """List the measures.

    A cutoff counts the first chunks (Recall@5) or what fits a token budget (Recall@1000t).
    Those without one need no retrieval. seamline.toml chooses: measures = ["Recall@1000t", ...];
    the first is the one that strategies are ranked by.
    """
    if as_json:
        from seamline.measure import describe

        print_json([one._asdict() for one in describe()])
    else:
        from seamline.report import measures_table

        render(measures_table())
