"""Assembly against a slow model that shows one character after another."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seamline.retrieve.assemble import ChunkTable, assemble, assemble_budgets, sufficient_depth

LENGTH = 24


@st.composite
def spans(draw, limit=LENGTH):
    start = draw(st.integers(0, limit - 1))
    return start, draw(st.integers(start + 1, limit))


@st.composite
def corpora(draw):
    """Token ends of two documents and rows (doc, start, end, parent, context), tokens exact."""
    ends = []
    for _ in range(2):
        inner = draw(st.sets(st.integers(1, LENGTH - 1)))
        ends.append(np.array(sorted({*inner, LENGTH}), np.int32))
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 1), spans(), st.none() | spans(), st.integers(0, 2)),
            min_size=1,
            max_size=8,
        )
    )
    ids = draw(st.permutations(range(len(rows))))
    return ends, rows, ids


def n_tokens(ends, start, end):
    return sum(start < e <= end for e in ends.tolist())


def make(ends, rows, blanks=({}, {})):
    def column(values):
        return np.array(list(values), np.int32)

    parents = [parent or (-1, -1) for _, _, parent, _ in rows]
    return ChunkTable(
        doc=column(doc for doc, *_ in rows),
        start=column(s for _, (s, _), *_ in rows),
        end=column(e for _, (_, e), *_ in rows),
        tokens=column(n_tokens(ends[doc], *span) for doc, span, *_ in rows),
        parent_start=column(s for s, _ in parents),
        parent_end=column(e for _, e in parents),
        parent_tokens=column(
            n_tokens(ends[row[0]], *parent) for row, parent in zip(rows, parents, strict=True)
        ),
        context_tokens=column(context for *_, context in rows),
        reach=column(after(blanks[doc], (parent or span)[1]) for doc, span, parent, _ in rows),
    )


def after(blank, end):
    while end in blank:
        end += 1
    return end


def runs(characters):
    out = []
    for c in sorted(characters):
        if out and out[-1][1] == c:
            out[-1][1] = c + 1
        else:
            out.append([c, c + 1])
    return out


def model(ends, rows, ids, *, k, dedupe, separator):
    """Whole pieces (doc, start, end, tokens, overhead) in the order shown."""
    pieces, seen, characters, hits = [], set(), {0: set(), 1: set()}, 0
    for i in ids:
        doc, span, parent, context = rows[i]
        start, end = parent or span
        fresh = set(range(start, end)) - characters[doc] if dedupe else set(range(start, end))
        if (doc, start, end) in seen or not fresh:
            continue
        if hits == k:
            break
        hits += 1
        seen.add((doc, start, end))
        characters[doc] |= fresh
        extra = separator + (0 if parent else context)
        for run in runs(fresh):
            pieces.append((doc, *run, n_tokens(ends[doc], *run) + extra, extra))
            extra = separator
    return pieces


def cut(pieces, ends, budget):
    out, left = [], budget
    for doc, start, end, tokens, extra in pieces:
        if not left:
            break
        if tokens <= left:
            out.append((doc, start, end, tokens))
            left -= tokens
            continue
        if left > extra:
            inside = [e for e in ends[doc].tolist() if start < e]
            out.append((doc, start, inside[left - extra - 1], left))
        break
    return out


def listed(shown):
    columns = (shown.doc, shown.start, shown.end, shown.tokens)
    return list(zip(*(c.tolist() for c in columns), strict=True))


@given(
    corpora(),
    st.none() | st.integers(0, 6),
    st.booleans(),
    st.integers(0, 2),
    st.lists(st.integers(0, 40), max_size=4),
)
def test_assembly_is_the_model(corpus, k, dedupe, separator, budgets):
    ends, rows, ids = corpus
    table = make(ends, rows)
    scores = np.linspace(1, 0, len(ids), dtype=np.float32)
    pieces = model(ends, rows, ids, k=k, dedupe=dedupe, separator=separator)
    options = {"k": k, "dedupe": dedupe, "separator_tokens": separator, "token_ends": ends}
    whole = assemble(np.array(ids, np.int32), scores, table, **options)
    assert listed(whole) == [piece[:4] for piece in pieces]
    assert np.all(np.diff(whole.scores) <= 0)
    shown = assemble_budgets(np.array(ids, np.int32), scores, table, budgets=budgets, **options)
    for budget, at_budget in zip(budgets, shown, strict=True):
        assert listed(at_budget) == cut(pieces, ends, budget)
        assert at_budget.tokens.sum() <= budget


@given(corpora(), st.integers(1, 6), st.integers(0, 40), st.booleans(), st.integers(0, 1))
def test_the_sufficient_depth_suffices(corpus, k, budget, dedupe, separator):
    ends, rows, ids = corpus
    table, ids = make(ends, rows), np.array(ids, np.int32)
    scores = np.ones(len(ids), np.float32)
    options = {"dedupe": dedupe, "separator_tokens": separator}
    for limit in ({"k": k}, {"budget": budget}):
        depth = sufficient_depth(table, **limit, **options)
        few, all_ = (
            listed(assemble(ids[:n], scores[:n], table, token_ends=ends, **limit, **options))
            for n in (depth, len(ids))
        )
        assert few == all_


def merged_model(ends, blanks, pieces, separator):
    """The runs (doc, start, end, tokens, rank) of whole pieces, in the order shown."""
    out = []
    for doc in (0, 1):
        own = [
            (start, end, context, n)
            for n, (d, start, end, context) in enumerate(pieces)
            if d == doc
        ]
        for start, end, context, n in sorted(own, key=lambda piece: (piece[0], piece[3])):
            if out and out[-1][0] == doc and start <= after(blanks[doc], out[-1][2]):
                out[-1][2], out[-1][4] = max(end, out[-1][2]), min(n, out[-1][4])
            else:
                out.append([doc, start, end, context + separator, n])
    for run in out:
        run[3] += n_tokens(ends[run[0]], run[1], run[2])
    return sorted(map(tuple, out), key=lambda run: run[4])


def characters(runs):
    return [(doc, c) for doc, start, end, *_ in runs for c in range(start, end)]


BLANKS = st.tuples(*[st.frozensets(st.integers(0, LENGTH - 1), max_size=12)] * 2)


@given(
    corpora(),
    BLANKS,
    st.integers(0, 2),
    st.none() | st.integers(0, 6),
    st.lists(st.integers(0, 40), min_size=1, max_size=4),
)
def test_merged_assembly_is_the_model(corpus, blanks, separator, k, budgets):
    ends, rows, ids = corpus
    table, scores = make(ends, rows, blanks), np.linspace(1, 0, len(ids), dtype=np.float32)
    options = {"merge": True, "separator_tokens": separator, "token_ends": ends, "k": k}
    found = assemble(np.array(ids, np.int32), scores, table, **options)
    pieces, states = [], [[]]
    for i in ids:
        doc, span, parent, context = rows[i]
        pieces.append((doc, *(parent or span), 0 if parent else context))
        state = merged_model(ends, blanks, pieces, separator)
        if set(characters(state)) == set(characters(states[-1])):
            continue
        if len(states) - 1 == k:
            break
        states.append(state)
    assert listed(found) == [run[:4] for run in states[-1]]
    assert np.all(np.diff(found.scores) < 0)
    shown = assemble_budgets(np.array(ids, np.int32), scores, table, budgets=budgets, **options)
    costs = [sum(run[3] for run in state) for state in states]
    for budget, at_budget in zip(budgets, shown, strict=True):
        n = next((n for n, cost in enumerate(costs) if cost > budget), len(states)) - 1
        got = characters(listed(at_budget))
        assert len(got) == len(set(got)), "text shown twice"
        assert at_budget.tokens.sum() <= budget
        assert set(got) >= set(characters(states[n]))
        if n + 1 == len(states):
            assert listed(at_budget) == listed(found)
        else:
            assert set(got) <= set(characters(states[n + 1]))
        assert np.all(np.diff(at_budget.scores) < 0)
