"""The cuts of the bundled examples, kept in a file whose diff a person can read.

Run this file as a script to write `spans.jsonl` anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamline.parse import read_documents
from seamline.split import PRESETS, STRATEGIES, parse_strategy

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).with_name("spans.jsonl")
# Those that need no model: its vectors may differ in the last bit from machine to machine.
NAMES = [name for name in (*STRATEGIES.names(), *PRESETS) if not name.startswith("semantic")]
NAMES[NAMES.index("routed")] = "routed(questions=sentence)"


def cuts():
    """One line a strategy and document: its spans."""
    pages = ["handbook/docs/handbook.md", "runbooks/docs/webhooks-api.md"]
    documents = list(read_documents([ROOT / "examples" / page for page in pages]))
    for name in NAMES:
        strategy = parse_strategy(name)
        for document in documents:
            spans = [[chunk.start, chunk.end] for chunk in strategy.split(document)]
            yield {"strategy": name, "document": document.id, "spans": spans}


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_cut_as_before(name):
    kept = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    expected = [row for row in kept if row["strategy"] == name]
    assert expected
    assert [row for row in CUTS if row["strategy"] == name] == expected


CUTS = list(cuts())

if __name__ == "__main__":
    KEPT.write_text("".join(f"{json.dumps(row)}\n" for row in CUTS), encoding="utf-8")
