"""`seamline inspect` and `seamline chunk --explain`: what was seen, and why it is cut so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_runner import done, refused, run

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook" / "docs" / "handbook.md"


def test_inspect_tells_the_kinds_of_regions_the_largest_first():
    [told] = json.loads(done("inspect", HANDBOOK, "--json").stdout)
    assert told["id"] == "handbook.md"
    assert [row["kind"] for row in told["regions"]] == ["questions and answers", "prose", "table"]
    assert abs(sum(row["share"] for row in told["regions"]) - 1) < 0.01
    assert sum(row["units"] for row in told["regions"]) == told["units"]
    shown = done("inspect", HANDBOOK).stdout
    assert "questions and answers" in shown
    assert f"{told['units']} units" in shown


def test_a_region_counts_every_unit_that_holds_some_of_it(tmp_path):
    text = "# Load\n\nThe load is this.\n\n$$\nx = 1\n$$\n\nThat is all."
    (tmp_path / "load.md").write_text(text, encoding="utf-8")
    [told] = json.loads(done("inspect", tmp_path, "--json").stdout)
    assert told["units"] == 1  # which is prose, formula and prose
    units = {row["kind"]: (row["regions"], row["units"]) for row in told["regions"]}
    assert units == {"prose": (2, 1), "formula": (1, 1)}
    shown = done("chunk", tmp_path, "--explain").stdout
    rows = [line.split()[:3] for line in shown.splitlines()[2:5]]
    assert [(kind, chunks) for kind, _, chunks in rows] == [
        ("prose", "1"),
        ("formula", "1"),
        ("prose", "1"),
    ]


@pytest.mark.parametrize("columns", [60, 80])
def test_explain_can_be_read_in_a_narrow_terminal(columns):
    shown = done("chunk", HANDBOOK, "--explain", env={"COLUMNS": str(columns)}).stdout
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= columns
    regions, reasons = lines[2:6], lines[7:]
    kinds = ["prose", "questions and answers", "prose", "table"]
    for kind, line in zip(kinds, regions, strict=True):
        assert re.match(rf"  {kind} +[\d,]+–[\d,]+ +\d+  \S", line), line
    assert sum(line.startswith("  prose") for line in reasons) == 1
    assert all(len(line.split()) > 1 for line in reasons if line.startswith("  table"))


def test_explain_tells_each_region_in_order():
    shown = done("chunk", HANDBOOK, "--strategy", "adaptive", "--explain").stdout
    assert shown.index("prose") < shown.index("questions and answers") < shown.index("table")
    assert "a question stays with its answer" in " ".join(shown.split())


def test_explain_of_a_strategy_that_sees_no_structure_says_so():
    shown = done("chunk", HANDBOOK, "--strategy", "fixed", "--explain").stdout
    assert " ".join(shown.split()).count("whatever the structure") == 1


def test_explain_goes_with_no_other_form():
    assert "--explain exclude each other" in refused("chunk", HANDBOOK, "--explain", "--json")


def test_inspect_goes_on_where_a_file_cannot_be_read(tmp_path):
    (tmp_path / "a.md").write_text("# Pump\n\nOil it.")
    (tmp_path / "b.json").write_text("{")
    process = run("inspect", tmp_path, "--json")
    assert process.returncode == 3
    assert [one["id"] for one in json.loads(process.stdout)] == ["a.md"]
    assert "b.json: must be JSON" in process.stderr
