"""`seamline bench` and `seamline sweep` say why questions failed."""

import json

import pytest
from cli_runner import done

FEW = "recursive(size=512, overlap=64); recursive(size=128, overlap=0); adaptive"


def explained(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def check(data):
    """Every failed question of every row that is explained has one label, no other has any."""
    rows = {row["spec"]: row for row in data["strategies"]}
    assert data["diagnosis"]
    for found in data["diagnosis"]:
        row = rows[found["spec"]]
        whole = row["measures"][f"HitWhole@{found['cutoff']}"]["values"]
        failed = [
            one["id"] for one, value in zip(data["questions"], whole, strict=True) if value < 1
        ]
        lost = [one["id"] for one in data["skipped"] if one["why"].startswith("lost")]
        assert sorted(found["labels"]) == sorted(failed + lost)
        assert sum(found["counts"].values()) == len(found["labels"])
        primary = data["config"]["primary"]
        ranked = ("retriever", "dedupe", "merge")
        for other in data["strategies"]:
            if all(other[key] == row[key] for key in ranked):
                mean = other["measures"][primary]["mean"]
                assert found["oracle"][primary] >= mean - 1e-9
            else:
                assert other["spec"] not in found["found_by_cuts"]


@pytest.mark.parametrize("name", ["handbook", "runbooks"])
def test_bench_explains_every_strategy_of_the_examples(root, tmp_path, name):
    process = done(
        "bench",
        root / "examples" / name,
        "--strategies",
        FEW,
        "--budget",
        300,
        "--out",
        tmp_path / "out",
        env={"COLUMNS": "80"},
    )
    data = explained(tmp_path / "out")
    check(data)
    assert [one["spec"] for one in data["diagnosis"]] == [row["spec"] for row in data["strategies"]]
    words = " ".join(process.stdout.split())
    failed = any(one["labels"] for one in data["diagnosis"])
    assert ("those whose whole gold is not within 300 tokens" in words) == failed
    assert all(len(line) <= 80 for line in process.stdout.splitlines())
    assert '<section id="failed">' in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_two_runs_explain_alike(root, tmp_path):
    for name in ("a", "b"):
        done("bench", root / "examples" / "handbook", "--strategies", FEW, "--out", tmp_path / name)
    first, again = (explained(tmp_path / name)["diagnosis"] for name in ("a", "b"))
    assert first == again


def test_a_sweep_explains_the_one_to_take_and_the_best(root, tmp_path):
    config = tmp_path / "seamline.toml"
    config.write_text(
        'budget = 100\n[grid]\nstrategies = ["recursive(size=[64, 256])", "whole"]\n'
        'retrievers = ["dense", "bm25"]\nmerge = [false, true]\n'
    )
    done("sweep", root / "examples" / "handbook", "--config", config, "--out", tmp_path / "out")
    data = explained(tmp_path / "out")
    check(data)
    assert 1 <= len(data["diagnosis"]) <= 2
    best = max(data["strategies"], key=lambda row: row["measures"]["Recall@100t"]["mean"])
    means = {row["spec"]: row["measures"]["Recall@100t"]["mean"] for row in data["strategies"]}
    assert max(means[one["spec"]] for one in data["diagnosis"]) == means[best["spec"]]


def test_what_parsing_lost_is_named_and_in_no_mean(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.html").write_text(
        "<p>Oil the pump each month.</p><script>x('Close valve seven')</script>"
    )
    line = {"doc_id": "a", "question": "What first?", "answers": ["Close valve seven"]}
    lines = [
        {
            "id": "q1",
            "doc_id": "a",
            "question": "How often is the pump oiled?",
            "answers": ["each month"],
        },
        {"id": "q2", **line, "lost": True},
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, lines)))
    process = done(
        "bench",
        tmp_path,
        "--strategies",
        "whole",
        "--retriever",
        "bm25",
        "--out",
        tmp_path / "out",
    )
    data = explained(tmp_path / "out")
    assert [one["labels"] for one in data["diagnosis"]] == [{"q2": "lost in parsing"}]
    assert [one["id"] for one in data["questions"]] == ["q1"]
    assert "lost in parsing" in process.stdout
    assert "'q2'" in process.stderr


@pytest.mark.parametrize("name", ["techdocs", "tatqa"])
def test_the_development_sets_are_explained(data_set, tmp_path, name):
    done(
        "bench",
        data_set(name),
        "--strategies",
        "recursive(size=256, overlap=0)",
        "--retriever",
        "bm25",
        "--out",
        tmp_path / "out",
    )
    check(explained(tmp_path / "out"))
