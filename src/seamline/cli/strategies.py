"""`seamline strategies`: what can be written where a strategy is asked for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import note, print_json, render

EXAMPLES = examples("seamline strategies", "seamline strategies --json")

_MEANINGS = {
    "size": "The most that a chunk holds, overlap included, counted in unit.",
    "overlap": "The most that a chunk repeats of the one before; an eighth of size unless given "
    "(sentence: 0).",
    "step": "How far apart windows start; size - step is the overlap.",
    "unit": "What sizes count: characters, words, tokens (cl100k_base), o200k_base, or the path "
    "of a tokenizer.json.",
    "prefix": "Whether title, headings and a table's header are indexed with each chunk.",
    "target": "The size that units should have; none but turns (twice as large), a whole answer or "
    "a formula is over 1.6 times that. 64 tokens, 48 words or 256 characters unless given.",
    "separators": "Where to cut, the coarsest first: auto (by the document's type), prose, "
    'markdown, or a list like ["\\n\\n", "re:[;:] ", sentence, word].',
    "parent": "What is returned in a chunk's place: sections, or spans of so many units.",
    "threshold": "Criterion: cut where the cosine similarity of neighbours is below it.",
    "distance": "Criterion: cut where the cosine distance of neighbours is above it.",
    "percentile": "Criterion: cut above this percentile of the document's distances; 80 unless "
    "another criterion is given.",
    "minima": "Criterion: cut where similarity has a local minimum below its median.",
    "window": "How many sentences on either side are compared.",
    "floor": "Runs smaller than this join the next one, counted in unit.",
}
_SENTENCE = re.compile(r"(?<=\.)\s+|\n\s*\n")


def strategies(as_json: Json = False, _debug: Debug = False) -> None:
    """List the strategies and presets.

    A strategy is written as its name, with the parameters that differ from their default in
    parentheses: recursive, recursive(size=256, overlap=0), a preset's name like
    recursive-512-64. Sizes count tokens (cl100k_base) unless unit says otherwise. Installed
    packages add their own by the entry point group seamline.strategies; one that does not load
    is named on stderr.
    """
    from seamline.errors import InvalidConfig
    from seamline.split import PRESETS, STRATEGIES

    factories, broken = STRATEGIES.load()
    listed = []
    for name, factory in factories.items():
        try:
            listed.append(_described(name, factory))
        except InvalidConfig as error:
            broken.append(InvalidConfig(f"{STRATEGIES.kind} {name!r}: {error}"))
    if as_json:
        print_json({"strategies": listed, "presets": PRESETS})
    else:
        render(_table(listed, PRESETS))
    for problem in broken:
        note(f"warning: {problem}")


def _described(name: str, factory: Any) -> dict[str, Any]:
    """A strategy as `--json` tells it; a default of null says that there is none."""
    from seamline.registry import parameters

    about, _, rest = (inspect.getdoc(factory) or "").partition("\n\n")
    known = parameters(factory)
    return {
        "name": name,
        "parameters": {one.name: _default(factory, one.name, one.default) for one in known},
        "meanings": {one.name: _meaning(one.name, rest) for one in known},
        "about": " ".join(about.split()),
    }


def _default(factory: Any, name: str, default: Any) -> Any:
    """What a strategy of seamline's own has when nothing is given."""
    from seamline.split.strategies import Cutter

    own = isinstance(factory, type) and issubclass(factory, Cutter)
    return getattr(factory(), name) if own else default


def _meaning(name: str, doc: str) -> str:
    """A usual parameter's line, or the sentence of a docstring that names it in backticks."""
    sentences = (" ".join(one.split()) for one in _SENTENCE.split(doc))
    told = next((one for one in sentences if f"`{name}`" in one), "")
    return _MEANINGS.get(name, told)


def _table(listed: list[dict[str, Any]], presets: Mapping[str, str]) -> Any:
    from rich.console import Group

    from seamline.registry import format_spec

    rows = []
    meanings: dict[str, str] = {}
    for one in listed:
        shown = format_spec("", one["parameters"])
        rows += [(one["name"], one["about"]), ("", shown[1:-1] or "no parameters")]
        meanings = {**one["meanings"], **meanings}
    return Group(
        _columns("Strategy", "What it does, and its parameters with their defaults", rows),
        "",
        _columns("Parameter", "What it says", list(meanings.items())),
        "",
        _columns("Preset", "Stands for", list(presets.items())),
    )


def _columns(left: str, right: str, rows: list[tuple[str, str]]) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(left, no_wrap=True, style="bold")
    table.add_column(right, ratio=1)
    for name, text in rows:
        table.add_row(Text(name), Text(text, style="" if name else "dim"))
    return table
