"""`seamline recommend`: which configuration to take, and why."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from seamline.cli.options import Debug, Quiet, examples
from seamline.cli.output import note, print_json, render, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.settings_file import SettingsFile

if TYPE_CHECKING:
    from seamline.bench import Results
    from seamline.bench.price import Prefer
    from seamline.bench.recommend import Recommendation

__all__ = ["EXAMPLES", "recommend"]

PAGE = "recommendation.html"
EXAMPLES = examples(
    "seamline recommend report/results.json",
    "seamline recommend report --margin 0.05 --prefer index",
    "seamline recommend report --out new.toml --docs docs/ --golden golden.jsonl",
    "seamline recommend report --json | jq .chosen",
)

ResultsFile = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS",
        help="A results.json of `seamline bench` or `seamline sweep`, or its folder.",
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="The difference in the primary measure that is too small to matter.  "
        "[default: that of the results, 0.02 unless set]",
    ),
]
Preference = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="What is cheap: tokens (shown to the reader a question; where these are alike, the "
        "smaller index), index (its size alone) or latency (seconds to rank a question, from the "
        "timings.json beside the results; it differs from run to run).",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        metavar="FILE",
        help="The settings file that gets the choice. One that is there keeps all its other lines.",
    ),
]
DocsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--docs",
        metavar="PATH",
        help="Documents to name in the settings file; can be repeated.  [default: those measured]",
        show_default=False,
    ),
]
GoldenOption = Annotated[
    Path | None,
    typer.Option(
        "--golden",
        metavar="FILE",
        help="The golden set to name in the settings file.  [default: the one measured]",
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Write the settings file anew, whatever it holds."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print all numbers as JSON instead of sentences.")
]


def recommend(
    results: ResultsFile = Path("report"),
    *,
    margin: Margin = None,
    prefer: Preference = "tokens",
    out: Out = Path("seamline.toml"),
    docs: DocsOption = None,
    golden: GoldenOption = None,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Say which configuration to take.

    The cheapest that is not worse than the best by more than the margin: what it scores on
    questions that it was not chosen on, what it costs, what was ruled out and what could not be.
    Where the comparison is empty, since everything is cut alike or shown, nothing is recommended.

    Writes the choice into seamline.toml, which `seamline chunk`, `bench`, `lock` and `check` take,
    and recommendation.html beside the results: quality against cost, and what each knob does.
    """
    from seamline.bench import Results
    from seamline.bench.inputs import Inputs, load_timings
    from seamline.bench.recommend import recommend as choose
    from seamline.bench.results import RESULTS_FILE
    from seamline.config import CONFIG_FILE
    from seamline.lock.lock import LOCK_FILE
    from seamline.report.recommended import recommendation_html

    folder = results if results.is_dir() else results.parent
    measured = Results(Results.load(results).data, load_timings(folder, needed=prefer == "latency"))
    known = Inputs.load(folder)
    inputs = {
        "the lock": out.with_name(LOCK_FILE),
        "the results": folder / RESULTS_FILE if results.is_dir() else results,
        "the golden set": golden,
        "the golden set measured": known.golden if known else None,
    }
    outputs = {"--out": out, PAGE: folder / PAGE}
    refuse_overwriting(outputs, inputs, [*(docs or ()), *(known.docs if known else ())])
    found = choose(measured, margin=margin, prefer=cast("Prefer", prefer))
    target = SettingsFile.of(out, measured, found, folder, docs=docs, golden=golden, force=force)
    page = recommendation_html(measured, found)
    with whole_file(folder / PAGE) as file:
        file.write(page)
    target.write()
    if as_json:
        written = str(out) if target.text and not target.same else None
        print_json(_record(measured, found) | {"written": written})
    else:
        from seamline.report.chosen import recommendation_text

        render(recommendation_text(measured, found))
    note(f"report: {folder / PAGE}", quiet=quiet)
    note(target.told, quiet=quiet)
    if target.text:
        words = ["seamline", "lock", str(folder)]
        words += [] if out == Path(CONFIG_FILE) else ["--config", str(out)]
        note(f"next: {shlex.join(words)}", quiet=quiet)


def _record(measured: Results, found: Recommendation) -> dict[str, Any]:
    from seamline.bench.recommend import knob_effects
    from seamline.bench.results import canonical
    from seamline.report.headline import headline

    said = headline(measured, found)
    effects = canonical(list(map(asdict, knob_effects(measured))))
    words = {"title": said.title, "sentences": said.sentences, "cautions": said.cautions}
    return {**found.as_dict(), "effects": effects, **words}
