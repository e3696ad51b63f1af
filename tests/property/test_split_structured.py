"""Laws of the strategies that follow the structure, on parsed documents of all block kinds."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from seamline.parse import parse_text
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.split.optimal import optimal_units, trim_spans
from seamline.testing import check_strategy
from seamline.testing.texts import odd_texts

_BLOCKS = [
    "# Title\n\n",
    "## Part\n\n",
    "### Deep\n",
    "Some prose. It has two sentences; the second, longer.\n\n",
    "- one\n- two\n  - deep\n- three, four\n\n",
    "Do this:\n\n1. first\n2. second\n3. third\n\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\n",
    "```python\ndef f():\n    return 1\n```\n\n",
    "    indented = code\n    more = 2\n\n",
    "> quoted\n> twice\n\n",
    "**Q: Why?**\n\nA: Because it is so.\n\n",
    "$$\nx = y\n$$\n\n",
    "<div>html</div>\n\n",
    "---\n",
    "Ann: Who goes?\nBob: I do.\n",
    "1.1 Scope. The parties agree, provided that it holds.\n(a) first; (b) second.\n\n",
    "\u6c34\u6cf5\u3002\u505c\u673a\uff01\n\n",
    "\U0001f469\u200d\U0001f52c e\u0301 \n",
    "```\nunclosed\n",
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(_BLOCKS), max_size=14).map("".join),
    st.builds(
        lambda parts, odd: "".join([*parts, odd, *reversed(parts)]),
        st.lists(st.sampled_from(_BLOCKS), max_size=6),
        odd_texts(12),
    ),
)
UNITS = st.sampled_from(["characters", "words", "tokens"])


@st.composite
def strategies(draw):
    size, unit = draw(st.sampled_from([1, 2, 5, 12, 40, 200])), draw(UNITS)
    prefix = draw(st.sampled_from(["true", "false"]))
    target = draw(st.integers(1, size))
    spec = draw(
        st.sampled_from(
            [
                f"structure(size={size}, unit={unit}, prefix={prefix})",
                f"adaptive(target={target}, size={size}, unit={unit}, prefix={prefix})",
            ]
        )
    )
    return spec, size, unit


@given(strategies(), TEXTS, st.sampled_from(["text/markdown", "text/plain"]))
def test_chunks_with_what_they_hang_on_keep_the_laws(case, text, media_type):
    spec, size, unit = case
    document = parse_text(text, media_type=media_type)
    strategy, sizer = parse_strategy(spec), parse_sizer(unit)
    chunks = check_strategy(strategy, document, sizer=sizer, limit=size)
    for chunk in chunks:
        if chunk.context:
            assert sizer.size(chunk.text) + sizer.size(f"{chunk.context}\n") <= size
        assert chunk.indexed.endswith(chunk.text)
        assert chunk.context in chunk.indexed or "prefix=false" in spec


@given(TEXTS, st.sampled_from(["text/markdown", "text/plain"]))
def test_regions_cut_apart_keep_the_laws(text, media_type):
    document = parse_text(text, media_type=media_type)
    check_strategy(parse_strategy("routed(questions=sentence)"), document)


@given(
    st.lists(st.tuples(st.integers(1, 30), st.sampled_from([0.0, 0.2, 0.3]), st.integers(0, 3))),
    st.integers(1, 40),
)
def test_units_are_the_best_of_all(atoms, target):
    atoms = atoms[:9]
    weights, borders, flags = ([row[i] for row in atoms] for i in range(3))
    most = round(1.6 * target)
    found = optimal_units(weights, borders, flags, target=target, most=most)
    best = min((cost(cuts, atoms, target, most) for cuts in all_cuts(len(atoms))), default=0)
    assert abs(cost(found, atoms, target, most) - best) < 1e-9
    assert all(start in found for start in range(1, len(atoms)) if flags[start] & 1)


def all_cuts(n):
    for bits in range(1 << max(n - 1, 0)):
        yield [0, *(i for i in range(1, n) if bits >> (i - 1) & 1)] if n else []


def cost(starts, atoms, target, most):
    """What these units cost, by the words of the definition; infinite where not allowed."""
    total = 0.0
    n = len(atoms)
    for start, after in zip(starts, [*starts[1:], n], strict=False):
        size = sum(weight for weight, _, _ in atoms[start:after])
        inner = any(flag & 1 for _, _, flag in atoms[start + 1 : after])
        if inner or (size > most and after - start > 1):
            return float("inf")
        edge = after == n or atoms[after][2] & 1
        first = start == 0 or atoms[start][2] & 1
        part = ((size - target) / target) ** 2
        total += part * 0.7 if size < target and (edge or first) else part
        if not edge:
            total += atoms[after][1] + (10.0 if atoms[after - 1][2] & 2 else 0.0)
    return total


@given(
    st.lists(st.tuples(st.integers(1, 30), st.sampled_from([0.0, 0.3]), st.integers(0, 3))),
    st.integers(1, 40),
    st.integers(0, 40),
)
def test_headings_join_what_is_over_the_most_where_both_are_within_the_limit(atoms, target, more):
    weights, borders, flags = ([row[i] for row in atoms] for i in range(3))
    most = round(1.6 * target)
    found = optimal_units(weights, borders, flags, target=target, most=most, limit=most + more)
    for start, after in zip(found, [*found[1:], len(atoms)], strict=False):
        size = sum(weights[start:after])
        led = all(flag & 2 for flag in flags[start : after - 1])
        assert after - start == 1 or size <= (most + more if led else most)


def test_a_heading_joins_a_whole_pair_where_both_are_within_the_limit():
    heading_and_pair = [5, 200], [0.0, 0.0], [3, 0]
    assert optimal_units(*heading_and_pair, target=64, most=102, limit=512) == [0]
    assert optimal_units(*heading_and_pair, target=64, most=102, limit=204) == [0, 1]
    assert optimal_units(*heading_and_pair, target=64, most=102) == [0, 1]


@given(odd_texts(10), st.integers(0, 2**32))
def test_trimmed_spans_are_the_stripped_slices(text, seed):
    draw = random.Random(seed)
    bounds = sorted(draw.randint(0, len(text)) for _ in range(8))
    starts, ends = trim_spans(text, bounds[:-1], bounds[1:])
    for low, high, start, end in zip(bounds, bounds[1:], starts, ends, strict=False):
        assert text[start:end] == text[low:high].strip()
