"""`seamline compare`: what differs between results, and what cannot be told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import print_json, render

if TYPE_CHECKING:
    from seamline.bench.against import By

__all__ = ["EXAMPLES", "compare"]

EXAMPLES = examples(
    "seamline compare report/",
    'seamline compare report/ --to "fixed(size=512, overlap=50)" --by tag',
    "seamline compare new/results.json old/results.json",
    "seamline compare new/ old/ --measure HitWhole@1000t --json | jq .comparisons",
)

First = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS",
        help="A results.json of `seamline bench` or `seamline sweep`, or its folder.",
    ),
]
Second = Annotated[
    Path | None,
    typer.Argument(
        metavar="[RESULTS]",
        help="Another one, on the same documents and questions, to compare the first with.",
        show_default=False,
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="The strategy to compare with: of the only file, or of the second; a configuration, "
        "its strategy, or how it begins, where that means one row.  "
        "[default: of one file its best; of two the same strategy in the second, or its best if "
        "they share none]",
    ),
]
MeasureName = Annotated[
    str | None,
    typer.Option(
        "--measure",
        metavar="NAME",
        help="The measure to compare by, as `seamline measures` writes it.  "
        "[default: the one that the results are ranked by]",
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="The difference that is too small to matter.  "
        "[default: that of the results, 0.02 unless set]",
    ),
]
Parts = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="PART",
        help="Compare within each tag, document or kind (of document), too.",
    ),
]


def compare(
    results: First,
    other: Second = None,
    *,
    to: To = None,
    measure: MeasureName = None,
    margin: Margin = None,
    by: Parts = None,
    as_json: Json = False,
    _debug: Debug = False,
) -> None:
    """Say which differences hold.

    Of one results file: every strategy against the best. Of two: the strategies of the first
    against those of the second, paired by the ids of the questions. Prints the differences with
    intervals that hold together, p corrected for all that was compared, and a verdict each:
    BETTER or WORSE (significant), EQUIVALENT (the whole interval within the margin),
    NOT SEPARABLE (with what could have been seen, and how many questions it would take) or
    UNRESOLVABLE (too few questions differ for any outcome to count).

    Exit code 2 where the files are not about the same texts, gold, tokenizer or budget, and the
    message says what differs. The same files give the same output.
    """
    from seamline.bench import Results
    from seamline.bench.against import compare_results

    parts = cast("By | None", by)
    second = None if other is None else Results.load(other)
    found = compare_results(
        Results.load(results), second, to=to, measure=measure, margin=margin, by=parts
    )
    if as_json:
        from seamline.report.compared import cautions, sentences, title

        words = {"title": title(found), "sentences": sentences(found), "cautions": cautions(found)}
        print_json(found.as_dict() | words)
    else:
        from seamline.report.comparing import comparing_text

        render(comparing_text(found, by=parts))
