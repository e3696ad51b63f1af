"""Regions of a document, their reasons, and the paths and atoms that they are cut by."""

from __future__ import annotations

from itertools import pairwise

import pytest

from seamline.parse import parse_text
from seamline.sizers.rulers import CharacterRuler
from seamline.split import parse_strategy
from seamline.split.atoms import find_atoms
from seamline.split.context import contexts
from seamline.split.outline import join_path
from seamline.split.profile import chunks_in, reason, regions
from seamline.types import Block, Document, Span

MIXED = """# Ops note

Prose first. It explains the table below.

| Day | Load |
|-----|------|
| Mon | 40 |
| Tue | 55 |

```python
def load(day):
    return 1
```

- item one
- item two

1. turn it off
2. turn it on

Q: Is Tuesday the peak?
A: Yes.

## End
"""


def test_regions_are_of_one_kind_and_in_order():
    found = regions(parse_text(MIXED, media_type="text/markdown"))
    assert [region.kind for region in found] == [
        "prose",
        "table",
        "code",
        "list",
        "steps",
        "questions and answers",
        "prose",  # a heading that nothing follows
    ]
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert sum(region.n_sections for region in found) == 2


def test_every_kind_has_its_reason():
    kinds = {region.kind for region in regions(parse_text(MIXED, media_type="text/markdown"))}
    assert len({reason(kind) for kind in kinds}) == len(kinds) == 6
    assert reason("anything else") == reason("prose")


def test_text_without_blocks_is_without_structure():
    document = Document.from_text("Only a line.", blocks=())
    assert [region.kind for region in regions(document)] == ["text without structure"]
    assert regions(Document.from_text(" \n")) == []


def test_a_document_of_headings_alone_is_prose():
    document = parse_text("# A\n\n## B\n", media_type="text/markdown")
    assert [region.kind for region in regions(document)] == ["prose"]


def test_text_between_blocks_is_prose():
    blocks = (Block("code", Span(6, 10)),)
    document = Document.from_text("first code last", blocks=blocks)
    assert [region.kind for region in regions(document)] == ["prose", "code", "prose"]


@pytest.mark.parametrize("spec", ["whole", "structure(size=30)", "fixed(size=20, overlap=5)"])
def test_chunks_are_counted_where_they_hold_text(spec):
    document = parse_text(MIXED, media_type="text/markdown")
    chunks = parse_strategy(spec).split(document)
    starts, ends = [one.start for one in chunks], [one.end for one in chunks]
    for region in regions(document):
        held = {
            number
            for number, one in enumerate(chunks)
            if any(one.start <= at < one.end for at in range(region.start, region.end))
        }
        assert held
        assert set(chunks_in(region, starts, ends)) == held


@pytest.mark.parametrize(
    ("text", "atoms"), [("One. Two three.\n\nFour.", ["One.", "Two three.", "Four."]), (" \n", [])]
)
def test_sentences_are_atoms(text, atoms):
    ruler = CharacterRuler(text)
    found = find_atoms(parse_text(text), ruler, most=99, whole={}, cut=lambda *_: ([], []))
    assert [text[low:high] for low, high in zip(found.starts, found.ends, strict=True)] == atoms
    assert sum(found.weights) == (len(text) if atoms else 0)


@pytest.mark.parametrize(
    ("path", "most", "line"),
    [
        (["Manual", "Pumps", "Oil"], 13, "Pumps > Oil"),
        (["A title too long"], 7, "A title"),
        ([], 9, ""),
        (["Manual", "", "Oil"], 99, "Manual > Oil"),
    ],
)
def test_paths_keep_what_says_most(path, most, line):
    assert join_path(path, most=most) == line


def test_a_row_or_an_item_outside_its_block_says_nothing():
    blocks = (
        Block("table_row", Span(0, 2), title="header"),
        Block("list_item", Span(3, 5), 1),
        Block("table", Span(6, 14)),
        Block("table_row", Span(6, 8)),
    )
    document = Document.from_text("ab cd ef gh ij", blocks=blocks)
    assert contexts(document, [0, 3, 9]) == ["", "", ""]


HEADED = "Intro.\n\n# A\n\nx\n\n## Book\n\none two\n\n# B\n\n## Book\n\nthree\n"


@pytest.mark.parametrize("spec", ["structure", "sentence(size=4)", "fixed(size=3, overlap=1)"])
def test_a_chunk_says_the_headings_over_its_text(spec):
    document = parse_text(HEADED, media_type="text/markdown")
    over = {}
    for chunk in parse_strategy(spec).split(document):
        for word in ("Intro", "x", "two", "three"):
            if word in chunk.text.split("\n") or chunk.text.endswith((f" {word}", f"{word}.")):
                over[word] = chunk.metadata.get("headings")
    assert over.get("two", ("A", "Book")) == ("A", "Book")
    assert over["three"] == ("B", "Book")
    assert over.get("x", ("A",)) == ("A",)
    assert over.get("Intro") is None


def test_chunks_of_one_section_share_what_is_known_of_them():
    text = "# A\n\nOne two. Three four. Five six.\n"
    document = parse_text(text, media_type="text/markdown")
    first, *others = parse_strategy("sentence(size=4)").split(document)
    assert others
    assert all(other.metadata is first.metadata for other in others)
    known = Document.from_text(text, blocks=document.blocks, metadata={"headings": "kept"})
    assert parse_strategy("whole").split(known)[0].metadata == {"headings": "kept"}


def test_code_is_under_its_definitions():
    code = "class Tank:\n    def drain(self):\n        pass\n"
    blocks = (
        Block("definition", Span(0, 46), 1, "class Tank"),
        Block("definition", Span(16, 46), 2, "def drain"),
    )
    document = Document.from_text(code, blocks=blocks)
    (*_, last) = parse_strategy("recursive(size=5, overlap=0, unit=words)").split(document)
    assert last.metadata["headings"] in [("class Tank",), ("class Tank", "def drain")]
