"""Documents within the target of `adaptive` are one unit, whatever they are made of."""

from __future__ import annotations

import pytest

from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.split.profile import SHORT
from seamline.split.strategies import reason_of
from seamline.types import Document

PAGE = "# Pump\n\nOil it.\n\n# Belt\n\nCheck it.\n\n# End\n"
SHORT_TEXTS = {
    "headings": PAGE,
    "a table": "# Load\n\n| Day | Load |\n|---|---|\n| Mon | 40 |\n\n# Note\n\nTuesday is free.\n",
    "a list": "# Bring\n\n- a coat\n- a hat\n\n# Leave\n\n- the dog\n",
    "code": "# Use\n\n```python\nrun()\n```\n\n# Stop\n\n```python\nstop()\n```\n",
    "front matter": "---\ntitle: Pumps\n---\n# Oil\n\nOnce a week.\n\n# Belts\n\nOnce a month.\n",
}
ASKED = "# Ask\n\nQ: When is it oiled?\nA: On Mondays.\n\nQ: And the belt?\nA: On Fridays.\n"


def read(text):
    return parse_text(text, media_type="text/markdown")


def shown(text, spec="adaptive"):
    return [chunk.text for chunk in parse_strategy(spec).split(read(text))]


@pytest.mark.parametrize("text", SHORT_TEXTS.values(), ids=SHORT_TEXTS)
def test_a_short_document_is_one_unit(text):
    assert shown(text) == [text.strip()]
    assert len(shown(text, "structure")) > 1


def test_it_is_short_up_to_the_target():
    n_words = len(PAGE.split())
    assert len(shown(PAGE, f"adaptive(target={n_words}, unit=words)")) == 1
    assert len(shown(PAGE, f"adaptive(target={n_words - 1}, unit=words)")) == 3


def test_pairs_stay_exact():
    assert shown(ASKED) == [
        "# Ask",
        "Q: When is it oiled?\nA: On Mondays.",
        "Q: And the belt?\nA: On Fridays.",
    ]


def test_sheets_stay_apart():
    text = "# One\n\nIron.\n\n# Two\n\nTin.\n"
    found = read(text)
    places = {"sheets": [0, text.index("# Two")], "sheet_names": ["One", "Two"]}
    document = Document(
        found.id, found.text, media_type=found.media_type, metadata=places, blocks=found.blocks
    )
    chunks = parse_strategy("adaptive").split(document)
    assert [chunk.metadata["sheet"] for chunk in chunks] == ["One", "Two"]


@pytest.mark.parametrize("text", ["", " \n\t\n", "    \n" * 9])
def test_blank_text_has_no_unit(text):
    assert shown(text) == []


@pytest.mark.parametrize("text", ["    indented.\n\nSo is\n\n    this.", "\n\n  x\n", "é\u0301\n"])
def test_indentation_that_others_keep_is_kept(text):
    assert shown(text) == shown(text, "structure")


@pytest.mark.parametrize(("spec", "is_short"), [("adaptive", True), ("structure", False)])
def test_the_reason_says_so(spec, is_short):
    strategy = parse_strategy(spec)
    assert (reason_of(strategy, "prose", read(PAGE)) == SHORT) is is_short
    assert reason_of(strategy, "prose", read(PAGE * 9)) != SHORT
    assert reason_of(strategy, "prose", read(" \n")) != SHORT
    assert reason_of(strategy, "prose") != SHORT
