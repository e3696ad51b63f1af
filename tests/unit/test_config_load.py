import tomllib
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from seamline.config import DEFAULT_STRATEGIES, BenchConfig, load_config
from seamline.errors import InvalidConfig, MissingInput, SeamlineError, UnknownName
from seamline.parse import Limits
from seamline.split import parse_strategy


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="seamline.toml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_file_beats_the_defaults_and_the_command_line_beats_the_file(written):
    path = written("k = 3\nbudget = 700\n")
    config = load_config(path, {"budget": 900, "seed": None})
    assert (config.k, config.budget, config.seed) == (3, 900, 0)


def test_the_file_of_the_current_folder_is_found(written):
    written("k = 9")
    assert load_config().k == 9
    assert load_config(None, {"k": 2}).k == 2


def test_without_a_file_the_defaults_count(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_config() == BenchConfig()


def test_the_default_strategies_are_a_dozen_canonical_specs():
    assert len(set(DEFAULT_STRATEGIES)) == 14
    assert tuple(str(parse_strategy(spec)) for spec in DEFAULT_STRATEGIES) == DEFAULT_STRATEGIES


def test_paths_in_the_file_are_seen_from_its_folder(written):
    path = written('docs = "docs"\ngolden = "golden.jsonl"\nout = "/tmp/r"', "sub/seamline.toml")
    config = load_config(path)
    assert config.docs == (str(path.parent / "docs"),)
    assert config.golden == str(path.parent / "golden.jsonl")
    assert config.out == "/tmp/r"
    assert config.cache_dir == ""


def test_a_tokenizer_is_a_path_only_if_it_is_a_file(written):
    assert load_config(written('tokenizer = "o200k_base"')).tokenizer == "o200k_base"
    path = written('tokenizer = "own/tokenizer.json"')
    assert load_config(path).tokenizer == str(path.parent / "own/tokenizer.json")


def test_strategies_may_be_one_string(written):
    expected = ("fixed", "recursive(size=256)")
    assert load_config(written('strategies = "fixed; recursive(size=256)"')).strategies == expected
    assert load_config(None, {"strategies": "fixed;recursive(size=256)"}).strategies == expected


def test_the_usual_measures_look_at_k_and_budget_and_the_first_is_primary():
    config = BenchConfig(k=3, budget=500)
    assert config.primary == "Recall@500t"
    assert {"Hit@3", "HitWhole@500t", "Similarity@1", "Containment"} <= set(config.measures)


def test_measures_are_named_as_they_call_themselves_and_kept_once():
    config = BenchConfig(measures=("hitwhole@500t", "hit@3", "Hit@3"))
    assert config.measures == ("HitWhole@500t", "Hit@3")
    assert config.primary == "HitWhole@500t"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stratgies = []", "no setting named 'stratgies'; did you mean 'strategies'?"),
        ("k = '5'", "k must be a whole number, got '5'"),
        ("k = true", "k must be a whole number, got True"),
        ("k = 0", "k must be at least 1 and at most 2147483647, got 0"),
        ("tags = 1", "tags must be true or false, got 1"),
        ("threshold = 'high'", "threshold must be a number, got 'high'"),
        ("threshold = 75", "threshold must be a cosine from -1 to 1, got 75"),
        ("scope = 'all'", "scope must be 'corpus' or 'document', got 'all'"),
        ("seed = -1", "seed must be 0 or more, got -1"),
        ("budgets = [500, 250]", "budgets must be positive and increasing"),
        ("budgets = []", "budgets must be positive and increasing"),
        ("budgets = [250, '500']", r"budgets\[1\] must be a whole number, got '500'"),
        ("budgets = 250", "budgets must be a list, each item a whole number, got 250"),
        ("strategies = []", "strategies must be a list of at least one strategy"),
        ("measures = ['recal@5']", "no measure named 'recal'; did you mean 'Recall'"),
        ("measures = 'Hit@5'", "measures must be a list, each item a string"),
        ("strategies = 'fixed('", r"'fixed\(' is not a spec"),
        ("k = ", "must be a TOML file in UTF-8"),
    ],
)
def test_a_bad_file_is_refused_by_its_name_and_key(written, text, message):
    with pytest.raises(InvalidConfig, match=message) as caught:
        load_config(written(text))
    assert "seamline.toml" in str(caught.value)


def test_a_file_in_another_encoding_is_refused(written):
    path = written("")
    path.write_bytes('out = "né"'.encode("latin-1"))
    with pytest.raises(InvalidConfig, match="must be a TOML file in UTF-8"):
        load_config(path)


@pytest.mark.parametrize(
    ("name", "must"), [("none.toml", "be there, got"), (".", "be a file, got")]
)
def test_a_missing_file_is_named(written, tmp_path, name, must):
    with pytest.raises(MissingInput, match=f"config file must {must}"):
        load_config(tmp_path / name)


def test_an_unknown_override_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'budget'"):
        load_config(None, {"budgt": 3})


def test_a_whole_number_serves_as_a_threshold():
    assert BenchConfig(threshold=1).threshold == 1.0


def test_lists_become_tuples_so_that_a_config_is_a_value():
    config = BenchConfig(strategies=["fixed"], budgets=[250])
    assert hash(config) == hash(BenchConfig(strategies=("fixed",), budgets=(250,)))
    with pytest.raises(FrozenInstanceError):
        config.k = 3


@pytest.mark.parametrize("item", fields(BenchConfig), ids=lambda item: item.name)
def test_every_setting_checks_its_type(item):
    with pytest.raises(SeamlineError, match=f"^{item.name} must be"):
        BenchConfig(**{item.name: object()})


def test_the_example_file_shows_every_setting_with_its_default(root, monkeypatch):
    monkeypatch.chdir(root)
    shown = tomllib.loads((root / "seamline.toml").read_text(encoding="utf-8"))
    assert shown.keys() == {item.name for item in fields(BenchConfig)}
    config = load_config()
    assert replace(config, docs=(), golden="") == BenchConfig()
    assert all((root / path).exists() for path in (*config.docs, config.golden))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limits = 3", "limits must be a table of limits, got 3"),
        ("[limits]\nmax_page = 3", "no limit named 'max_page'; did you mean 'max_pages'"),
        ("[limits]\nmax_pages = 0", "limits.max_pages must be a whole number above 0, got 0"),
        ("[limits]\nmax_pages = true", "limits.max_pages must be a whole number above 0"),
        ("[limits]\nmax_pages = 1.5", "limits.max_pages must be a whole number above 0"),
        ("[limits]\nmax_seconds = nan", "limits.max_seconds must be a number above 0, got nan"),
        ("[limits]\nmax_seconds = '9'", "limits.max_seconds must be a number above 0, got '9'"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(written, text, message):
    with pytest.raises(InvalidConfig, match=message) as caught:
        load_config(written(text))
    assert "seamline.toml" in str(caught.value)


def test_limits_left_out_stay_as_they_are(written):
    limits = load_config(written("[limits]\nmax_pages = 3\nmax_seconds = 2")).limits
    assert limits == Limits(max_pages=3, max_seconds=2)
    assert limits.max_bytes == Limits().max_bytes


def test_the_chosen_strategy_is_measured_alone_unless_strategies_are_named(written):
    alone = load_config(written('strategy = "fixed(size=64, overlap=0)"'))
    assert alone.strategies == ("fixed(size=64, overlap=0)",)
    named = load_config(written('strategy = "whole"\nstrategies = ["adaptive", "fixed"]'))
    assert named.strategies == ("adaptive", "fixed")
    assert replace(alone, k=3).strategies == alone.strategies


@pytest.mark.parametrize("margin", ["1.0", "-0.1", '"two"'])
def test_a_margin_is_a_share_below_one(written, margin):
    with pytest.raises(InvalidConfig, match="margin must be"):
        load_config(written(f"margin = {margin}"))
