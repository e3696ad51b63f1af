"""Short contracts are seen as clauses, and texts that only speak of contracts are not."""

from __future__ import annotations

import pytest
from contract_samples import CONTRACTS, OTHERS

from seamline.parse import parse_text
from seamline.parse.contracts import is_contract, without_lists
from seamline.split import parse_strategy

MARKDOWN = "text/markdown"


def read(text, media_type=MARKDOWN):
    return parse_text(text, media_type=media_type)


def seen(document, kind):
    return [
        (block.title, document.text[block.span.start : block.span.end])
        for block in document.blocks
        if block.kind == kind
    ]


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        *((name, "text/plain") for name in CONTRACTS if name != "saas_md"),  # `###` before numbers
        *((name, MARKDOWN) for name in CONTRACTS),
    ],
)
def test_short_contracts_are_clauses_and_no_steps(name, media_type):
    found = read(CONTRACTS[name], media_type)
    assert len(seen(found, "clause")) >= 4
    assert seen(found, "list") == []


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("media_type", ["text/plain", MARKDOWN])
def test_texts_that_speak_of_contracts_are_none(name, media_type):
    assert not is_contract(OTHERS[name])
    assert seen(read(OTHERS[name], media_type), "clause") == []


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize("target", [8, 16, 30, 64])
def test_no_chunk_of_a_contract_is_a_step(name, target):
    chunks = parse_strategy(f"adaptive(target={target})").split(read(CONTRACTS[name]))
    assert not [chunk.context for chunk in chunks if "step" in chunk.context]


@pytest.mark.parametrize("target", [14, 20, 30, 64])
def test_a_proviso_stays_with_its_clause(target):
    chunks = parse_strategy(f"adaptive(target={target})").split(read(CONTRACTS["lease_md"]))
    [found] = [chunk.text for chunk in chunks if "provided that" in chunk.text]
    assert "(b) from the day on which it fell due,\n\nprovided" in found
    [led] = [chunk.text for chunk in chunks if "bear interest:" in chunk.text]
    assert "bear interest:\n\n(a) at 5 per cent" in led


def test_a_proviso_between_two_lists_belongs_to_the_clause_before():
    text = CONTRACTS["nda_md"].replace("3. **", "provided that it is marked.\n\n3. **", 1)
    assert next(
        (title, cut[-27:]) for title, cut in seen(read(text), "clause") if title == "2"
    ) == ("2", "provided that it is marked.")


def test_numbers_inside_a_clause_are_no_steps():
    text = CONTRACTS["nda_md"].replace("3. **", "   1. to them\n   2. to their lawyers\n\n3. **", 1)
    found = read(text)
    assert [title for title, _ in seen(found, "list")] == ["ordered"]
    chunks = parse_strategy("adaptive(target=5)").split(found)
    [inner] = [chunk for chunk in chunks if "their lawyers" in chunk.text]
    assert inner.context == "2"


def test_items_become_paragraphs_and_what_they_hold_stays():
    text = "1. a\n\n   b\n\n   - c\n2. ```\n   d\n   ```\n3. e\n\n- f\n\n> 1. g\n"
    found = read(text)
    parts = without_lists(text, found.columns)
    assert [(b.kind, text[b.span.start : b.span.end]) for b in parts][:6] == [
        ("paragraph", "1. a"),
        ("paragraph", "b"),
        ("list", "- c"),
        ("list_item", "- c"),
        ("paragraph", "2."),
        ("code", "```\n   d\n   ```"),
    ]
    assert [b.kind for b in parts][6:] == [
        "paragraph", "list", "list_item", "quote", "list", "list_item"
    ]  # fmt: skip
    no_lists = read("a\n\n- b\n").columns
    assert without_lists("a\n\n- b\n", no_lists) is no_lists


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The Buyer shall pay in writing. The Seller shall give notice and be liable.", True),
        ("The buyer shall pay in writing. The seller shall give notice and be liable.", False),
        ("The Buyer shall pay in writing, give notice, be liable and shall not assign.", False),
        ("The Buyer will pay. The Seller will give notice.", False),
        ("This agreement shall end.", False),
        ("This agreement ends by notice in writing.", False),
        ("This agreement shall end by notice in writing.", True),
        ("This agreement shall end by notice in writing. " + "All is well. " * 200, False),
    ],
)
def test_what_makes_a_short_text_a_contract(text, is_one):
    assert is_contract(text) is is_one
