"""Atoms, contexts and paths at their edges: blocks in odd places, and shapes that must stay linear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seamline import scan
from seamline.errors import InvalidConfig
from seamline.parse import parse_text
from seamline.sizers.rulers import CharacterRuler
from seamline.split import parse_strategy
from seamline.split.atoms import find_atoms, larger_than, spans_of
from seamline.split.context import contexts
from seamline.split.outline import outline
from seamline.split.profile import reason
from seamline.testing import check_chunks
from seamline.types import Block, Blocks, Document, Span


def document(text, *blocks):
    """A document with `(kind, text of the block, level, title)`, each found after the last began."""
    made, at = [], 0
    for kind, words, *rest in blocks:
        at = text.index(words, at)
        made.append(Block(kind, Span(at, at + len(words)), *rest))
    return Document.from_text(text, blocks=made)


def atoms_of(found, *, sure=0, most=1000, whole=()):
    ruler = CharacterRuler(found.text)
    made = find_atoms(
        found, ruler, most=most, whole=dict(whole), cut=lambda low, high: ([low], [high]), sure=sure
    )
    spans = zip(made.starts, made.ends, strict=True)
    return [found.text[low:high] for low, high in spans], made.flags


SECTIONS = "# A\n\nOne. Two.\n\n# B\n\nThree. Four."
HEADS = ("heading", "# A", 1, "A"), ("heading", "# B", 1, "B")


def test_a_section_that_surely_fits_is_one_atom():
    parts = ["# A", "One.", "Two.", "# B", "Three.", "Four."]
    assert atoms_of(document(SECTIONS, *HEADS))[0] == parts
    fits = "# A\n\nOne. Two."
    assert atoms_of(document(SECTIONS, *HEADS), sure=16) == ([fits, *parts[3:]], [3, 3, 0, 0])
    last = "# B\n\nThree. Four."
    assert atoms_of(document(SECTIONS, *HEADS), sure=17) == ([fits, last], [3, 3])


def test_the_white_space_that_the_next_heading_begins_with_counts():
    found = document("# A\n\nOne. Two. \n# B", HEADS[0], ("heading", " \n# B", 1, "B"))
    assert atoms_of(found, sure=15)[0] == ["# A", "One.", "Two.", "# B"]
    assert atoms_of(found, sure=16)[0] == ["# A\n\nOne. Two.", "# B"]


def test_a_section_that_begins_or_ends_in_a_block_is_none_that_fits():
    quote = ("quote", "One. Two.\n\n# B\n\nThree.")
    assert len(atoms_of(document(SECTIONS, HEADS[0], quote, HEADS[1]), sure=99)[0]) == 6


def test_a_section_with_a_question_is_none_that_fits():
    found = document(SECTIONS, HEADS[0], ("qa_pair", "One. Two."), HEADS[1])
    parts, flags = atoms_of(found, sure=99, whole={"qa_pair": 99})
    assert parts == ["# A", "One. Two.", "# B\n\nThree. Four."]
    assert flags == [3, 1, 3]


def test_headings_in_a_list_that_is_whole_open_nothing():
    found = document(
        "- # A\n  one\n\n  # B\n  two", ("list", "- # A\n  one\n\n  # B\n  two"), *HEADS
    )
    assert len(atoms_of(found, whole={"list": 99})[0]) == 1
    assert atoms_of(found, whole={"list": 5})[0] == ["-", "# A", "one", "# B", "two"]


def test_what_introduces_a_region_of_several_atoms_begins_none():
    text = "It runs.\nTwo:\n\n- b"
    found = document(text, ("qa_pair", "It runs.\nTwo:"), ("list", "- b"))
    assert atoms_of(found)[1] == [0, 2, 0]
    assert atoms_of(found, whole={"qa_pair": 99})[1] == [1, 1]


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("```\na\nb\n```", ["```\na", "b\n```"]),
        ("```\na\n\nb", ["```\na", "b"]),
        ("```\n```", ["```\n```"]),
        ("```", ["```"]),
        ("~~~\n\n", ["~~~"]),
        ("a\n\nb\n", ["a", "b"]),
    ],
)
def test_lines_of_code_are_atoms_but_for_a_fence(code, parts):
    assert atoms_of(document(code, ("code", code)))[0] == parts


def test_sentences_end_in_prose_alone():
    found = document("A b. C.\nd. e.", ("code", "A b. C."))
    assert atoms_of(found)[0] == ["A b. C.", "d. e."]


def test_no_unit_is_made_of_what_the_one_before_took():
    text = "e\u0301\u0301x"
    found = Document.from_text(
        text, blocks=[Block("list_item", Span(at, at + 1)) for at in range(4)]
    )
    made = find_atoms(found, CharacterRuler(text), most=9, whole={}, cut=lambda *_: ([], []))
    assert len(made.starts) == 4
    assert spans_of(text, made, [0, 1, 3], 0) == ([0, 3], [3, 4])


def test_what_is_larger_than_its_room_is_told():
    assert larger_than([3, 3, 0], [0, 4, 9], [3, 8, 9], CharacterRuler("x" * 9)) == [1]


@pytest.mark.parametrize(
    ("blocks", "line"),
    [
        (
            [("definition", "a b c d", 1, "class A"), ("definition", "b c d", 2, "def b")],
            "class A \u203a def b",
        ),
        ([("qa_pair", "a b c d", 0, "Why?")], "Why?"),
        ([("clause", "a b c d", 1, "1.2")], "1.2"),
        ([("qa_pair", "a b c d", 0, "")], ""),
        ([("definition", "a b c d", 0, "")], ""),
        ([("turn", "a b c d", 0, "Ann")], "Ann:"),
        ([("list", "a b c d", 1, "ordered"), ("list_item", "a", 1)], "(after step 1)"),
        ([("list", "a b c d", 1, "ordered"), ("list_item", "a b c", 1)], "(in step 1)"),
        ([("list", "a b c d", 1, "ordered")], ""),
        ([("list", "a b c d", 1, "bullet"), ("list_item", "a", 1)], ""),
        ([("table", "a b c d"), ("table_row", "a")], ""),
    ],
)
def test_what_a_chunk_inside_blocks_hangs_on(blocks, line):
    assert contexts(document("a b c d", *blocks), [0, 4]) == ["", line]


def test_a_step_is_named_by_nine_digits_of_its_number_at_most():
    text = "12345678901. Go. Then wait."
    steps = Block("list", Span(0, len(text)), 1, "ordered"), Block("list_item", Span(0, 16), 1)
    assert contexts(Document.from_text(text, blocks=steps), [17]) == ["(after step 123456789)"]


def test_contexts_are_cut_and_stop_where_they_are_long_enough():
    names = [("qa_pair", f"q{i}" * 90 + " ", 0, f"Q{i}" * 90) for i in range(4)]
    text = "".join(words for _, words, *_ in names) + "end"
    nested = [Block(k, Span(text.index(w), len(text)), *rest) for k, w, *rest in names]
    for blocks in (nested, [Block("definition", b.span, 1, b.title) for b in nested]):
        [line] = contexts(Document.from_text(text, blocks=blocks), [len(text) - 3])
        assert len(line) == 400
        assert "Q0" in line
        assert "Q3" not in line


def test_paths_go_only_so_deep():
    blocks = [Block("definition", Span(at, 300), at, f"d{at}") for at in range(150)]
    found = outline(Document.from_text("x" * 300, blocks=blocks))
    assert found.path(50)[-1] == "d50"
    assert found.path(149) == tuple(f"d{at}" for at in range(100))


@pytest.mark.parametrize(
    "call",
    [
        lambda: spans_of(None, None, [0], 1),
        lambda: spans_of("a", None, [0], 1),
        lambda: larger_than([1], [0], [1], None),
        lambda: scan.next_set(None, 0),
    ],
)
def test_nothing_is_no_text_and_no_ruler(call):
    with pytest.raises((AttributeError, TypeError)):
        call()


@pytest.mark.parametrize("at", [-9, 0, 3, 4, 9, 10, 40, 99])
def test_the_next_mark_is_found(at):
    marks = bytearray(40)
    marks[3] = marks[9] = marks[39] = 7
    first = [i for i in (3, 9, 39) if i >= at]
    assert scan.next_set(marks, at) == (first[0] if first else 40)


MANY = 50_000 if scan.COMPILED else 5_000


def columns(text, rows):
    """A document of many blocks, `(kind, start, end, level, title)`."""
    rows.sort(key=lambda row: (row[1], -row[2]))
    return Document.from_text(text, blocks=Blocks(*[[row[i] for row in rows] for i in range(5)]))


def headings():
    return columns(
        "# H\nb\n\n" * MANY, [("heading", 7 * i, 7 * i + 3, 1, "H") for i in range(MANY)]
    )


def blank_headings():
    return columns("\n" * MANY, [("heading", i, i, 1, "") for i in range(MANY)])


def one_block(kind):
    n = 100 * MANY
    return columns(("Some words, x = 1. \n" * n)[:n], [(kind, 0, n, 0, "")])


def nested(kind, title, line):
    n = len(line)
    rows = [(kind, n * i, n * MANY, i + 1, title) for i in range(MANY)]
    rows += [("list_item", n * i, n * MANY, i + 1, "") for i in range(MANY) if kind == "list"]
    return columns(line * MANY, rows)


def tables():
    rows = []
    for at in range(0, 30 * MANY, 30):
        rows += [("table", at, at + 28, 0, ""), ("table_row", at, at + 9, 0, "header")]
        rows += [("table_row", at + 20, at + 28, 0, "")]
    return columns("| a | b |\n|---|---|\n| 1 | 2|\n\n" * MANY, rows)


def one_table():
    head, row = "| " + "long header " * 2_000 + "|\n", "| 1 | 2 |\n"
    text = head + row * MANY
    rows = [("table", 0, len(text), 0, ""), ("table_row", 0, len(head) - 1, 0, "header")]
    starts = range(len(head), len(text), len(row))
    return columns(text, rows + [("table_row", at, at + len(row) - 1, 0, "") for at in starts])


# Looked at anew from every chunk or block on, each of these would take many minutes.
@pytest.mark.parametrize(
    "make",
    [
        headings,
        blank_headings,
        tables,
        one_table,
        lambda: one_block("paragraph"),
        lambda: one_block("code"),
        lambda: one_block("heading"),
        lambda: nested("list", "bullet", "- one\n"),
        lambda: nested("list", "ordered", "1. items:\n"),
        lambda: nested("definition", "def f", "def f():\n"),
        lambda: nested("quote", "", "> x\n"),
    ],
)
@pytest.mark.parametrize("spec", ["structure(size=900", "adaptive(target=40, size=200"])
def test_many_or_large_or_deep_blocks_are_passed_once(make, spec):
    found = make()
    chunks = parse_strategy(f"{spec}, unit=characters)").split(found)
    check_chunks(found, chunks)


TABLE = (
    "# T\n\nOne two three.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n"
    + "Four five six. " * 9
)


@pytest.mark.parametrize(
    "spec",
    [
        "structure(size=20)",
        "structure(size=20, prefix=false)",
        "adaptive(target=9)",
        "table_rows(size=20)",
        "table_rows(size=20, prefix=false)",
        "recursive(size=9, separators=prose)",
        "fixed(size=9, prefix=true)",
    ],
)
@pytest.mark.parametrize("text", [TABLE, "No table. Nor a heading."])
def test_cut_gives_the_spans_that_split_does(spec, text):
    found = parse_text(text, media_type="text/markdown")
    strategy = parse_strategy(spec)
    chunks = strategy.split(found)
    assert strategy.cut(found) == ([c.start for c in chunks], [c.end for c in chunks])


@pytest.mark.parametrize("kind", ["table", "list", "prose"])
def test_strategies_say_why_they_cut(kind):
    told = {
        spec: parse_strategy(spec).reason(kind) for spec in ("structure", "table_rows", "fixed")
    }
    assert told["structure"] == reason(kind)
    assert (told["table_rows"] == reason(kind)) == (kind != "table")
    assert "fixed(size=512" in told["fixed"]


def test_a_prefix_is_true_or_false():
    with pytest.raises(InvalidConfig, match="prefix must be true or false, got 1"):
        parse_strategy("structure(prefix=1)")


@pytest.mark.parametrize("spec", ["structure(size=40", "adaptive(target=20, size=40"])
def test_a_ruler_of_ones_own_cuts_as_characters_do(spec):
    found = parse_text(TABLE, media_type="text/markdown")
    strategy = parse_strategy(f"{spec}, unit=characters)")
    own = replace(strategy, unit=len)
    assert own.split(found) == strategy.split(found)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(1.) Open it. Wait.\n(2.) Close it.", ["(1.) Open it.", "Wait.", "(2.) Close it."]),
        ("2. Open it. Wait.", ["2. Open it.", "Wait."]),
        ("Do this:\n\n2.\n\nOpen it. Wait.", ["Do this:", "2.\n\nOpen it.", "Wait."]),
        ("We sold 2. Wait.", ["We sold 2.", "Wait."]),
    ],
)
def test_a_number_that_opens_an_item_is_no_sentence(text, parts):
    assert atoms_of(document(text, ("paragraph", text)))[0] == parts
