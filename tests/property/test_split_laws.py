"""The laws of the engine: all strategies, all sizers, odd text."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.sizers import make_ruler, parse_sizer
from seamline.split import STRATEGIES, parse_strategy
from seamline.testing import check_strategy
from seamline.testing.texts import documents, odd_texts
from seamline.types import Document

UNITS = ["characters", "words", "cl100k_base", "o200k_base"]


class HashEmbedder:
    """Unit vectors from a hash: equal texts alike, others at random, no model to load."""

    fingerprint = "hash"

    def embed_documents(self, texts):
        rows = [hashlib.sha256(text.encode()).digest() for text in texts]
        vectors = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), 32) - 127.5
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_documents


@st.composite
def specs(draw):
    """(spec, unit, limit): a strategy that can be made, and what it must keep."""
    unit = draw(st.sampled_from(UNITS))
    size = draw(st.sampled_from([1, 2, 3, 7, 20, 64, 300]))
    overlap = draw(st.integers(0, size - 1))
    separators = draw(
        st.sampled_from(["auto", "prose", "markdown", r'["re:[.;,]\\s*", "\n", " "]', '["a", ""]'])
    )
    criterion = draw(
        st.sampled_from(["threshold=0.5", "distance=0.9", "percentile=50", "minima=true, window=2"])
    )
    shape = draw(
        st.sampled_from(
            [
                "fixed(size={size}, overlap={overlap}, unit={unit})",
                "sliding(size={size}, step={step}, unit={unit})",
                "sentence(size={size}, overlap={overlap}, unit={unit})",
                "recursive(size={size}, overlap={overlap}, unit={unit}, separators={separators})",
                "semantic(size={size}, unit={unit}, floor={overlap}, {criterion})",
                "hierarchical(size={size}, unit={unit})",
                "structure(size={size}, unit={unit})",
                "adaptive(target={step}, size={size}, unit={unit})",
                "hierarchical(parent={parent}, size={size}, unit={unit})",
            ]
        )
    )
    spec = shape.format(
        size=size,
        overlap=overlap,
        unit=unit,
        step=size - overlap,
        parent=size + 1 + overlap,
        separators=separators,
        criterion=criterion,
    )
    return spec, unit, size


@given(specs(), documents())
def test_every_strategy_keeps_the_laws(case, document):
    spec, unit, limit = case
    strategy = parse_strategy(spec, embedder=HashEmbedder())
    assert str(parse_strategy(str(strategy), embedder=HashEmbedder())) == str(strategy)
    check_strategy(strategy, document, sizer=parse_sizer(unit), limit=limit)


@given(documents())
def test_whole_keeps_the_laws(document):
    chunks = check_strategy(parse_strategy("whole"), document)
    assert len(chunks) == bool(document.text.strip())


@pytest.mark.parametrize("name", STRATEGIES.names())
@given(document=documents(20))
def test_defaults_of_every_registered_strategy(name, document):
    strategy = parse_strategy(name, embedder=HashEmbedder())
    check_strategy(strategy, document)


@given(st.sampled_from(["cl100k_base", "o200k_base"]), odd_texts(30), st.data())
def test_sizes_of_slices_are_exact(unit, text, data):
    text = Document.from_text(text).text
    sizer = parse_sizer(unit)
    ruler = make_ruler(sizer, text)
    for _ in range(5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        ruler.reach(start, data.draw(st.integers(0, 9)))  # what it remembers must not mislead
        assert ruler.size(start, end) == sizer.size(text[start:end])


@given(st.sampled_from(UNITS), odd_texts(30))
def test_ends_count_the_units_and_cover_the_text(unit, text):
    text = Document.from_text(text).text
    sizer = parse_sizer(unit)
    if unit == "characters":
        return
    ends = sizer.ends(text)
    assert len(ends) == sizer.size(text)
    assert bool(np.all(np.diff(ends) >= 0))
    assert not len(ends) or text[ends[-1] :].strip() == ""


@given(st.sampled_from(UNITS), odd_texts(30), st.data())
def test_reach_and_back_are_in_range(unit, text, data):
    text = Document.from_text(text).text
    ruler = make_ruler(parse_sizer(unit), text)
    at = data.draw(st.integers(0, len(text)))
    budget = data.draw(st.integers(0, 40))
    assert at <= ruler.reach(at, budget) <= len(text)
    assert 0 <= ruler.back(at, budget) <= max(at, 0)


@given(odd_texts(40), st.integers(1, 30))
def test_the_fast_way_by_characters_cuts_like_the_general_one(text, size):
    document = Document.from_text(text)
    fast = parse_strategy(f"recursive(size={size}, overlap=0, unit=characters)")
    general = type(fast)(size=size, overlap=0, unit=len)
    assert fast.cut(document) == general.cut(document)
