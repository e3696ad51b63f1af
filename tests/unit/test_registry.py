import importlib.metadata
from dataclasses import dataclass, field

import pytest

from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import (
    Parameter,
    Registry,
    Spec,
    build,
    format_spec,
    parameters,
    parse_spec,
    parse_specs,
    spec_of,
    suggest,
)


@dataclass(frozen=True)
class Cutter:
    size: int = 512
    unit: str = "tokens"
    note: str = field(default="", repr=False)
    hidden: int = field(default=0, init=False)


@pytest.mark.parametrize(
    ("text", "name", "params"),
    [
        ("fixed", "fixed", {}),
        (" fixed ( ) ", "fixed", {}),
        ("fixed(size=512)", "fixed", {"size": 512}),
        ("a( x = -1 , y = 2.5e-1 )", "a", {"x": -1, "y": 0.25}),
        ("a(x=true, y=FALSE, z=none)", "a", {"x": True, "y": False, "z": None}),
        ("a(x=bare-word, p=./t/tok.json)", "a", {"x": "bare-word", "p": "./t/tok.json"}),
        (r'a(x="\n\n", y="q\"q")', "a", {"x": "\n\n", "y": 'q"q'}),
        ("a(x='it\\'s \"so\"')", "a", {"x": 'it\'s "so"'}),
        ('a(x=["\\n", b, [1, 2], []])', "a", {"x": ["\n", "b", [1, 2], []]}),
        ('a(x="two\nlines")', "a", {"x": "two\nlines"}),
        ("my-strategy_2(k=1)", "my-strategy_2", {"k": 1}),
    ],
)
def test_a_spec_is_read(text, name, params):
    assert parse_spec(text) == Spec(name, params)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a name at position 0, got 'the end'"),
        ("9fixed", "expected a name"),
        ("fixed(512)", "expected key=value at position 6"),
        ("fixed(size=)", "expected a value"),
        ("fixed(size=1", r"expected ',' or '\)'"),
        ("fixed(size=1) more", "expected the end at position 13, got ' more'"),
        ("fixed(size=1 2)", r"expected ',' or '\)'"),
        ("fixed(size=[1 2])", r"expected ',' or '\]'"),
        ("fixed(size=[1, 2)", r"expected ',' or '\]'"),
        ("fixed(size=1, size=2)", "gives 'size' twice"),
        ('fixed(x="open)', "expected a value"),
    ],
)
def test_a_broken_spec_is_refused_with_the_place(text, message):
    with pytest.raises(InvalidConfig, match=message):
        parse_spec(text)


def test_a_string_that_is_no_json_is_kept_as_it_stands():
    assert parse_spec(r'a(x="\d+")').params == {"x": r"\d+"}
    assert parse_spec(r"a(x='\d+')").params == {"x": r"\d+"}


def test_a_list_of_specs_is_separated_by_semicolons():
    found = parse_specs("; fixed ;; recursive(size=256); ")
    assert [str(spec) for spec in found] == ["fixed", "recursive(size=256)"]


@pytest.mark.parametrize("text", ["", " ; ;"])
def test_an_empty_list_of_specs_is_refused(text):
    with pytest.raises(InvalidConfig, match="at least one spec"):
        parse_specs(text)


def test_specs_without_a_semicolon_between_are_refused():
    with pytest.raises(InvalidConfig, match="expected ';'"):
        parse_specs("fixed() recursive")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (5, "5"),
        (0.5, "0.5"),
        (True, "true"),
        (None, "none"),
        ("tokens", "tokens"),
        ("none", '"none"'),
        ("True", '"True"'),
        ("nan", '"nan"'),
        ("12", '"12"'),
        ("", '""'),
        ("a b", '"a b"'),
        ("\n", r'"\n"'),
        (("a", 1), "[a, 1]"),
    ],
)
def test_values_are_written_so_that_they_read_back(value, written):
    assert format_spec("p", {"k": value}) == f"p(k={written})"
    back = parse_spec(f"p(k={written})").params["k"]
    assert back == (list(value) if isinstance(value, tuple) else value)
    assert type(back) is (list if isinstance(value, tuple) else type(value))


def test_the_spec_of_a_part_leaves_defaults_and_hidden_fields_out():
    assert str(spec_of(Cutter(note="x"), "cutter")) == "cutter"
    assert (
        str(spec_of(Cutter(size=64), "cutter", always=("unit",))) == "cutter(size=64, unit=tokens)"
    )


def test_suggest_names_the_nearest_or_all():
    assert suggest("recursiv", ["fixed", "recursive"]) == "did you mean 'recursive'?"
    assert suggest("zzz", ["b", "a"]) == "there are: a, b"


def test_build_passes_parameters_and_refuses_unknown_ones():
    assert build(Cutter, parse_spec("cutter(size=9)"), "strategy", note="n") == Cutter(9, note="n")
    with pytest.raises(UnknownName, match=r"strategy 'cutter' has no parameter 'siz'; .*'size'"):
        build(Cutter, parse_spec("cutter(siz=9)"), "strategy")
    for key in ("note", "hidden"):
        with pytest.raises(UnknownName):
            build(Cutter, Spec("cutter", {key: 1}), "strategy")


def test_build_takes_a_plain_function_too():
    def make(size=1):
        return size

    assert build(make, parse_spec("make(size=9)"), "strategy") == 9
    with pytest.raises(UnknownName, match="did you mean 'size'"):
        build(make, parse_spec("make(sise=9)"), "strategy")


def test_a_registry_imports_parts_by_name():
    registry = Registry("span tool", "seamline.test_none", {"union": "seamline.spans:union"})
    from seamline.spans import union

    assert registry.names() == ["union"]
    assert registry.get("union") is union
    with pytest.raises(UnknownName, match="no span tool named 'unoin'; did you mean 'union'"):
        registry.get("unoin")


def test_plugins_add_names_but_never_hide_built_in_ones(tmp_path, monkeypatch):
    info = tmp_path / "plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[seamline.test_tools]\nunion = os:sep\nspan-length = seamline.spans:length\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("tool", "seamline.test_tools", {"union": "seamline.spans:union"})
    assert registry.get("union").__name__ == "union"
    assert registry.get("span-length").__name__ == "length"
    assert registry.names() == ["union", "span-length"]
    assert len(importlib.metadata.entry_points(group="seamline.test_tools")) == 2


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package whose entry points are given as lines."""

    def install(*lines):
        info = tmp_path / "tools-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tools\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("\n".join(["[seamline.test_tools]", *lines]))
        (tmp_path / "tools_bad.py").write_text("1 / 0\n")
        monkeypatch.syspath_prepend(tmp_path)
        return Registry("tool", "seamline.test_tools", {"union": "seamline.spans:union"})

    return install


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ("mypackage.nope:X", "ModuleNotFoundError: No module named 'mypackage'"),
        ("seamline.spans:nope", "AttributeError: "),
        ("tools_bad:X", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_plugin_that_does_not_load_is_named_with_its_package_and_the_cause(package, value, cause):
    registry = package(f"broken = {value}", "whole = seamline.spans:length")
    with pytest.raises(InvalidConfig) as caught:
        registry.get("broken")
    for part in ("tool 'broken' of the package 'tools'", repr(value), registry.group, cause):
        assert part in str(caught.value)
    parts, broken = registry.load()
    assert list(parts) == ["union", "whole"]
    assert [str(error) for error in broken] == [str(caught.value)]


def test_a_part_that_nothing_can_be_made_of_is_refused():
    with pytest.raises(InvalidConfig, match="a class or a function that makes it, got a str"):
        build("text", Spec("text"), "strategy")


def test_a_parameter_that_has_no_default_must_be_given():
    def make(size):
        return size

    assert parameters(make) == [Parameter("size", None, required=True)]
    with pytest.raises(InvalidConfig, match=r"'make' needs size: write make\(size=...\)"):
        build(make, Spec("make"), "strategy")
    assert build(make, Spec("make"), "strategy", size=3) == 3


def test_a_part_without_parameters_says_so():
    with pytest.raises(UnknownName, match="has no parameter 'size'; it takes none"):
        build(lambda: None, Spec("whole", {"size": 1}), "strategy")
    assert suggest("x", []) == "there are none"
