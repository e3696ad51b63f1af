"""Sizers and rulers: units, exactness, work bounds, errors."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import seamline.embed
from seamline.errors import InvalidConfig, MissingInput
from seamline.protocols import Sizer, SupportsTokenEnds
from seamline.sizers import UNITS, CountingSizer, make_ruler, parse_sizer, sizes
from seamline.split.strategies import Recursive
from seamline.testing import check_strategy
from seamline.types import Document

TOKENIZER = str(Path(seamline.embed.__file__).parent / "data" / "minilm" / "tokenizer.json")
PROSE = (
    "The pump is checked weekly. If the pressure falls, stop it!\n\nThen call the engineer. " * 60
)


@pytest.mark.parametrize(
    ("unit", "size"),
    [
        ("characters", 11),
        ("chars", 11),
        ("words", 2),
        ("tokens", 4),
        ("cl100k_base", 4),
        ("o200k_base", 4),
    ],
)
def test_each_unit_counts(unit, size):
    sizer = parse_sizer(unit)
    assert sizer.size("hello wörld") == size
    assert sizer.size("") == 0
    assert isinstance(sizer, Sizer)


@pytest.mark.parametrize("unit", [*UNITS, TOKENIZER])
def test_batches_count_like_single_texts_and_sizers_pickle(unit):
    sizer = pickle.loads(pickle.dumps(parse_sizer(unit)))
    texts = ["", "one", "two words", "水泵每周检查一次。", "\U0001f469\u200d\U0001f52c"]
    counted = sizes(sizer, texts)
    assert counted.dtype == np.int32
    assert counted.tolist() == [sizer.size(text) for text in texts]


@pytest.mark.parametrize("unit", ["words", "tokens", "o200k_base", TOKENIZER])
def test_ends_are_code_points(unit):
    sizer = parse_sizer(unit)
    text = "naïve \U0001f680\U0001f680 水泵。 end"
    ends = sizer.ends(text)
    assert isinstance(sizer, SupportsTokenEnds)
    assert len(ends) == sizer.size(text)
    assert ends[-1] == len(text)
    assert bool(np.all(np.diff(ends) >= 0))
    assert len(sizer.ends("")) == 0


def test_a_token_that_ends_inside_a_character_ends_with_it():
    sizer = parse_sizer("cl100k_base")
    ends = sizer.ends("\U0001f9e0")
    assert len(ends) > 1
    assert ends.tolist() == [1] * len(ends)


@pytest.mark.parametrize("unit", ["tokenz", "", "o200k"])
def test_an_unknown_unit_is_named(unit):
    with pytest.raises(InvalidConfig, match=f"got {unit!r}"):
        parse_sizer(unit)


def test_a_missing_or_broken_tokenizer_file_is_named(tmp_path):
    with pytest.raises(MissingInput, match=r"nowhere\.json"):
        parse_sizer(str(tmp_path / "nowhere.json"))
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    with pytest.raises(InvalidConfig, match=r"broken\.json"):
        parse_sizer(str(broken))


def test_any_tokenizer_file_gives_exact_limits():
    for text in (PROSE, "x9" * 3000 + " end", "水泵每周检查一次。" * 200):
        strategy = Recursive(size=40, overlap=8, unit=TOKENIZER)
        check_strategy(strategy, Document.from_text(text), sizer=parse_sizer(TOKENIZER), limit=40)


def count_vowels(text: str) -> int:
    return sum(text.count(vowel) for vowel in "aeiou")


@pytest.mark.parametrize("size", [5, 40, 1000])
def test_any_function_is_a_sizer(size):
    sizer = parse_sizer(count_vowels)
    assert isinstance(sizer, CountingSizer)
    assert sizer.name == "count_vowels"
    strategy = Recursive(size=size, overlap=size // 5, unit=count_vowels)
    check_strategy(strategy, Document.from_text(PROSE), sizer=sizer, limit=size)


def test_a_function_is_called_a_bounded_number_of_times():
    calls = []

    def recorded(text):
        calls.append(len(text))
        return len(text.split())

    document = Document.from_text(PROSE * 10)
    chunks = Recursive(size=100, overlap=0, unit=recorded).split(document)
    assert len(calls) <= 20 * len(chunks)
    assert sum(calls) <= 20 * len(document.text)


def test_a_text_that_surely_fits_is_not_measured():
    def never(text):
        raise AssertionError(text)

    sizer = parse_sizer("tokens")
    strategy = Recursive(size=512)
    sizer.__class__.ends, ends = never, sizer.__class__.ends
    try:
        assert len(strategy.split(Document.from_text("é" * 256))) == 1
    finally:
        sizer.__class__.ends = ends


@pytest.mark.parametrize("unit", ["words", TOKENIZER, count_vowels])
def test_rulers_stay_in_range(unit):
    ruler = make_ruler(parse_sizer(unit), "one two three")
    for at in range(14):
        for budget in (0, 1, 2, 99):
            assert at <= ruler.reach(at, budget) <= 13
            assert 0 <= ruler.back(at, budget) <= at


def test_sizes_without_a_batch_method():
    assert sizes(parse_sizer(len), ["a", "bc"]).tolist() == [1, 2]


def test_words_are_found_over_the_edges_of_blocks():
    text = ("ab " * 100_000 + "\u4e2d\u3000" * 50_000 + "end")[: (1 << 18) + 90_000]
    sizer = parse_sizer("words")
    ends = sizer.ends(text)
    assert len(ends) == sizer.size(text) == len(text.split())
    assert all(text[end - 1].strip() for end in ends[::999].tolist())


def test_a_ruler_that_is_none_is_refused_by_name():
    class Measured:
        name = "measured"

        def size(self, text):
            return len(text)

        def ruler(self, text):
            return text

    with pytest.raises(InvalidConfig, match=r"must inherit from .*Ruler, got a str"):
        make_ruler(Measured(), "abc")
