"""How much of the evidence each design finds at an equal token budget, on golden sets.

A design is a way to cut, to rank and to show: `recursive-128/hybrid`, `adaptive/recipe`,
or specs, `sentence(size=64)/hybrid(alpha=0.4)+merge`; `/oracle` is the best ranking of
the same chunks. All of them get the same documents, embedder and budgets. Vectors are
kept on disk, so a second run embeds nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grading.designs import BASELINE, DEFAULT, RANKINGS, STRATEGIES, ablation, parse_designs, routes
from grading.leader import leader_of, leader_rows
from grading.run import BUDGETS, Graded, Grader
from grading.sets import GradedSet, read_sets
from grading.tables import ByDesign, Rows, as_markdown, by_design, macro_rows, set_rows, show
from seamline.cli.progress import Bar
from seamline.embed import parse_embedder
from seamline.embed.cache import CachedEmbedder, cache_path
from seamline.sizers import parse_sizer


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"cuts: {', '.join(STRATEGIES)}\nrankings: {', '.join(RANKINGS)}, oracle",
    )
    add = parser.add_argument
    add("--data", type=Path, required=True, metavar="DIR", help="a golden set or a folder of them")
    add("--sets", default="", help="only these, by name, with commas between")
    add("--designs", default="", help="with commas between (default: all that are named below)")
    add("--baseline", default=BASELINE, help=f"differences are to this design ({BASELINE})")
    add("--ablation", nargs="?", const="adaptive", metavar="CUT", help="what each part is worth")
    add("--routes", nargs="?", const="adaptive", metavar="CUT", help="what seeing a kind is worth")
    add("--embedder", default="minilm", help="as for `seamline bench` (default minilm)")
    add("--tokenizer", default="cl100k_base", help="of the budgets (default cl100k_base)")
    add("--questions", type=int, default=150, help="at most so many a set; 0: all (default 150)")
    add("--docs", type=int, default=24, help="at most so many a set; 0: all (default 24)")
    add("--separator", type=int, default=2, help="tokens each shown piece costs more (default 2)")
    add("--cache", type=Path, help="the file of vectors (default: that of `seamline bench`)")
    add("--json", type=Path, metavar="FILE", help="write the figures, a value a question")
    add("--markdown", type=Path, metavar="FILE", help="write the tables")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    sets = read_sets(
        given.data,
        parse_sizer(given.tokenizer),
        n_docs=given.docs,
        n_questions=given.questions,
    )
    wanted = given.sets.split(",") if given.sets else [one.name for one in sets]
    sets = [one for one in sets if one.name in wanted]
    if given.ablation or given.routes:
        designs = ablation(given.ablation) if given.ablation else routes(given.routes)
        given.baseline = designs[0].name
    else:
        designs = parse_designs(given.designs or ",".join(DEFAULT))
        if given.baseline not in {design.name for design in designs}:
            designs += parse_designs(given.baseline)
    embedder = CachedEmbedder(parse_embedder(given.embedder), given.cache or cache_path())
    graded: list[Graded] = []
    with Bar(len(designs) * len(sets)) as bar:
        grader = Grader(embedder, given.tokenizer, given.separator, bar)
        for one in sets:
            graded += grader.grade(designs, one)
    report(given, sets, graded)
    return 0


def report(given: argparse.Namespace, sets: list[GradedSet], graded: list[Graded]) -> None:
    """Print the tables, and write what was asked for."""
    designs = by_design(graded)
    if not designs:
        raise SystemExit("no design could be made: see above")
    clusters = {one.name: one.clusters for one in sets}
    parts = given.ablation or given.routes
    macro = macro_rows(designs, clusters, given.baseline, best_first=not parts)
    title = "What each part is worth" if parts else "Recall at an equal token budget"
    note = (
        f"Percent, the mean over {sets_of(len(sets))} ({', '.join(map(size, sets))}). recall: over "
        f"the three budgets. difference: of recall, to {given.baseline}, with 95 % intervals "
        "(documents drawn again inside each set, questions where it has fewer than ten)."
    )
    tables: list[tuple[str, str, Rows]] = [
        (title, note, macro),
        ("Recall by set", "Percent, the mean over the three budgets.", set_rows(designs, macro)),
    ]
    if not parts:
        tables.append(beside_the_best(designs, clusters))
    for table in tables:
        show(*table)
    if given.json:
        given.json.write_text(json.dumps(as_json(given, macro, graded), indent=1) + "\n")
    if given.markdown:
        head = f"Command: `python benchmarks/quality.py {' '.join(sys.argv[1:])}`\n"
        parts = ["# Quality", "", head, *(as_markdown(*table) for table in tables)]
        given.markdown.write_text("\n".join(parts))


def beside_the_best(
    designs: ByDesign, clusters: Mapping[str, Sequence[str]]
) -> tuple[str, str, Rows]:
    """The table of the best design by set and budget, with its title and note."""
    rows, behind = leader_rows(designs, clusters)
    cells = len(rows) * len(BUDGETS)
    note = (
        "Percent: recall; where another design is above it, the one that is so beyond chance, else "
        "the highest, and its lead with 95 % interval. Best, or not separable from the best, in "
        f"{cells - behind} of {cells}."
    )
    return f"{leader_of(designs)} by set and budget", note, rows


def sets_of(n: int) -> str:
    return f"{n} set{'' if n == 1 else 's'}"


def size(one: GradedSet) -> str:
    of = f"{len(one.corpus.documents)}/{len(one.corpus.questions)}"
    return f"{one.name} {of}{' by document' if one.scope == 'document' else ''}"


def as_json(given: argparse.Namespace, macro: Rows, graded: list[Graded]) -> dict[str, Any]:
    about = {key: str(value) for key, value in vars(given).items()}
    values = [
        {
            "design": one.design,
            "set": one.set,
            "cost": one.cost,
            "values": {name: column.tolist() for name, column in one.values.items()},
        }
        for one in graded
    ]
    return {"date": time.strftime("%Y-%m-%d"), "about": about, "macro": macro, "values": values}


if __name__ == "__main__":
    sys.exit(main())
