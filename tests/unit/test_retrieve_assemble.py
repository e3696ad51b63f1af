import numpy as np
import pytest

from seamline.errors import InvalidConfig
from seamline.retrieve.assemble import ChunkTable, assemble, assemble_budgets, sufficient_depth
from seamline.types import Chunk, Document, Span

# Three documents of 40 characters; a token is four characters long.
ENDS = [np.arange(4, 41, 4, dtype=np.int32)] * 3
NONE = (-1, -1)


def table(*rows):
    """Rows of (doc, start, end) with an optional parent and context size; 4 characters a token."""
    full = [(*row, *((NONE, 0)[len(row) - 3 :])) for row in rows]
    doc, start, end, parent, context = zip(*full, strict=True)
    parent = np.array(parent, np.int32)

    def column(values):
        return np.array(values, np.int32)

    return ChunkTable(
        doc=column(doc),
        start=column(start),
        end=column(end),
        tokens=column([-(-(e - s) // 4) for s, e in zip(start, end, strict=True)]),
        parent_start=parent[:, 0],
        parent_end=parent[:, 1],
        parent_tokens=(parent[:, 1] - parent[:, 0]) // 4,
        context_tokens=column(context),
    )


def show(chunks, ids, **options):
    ids = np.array(ids, np.int32)
    scores = np.linspace(1, 0, len(ids), dtype=np.float32)
    shown = assemble(ids, scores, chunks, token_ends=ENDS, **options)
    columns = (shown.doc, shown.start, shown.end, shown.tokens)
    return list(zip(*(column.tolist() for column in columns), strict=True))


APART = table((0, 0, 12), (0, 12, 20), (1, 0, 40))


def test_without_limits_everything_is_shown_in_rank_order():
    assert show(APART, [2, 0, 1]) == [(1, 0, 40, 10), (0, 0, 12, 3), (0, 12, 20, 2)]


def test_padding_is_no_chunk():
    assert show(APART, [1, -1, -1]) == [(0, 12, 20, 2)]
    assert show(APART, [-1, -1], budget=10) == []
    assert show(APART, []) == []


@pytest.mark.parametrize(("k", "n"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_k_is_the_number_of_pieces(k, n):
    assert len(show(APART, [2, 0, 1], k=k)) == n


@pytest.mark.parametrize(
    ("budget", "shown"),
    [
        (0, []),
        (1, [(0, 0, 4, 1)]),
        (3, [(0, 0, 12, 3)]),
        (4, [(0, 0, 12, 3), (1, 0, 4, 1)]),
        (12, [(0, 0, 12, 3), (1, 0, 36, 9)]),
        (13, [(0, 0, 12, 3), (1, 0, 40, 10)]),
        (14, [(0, 0, 12, 3), (1, 0, 40, 10), (0, 12, 16, 1)]),
        (99, [(0, 0, 12, 3), (1, 0, 40, 10), (0, 12, 20, 2)]),
    ],
)
def test_the_last_piece_is_cut_at_the_budget_and_nothing_follows(budget, shown):
    assert show(APART, [0, 2, 1], budget=budget) == shown


def test_separators_and_context_cost_before_the_text_does():
    chunks = table((0, 0, 12), (1, 0, 12, NONE, 2), (0, 12, 20))
    assert show(chunks, [0, 1], separator_tokens=2) == [(0, 0, 12, 5), (1, 0, 12, 7)]
    assert show(chunks, [0, 1, 2], separator_tokens=2, budget=9) == [(0, 0, 12, 5)]
    assert show(chunks, [0, 1, 2], separator_tokens=2, budget=10) == [(0, 0, 12, 5), (1, 0, 4, 5)]


def test_a_piece_that_starts_inside_a_token_is_cut_at_the_tokens_that_end_in_it():
    assert show(table((0, 2, 30)), [0], budget=2) == [(0, 2, 8, 2)]


def test_a_piece_with_fewer_document_tokens_than_room_is_shown_whole():
    chunks = table((0, 0, 12), (0, 13, 22))  # three tokens alone, two ends in the document
    assert show(chunks, [1], budget=2) == [(0, 13, 20, 2)]
    short = table((0, 13, 14), (0, 0, 40))
    assert show(short, [0, 1], budget=2) == [(0, 13, 14, 1), (0, 0, 4, 1)]


def test_a_parent_is_shown_once_at_its_best_rank():
    parent = (0, 20)
    chunks = table((0, 0, 8, parent, 3), (0, 8, 20, parent, 3), (0, 20, 32), (1, 0, 8, parent))
    assert show(chunks, [1, 2, 0, 3]) == [(0, 0, 20, 5), (0, 20, 32, 3), (1, 0, 20, 5)]
    assert show(chunks, [1, 0, 2, 3], k=2) == [(0, 0, 20, 5), (0, 20, 32, 3)]
    assert show(chunks, [1, 0, 2], budget=6) == [(0, 0, 20, 5), (0, 20, 24, 1)]


def test_scores_and_chunks_are_those_of_the_best_hit():
    chunks = table((0, 0, 8, (0, 20)), (0, 8, 20, (0, 20)), (0, 20, 32))
    shown = assemble(np.int32([1, 0, 2]), np.float32([0.9, 0.8, 0.7]), chunks)
    assert shown.chunk.tolist() == [1, 2]
    assert shown.scores.tolist() == np.float32([0.9, 0.7]).tolist()


OVERLAPPING = table((0, 0, 20), (0, 12, 32), (0, 16, 20), (0, 8, 40), (1, 0, 8))


def test_overlap_is_shown_and_paid_twice_unless_deduplicated():
    assert show(OVERLAPPING, [0, 1]) == [(0, 0, 20, 5), (0, 12, 32, 5)]
    assert show(OVERLAPPING, [0, 1], dedupe=True) == [(0, 0, 20, 5), (0, 20, 32, 3)]


def test_a_hit_shown_already_costs_and_counts_nothing():
    assert show(OVERLAPPING, [0, 2, 4], dedupe=True, k=2) == [(0, 0, 20, 5), (1, 0, 8, 2)]


def test_what_is_left_of_a_hit_may_be_several_pieces_of_one_rank():
    pieces = [(0, 16, 20, 2), (0, 12, 16, 2), (0, 20, 32, 4), (1, 0, 8, 3)]
    assert show(OVERLAPPING, [2, 1, 4], dedupe=True, separator_tokens=1) == pieces
    assert show(OVERLAPPING, [2, 1, 4], dedupe=True, separator_tokens=1, k=2) == pieces[:3]
    assert show(OVERLAPPING, [2, 1], dedupe=True, budget=4) == [
        (0, 16, 20, 1),
        (0, 12, 16, 1),
        (0, 20, 28, 2),
    ]


def test_deduplication_is_per_document():
    chunks = table((0, 0, 8), (1, 0, 8))
    assert len(show(chunks, [0, 1], dedupe=True)) == 2


def test_one_walk_gives_every_budget():
    ids, scores = np.int32([3, 0, 4, 1]), np.ones(4, np.float32)
    budgets = [7, 0, 11, 100]
    for dedupe in (False, True):
        walked = assemble_budgets(
            ids, scores, OVERLAPPING, budgets=budgets, token_ends=ENDS, dedupe=dedupe
        )
        for budget, shown in zip(budgets, walked, strict=True):
            alone = assemble(
                ids, scores, OVERLAPPING, budget=budget, token_ends=ENDS, dedupe=dedupe
            )
            for name in ("doc", "start", "end", "tokens", "scores", "chunk"):
                assert np.array_equal(getattr(shown, name), getattr(alone, name))
    assert assemble_budgets(ids, scores, OVERLAPPING, budgets=[], token_ends=ENDS) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": -1}, "k must be at least 0, got -1"),
        ({"budget": -5}, "budget must be at least 0, got -5"),
        ({"budget": 5}, "need the token ends of the documents, got none: pass token_ends"),
        ({"dedupe": True}, "need the token ends of the documents"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidConfig, match=message):
        assemble(np.int32([0]), np.float32([1]), APART, **options)


def test_the_depth_that_surely_suffices():
    assert sufficient_depth(APART, k=2) == 2
    assert [sufficient_depth(APART, budget=b) for b in (0, 2, 3, 5, 6)] == [1, 1, 2, 2, 3]
    assert sufficient_depth(APART, k=2, dedupe=True) == 3
    parents = table(*((0, i, i + 1, (0, 12)) for i in range(9)), (1, 0, 4), (1, 4, 8))
    assert sufficient_depth(parents, k=1) == 1
    assert sufficient_depth(parents, k=2) == 10
    assert sufficient_depth(parents, budget=1) == 9


WORDS = Document.from_text("one two three four five six", "words")


def count_words(texts):
    assert all(texts)
    return np.array([len(text.split()) for text in texts], np.int32)


def test_a_table_of_chunks_sizes_texts_parents_and_contexts():
    parent = Span(0, 13)
    chunks = [
        Chunk("words", 0, 7, "one two", parent=parent, context="a b c"),
        Chunk("words", 8, 13, "three", 1, parent=parent),
        Chunk("words", 14, 27, "four five six", 2, context="d"),
    ]
    other = Document.from_text("", "empty")
    made = ChunkTable.from_chunks([other, WORDS], [[], chunks], count_words)
    assert made.doc.tolist() == [1, 1, 1]
    assert made.tokens.tolist() == [2, 1, 3]
    assert made.context_tokens.tolist() == [3, 0, 1]
    assert made.parent_tokens.tolist() == [3, 3, 0]
    assert made.parent_start.tolist() == [0, 0, -1]
    assert made.shown_end.tolist() == [13, 13, 27]
    assert made.overhead.tolist() == [0, 0, 1]
    assert made.piece[0] == made.piece[1] != made.piece[2]


def test_an_empty_table():
    made = ChunkTable.from_chunks([], [], count_words)
    assert len(made) == 0
    assert len(assemble(np.empty(0, np.int32), np.empty(0, np.float32), made)) == 0
    assert sufficient_depth(made, k=5, budget=100) == 0


def test_a_table_needs_a_list_of_chunks_a_document_and_even_columns():
    with pytest.raises(InvalidConfig, match="got 2 lists for 1 documents"):
        ChunkTable.from_chunks([WORDS], [[], []], count_words)
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    with pytest.raises(InvalidConfig, match="must be equally long"):
        ChunkTable(one, one, one, one, one, one, one, two)
