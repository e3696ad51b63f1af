"""Floors: how they are written, what is refused, what an option changes."""

import pytest

from seamline.config import BenchConfig, load_config
from seamline.errors import InvalidConfig, UnknownName
from seamline.measure.floors import NO_FLOORS, Floors


def test_a_number_is_a_floor_true_what_was_locked_and_false_none():
    table = {"containment": 1, "recall@5": True, "MRR@5": False, "mean-chunk-size": 600.5}
    floors = Floors.of({**table, "tolerance": 0.1})
    assert list(floors) == [("Containment", 1.0), ("Recall@5", None), ("mean_chunk_size", 600.5)]
    assert floors.tolerance == 0.1
    assert floors.measures == ("Containment", "Recall@5")


def test_without_a_table_nothing_is_held_and_three_points_are_tolerated():
    assert list(NO_FLOORS) == []
    assert NO_FLOORS.tolerance == 0.03


def test_an_option_beats_the_file_and_adds_to_it():
    floors = Floors.of({"Containment": 0.9, "tolerance": 0.01})
    more = floors.with_options(["containment=0.8", "Recall@5", "MRR@5 = true", "tolerance=0.02"])
    assert list(more) == [("Containment", 0.8), ("Recall@5", None), ("MRR@5", None)]
    assert more.tolerance == 0.02
    assert floors.with_options([]) == floors


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"Containment": "high"}, "the floor of Containment must be a number, or true for"),
        ({"Containment": float("nan")}, "must be a number"),
        ({"Containment": None}, "must be a number"),
        ({"Containment": 0.8, "containment": 0.9}, "once, got Containment twice"),
        ({"tolerance": True}, "from 0 to below 1, like 0.03, got True"),
        ({"tolerance": 1}, "from 0 to below 1"),
        ({"tolerance": -0.1}, "from 0 to below 1"),
        ({"Recall": 0.5}, "Recall needs a cutoff"),
    ],
)
def test_what_cannot_be_a_floor_is_refused(table, says):
    with pytest.raises(InvalidConfig, match=says):
        Floors.of(table)


def test_unknown_names_and_broken_options_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'Containment'"):
        Floors.of({"Contaiment": 0.8})
    with pytest.raises(InvalidConfig, match="NAME or NAME=VALUE, like"):
        NO_FLOORS.with_options(["Containment=high"])

    for twice in (["Recall@5=0.9", "Recall@5=0.1"], ["MRR@5", "mrr@5"], ["tolerance=0.1"] * 2):
        with pytest.raises(InvalidConfig, match="must be given once, got"):
            NO_FLOORS.with_options(twice)


def test_a_config_file_has_a_table_of_floors(tmp_path):
    file = tmp_path / "seamline.toml"
    file.write_text('[floors]\nContainment = 0.85\n"Recall@5" = true\n')
    assert list(load_config(file).floors) == [("Containment", 0.85), ("Recall@5", None)]
    assert BenchConfig().floors is NO_FLOORS
    assert list(BenchConfig(floors={"Containment": 0.9}).floors) == [("Containment", 0.9)]
    with pytest.raises(InvalidConfig, match="floors must be a table of floors, got 3"):
        BenchConfig(floors=3)
