"""What documents ask themselves, what is dropped, and how drafts are written."""

import json
from collections import Counter

import numpy as np
import pytest

from seamline.errors import InvalidConfig, InvalidDocument
from seamline.golden import load_golden, validate
from seamline.golden.docstrings import docstring
from seamline.golden.draft import draft_known_items
from seamline.golden.filters import Sieve, fault
from seamline.golden.grow import draft_lines, read_existing
from seamline.golden.known_items import KINDS, known_items
from seamline.golden.rows import Draft
from seamline.golden.verbatim import find_verbatim
from seamline.parse import parse_bytes, parse_text, read_documents
from seamline.sizers import parse_sizer
from seamline.types import Document, Question, Span


def markdown(text, doc_id="a.md"):
    return parse_text(text, doc_id, media_type="text/markdown")


def asked(document, kind, most_rows=99):
    found = known_items(document, np.random.default_rng(0), most_rows=most_rows)
    assert set(found) == set(KINDS)
    for draft in found[kind]:
        assert draft.kind == kind
        assert draft.tags == ["known-item", f"known-item:{kind}"]
    return [(draft.question, *draft.texts) for draft in found[kind]]


BODY = "Change the oil every week, and wipe the cap."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"# Pumps\n\n## Oil\n\n{BODY}\n\nMore.", [("Pumps > Oil", BODY)]),
        (f"# Pumps\n\n{BODY}", [("Pumps", BODY)]),
        (f"# Pumps\n\n---\n\n{BODY}", [("Pumps", BODY)]),
        ("# Pumps\n\nShort.", []),
        ("# Pumps", []),
        (
            "# Pumps\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA paragraph behind a table, long enough.",
            [],
        ),
        (
            "# Steps\n\nDo these, in this order:\n\n- Drain the old oil.\n- Fill in the new oil.",
            [("Steps", "Do these, in this order:\n\n- Drain the old oil.\n- Fill in the new oil.")],
        ),
        (
            "# Run\n\nStart it with this command:\n\n```sh\npump --start --oil fresh\n```",
            [("Run", "Start it with this command:\n\n```sh\npump --start --oil fresh\n```")],
        ),
        (
            "# Table\n\nThe plans are in the table that follows here:\n\n| a | b |\n|-|-|\n| 1 | 2 |",
            [],
        ),
        ("# End\n\nA paragraph that introduces what never comes, alas:", []),
        ("# Long\n\nA list that is much too long for gold:\n\n" + "- Item of it.\n" * 200, []),
        (f"# Why is it loud?\n\n{BODY}\n\n# Quiet\n\n{BODY}", [("Quiet", BODY)]),
    ],
)
def test_a_heading_asks_for_the_paragraph_below_it(text, found):
    assert asked(markdown(text), "heading") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"## Why is it loud?\n\n{BODY}", [("Why is it loud?", BODY)]),
        (
            "Q: What is the\nlimit of this?\nA: It is 5 per day\nand more.",
            [("What is the limit of this?", "It is 5 per day\nand more.")],
        ),
        (
            "Q: Is it on?\n\nAnd how do I see that?\n\nA: Look at the lamp.\n\nIt is red.",
            [("Is it on? And how do I see that?", "Look at the lamp.\n\nIt is red.")],
        ),
        ("**Is it bold?**\nYes, it is.", [("Is it bold?", "Yes, it is.")]),
        ("Frage 1: Wie laut?\nAntwort: Sehr laut ist er.", [("Wie laut?", "Sehr laut ist er.")]),
    ],
)
def test_a_pair_asks_for_its_answer(text, found):
    assert asked(markdown(text), "faq") == found


INTRODUCED = [
    "The mode of the pump may be one of the following...",
    "The mode of the pump may be one of the following…",
    "The pump is set to one of these modes by its lever:",
    "The pump is set to one of these modes by its lever.",
    "Its lever sets the pump. The modes are as follows.",
    "Its lever sets the pump to one of the modes below",
    "The pump of the hall knows several modes, such as",
    "Its modes are many, and are named by letters ...",
]


@pytest.mark.parametrize("said", INTRODUCED)
def test_what_a_paragraph_introduces_is_gold_with_it(said):
    listed = "- idle\n- pumping"
    document = markdown(f"# Modes\n\n{said}\n\n{listed}\n\nMore of it.\n")
    assert asked(document, "heading") == [("Modes", f"{said}\n\n{listed}")]
    assert asked(markdown(f"# Modes\n\n{said}\n\n" + 200 * "- a mode\n"), "heading") == []
    prose = asked(markdown(f"# Modes\n\n{said}\n\nMore of it, in prose.\n"), "heading")
    more = "\n\nMore of it, in prose." if said.endswith(":") else ""
    assert prose == [("Modes", f"{said}{more}")]


@pytest.mark.parametrize(
    "said",
    [
        "These modes are old. The pump has a lever to change its mode.",
        "The following is old. A lever sets the mode of the pump.",
        "A lever sets the pump to idle or pumping, whatever it did before.",
    ],
)
def test_a_paragraph_that_introduces_nothing_is_gold_alone(said):
    document = markdown(f"# Modes\n\n{said}\n\n- idle\n- pumping\n")
    assert asked(document, "heading") == [("Modes", said)]


def test_a_row_is_asked_for_by_its_key_and_a_column():
    text = (
        "# Parts\n\n| Part | Weight |\n|---|---|\n| Pump body | 5 kg |\n| Belt | - |\n| | 3 kg |\n"
    )
    assert asked(markdown(text), "row") == [("Parts: Pump body, Weight", "Pump body | 5 kg")]
    assert asked(markdown("| 1 | 2 |\n"), "row") == []


def test_rows_of_other_formats_are_exact_too():
    document = parse_bytes(b"part,weight\npump,5 kg\nbelt,1 kg\n", "parts.csv")
    assert asked(document, "row") == [("pump, weight", "pump,5 kg"), ("belt, weight", "belt,1 kg")]
    html = b"<table><tr><th>Part<th>Weight<tr><td>Pump<td>5 kg</table>"
    assert [question for question, _ in asked(parse_bytes(html, "a.html"), "row")] == [
        "Pump, Weight"
    ]


def test_rows_that_go_on_with_the_header_are_no_rows():
    text = "|  | Year ended May 31, |  |\n|---|---|---|\n|  | 2019 | 2018 |\n| Sales | $1,407 | $1,082 |"
    ((question, gold),) = asked(markdown(text), "row")
    assert question in {"Sales, Year ended May 31, 2019", "Sales, 2018"}
    assert gold == "Sales | $1,407 | $1,082"


def test_of_a_long_table_some_rows_are_taken():
    rows = "".join(f"| part {i} | {i} kg of it |\n" for i in range(500))
    document = markdown(f"| Part | Weight |\n|---|---|\n{rows}")
    assert len(asked(document, "row", most_rows=20)) == 20


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ('def f(a):\n    """Let all the oil out. Slow."""\n', "Let all the oil out."),
        (
            'def f(a):\n    r"""\n    Let all\n    the oil out\n\n    Slow.\n    """',
            "Let all the oil out",
        ),
        ("class A:\n    '''Holds the oil of one pump.'''", "Holds the oil of one pump."),
        ("def f(a):\n    return 1", ""),
        ('def f(a):\n    """Too short."""', ""),
        (f'def f(a):\n    """{"word " * 50}"""', ""),
        (
            "// drain lets all\n// the oil out.\n//\n// Slow.\nfunc drain() {",
            "drain lets all the oil out.",
        ),
        (
            "/**\n * Closes the valve at once.\n * @param v it\n */\nvoid f(V v) {",
            "Closes the valve at once.",
        ),
        ("/// Closes the valve at once.\n#[inline]\nfn f() {", "Closes the valve at once."),
        ("# Closes the valve at once.\ndef f", "Closes the valve at once."),
        ("-- All open orders of today.\nCREATE VIEW v AS", "All open orders of today."),
        ("#[inline]\nfn this_is_no_comment_at_all() {", ""),
        ("/* Closes the valve at once. */\nint f() {", "Closes the valve at once."),
    ],
)
def test_a_docstring_is_its_first_sentence(signature, said):
    assert docstring(signature) == said


def test_a_docstring_asks_for_its_definition():
    pytest.importorskip("tree_sitter", reason="needs the extra code")
    code = 'class Tank:\n    def drain(self):\n        """Let all of the oil out."""\n        return 0\n'
    document = parse_bytes(code.encode(), "tank.py")
    assert asked(document, "docstring") == [("Let all of the oil out.", code[16:].rstrip())]
    fence = f"```python\n{code}{'# filling' * 60}\n```\n"
    ((question, gold),) = asked(markdown(fence), "docstring")
    assert question == "Let all of the oil out."
    assert gold.startswith("def drain")
    assert "```" not in gold


def test_a_definition_without_its_signature_is_passed_over():
    from seamline.types import Block

    blocks = [Block("definition", Span(0, 5), 1, "f")]
    assert asked(Document("a", "f = 1", blocks), "docstring") == []


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Oil the pump", "Oil the\n  pump"),
        ("“Oil the pump”", "Oil the\n  pump"),
        ("the pump - once", "the\n  pump – once"),
        ("It's on", "It’s on"),
        ("oil the pump", None),
        ("il the", None),
        ("", None),
        ("“”", None),
        ("308", "308"),
    ],
)
def test_a_quote_is_found_to_the_character_or_not_at_all(quote, found):
    text = "1308 Oil the\n  pump – once. It’s on. 308."
    span = find_verbatim(text, quote, within=Span(0, len(text)))
    assert (span and text[span.start : span.end]) == found
    assert find_verbatim(text, "308.", within=Span(0, 20)) is None


TEXT = (
    "Oil the pump once a week. Wipe the cap of the tank each day. Belts are kept in the hall. "
    "Oil the pump once a week. Lamps last a year and are then thrown away by the night shift."
)


def model(question, quote, text=TEXT):
    start = text.index(quote)
    return Draft(Document("a.md", text), question, (Span(start, start + len(quote)),), "model", "m")


@pytest.mark.parametrize(
    ("question", "quote", "why"),
    [
        ("How long does a light work?", "Lamps last a year", ""),
        ("Lamps?", "Lamps last a year", "question too short or too long"),
        ("How " * 200, "Lamps last a year", "question too short or too long"),
        ("What is said in the passage?", "Lamps last a year", "question points at its passage"),
        ("As described above, when?", "Lamps last a year", "question points at its passage"),
        ("How long does a light work?", "Lamps", "gold under 5 tokens"),
        ("Are belts kept in the hall now?", "Belts are kept in the hall.", ""),
        (
            "Is it that lamps last a year and are then thrown away?",
            "Lamps last a year and are then thrown away by the night shift.",
            "question copies its gold",
        ),
    ],
)
def test_faults_of_a_draft_by_itself(question, quote, why):
    assert fault(model(question, quote), parse_sizer("tokens")) == why


def test_gold_as_long_as_a_page_is_a_fault():
    text = "Oil the pump once a week. " * 100
    assert fault(model("How often is it oiled?", text, text), parse_sizer("tokens")).startswith(
        "gold over"
    )


class Counted:
    """An embedder for which all questions about lamps are one."""

    def embed_queries(self, texts):
        return np.array([[1, 0] if "light" in text else [0, 1] for text in texts], np.float32)


def sifted(drafts, existing=(), embedder=None):
    sieve = Sieve(
        [Document("a.md", TEXT)], existing, sizer=parse_sizer("tokens"), embedder=embedder
    )
    return [draft.question for draft in sieve.sift(drafts)], dict(sieve.dropped)


def test_gold_that_stands_elsewhere_too_is_dropped():
    drafts = [model("How often is oil needed?", "Oil the pump once a week.")]
    assert sifted(drafts) == ([], {"gold stands elsewhere too": 1})
    documents = [Document("a.md", TEXT), Document("b.md", "Here belts are kept in the hall, too.")]
    sieve = Sieve(documents, (), sizer=parse_sizer("tokens"))
    assert not list(sieve.sift([model("Where do I find one?", "are kept in the hall")]))


def test_gold_of_another_question_is_dropped():
    first = model("How long does a light work?", "Lamps last a year")
    second = model("After how much time is it dark?", "Lamps last a year and are")
    beside = model("Who bins it?", "thrown away by the night shift.")
    kept, dropped = sifted([first, second, beside])
    assert kept == [first.question, beside.question]
    assert dropped == {"gold of another question": 1}
    existing = Question("q", "a.md", "Else?", ((first.spans[0],),))
    assert sifted([first], [existing]) == ([], {"gold of another question": 1})


def test_questions_alike_are_dropped_unless_their_numbers_differ():
    first = model("How long does a light work in hall 3?", "Lamps last a year")
    same = model("In hall 3, how long does a light work?", "Wipe the cap of the tank")
    other = model("How long does a light work in hall 4?", "Belts are kept in the hall")
    assert sifted([first, same, other]) == (
        [first.question, other.question],
        {"like another question": 1},
    )
    meant = model("When does a light in hall 3 fail?", "Wipe the cap of the tank")
    assert sifted([first, meant])[0] == [first.question, meant.question]
    assert sifted([first, meant], embedder=Counted())[0] == [first.question]


def test_known_items_are_alike_only_if_they_say_the_same():
    body = "Change the oil every week, and wipe the cap."
    text = (
        f"# A\n\n## Oil of pumps\n\n{body}\n\n# B\n\n## Oil of belts\n\n{body[::-1]} So it says.\n"
    )
    drafts = draft_known_items([markdown(text)], 9)
    assert sorted(draft.question for draft in drafts.questions) == [
        "A > Oil of pumps",
        "B > Oil of belts",
    ]


def test_kinds_and_documents_take_turns(root):
    documents = list(read_documents([root / "examples" / "runbooks" / "docs"]))
    drafts = draft_known_items(documents, 24, seed=7)
    kinds = Counter(draft.kind for draft in drafts.questions)
    assert set(kinds) == {"heading", "docstring", "row", "faq"}
    assert max(kinds.values()) <= 9
    headings = [d.document.id for d in drafts.questions if d.kind == "heading"]
    assert len(set(headings)) == len(headings)
    assert drafts == draft_known_items(documents, 24, seed=7)
    assert drafts != draft_known_items(documents, 24, seed=8)


def test_a_question_that_several_places_ask_has_no_one_answer():
    texts = [
        f"# Overview of it\n\nThis is the overview of number {i}, and it is long." for i in (1, 2)
    ]
    drafts = draft_known_items([markdown(text, f"{i}.md") for i, text in enumerate(texts)], 5)
    assert drafts.questions == ()
    assert drafts.dropped == {"asked in several places": 2}


def test_documents_that_ask_nothing_are_refused():
    with pytest.raises(InvalidDocument, match="give --llm URL"):
        draft_known_items([Document("a.txt", "Nothing but a sentence.")], 5)
    for n in (0, -1, 10**23):
        with pytest.raises(InvalidConfig, match=f"n must be a positive number .*, got {n:,}"):
            draft_known_items([Document("a.txt", "x")], n)


def test_drafts_are_lines_of_a_golden_set(root, tmp_path):
    documents = list(read_documents([root / "examples" / "handbook" / "docs"]))
    drafts = draft_known_items(documents, 12)
    lines = draft_lines(drafts.questions)
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    questions = load_golden(path, documents)
    assert [q.text for q in questions] == [d.question for d in drafts.questions]
    assert [q.spans for q in questions] == [d.spans for d in drafts.questions]
    assert {q.source for q in questions} == {"synthetic"}
    assert {q.reviewed for q in questions} == {False}
    assert validate(path, documents).ok
    for line in lines:
        row = json.loads(line)
        (answer,) = row["answers"]
        text = documents[0].text
        assert text[answer["start"] - len(answer["before"]) :].startswith(
            answer["before"] + answer["text"] + answer["after"]
        )
        assert row["doc_sha256"] == documents[0].digest


def test_ids_stay_unique_and_the_same(root):
    documents = list(read_documents([root / "examples" / "handbook" / "docs"]))
    drafts = draft_known_items(documents, 3).questions
    ids = [json.loads(line)["id"] for line in draft_lines(drafts)]
    assert ids == [json.loads(line)["id"] for line in draft_lines(drafts)]
    again = [json.loads(line)["id"] for line in draft_lines([*drafts, *drafts], ids)]
    assert again == [*(f"{name}-2" for name in ids), *(f"{name}-3" for name in ids)]


def test_what_is_there_is_read_with_its_errors(tmp_path):
    path = tmp_path / "golden.jsonl"
    good = {"id": "q1", "doc_id": "a", "question": "Oil?", "answers": [{"start": 0, "end": 12}]}
    lost = {"id": "q2", "doc_id": "a", "question": "Oil?", "answers": ["not there"]}
    held = f"\ufeff{json.dumps(good)}\r\n{json.dumps(lost)}\nnonsense"
    path.write_bytes(held.encode())
    found = read_existing(path, [Document("a.md", TEXT)])
    assert [question.id for question in found.questions] == ["q1"]
    assert found.ids == {"q1", "q2"}
    assert found.text == held
    assert sorted(one.line for one in found.broken) == [2, 3]
