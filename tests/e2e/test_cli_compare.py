"""`seamline compare`: one results file or two, in a table or as JSON, or what differs."""

import json

import pytest
from cli_runner import done, refused

STRATEGIES = "whole;sentence(size=64);recursive(size=128, overlap=0)"


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory):
    """Results of the runbooks with BM25, and of the same at another budget."""
    folder = tmp_path_factory.mktemp("compare")
    quick = ["--retriever", "bm25", "--quiet"]
    runbooks = root / "examples" / "runbooks"
    done("bench", runbooks, "--strategies", STRATEGIES, *quick, "--out", "a", cwd=folder)
    done("bench", runbooks, "--strategies", "whole", *quick, "--out", "b", cwd=folder)
    done(
        "bench",
        runbooks,
        "--strategies",
        "whole",
        *quick,
        "--budget",
        "300",
        "--out",
        "c",
        cwd=folder,
    )
    return folder


def test_one_file_against_its_best_fits_80_columns(folder):
    text = done("compare", "a", cwd=folder, env={"COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("Recall@1000t: 2 strategies against the best, ")
    assert "WORSE" in text
    assert "p and intervals allow for the best having been chosen" in text


def test_a_file_and_its_folder_are_the_same_and_so_is_every_run(folder):
    outputs = {
        done("compare", path, "--by", "tag", cwd=folder).stdout for path in ("a", "a/results.json")
    }
    assert len(outputs) == 1
    assert "By tag:" in outputs.pop()


def test_a_row_of_a_sweep_is_named_by_its_strategy(root, folder):
    grid = 'strategies = ["whole", "sentence(size=64)", "whole | bm25 | merge"]'
    (folder / "grid.toml").write_text(f'[grid]\n{grid}\nretrievers = ["bm25"]\n')
    swept = ("--config", "grid.toml", "--out", "swept", "--quiet")
    done("sweep", root / "examples" / "runbooks", *swept, cwd=folder)
    said = done("compare", "swept", "--to", "sentence", cwd=folder).stdout
    assert "2 strategies against sentence(size=64" in said
    several = refused("compare", "swept", "--to", "whole", cwd=folder)
    assert several.startswith("a name must mean one row, but 'whole' means 2 rows to compare with:")


def test_json_has_all_numbers_and_the_words(folder):
    process = done("compare", "a", "--to", "whole", "--json", cwd=folder)
    found = json.loads(process.stdout)
    assert process.stderr == ""
    assert found["way"] == "fixed"
    assert {one["to"] for one in found["comparisons"]} == {"whole"}
    assert {"p_adjusted", "low_all", "verdict", "n_needed"} <= found["comparisons"][0].keys()
    assert found["title"].startswith("Recall@1000t")


def test_two_files_are_paired(folder):
    text = done("compare", "a", "b", cwd=folder).stdout
    assert "1 strategy in the first file against the same in the second" in text
    assert "No question scores otherwise in the first file than in the second." in text


def test_the_same_file_twice_says_that_nothing_differs(folder):
    text = done("compare", "a", "a/results.json", cwd=folder).stdout
    assert "3 strategies in the first file against the same in the second" in text
    assert "No question scores otherwise in the first file than in the second." in text
    assert "UNRESOLVABLE:" not in text


def test_parts_that_no_question_has_are_said_to_be_none(folder):
    data = json.loads((folder / "a" / "results.json").read_text(encoding="utf-8"))
    for question in data["questions"]:
        question["tags"] = []
    (folder / "untagged.json").write_text(json.dumps(data), encoding="utf-8")
    text = done("compare", "untagged.json", "--by", "tag", cwd=folder).stdout
    assert ": no question has a tag\n" in text
    assert "Tag  " not in text
    assert "no question has" not in done("compare", "a", "--by", "tag", cwd=folder).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "c"], "but the primary measure is Recall@1000t and Recall@300t; budget is 1000"),
        (["b"], "there must be two strategies to compare, got 1"),
        (["a", "--to", "hole"], "no strategy 'hole' to compare with; did you mean 'whole'?"),
        (["a", "--measure", "Recall@7"], "no measure 'Recall@7'"),
        (["a", "--by", "size"], "not by 'size'"),
        (["a", "--margin", "-1"], "margin"),
        (["nowhere"], "no results at 'nowhere'"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(folder, arguments, message):
    assert message in refused("compare", *arguments, cwd=folder)
