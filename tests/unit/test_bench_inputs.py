"""The paths of a run, kept beside its results."""

import json
import os
from pathlib import Path

import pytest

from seamline.bench.inputs import INPUTS_FILE, Inputs, load_timings, relative
from seamline.errors import InvalidConfig, MissingInput


def saved(tmp_path, docs=("docs",), golden="golden.jsonl", tokenizer="tokens"):
    out = tmp_path / "report"
    out.mkdir(exist_ok=True)
    inputs = Inputs.of([tmp_path / one for one in docs], tmp_path / golden, tokenizer=tokenizer)
    inputs.save(out, beside=out)
    return out


def test_paths_are_kept_as_seen_from_the_results(tmp_path):
    out = saved(tmp_path, ("docs", "more/a.md"))
    assert json.loads((out / INPUTS_FILE).read_text()) == {
        "docs": ["../docs", "../more/a.md"],
        "golden": "../golden.jsonl",
    }
    found = Inputs.load(out)
    assert [path.resolve() for path in found.docs] == [tmp_path / "docs", tmp_path / "more/a.md"]
    assert found.golden.resolve() == tmp_path / "golden.jsonl"
    assert found.tokenizer is None


def test_a_tokenizer_file_is_a_path_and_a_name_is_none(tmp_path):
    out = saved(tmp_path, tokenizer=str(tmp_path / "tokenizer.json"))
    assert Inputs.load(out).tokenizer.resolve() == tmp_path / "tokenizer.json"


def test_a_folder_that_moves_as_a_whole_keeps_its_paths(tmp_path):
    (tmp_path / "here").mkdir()
    saved(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    assert Inputs.load(tmp_path / "there/report").golden.resolve().parent == tmp_path / "there"


def test_a_link_keeps_its_name(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "docs").symlink_to(tmp_path / "elsewhere")
    assert relative(tmp_path / "docs", tmp_path / "report") == "../docs"


@pytest.mark.parametrize("path", [".", ".."])
def test_a_path_without_a_name_is_resolved(tmp_path, monkeypatch, path):
    (tmp_path / "a/b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b")
    target = (tmp_path / "a/b" / path).resolve()
    assert relative(Path(path), tmp_path) == target.relative_to(tmp_path).as_posix()


def test_on_another_drive_a_path_is_absolute(tmp_path, monkeypatch):
    def refuse(*_):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", refuse)
    assert relative(tmp_path / "docs", tmp_path) == (tmp_path / "docs").as_posix()


@pytest.mark.parametrize(
    "text",
    [
        None,
        "{",
        "[]",
        "{}",
        '{"docs": "docs", "golden": "g"}',
        '{"docs": [1], "golden": "g"}',
        '{"docs": ["\\ud800"], "golden": "g"}',
        '{"docs": ["docs"], "golden": "\\udfff"}',
        '{"docs": ["docs"], "golden": "g\\u0000"}',
        "[" * 100_000,
    ],
)
def test_what_is_not_there_or_no_such_file_is_not_known(tmp_path, text):
    if text is not None:
        (tmp_path / INPUTS_FILE).write_text(text)
    assert Inputs.load(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "found"), [(None, {}), ("{", {}), ("[]", {}), ('{"stages": {}}', {"stages": {}})]
)
def test_timings_are_those_beside_the_results(tmp_path, text, found):
    if text is not None:
        (tmp_path / "timings.json").write_text(text)
    assert load_timings(tmp_path) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "must be readable beside its results, but .*timings.json is not"),
        ("{", "but is damaged"),
        ("[]", "damaged .the file is no table"),
        ('{"strategies": 3}', "damaged .strategies is no table"),
        ('{"strategies": {"whole": 3}}', "damaged .whole is no table"),
        ('{"strategies": {"whole": {"rank": 3}}}', "damaged .rank is no table"),
        ('{"strategies": {"whole": {"rank": {"seconds": "3"}}}}', "whole: rank has no seconds"),
        ('{"strategies": {"whole": {"rank": {"seconds": NaN}}}}', "whole: rank has no seconds"),
        ('{"strategies": {"whole": {"rank": {"seconds": -1}}}}', "whole: rank has no seconds"),
        ('{"stages": {"read": {}}}', "stages: read has no seconds"),
        ("[" * 100_000, "but is damaged"),
    ],
)
def test_timings_that_are_needed_must_be_whole(tmp_path, text, says):
    if text is not None:
        (tmp_path / "timings.json").write_text(text)
    assert load_timings(tmp_path) == {}
    with pytest.raises((InvalidConfig, MissingInput), match=says):
        load_timings(tmp_path, needed=True)
