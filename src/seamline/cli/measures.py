"""`seamline measures`: what a benchmark can count."""

from __future__ import annotations

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import emit, print_json, table

EXAMPLES = examples("seamline measures", "seamline measures --json")


def measures(as_json: Json = False, _debug: Debug = False) -> None:
    """List the measures.

    A cutoff counts the first chunks (Recall@5) or what fits a token budget (Recall@1000t).
    Those without one need no retrieval. seamline.toml chooses: measures = ["Recall@1000t", ...];
    the first is the one that strategies are ranked by.
    """
    from seamline.measure import describe

    listed = describe()
    if as_json:
        print_json([one._asdict() for one in listed])
        return
    rows = [[one.example, one.range, one.about] for one in listed]
    emit(table(["MEASURE", "RANGE", "WHAT IT SAYS"], rows))
