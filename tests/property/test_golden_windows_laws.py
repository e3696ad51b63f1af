"""Windows are exact, end where the text ends something, and know no strategy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.config import DEFAULT_STRATEGIES
from seamline.golden.windows import LONGEST, draw_windows
from seamline.parse import parse_text, read_documents
from seamline.split import parse_strategy
from seamline.split.sentences import sentence_ends
from seamline.testing.texts import odd_texts
from seamline.types import Document

WORDS = st.sampled_from(
    ["Oil the pump.", "\n\n", "# Pumps", "| a | b |", "\n", "x" * 900, "Why?", "东京很大。", " "]
)
LONG = st.lists(WORDS, max_size=60).map(" ".join)


def windows(documents, n, seed):
    return list(draw_windows(documents, n, np.random.default_rng(seed)))


def ink(text):
    return sum(not character.isspace() for character in text)


@given(st.lists(st.one_of(odd_texts(), LONG), max_size=4), st.integers(1, 30), st.integers(0, 9))
def test_windows_lie_in_their_documents_and_are_drawn_once(bodies, n, seed):
    documents = [
        parse_text(body, f"{i}.md", media_type="text/markdown") for i, body in enumerate(bodies)
    ]
    drawn = windows(documents, n, seed)
    assert len(drawn) <= n
    assert len({(one.document.id, one.span) for one in drawn}) == len(drawn)
    for one in drawn:
        assert one.text == one.text.strip()
        assert one.text
        assert one.text in one.wide_text
        assert one.wide.start <= one.span.start <= one.span.end <= one.wide.end
        assert one.wide.end <= len(one.document.text)
        assert ink(one.text) >= 80
        assert len(one.span) <= LONGEST + 2 * 600 + 2_000
    assert drawn == windows(documents, n, seed)


@given(st.integers(1, 40), st.integers(0, 99))
def test_long_documents_get_more_windows_and_no_part_is_left_out(n, seed):
    sentence = "This is one sentence of a text that is long. "
    long, short = sentence * 2000, sentence * 200
    drawn = windows([Document("long", long), Document("short", short)], n, seed)
    share = sum(one.document.id == "long" for one in drawn) / len(drawn)
    assert abs(share - len(long) / len(long + short)) <= 1 / n + 0.05
    places = sorted(
        one.span.start + (0 if one.document.id == "long" else len(long)) for one in drawn
    )
    assert max(np.diff([0, *places, len(long + short)])) <= 2 * len(long + short) / n + LONGEST


def edges(document):
    """Where a window of a document may begin or end, by an account of its own."""
    blocks = document.columns
    found = {0, len(document.text), *sentence_ends(document.text).tolist()}
    return sorted(found | set(blocks.starts) | set(blocks.ends))


@pytest.fixture(scope="module")
def runbooks(root):
    return list(read_documents([root / "examples" / "runbooks" / "docs"]))


def test_windows_end_where_sentences_and_blocks_do(runbooks):
    for one in windows(runbooks, 300, 5):
        text = one.document.text
        ends = {len(text[:at].rstrip()) for at in edges(one.document)}
        starts = {len(text) - len(text[at:].lstrip()) for at in edges(one.document)}
        assert one.span.end in ends
        assert one.span.start in starts


@pytest.mark.parametrize("spec", [one for one in DEFAULT_STRATEGIES if "semantic" not in one])
def test_windows_meet_no_strategy_more_often_than_chance(runbooks, spec):
    """Chance: a random offset, moved back to where the text has an end."""
    strategy = parse_strategy(spec)
    cuts = {
        document.id: [(c.start, c.end) for c in strategy.split(document)] for document in runbooks
    }
    drawn = windows(runbooks, 400, 1)
    starts = {doc_id: {start for start, _ in own} for doc_id, own in cuts.items()}
    met = np.mean([one.span.start in starts[one.document.id] for one in drawn])
    total = sum(len(document.text) for document in runbooks)
    chance = 0.0
    for document in runbooks:
        text, own = document.text, edges(document)
        for edge, following in pairwise(own):
            start = len(text) - len(text[edge:].lstrip())
            chance += (following - edge) / total * (start in starts[document.id])
    assert met <= chance + 0.08
    both = np.mean([(one.span.start, one.span.end) in cuts[one.document.id] for one in drawn])
    whole = np.mean([len(own) == 1 for own in cuts.values()])
    assert both <= max(0.05, whole)
