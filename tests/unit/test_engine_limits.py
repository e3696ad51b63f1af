"""What the engine is asked at its edges: nothing makes it read beyond a text, count wrong or hang."""

from __future__ import annotations

import numpy as np
import pytest

from seamline import scan
from seamline.errors import InvalidConfig
from seamline.sizers.rulers import CharacterRuler, EndsRuler, SearchRuler
from seamline.split import graphemes, levels, pack, parse_strategy, sentences, widen
from seamline.split.strategies import Fixed, Recursive
from seamline.types import Document

MOST = 2**63 - 1
TEXT = " One. Two, e\u0301 three!\n\nFour "
RULER = CharacterRuler(TEXT)
NOTHING = (AttributeError, TypeError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: scan.first_surrogate(None),
        lambda: scan.next_mark(None, 0, 1),
        lambda: scan.last_mark(None, 0, 1),
        lambda: scan.rfind(None, "a", 0, 1),
        lambda: scan.rfind("a", None, 0, 1),
        lambda: scan.rows_of(None, "id", "a", [0], [1], {}),
        lambda: scan.rows_of(tuple, "id", None, [0], [1], {}),
        lambda: scan.token_ends(None, np.ones(1, np.uint32), np.full(2, 65535, np.uint16)),
        lambda: scan.push(None, 1),
        lambda: scan.word_bounds(None),
        lambda: graphemes.is_border(None, 1),
        lambda: graphemes.next_border(None, 1),
        lambda: sentences.next_sentence_end(None, 0, 1),
        lambda: sentences.last_sentence_end(None, 0, 1),
        lambda: sentences.sentence_ends(None),
        lambda: levels.Words(None),
        lambda: pack.skip_blank(None, 0),
        lambda: pack.content_start(None, 0, 1, 1),
        lambda: pack.forced_end(TEXT, None, 0, 3, 2),
        lambda: pack.pack(TEXT, (), None, 2),
        lambda: pack.pack(None, (), RULER, 2),
        lambda: widen.windows(TEXT, None, 2, 1),
        lambda: widen.windows(None, RULER, 2, 1),
        lambda: widen.widen(TEXT, ([0, 1], [1, 2]), None, 2, 1),
    ],
)
def test_nothing_is_no_text_and_no_ruler(call):
    with pytest.raises(NOTHING):
        call()


@pytest.mark.parametrize("kind", [int, list, dict, type, object])
def test_rows_are_tuples(kind):
    with pytest.raises(TypeError):
        scan.rows_of(kind, "id", "a", [0], [1], {})


@pytest.mark.parametrize("low", [-MOST, -(10**6), -1, 0, 3, 10**6, MOST])
@pytest.mark.parametrize("high", [-MOST, -1, 0, 4, 10**6, MOST])
@pytest.mark.parametrize("text", ["", "abc", "abc.", "\u3002ab", "\U0001f600?"])
def test_scans_stay_inside_the_text(text, low, high):
    first, end = max(low, 0), min(max(high, 0), len(text))
    marks = [at for at in range(first, end) if text[at] in scan.SENTENCE_MARKS]
    found = scan.next_mark(text, low, high)
    assert found == marks[0] if marks else found in (high, len(text))
    assert scan.last_mark(text, low, high) == (marks[-1] if marks else first - 1)
    for part in ("c", "bc", ".", "\U0001f600", "\u0102", "x" * 99):
        if low >= 0 and high >= 0:
            assert scan.rfind(text, part, low, high) == text.rfind(part, low, high)
    assert sentences.last_sentence_end(text, low, high) <= end
    assert graphemes.is_border(text, low, high) in (True, False)


@pytest.mark.parametrize("offset", [-1, 2**31, 2**40])
def test_an_offset_that_no_column_holds_is_refused(offset):
    with pytest.raises(OverflowError, match="below 2147483648"):
        scan.push(bytearray(), offset)


@pytest.mark.parametrize("size", [2**31, 2**60, 2**62, MOST, 2**64, 10**30])
@pytest.mark.parametrize("unit", ["characters", "words", "tokens", len])
@pytest.mark.parametrize("kind", [Fixed, Recursive])
def test_a_size_beyond_any_text_takes_all_of_it(kind, unit, size):
    document = Document.from_text(TEXT)
    for overlap in (0, size // 2, size - 1):
        assert kind(size=size, overlap=overlap, unit=unit).cut(document) == ([1], [len(TEXT) - 1])


@pytest.mark.parametrize("answer", [-1, 1.5, None, "3", float("nan")])
@pytest.mark.parametrize("kind", ["fixed", "recursive", "sentence", "hierarchical"])
def test_a_sizer_that_counts_no_whole_numbers_is_told_so(kind, answer):
    strategy = type(parse_strategy(kind))(size=3, unit=lambda text: answer)
    with pytest.raises(InvalidConfig, match="whole numbers of at least 0, got"):
        strategy.cut(Document.from_text(TEXT))
    with pytest.raises(InvalidConfig, match="whole numbers of at least 0, got"):
        EndsRuler(TEXT, lambda text: answer, [1, 3]).size(0, 1)


def test_a_sizer_may_count_in_any_whole_numbers():
    plain = Recursive(size=5, overlap=2, unit=len).cut(Document.from_text(TEXT))
    for kind in (np.int32, np.uint8, np.int64):
        strategy = Recursive(size=5, overlap=2, unit=lambda text, kind=kind: kind(len(text)))
        assert strategy.cut(Document.from_text(TEXT)) == plain
    assert SearchRuler(TEXT, lambda text: 2**70).size(0, 3) > 2**59
    assert SearchRuler(TEXT * 50, len).reach(0, MOST) == 50 * len(TEXT)


# Looked at anew from every chunk to its end, each of these would take many minutes.
@pytest.mark.parametrize(
    "unit",
    [
        ".",
        "!",
        "\u2026",
        "\u3002",
        ".)",
        ". ",
        "1. ",
        "\U0001f1e9\U0001f1ea",
        "\n.",
        "\u3002\u300d",
    ],
)
def test_a_run_as_long_as_the_text_is_looked_at_once(unit):
    document = Document.from_text("x" + unit * (600_000 if scan.COMPILED else 60_000))
    for overlap in (0, 30):
        starts, ends = Recursive(size=100, overlap=overlap, unit="characters").cut(document)
        assert starts[0] == 0
        assert ends[-1] == len(document.text.rstrip())


def test_a_window_of_flags_is_counted_once():
    document = Document.from_text("\U0001f1e9\U0001f1ea" * 150_000)
    assert len(Recursive(size=100_001, overlap=0, unit="characters").cut(document)[0]) == 3


def test_no_indentation_crosses_a_bound():
    text = "a>\n\t\u0301`b"
    assert pack.pack(text, (), CharacterRuler(text), 9, bounds=[4]) == ([0, 4], [2, len(text)])
