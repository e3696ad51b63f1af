import math

import numpy as np
import pytest

from seamline.measure import BoundaryCuts, boundary_cuts, regions_of
from seamline.measure.regions import next_ink
from seamline.types import Block, Chunk, Document, Span


def cuts(text, *at, blocks=()):
    """What is cut where the text is cut at these offsets and nowhere else."""
    edges = [0, *at, len(text)]
    spans = np.stack((edges[:-1], edges[1:]), axis=1)
    return boundary_cuts(Document("d", text, tuple(blocks)), spans)


def held(text, kind, blocks=()):
    return [
        text[start:end] for start, end in getattr(regions_of(Document("d", text, blocks)), kind)
    ]


def test_a_cut_between_sentences_cuts_nothing():
    text = "One is here. Two is there. Three."
    assert cuts(text, 13, 27) == BoundaryCuts(boundaries=2)
    assert cuts(text, 13, 20) == BoundaryCuts(boundaries=2, sentence=1, cut=1)


def test_white_space_around_a_cut_does_not_matter():
    document = Document.from_text("One is here.  \n\n  Two is there.  ")
    tight = [Chunk("text", 0, 12, ""), Chunk("text", 18, 31, "")]
    wide = [Chunk("text", 0, 15, ""), Chunk("text", 15, 33, "")]
    for chunks in (tight, wide):
        assert boundary_cuts(document, chunks) == BoundaryCuts(boundaries=1)


def test_each_edge_of_an_overlap_is_a_boundary():
    document = Document.from_text("One is here. Two is there. Three.")
    found = boundary_cuts(document, np.array([[0, 16], [13, 33]]))
    assert (found.boundaries, found.sentence) == (2, 1)


@pytest.mark.parametrize("text", ["", "   \n ", "One word"])
def test_without_cuts_there_is_nothing_to_count(text):
    found = cuts(text)
    assert found == BoundaryCuts()
    assert math.isnan(found.share)


def test_a_heading_an_item_and_a_row_begin_on_their_own():
    text = "# Title\nText goes on\n- one item\n- another\n\n| a | b |\n| c | d |\n"
    starts = [text.index(part) for part in ("Text", "- one", "- another", "| a", "| c")]
    assert cuts(text, *starts) == BoundaryCuts(boundaries=5)


def test_a_cut_inside_a_fence_is_no_cut_inside_a_sentence():
    text = "Run this:\n\n```sh\nmake setup\nmake test\n```\n\nDone."
    inside = text.index("make test")
    assert cuts(text, inside) == BoundaryCuts(boundaries=1, fence=1, cut=1)
    assert cuts(text, text.index("```sh"), text.index("Done")) == BoundaryCuts(boundaries=2)


@pytest.mark.parametrize(
    ("text", "fences"),
    [
        ("````\n```\na\n````\nb", ["````\n```\na\n````"]),
        ("~~~\n```\n~~~\n", ["~~~\n```\n~~~"]),
        ("a\n```\nopen\n", ["```\nopen\n"]),
        ("``` not `a` fence\ntext", []),
        ("    ```\nindented", []),
        ("```\na\n``` no\n```", ["```\na\n``` no\n```"]),
    ],
)
def test_fences_follow_the_rules(text, fences):
    assert held(text, "fence") == fences


def test_a_cut_inside_a_table_row():
    text = "| plan | price |\n|---|---|\n| Team | 12 euros |\n"
    found = cuts(text, text.index("12"))
    assert found == BoundaryCuts(boundaries=1, table_row=1, cut=1)
    assert cuts(text, text.index("| Team")).cut == 0


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Do:\n1. one\n2. two\n\nText", ["1. one\n2. two"]),
        ("1) one\n\n   more\n\n2) two\n3) three\nend", ["1) one\n\n   more\n\n2) two\n3) three"]),
        ("1. a\n1. b\n1. c\n", ["1. a\n1. b\n1. c"]),
        ("1. a\ntext\n2. b\n", []),
        ("1. a\n3. b\n", []),
        ("1. only\n", []),
        ("1. Section\n" + " long\n" * 120 + "2. Section\n", []),
        ("2. b\n3. c\n\nx\n\n1. a\n2. b\n", ["2. b\n3. c", "1. a\n2. b"]),
    ],
)
def test_steps_are_runs_of_numbered_lines(text, steps):
    assert held(text, "steps") == steps


def test_a_cut_between_two_steps_cuts_the_list_but_no_sentence():
    text = "1. Open it.\n2. Close it.\n"
    assert cuts(text, text.index("2.")) == BoundaryCuts(boundaries=1, steps=1, cut=1)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "Q: Why?\nA: So.\nQ: How?\nA: Thus\nit is.\n\nMore",
            ["Q: Why?\nA: So.\n", "Q: How?\nA: Thus\nit is.\n"],
        ),
        ("### Can I?\n\nYes. Ask.\n\nMore", ["### Can I?\n\nYes. Ask.\n"]),
        ("**Can I?**\nYes.", ["**Can I?**\nYes."]),
        ("## No question\n\nText", []),
        ("## Asked?\n\n## Asked again?\n\nAnswer.", ["## Asked again?\n\nAnswer."]),
        ("Question 3: Why?\n\nBecause.\n", ["Question 3: Why?\n\nBecause.\n"]),
    ],
)
def test_a_pair_is_a_line_that_asks_and_the_paragraph_below(text, pairs):
    assert held(text, "qa_pair") == pairs


def test_a_cut_between_question_and_answer_cuts_the_pair():
    text = "Q: May I?\nA: You may.\n"
    assert cuts(text, text.index("A:")) == BoundaryCuts(boundaries=1, qa_pair=1, cut=1)


def test_blocks_are_believed_where_there_are_some():
    text = "1. one\n2. two\n\nnot | a row |\n\nx = 1\ny = 2"
    code = Span(text.index("x ="), len(text))
    blocks = (
        Block("list", Span(0, 13)),
        Block("list_item", Span(0, 6)),
        Block("list_item", Span(7, 13)),
        Block("paragraph", Span(15, 28)),
        Block("code", code),
    )
    assert held(text, "steps", blocks) == ["1. one\n2. two"]
    assert held(text, "fence", blocks) == ["x = 1\ny = 2"]
    assert held(text, "table_row", blocks) == []
    assert cuts(text, text.index("y ="), blocks=blocks).fence == 1
    assert cuts(text, text.index("not"), text.index("x ="), blocks=blocks).cut == 0


def test_nested_blocks_count_as_the_outermost():
    text = "1. a\n   1. b\n   2. c\n2. d\n"
    blocks = (Block("list", Span(0, 25)), Block("list", Span(8, 20)))
    assert held(text, "steps", blocks) == [text[:25]]


def test_a_block_of_white_space_is_no_region():
    text = "One.\n   \nTwo."
    assert held(text, "fence", (Block("code", Span(5, 9)),)) == []


def test_counts_of_documents_add_up():
    one, two = cuts("One is. Two is.", 4), cuts("| a | b |\n| c | d |\n", 4)
    both = one + two
    assert both == BoundaryCuts(boundaries=2, sentence=1, table_row=1, cut=2)
    assert sum([one, two], BoundaryCuts()) == both
    assert both.as_dict()["share"] == 1.0


def test_regions_may_be_shared_by_strategies():
    document = Document.from_text("One is here. Two is there.")
    regions = regions_of(document)
    spans = np.array([[0, 7], [7, 26]])
    assert boundary_cuts(document, spans, regions) == boundary_cuts(document, spans)


def test_offsets_move_to_the_next_ink():
    assert next_ink("  a\u00a0b  ", [0, 1, 2, 3, 4, 5, 6]).tolist() == [2, 4]
    assert next_ink("", [0]).tolist() == []
