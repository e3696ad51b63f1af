"""Questions with answers, turns, clauses and formulas, in plain text and in Markdown."""

from pathlib import Path

import pytest

from seamline.parse import parse_text
from seamline.parse.contracts import is_contract
from seamline.parse.math import formula_spans

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
PROSE = "A pump moves a fluid from here to there.\n\n" * 200
BOTH = pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])


def seen(text, kind, media_type="text/plain"):
    """(level, title, text) of the blocks of one kind."""
    document = parse_text(text, media_type=media_type)
    return [
        (block.level, block.title, document.text[block.span.start : block.span.end])
        for block in document.blocks
        if block.kind == kind
    ]


def titles(text, kind, media_type="text/plain"):
    return [title for _, title, _ in seen(text, kind, media_type)]


@BOTH
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Q: Is it safe?\nA: Yes.", "Q: Is it fast?\nA: No."),
        ("**Q: Is it safe?**\n\nA: Yes.\n\nVery.", "**Q: Is it fast?**\n\nA: No."),
        ("Q1. Is it safe?\nYes, very.", "Q2. Is it fast?\nNo."),
        ("Question 1: Is it safe?\n\nAnswer: Yes.", "Question 2: Is it fast?\n\nAnswer: No."),
        ("Frage: Is it safe?\nAntwort: Ja.", "Frage: Is it fast?\nAntwort: Nein."),
        ("问：Is it safe？\n答：是。", "问：Is it fast？\n答：否。"),
        ("1. Is it safe?\n\nYes.", "2. Is it fast?\n\nNo."),
        ("Q: Is it safe? A: Yes.", "Q: Is it fast? A: No."),
        ("**Is it safe?**\n\nYes.\n\nVery.", "**Is it fast?**\nNo."),
    ],
)
def test_a_question_and_its_answer_are_a_pair(media_type, one, other):
    text = f"{one}\n\n{other}\n"
    asked = [title.replace("？", "?") for title in titles(text, "qa_pair", media_type)]
    assert asked == ["Is it safe?", "Is it fast?"]
    assert [cut for *_, cut in seen(text, "qa_pair", media_type)] == [one, other]


def test_numbered_questions_with_answers_below_are_no_list():
    text = "1. Is it safe?\nYes.\n\n2. Is it fast?\nNo.\n\nNot at all.\n"
    assert titles(text, "qa_pair") == ["Is it safe?", "Is it fast?"]
    assert seen(text, "list") == []
    assert titles("1. Is it safe?\n2. Is it fast?\n", "qa_pair") == []


@BOTH
def test_the_first_child_of_a_pair_is_the_question(media_type):
    document = parse_text("Q: Is it\nsafe?\nA: Yes.\n\nVery.\n", media_type=media_type)
    cuts = [(b.kind, document.text[b.span.start : b.span.end]) for b in document.blocks]
    assert cuts == [
        ("qa_pair", "Q: Is it\nsafe?\nA: Yes.\n\nVery."),
        ("paragraph", "Q: Is it\nsafe?"),
        ("paragraph", "A: Yes."),
        ("paragraph", "Very."),
    ]
    assert document.blocks[0].title == "Is it safe?"


def test_a_heading_that_asks_takes_all_up_to_the_next_heading():
    text = (
        "# FAQ\n\n## How *much*?\n\nSo.\n\n- a\n- b\n\n### Details\n\nx\n\n## Why?\n## Who?\n\nI.\n"
    )
    assert seen(text, "qa_pair", "text/markdown") == [
        (0, "How much?", "## How *much*?\n\nSo.\n\n- a\n- b"),
        (0, "Who?", "## Who?\n\nI."),
    ]
    assert titles("How?\n====\n\nSo it is.\n", "qa_pair") == ["How?"]


def test_the_last_answer_has_no_more_parts_than_those_before():
    text = "Q: a?\nA: b.\n\nQ: c?\nA: d.\n\nQ: e?\nA: f.\n\nThis goes on.\n\nWith other things.\n"
    assert seen(text, "qa_pair")[-1][2] == "Q: e?\nA: f."


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "Is it safe? Yes.\n\nWe asked: why? Nobody knew.\n",
        "Q: no answer at all?\n",
        "Q1: revenue rose by 5 %.\nQ2: it fell.\n",
        "**Bold.**\n\nText.\n",
        "A. Smith asked.\nB. Jones too.\n",
        "```\nQ: Is it safe?\nA: Yes.\n```\n",
    ],
)
def test_what_only_asks_is_no_pair(media_type, text):
    assert seen(text, "qa_pair", media_type) == []


@BOTH
@pytest.mark.parametrize(
    ("anna", "bob"),
    [
        ("Anna: Hello there.", "Bob: Hi.\nMore."),
        ("**Anna:** Hello.", "**Bob:** Hi.\n\nA second paragraph."),
        ("**Anna**: Hello.", "**Bob**: Hi."),
        ("Anna [00:01:02] Hello", "Bob [00:01:09] hi"),
        ("Anna (00:01:02): Hello", "Bob (00:01:09): hi"),
        ("[00:01] Anna: hello", "[00:02] Bob: hi"),
        ("12/03/2024, 10:15 - Anna: hello", "12/03/2024, 10:16 - Bob: hi"),
        ("Anna 0:42\nHello", "Bob 0:44\nHi"),
    ],
)
def test_turns_run_to_the_next(media_type, anna, bob):
    text = "\n\n".join([anna, bob] * 3)
    assert seen(text, "turn", media_type) == [(0, "Anna", anna), (0, "Bob", bob)] * 3


@BOTH
def test_lines_of_one_paragraph_are_turns_and_paragraphs_of_their_own(media_type):
    text = "The Chair (Hon. A. Rota, Lib.): Order.\nMr. Smith: Mr. Chair, why: that is it.\n" * 3
    document = parse_text(text, media_type=media_type)
    assert [block.kind for block in document.blocks] == ["turn", "paragraph"] * 6
    assert document.blocks[0].title == "The Chair (Hon. A. Rota, Lib.)"
    assert document.blocks[2].title == "Mr. Smith"


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "Note: do this.\nWarning: not that.\n\nNote: do this.\nWarning: not that.\n",
        "Anna: Hello.\n\nBob: Hi.\n",
        "Name: Anna\nTown: Bern\n\nName: Bob\nTown: Basel\n\nName: Eve\nTown: Genf\n",
        "Problem: it leaks.\nSolution: mend it.\n\nProblem: it stops.\nSolution: start it.\n",
        "See http://a.b: it is.\n" * 6,
        "Height: 5 m\nWidth: 3 m\nDepth: 1 m\n\nHeight: 6 m\nWidth: 2 m\nDepth: 4 m\n",
    ],
)
def test_what_is_no_transcript_has_no_turns(media_type, text):
    assert seen(text, "turn", media_type) == []


def test_a_section_may_be_a_transcript():
    said = "Anna: Yes, it is.\n\nBob: No, it is not.\n\n" * 3
    text = f"# Before\n\nNote: x\n\n# Call\n\n{said}# After\n\nNote: y\n"
    assert titles(text, "turn", "text/markdown") == ["Anna", "Bob"] * 3
    assert seen(text, "turn", "text/markdown")[-1][2] == "Bob: No, it is not."


def test_long_turns_and_labels_among_them():
    said = "THE PRESIDENT: " + "We go on and on.\n" * 200 + "\nAUDIENCE: Booo —\n\n"
    text = f"Politics: John.\n\n{PROSE}{said * 4}"
    assert titles(text, "turn") == ["THE PRESIDENT", "AUDIENCE"] * 4


def test_messages_of_a_chat_in_a_dump():
    text = "[{'content': \"It's?\", 'role': 'user'}, {'content': 'So.', 'role': 'assistant'}, " * 3
    assert titles(text, "turn") == ["user", "assistant"] * 3


CONTRACT = """SUPPLY AGREEMENT

This agreement is made between the parties named hereto, pursuant to the law.

ARTICLE I TERM

1.1 Term. This agreement shall begin hereby and shall end when terminated.

1.2 Notice. Each of the parties shall give notice:

(a) in writing;

(b) to the licensee, provided, however, that

the licensor need not; and

(i) by mail; or

(ii) by hand.

(c) hereunder in time.

ARTICLE II LIABILITY

2.1 Covenants. The licensor shall indemnify the licensee. (a) It shall pay. (b) It shall warrant.

IN WITNESS WHEREOF the parties have signed this agreement.
"""


@BOTH
def test_clauses_nest_and_hold_their_provisos(media_type):
    found = seen(CONTRACT, "clause", media_type)
    assert [(level, title) for level, title, _ in found] == [
        (1, "ARTICLE I"), (2, "1.1"), (2, "1.2"), (3, "(a)"), (3, "(b)"), (4, "(i)"), (4, "(ii)"),
        (3, "(c)"), (1, "ARTICLE II"), (2, "2.1"), (3, "(a)"), (3, "(b)"),
    ]  # fmt: skip
    texts = {title: cut for _, title, cut in found}
    assert texts["(c)"] == "(c) hereunder in time."
    assert "the licensor need not; and" in seen(CONTRACT, "clause", media_type)[4][2]
    assert all("IN WITNESS" not in cut for cut in texts.values())


def test_headings_of_clauses_are_inside_them():
    document = parse_text(CONTRACT)
    at = next(n for n, block in enumerate(document.blocks) if block.title == "ARTICLE I")
    assert [block.kind for block in document.blocks[at : at + 2]] == ["clause", "heading"]
    assert document.blocks[at + 1].title == "ARTICLE I TERM"


def test_numbers_in_other_texts_are_no_clauses():
    assert seen("1. Scope\n\nOil it.\n\n2. Terms\n\n(a) oil\n\n(b) fat\n", "clause") == []
    assert is_contract(CONTRACT)
    assert not is_contract("The pump shall be oiled. " * 100)
    assert not is_contract("")


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("$$\nx\n$$", ["$$\nx\n$$"]),
        ("$$ x $$.\nText", ["$$ x $$."]),
        ("\\[\nx\n\\] (3)\n", ["\\[\nx\n\\] (3)"]),
        ("\\begin{align*}\na\n\\end{align*}", ["\\begin{align*}\na\n\\end{align*}"]),
        ("$$\n\nx = 1\n\n$$", ["$$\n\nx = 1\n\n$$"]),
        ("It is $$x$$ here.", []),
        ("$$x$$ is here.", []),
        ("$$\nnever closed", []),
        ("$$\n$$\n", []),
        ("$$\nPay us.\n\nSoon, please.\n$$", []),
        ("\\begin{itemize}\nx\n\\end{itemize}", []),
    ],
)
def test_formulas_that_stand_alone(text, formulas):
    assert [text[start:end] for start, end in formula_spans(text, [])] == formulas


def test_no_markup_is_seen_in_the_formulas_of_markdown():
    text = "A\n$$\n# x\n\n- y = 1\n***\n$$\n===\nB\n\n- i\n\n  $$\n  z\n  $$\n\n  k\n\n> $$\n> q\n> $$\n> r\n"
    document = parse_text(text, media_type="text/markdown")
    assert [(b.kind, document.text[b.span.start : b.span.end]) for b in document.blocks] == [
        ("paragraph", "A"),
        ("math", "$$\n# x\n\n- y = 1\n***\n$$"),
        ("paragraph", "==="),
        ("paragraph", "B"),
        ("list", "- i\n\n  $$\n  z\n  $$\n\n  k"),
        ("list_item", "- i\n\n  $$\n  z\n  $$\n\n  k"),
        ("paragraph", "i"),
        ("math", "$$\n  z\n  $$"),
        ("paragraph", "k"),
        ("quote", "> $$\n> q\n> $$\n> r"),
        ("math", "$$\n> q\n> $$"),
        ("paragraph", "r"),
    ]


@pytest.mark.parametrize("fence", ["```", "~~~", "    "])
def test_formulas_in_code_are_code(fence):
    text = "    $$\n    x\n    $$\n" if fence == "    " else f"{fence}\n$$\nx\n$$\n{fence}\n"
    assert seen(text, "math", "text/markdown") == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
def test_every_line_of_the_collected_meetings_is_a_turn():
    n_lines = n_turns = 0
    for path in sorted((SHARED / "data" / "qmsum" / "docs").iterdir()):
        text = path.read_text(encoding="utf-8")
        n_lines += sum(bool(line.strip()) for line in text.split("\n"))
        n_turns += len(seen(text, "turn"))
    assert 0.999 * n_lines <= n_turns <= n_lines


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_the_collected_cases_have_their_regions(media_type):
    cases = SHARED / "cases"
    pairs = titles((cases / "qa_pairs.txt").read_text(encoding="utf-8"), "qa_pair", media_type)
    assert [title.split()[0] for title in pairs] == ["How", "Which", "Can"]
    assert (
        len(seen((cases / "math_block.txt").read_text(encoding="utf-8"), "math", media_type)) == 1
    )
    mixed = (cases / "mixed_document.txt").read_text(encoding="utf-8")
    assert titles(mixed, "qa_pair", media_type) == ["Is Tuesday the peak?"]
