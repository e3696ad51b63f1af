"""Arguments that cannot be: an error of seamline's own that says what must hold."""

import json
from pathlib import Path

import pytest

from seamline.api import benchmark, find_set, split_text
from seamline.config import BenchConfig, load_config
from seamline.embed import parse_embedder
from seamline.errors import (
    AlignmentError,
    InvalidConfig,
    InvalidDocument,
    InvalidGold,
    MissingInput,
)
from seamline.golden import load_golden
from seamline.measure import LARGEST, Cutoff, parse_measure
from seamline.parse import parse_file, parse_text, read_documents
from seamline.registry import parse_spec
from seamline.retrieve import parse_retriever
from seamline.sizers import parse_sizer
from seamline.split import align, parse_strategy
from seamline.types import Document, Span

TEXT = Document.from_text("Oil the pump.")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: split_text(None), InvalidConfig, "text must be .* got a NoneType"),
        (lambda: split_text("a", 5), InvalidConfig, "a strategy must have"),
        (lambda: split_text("a", embedder=None), InvalidConfig, "an embedder must be a spec"),
        (lambda: parse_strategy(5), InvalidConfig, "a spec must be a string .* got a int"),
        (lambda: parse_embedder(None), InvalidConfig, "a spec must be a string"),
        (lambda: parse_retriever([]), InvalidConfig, "a spec must be a string"),
        (lambda: parse_sizer(None), InvalidConfig, "unit must be"),
        (lambda: parse_measure(5), InvalidConfig, "a measure must be a name"),
        (lambda: Document("a", None), InvalidDocument, "text of a document must be a string"),
        (lambda: Document(None, "a"), InvalidDocument, "id of a document must be a string"),
        (lambda: Document.from_text(b"a"), InvalidDocument, "got a bytes"),
        (lambda: parse_text(5), InvalidDocument, "text must be a string, got a int"),
        (lambda: Span("a", 5), InvalidConfig, "whole numbers .* start='a'"),
        (lambda: Span(0, 1.5), InvalidConfig, "whole numbers .* end=1.5"),
        (lambda: list(read_documents(5)), InvalidConfig, "documents must be paths .* got a int"),
        (lambda: list(read_documents([b"a"])), InvalidConfig, "got a bytes"),
        (lambda: list(read_documents(None)), InvalidConfig, "got a NoneType"),
        (lambda: load_golden(5, [TEXT]), InvalidConfig, "golden set must be a path"),
        (lambda: load_config(5), InvalidConfig, "config file must be a path, got a int"),
        (lambda: benchmark(5), InvalidConfig, "docs must be the path"),
        (lambda: align(TEXT, [5]), AlignmentError, "pieces must be strings, but piece 0"),
        (lambda: Cutoff("5"), InvalidConfig, "a cutoff must be at least 1"),
        (lambda: BenchConfig(out=""), InvalidConfig, "out must be the path of a folder, got ''"),
    ],
)
def test_a_wrong_type_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("beyond", [LARGEST + 1, 2**63, 10**25])
def test_numbers_beyond_32_bits_are_refused(beyond):
    for key in ("k", "budget"):
        with pytest.raises(InvalidConfig, match=f"{key} must be at least 1 .*at most 2147483647"):
            BenchConfig(**{key: beyond})
    with pytest.raises(InvalidConfig, match=r"budgets must be .* at most 2147483647"):
        BenchConfig(budgets=[100, beyond])
    for unit in ("", "t"):
        with pytest.raises(InvalidConfig, match=r"a cutoff must be .* at most 2147483647"):
            BenchConfig(measures=[f"Recall@{beyond}{unit}"])


def test_a_cutoff_of_5000_digits_is_no_measure():
    with pytest.raises(InvalidConfig, match="a measure must be a name with a cutoff"):
        parse_measure("Recall@" + "9" * 5000)


@pytest.mark.parametrize("key", ["docs", "golden", "out", "cache_dir", "tokenizer"])
def test_a_null_character_in_a_path_of_the_settings_is_refused(key):
    value = "a\0b"
    with pytest.raises(InvalidConfig, match=f"{key} must be a path, which holds no null"):
        BenchConfig(**{key: [value] if key == "docs" else value})


def test_a_path_with_a_null_character_is_not_there():
    for call in (
        lambda: list(read_documents("a\0.md")),
        lambda: parse_file("a\0.md"),
        lambda: split_text(Path("a\0.md")),
        lambda: load_golden("a\0", [TEXT]),
        lambda: load_config("a\0"),
        lambda: find_set("a\0"),
    ):
        with pytest.raises(MissingInput):
            call()


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000])
def test_a_config_file_that_no_parser_bears_is_refused(tmp_path, value):
    path = tmp_path / "my.toml"
    path.write_text(f"k = {value}\n")
    with pytest.raises(InvalidConfig, match=r"my\.toml must be a TOML file|k must be"):
        load_config(path)


def test_a_spec_of_nothing_but_brackets_is_refused():
    with pytest.raises(InvalidConfig, match="expected fewer brackets"):
        parse_spec("recursive(separators=" + "[" * 5000 + "]" * 5000 + ")")


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "q", "id": "p", "doc_id": "text", "question": "?", "answers": ["Oil"]}',
        '{"id": "q", "doc_id": "text", "question": "?", "answers": [{"text": "Oil", "text": "p"}]}',
    ],
)
def test_a_key_given_twice_in_a_golden_line_is_an_error(tmp_path, line):
    path = tmp_path / "golden.jsonl"
    path.write_text(line)
    assert json.loads(line)
    with pytest.raises(InvalidGold, match=r"a key must be given once, but '(id|text)' is there"):
        load_golden(path, [TEXT])
