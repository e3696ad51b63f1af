"""Laws of locks: what is packed comes back, what moved is all that differs, reports stay whole."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from seamline.lock.checked import Checked, Part
from seamline.lock.digest import Cuts, pack_spans, text_digest, unpack_spans
from seamline.lock.lock import Lock, LockedDocument, LockedQuestion
from seamline.lock.moved import moves_of
from seamline.report.annotations import checked_annotations
from seamline.report.junit import checked_junit
from seamline.report.markdown import checked_markdown

TEXT = "One seam. Two seams.\n\nThree of them are here, and a fourth one ends it all."
OFFSETS = st.integers(0, len(TEXT))


@st.composite
def spans(draw):
    """Spans of a text in order, which may overlap as chunks do."""
    pairs = draw(st.lists(st.tuples(OFFSETS, OFFSETS), max_size=8))
    ordered = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    kept = []
    for start, end in ordered:
        if not kept or (start > kept[-1][0] and end > kept[-1][1]):
            kept.append((start, end))
    return tuple(kept)


@given(spans())
def test_packed_spans_come_back(some):
    packed = pack_spans(some)
    assert unpack_spans(packed) == some
    assert all(number >= 0 for number in packed)


def moved(was, now):
    locked = LockedDocument("0", 1, 1, text_digest(repr(was)), was)
    cuts = Cuts(now, 1, text_digest(repr(now)))
    return moves_of({"d": locked}, {"d": cuts}, {"d": TEXT})


@given(spans(), spans())
def test_moves_are_just_what_differs(was, now):
    found = moved(was, now)
    assert bool(found) == (was != now)
    for kind, side in (("start", 0), ("end", 1)):
        own = [move for move in found.moves if move.kind == kind]
        gone = {move.old.at for move in own if move.old}
        new = {move.new.at for move in own if move.new}
        a, b = {span[side] for span in was}, {span[side] for span in now}
        if own:
            assert (gone, new) == (a - b, b - a)
        elif kind == "start":
            assert a == b


@given(spans(), spans())
def test_the_text_around_a_move_is_the_documents_own(was, now):
    for move in moved(was, now).moves:
        for side in (move.old, move.new):
            if side:
                assert TEXT[: side.at].endswith(side.before)
                assert TEXT[side.at :].startswith(side.after)


@given(spans(), spans())
def test_the_other_way_round_old_and_new_change_places(was, now):
    there = [(m.kind, m.old, m.new) for m in moved(was, now).moves]
    back = [(m.kind, m.new, m.old) for m in moved(now, was).moves]
    assert there == back


VALUES = st.one_of(st.none(), st.floats(0, 1).map(lambda value: round(value, 9)))
NAMES = st.text(max_size=8)


@given(st.dictionaries(NAMES, st.tuples(spans(), VALUES), min_size=1, max_size=4))
def test_a_lock_reads_back_whatever_its_documents_are_called(rows):
    config = {"strategy": "whole", "retriever": "bm25", "dedupe": False, "merge": True}
    config |= {"embedder": None, "embedder_fingerprint": None, "probe": None, "tokenizer": "words"}
    config |= {"tokenizer_digest": None, "scope": "corpus", "k": 5, "budget": 10, "separator": 0}
    config |= {"identical": False, "lower_is_better": False, "margin": 0.02, "seed": 0}
    lock = Lock(
        config=config,
        measures=("Recall@5",),
        means={"Recall@5": 0.5},
        documents={name: LockedDocument("0", 3, 4, "1", own) for name, (own, _) in rows.items()},
        questions={
            name: LockedQuestion(name, "2", "3", ((own[0],),) if own else (), (value,))
            for name, (own, value) in rows.items()
        },
        versions={"seamline": "1"},
    )
    assert Lock.loads(lock.dumps()) == lock


@given(st.text(), st.text(), st.sampled_from(["pass", "fail", "skip"]))
def test_reports_are_whole_whatever_was_found(name, says, outcome):
    result = Checked(1, "REGRESSION", says, "", name, (Part(name, outcome, says),), notes=(says,))
    root = etree.fromstring(checked_junit(result).encode())
    assert len(list(root.iter("testcase"))) == 1
    rows = [line for line in checked_markdown(result).split("\n") if line.startswith("| ")]
    assert len(rows) == 2
    for line in checked_annotations(result, config=Path("c"), golden=Path("g")):
        assert line.startswith("::error file=c,title=")
        assert not {"\n", "\r"} & set(line)
