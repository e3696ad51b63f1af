import numpy as np
import pytest

from seamline.errors import InvalidConfig
from seamline.parse import parse_text
from seamline.retrieve import parse_retriever
from seamline.retrieve.hybrid import Hybrid
from seamline.retrieve.kernel import Kernel
from seamline.retrieve.lexical import Bm25
from seamline.retrieve.places import Layout, Neighbours, Places
from seamline.retrieve.table import ChunkTable
from seamline.sizers import parse_sizer, sizes
from seamline.split import parse_strategy
from seamline.types import Document

WORDS = parse_sizer("words")


def places(section, centre, tokens=10):
    n = len(section)
    return Places(
        np.array(section), np.array(centre, np.float64), np.broadcast_to(tokens, n).astype(np.int64)
    )


def layout(*documents):
    return Layout(documents, [WORDS.ends(document.text) for document in documents])


def table_of(documents, strategy):
    chunks = [list(parse_strategy(strategy).split(document)) for document in documents]
    return ChunkTable.from_chunks(documents, chunks, lambda texts: sizes(WORDS, texts)), [
        chunk.text for own in chunks for chunk in own
    ]


def test_sections_run_from_heading_to_heading_of_any_level():
    document = parse_text(
        "before\n\n# A\n\na b\n\n## B\n\nc d\n\n# C\n\ne", media_type="text/markdown"
    )
    plain = Document.from_text("one two", "plain")
    table, texts = table_of([document, plain], "fixed(size=1, unit=words, overlap=0)")
    found = dict(zip(texts, layout(document, plain).of(table).section.tolist(), strict=True))
    assert found["before"] == 0
    assert found["a"] == found["b"] == 1
    assert found["c"] == found["d"] == 2
    assert found["e"] == 3
    assert found["one"] == found["two"] == 4


def test_a_chunk_belongs_to_the_section_of_its_middle():
    text = "# A\n\naaaa bbbb cccc\n\n# B\n\nd"
    document = parse_text(text, media_type="text/markdown")
    column = [np.array([value], np.int32) for value in (0, 0, len(text))]
    found = layout(document).places(doc=column[0], start=column[1], end=column[2])
    assert found.section.tolist() == [0]
    assert found.centre.tolist() == [len(text.split()) / 2]


def test_neighbours_are_those_within_reach_in_the_same_section():
    near = Neighbours(places([0, 0, 0, 1], [5, 15, 40, 41]), 20)
    # 1 - 10/20 between the first two; the third is 25 away, the last in another section.
    assert near.weighted(np.array([1.0, 2, 4, 8])).tolist() == [2.0, 2.5, 4.0, 8.0]


def test_chunks_may_come_in_any_order_inside_a_document():
    near = Neighbours(places([0, 0, 0], [40, 5, 15]), 20)
    values = np.array([4.0, 1, 2])
    assert near.weighted(values[near.order])[near.rank].tolist() == [4.0, 2.0, 2.5]


def test_a_word_counts_for_the_chunk_beside_it_by_nearness():
    texts, doc = ["red cat", "dog", "dog", "dog"], np.zeros(4, np.int32)
    where = places([0, 0, 0, 1], [5, 15, 35, 36])
    plain = Bm25(language=None).index(texts, None, doc).rank(["cat"], depth=4)
    assert plain.ids.tolist() == [[0, -1, -1, -1]]
    spread = Bm25(language=None, positional=40).index(texts, None, doc, where)
    assert spread.rank(["cat"], depth=4).ids.tolist() == [[0, 1, 2, -1]]


def test_positional_weights_counted_by_hand():
    texts, doc = ["cat", "dog dog"], np.zeros(2, np.int32)
    index = Bm25(language=None, positional=20).index(texts, None, doc, places([0, 0], [5, 15]))
    ranks = index.rank(["cat"], depth=2)
    # Counts 1 and 0.5; lengths 1 + 2 * 0.5 = 2 and 2 + 1 * 0.5 = 2.5, mean 2.25; df is 1.
    idf = np.log1p((2 - 1 + 0.5) / 1.5)
    norm = [1.2 * (0.25 + 0.75 * length / 2.25) for length in (2, 2.5)]
    expected = [idf * 1 / (1 + norm[0]), idf * 0.5 / (0.5 + norm[1])]
    assert ranks.scores[0] == pytest.approx(expected, rel=1e-6)


def test_the_kernel_shares_most_of_the_score_inside_a_section():
    scores = np.array([[1.0, 0, 0, 8]], np.float32)
    Kernel(places([0, 0, 0, 1], [5, 15, 60, 61], tokens=[10, 30, 10, 10]), 40).smooth(scores, 0, 4)
    # The second is 10 away: weight 0.75 times 30 tokens of 40; the other way 0.75 * 10 of 40.
    first = 0.3 * 1 + 0.7 * (0 + (40 - 22.5) / 40)
    assert scores[0].tolist() == pytest.approx([first, 0.7 * 7.5 / 40, 0.0, 8.0])


def test_the_kernel_gives_equal_scores_back():
    rng = np.random.default_rng(3)
    where = places(
        np.sort(rng.integers(0, 3, 50)), rng.integers(0, 900, 50), rng.integers(0, 99, 50)
    )
    scores = np.full((2, 50), 0.7, np.float32)
    Kernel(where, 512).smooth(scores, 0, 50)
    assert scores == pytest.approx(np.full((2, 50), 0.7))


@pytest.mark.parametrize("value", ["none", "0"])
def test_nothing_and_none_turn_a_part_off(value):
    retriever = parse_retriever(f"hybrid(positional={value}, kernel={value})")
    assert retriever == Hybrid()
    assert not retriever.needs_places
    assert str(retriever) == "hybrid(alpha=0.5)"
    assert parse_retriever(f"bm25(positional={value})") == Bm25()


def test_specs_with_the_parts_parse_back():
    for spec in ("hybrid(alpha=0.5, positional=160, kernel=512)", "bm25(positional=160)"):
        assert str(parse_retriever(spec)) == spec
        assert parse_retriever(spec).needs_places


@pytest.mark.parametrize("value", ["-1", "1.5", "many", "true", "10000000"])
@pytest.mark.parametrize("spec", ["hybrid(kernel={})", "bm25(positional={})"])
def test_a_reach_is_a_whole_number_of_tokens(spec, value):
    with pytest.raises(InvalidConfig, match="must be a whole number of tokens from 0"):
        parse_retriever(spec.format(value))


@pytest.mark.parametrize("spec", ["bm25(positional=9)", "hybrid(positional=9)", "hybrid(kernel=9)"])
@pytest.mark.parametrize("given", [None, places([0], [1])])
def test_places_are_needed_one_a_chunk(spec, given):
    vectors = np.eye(2, dtype=np.float32)
    with pytest.raises(InvalidConfig, match="must know where each of the 2 chunks lies"):
        parse_retriever(spec).index(["a", "b"], vectors, np.zeros(2, np.int32), given)


def test_places_must_be_equally_long():
    with pytest.raises(InvalidConfig, match="equally long"):
        Places(np.zeros(2, np.int64), np.zeros(1), np.zeros(2, np.int64))


def test_a_hundred_thousand_chunks_at_one_place_are_no_pairs():
    """Every chunk is near every other: ten thousand million pairs, none of them made."""
    n = 100_000
    near = Neighbours(places(np.zeros(n), np.zeros(n), 1), 512)
    assert near.weighted(np.ones(n)).tolist()[::50_000] == [n, n]
    index = Bm25(language=None, positional=160).index(
        ["a"] * n, None, np.zeros(n, np.int32), places(np.zeros(n), np.arange(n), 1)
    )
    assert index.rank(["a"], depth=2).ids.shape == (1, 2)
