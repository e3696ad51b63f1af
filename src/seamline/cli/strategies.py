"""`seamline strategies`: what can be written where a strategy is asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import print_json, render

EXAMPLES = examples("seamline strategies", "seamline strategies --json")


def strategies(as_json: Json = False, _debug: Debug = False) -> None:
    """List the strategies and presets.

    A strategy is written as its name, with the parameters that differ from their default in
    parentheses: recursive, recursive(size=256, overlap=0), a preset's name like
    recursive-512-64. Sizes count tokens (cl100k_base) unless unit says otherwise. Installed
    packages add their own by the entry point group seamline.strategies.
    """
    if not as_json:
        from seamline.report import strategies_table

        render(strategies_table())
        return
    from seamline.split import PRESETS, STRATEGIES

    factories = {name: STRATEGIES.get(name) for name in STRATEGIES.names()}
    listed = [
        {"name": name, "parameters": _parameters(factory), "about": _about(factory)}
        for name, factory in factories.items()
    ]
    print_json({"strategies": listed, "presets": PRESETS})


def _parameters(factory: Callable[..., Any]) -> dict[str, Any]:
    """The parameters that a spec may give and their defaults."""
    if is_dataclass(factory):
        return {
            item.name: None if item.default is MISSING else item.default
            for item in fields(factory)
            if item.init and item.repr
        }
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: None if p.default is p.empty else p.default for p in parameters}


def _about(factory: object) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(factory) or "").partition("\n\n")[0].split())
