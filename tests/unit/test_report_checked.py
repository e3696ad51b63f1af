"""A check as text, Markdown, JUnit XML and annotations: complete, escaped, the same twice."""

import re
from io import StringIO
from pathlib import Path

import pytest
from lxml import etree
from rich.console import Console

from seamline.lock.checked import Checked, Part
from seamline.lock.gold import Fault
from seamline.lock.moved import Around, Move, Moves
from seamline.report.annotations import checked_annotations
from seamline.report.checked import checked_text
from seamline.report.junit import checked_junit
from seamline.report.markdown import checked_markdown

HOSTILE = "a<b>|*x*\x1b[31m\n@you #1 `c` \ufffe"

PARTS = (
    Part("gold", "pass", "36 questions, each span in place"),
    Part("comparable", "pass", "as locked"),
    Part("boundaries", "fail", "7 cuts moved in 7 documents that did not change"),
    Part("Recall@60t", "skip", "not looked at, since an earlier part failed"),
)


def move(i, name="d{}.md"):
    old, new = Around(10 + i, "before old ", "after old"), Around(12 + i, "before new ", "after")
    return Move(name.format(i), "start", old, new)


def checked(**changes):
    fields = {
        "code": 1,
        "verdict": "BOUNDARIES MOVED",
        "title": "7 cuts moved",
        "todo": "go back, or lock anew",
        "locked": "whole | bm25",
        "now": "whole | bm25",
        "parts": PARTS,
        "moves": Moves(tuple(map(move, range(7))), 7, 70),
        "upgrades": ("regex 1 → 2",),
        "notes": ("Few documents.",),
    }
    return Checked(**{**fields, **changes})


def hostile():
    parts = [Part(part.name, part.outcome, HOSTILE) for part in PARTS]
    parts[0] = Part("gold", "fail", HOSTILE)
    moves = Moves((Move(HOSTILE, "indexed"), move(0, HOSTILE)), 2, 2)
    given = {"title": HOSTILE, "locked": HOSTILE, "notes": (HOSTILE,), "moves": moves}
    return checked(**given, parts=tuple(parts), faults=(Fault(3, HOSTILE),))


def drawn(result, width=80):
    out = StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(
        checked_text(result)
    )
    return out.getvalue()


def test_the_verdict_stands_first_then_each_part_then_the_moved_cuts():
    lines = drawn(checked()).splitlines()
    assert lines[0] == "BOUNDARIES MOVED: 7 cuts moved."
    assert lines[2] == "✓  gold        36 questions, each span in place"
    assert lines[4].startswith("✗  boundaries  7 cuts moved in 7 documents")
    assert lines[5].startswith("–  Recall@60t  not looked at")
    assert "d0.md: a chunk that starts at 10 in the lock starts at 12 now" in lines
    assert "locked  before old |after old" in lines
    assert "   now  before new |after" in lines
    assert "and 2 more, 7 in 7 documents" in lines
    assert lines[-3:] == [
        "To do: go back, or lock anew.",
        "! Other versions than in the lock: regex 1 → 2.",
        "! Few documents.",
    ]
    assert max(map(len, lines)) <= 80


def test_what_cannot_be_told_has_no_tick_and_is_no_failure():
    parts = (*PARTS[:2], Part("Recall@60t", "open", "difference −0.075, not separable"))
    result = checked(parts=parts, moves=Moves())
    assert "–  Recall@60t  difference −0.075" in drawn(result)
    assert "| ➖ | Recall" in checked_markdown(result)
    (suite,) = etree.fromstring(checked_junit(result).encode())
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "0")


def test_several_moves_of_one_document_are_shown_where_there_is_room():
    moves = Moves(tuple(move(i, "one.md") for i in range(4)), 1, 4)
    text = drawn(checked(moves=moves))
    assert text.count("one.md: a chunk that starts at") == 4
    assert "more," not in text


def test_cuts_that_are_gone_or_new_say_so():
    gone = Move("a.md", "end", Around(5, "x", "y"), None)
    new = Move("a.md", "start", None, Around(7, "x", "y"))
    text = drawn(checked(moves=Moves((gone, new), 1, 3)))
    assert "a.md: no chunk ends at 5 any more\nlocked  x|y\n" in text
    assert "a.md: a chunk starts at 7 now, where none does in the lock\n   now  x|y\n" in text


def test_of_a_check_that_passed_versions_are_not_worth_a_line():
    passed = checked(code=0, verdict="PASS", todo="", moves=Moves(), parts=PARTS[:2])
    assert "versions" not in drawn(passed)
    assert "To do" not in drawn(passed)
    assert "versions" not in checked_markdown(passed)
    assert "details" not in checked_markdown(passed)
    assert checked_annotations(passed, config=Path("s.toml"), golden=Path("g.jsonl")) == []


@pytest.mark.parametrize("make", [drawn, checked_markdown, checked_junit])
def test_text_from_outside_is_shown_and_does_nothing(make):
    text = make(hostile())
    assert "\x1b" not in text
    assert "␛" in text
    if make is checked_markdown:
        assert re.search(r"<(?!/?(details|summary|pre|code)>)", text.replace(r"\<", "")) is None
        assert r"\|\*x\*" in text
        assert r"\@you" in text
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert len(rows) == 1 + len(PARTS)


def test_markdown_folds_the_moved_cuts_and_says_what_to_do():
    text = checked_markdown(checked())
    assert text.startswith("## ❌ seamline check: BOUNDARIES MOVED\n\n7 cuts moved.\n")
    assert "| ❌ | boundaries | 7 cuts moved in 7 documents that did not change |" in text
    folded = text[text.index("<details>") : text.index("</details>")]
    assert "locked  before old |after old" in folded
    assert "**To do:** go back, or lock anew." in text
    assert text.endswith("Locked: <code>whole | bm25</code>\n")


# What Jenkins' junit-10 and GitLab take, as far as it is used here.
SCHEMA = """
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:complexType name="said" mixed="true">
    <xs:attribute name="type" type="xs:string"/>
    <xs:attribute name="message" type="xs:string"/>
  </xs:complexType>
  <xs:complexType name="case">
    <xs:choice minOccurs="0">
      <xs:element name="skipped" type="said"/>
      <xs:element name="failure" type="said"/>
    </xs:choice>
    <xs:attribute name="name" type="xs:string" use="required"/>
    <xs:attribute name="classname" type="xs:string"/>
  </xs:complexType>
  <xs:attributeGroup name="counts">
    <xs:attribute name="name" type="xs:string" use="required"/>
    <xs:attribute name="tests" type="xs:unsignedInt" use="required"/>
    <xs:attribute name="failures" type="xs:unsignedInt" use="required"/>
    <xs:attribute name="errors" type="xs:unsignedInt" use="required"/>
  </xs:attributeGroup>
  <xs:complexType name="suite">
    <xs:sequence>
      <xs:element name="testcase" type="case" maxOccurs="unbounded"/>
      <xs:element name="system-out" type="xs:string" minOccurs="0"/>
    </xs:sequence>
    <xs:attributeGroup ref="counts"/>
    <xs:attribute name="skipped" type="xs:unsignedInt"/>
  </xs:complexType>
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element name="testsuite" type="suite"/></xs:sequence>
      <xs:attributeGroup ref="counts"/>
    </xs:complexType>
  </xs:element>
</xs:schema>
"""


@pytest.mark.parametrize("result", [checked(), hostile()])
def test_junit_is_valid_and_counts_what_it_holds(result):
    root = etree.fromstring(checked_junit(result).encode())
    etree.XMLSchema(etree.fromstring(SCHEMA)).assertValid(root)
    (suite,) = root
    assert [case.get("name") for case in suite.iter("testcase")] == [p.name for p in PARTS]
    assert int(suite.get("tests")) == 4
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped")) == 1


def test_junit_has_the_moved_cuts_in_the_failure_and_no_times():
    text = checked_junit(checked())
    (failure,) = etree.fromstring(text.encode()).iter("failure")
    assert failure.get("type") == "BOUNDARIES MOVED"
    assert "before old |after old" in failure.text
    assert "time" not in text
    assert checked_junit(checked()) == text


def test_broken_gold_is_annotated_at_its_lines():
    faults = tuple(Fault(line, f"question 'q{line}': 50% off, see\nbelow") for line in range(1, 15))
    result = checked(code=3, verdict="BROKEN GOLD", faults=faults, moves=Moves())
    places = {"config": Path("/w/rag/seamline.toml"), "golden": Path("/w/rag/golden.jsonl")}
    lines = checked_annotations(result, **places, workspace=Path("/w"))
    assert len(lines) == 10
    assert lines[2] == (
        "::error file=rag/golden.jsonl,line=3,title=seamline check%3A BROKEN GOLD::"
        "question 'q3': 50%25 off, see␊below"
    )
    whole = checked(code=3, verdict="BROKEN GOLD", faults=(Fault(0, "no UTF-8"),), moves=Moves())
    (line,) = checked_annotations(whole, **places, workspace=Path("/w"))
    assert line.startswith("::error file=rag/golden.jsonl,title=")


def test_everything_else_is_annotated_at_the_config_file():
    given = {"config": Path("a,b/seamline.toml"), "golden": Path("golden.jsonl")}
    (line,) = checked_annotations(checked(), **given)
    assert line == (
        "::error file=a%2Cb/seamline.toml,title=seamline check%3A BOUNDARIES MOVED::"
        "7 cuts moved. Go back, or lock anew."
    )
