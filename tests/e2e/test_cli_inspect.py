"""`seamline inspect` and `seamline chunk --explain`: what was seen, and why it is cut so."""

from __future__ import annotations

import json
from pathlib import Path

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


def test_explain_tells_each_region_in_order():
    shown = done("chunk", HANDBOOK, "--strategy", "adaptive", "--explain").stdout
    assert shown.index("prose") < shown.index("questions and answers") < shown.index("table")
    assert "a question stays with its answer" in " ".join(shown.split())


def test_explain_of_a_strategy_that_sees_no_structure_says_so():
    shown = done("chunk", HANDBOOK, "--strategy", "fixed", "--explain").stdout
    assert "whatever the structure" in " ".join(shown.split())


def test_explain_goes_with_no_other_form():
    assert "--explain exclude each other" in refused("chunk", HANDBOOK, "--explain", "--json")


def test_inspect_goes_on_where_a_file_cannot_be_read(tmp_path):
    (tmp_path / "a.md").write_text("# Pump\n\nOil it.")
    (tmp_path / "b.json").write_text("{")
    process = run("inspect", tmp_path, "--json")
    assert process.returncode == 3
    assert [one["id"] for one in json.loads(process.stdout)] == ["a.md"]
    assert "b.json: must be JSON" in process.stderr
