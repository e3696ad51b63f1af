"""The small inputs of benchmarks/cases.py: seamline is right on all, and the checks see faults."""

import builtins
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from cases import INPUTS, read  # noqa: E402
from judging.checks import CHECKS, judge  # noqa: E402
from judging.ours import make_ours  # noqa: E402
from judging.piece import Cut, Piece, Tool  # noqa: E402
from judging.rows import SECTIONS  # noqa: E402
from judging.tools import PEERS  # noqa: E402

ALL = [case for cases in SECTIONS.values() for case in cases]
SHARED = Path(__file__).parents[3] / "shared" / "cases"
each = pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)


@each
def test_seamline_is_right_on(case):
    assert judge(case, make_ours(case), read(INPUTS, case)) == ""


@each
def test_seamline_is_right_on_the_development_input(case):
    if not SHARED.is_dir():
        pytest.skip("needs the folder shared beside the repository")
    assert judge(case, make_ours(case), read(SHARED, case)) == ""


def cut_every(step):
    return lambda text: [
        Piece(text[i : i + step].strip(), i + 1) for i in range(0, len(text), step)
    ]


# Faults: cuts that look at nothing, with offsets that are off by one; no cut; text that is lost or changed.
FAULTS = {
    "cuts every 7 characters": cut_every(7),
    "cuts every 31 characters": cut_every(31),
    "cuts at every character": cut_every(1),
    "does not cut": lambda text: [Piece(text, 1)],
    "loses a word": lambda text: [Piece(text.rsplit(None, 1)[0] if text.strip() else text, 0)],
    "changes the text": lambda text: [Piece(f"{text.title()}\ufffd", 0)],
    "knows other titles": lambda text: [Piece(text, 0, path=("Nowhere",))],
}


def faulty(fault):
    return Tool(lambda text: Cut(text, FAULTS[fault](text)), sections=True)


@each
def test_every_case_finds_a_tool_out(case):
    text = read(INPUTS, case)
    found = {fault: judge(case, faulty(fault), text) for fault in FAULTS}
    assert any(found.values()), found


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_sees_a_fault_and_no_fault_in_what_is_right(name):
    cases = [case for case in ALL if name in case.checks]
    assert cases
    alone = [replace(case, checks=(name,)) for case in cases]
    texts = [read(INPUTS, case) for case in alone]
    seen = {
        judge(case, faulty(fault), text)
        for case, text in zip(alone, texts, strict=True)
        for fault in FAULTS
    }
    assert any(seen)
    assert not any(map(_is_error, seen)), seen


def _is_error(verdict):
    """A check that raises gives the name of what it raised."""
    return isinstance(getattr(builtins, verdict, None), type)


def test_every_peer_can_be_judged():
    pytest.importorskip("semchunk", reason="needs the extra bench")
    for name, make in PEERS.items():
        case = next(case for case in ALL if name in case.peers)
        try:
            tool = make(case)
        except ImportError:
            continue  # chonkie's Code wants grammars that it would download
        with warnings.catch_warnings(action="ignore"):
            verdict = judge(case, tool, read(INPUTS, case))
        assert verdict == "ValueError" or not _is_error(verdict), name
