import pytest

from seamline.golden import expand_identical
from seamline.golden.anchor import anchor, find_all, is_whole
from seamline.golden.findings import Problem
from seamline.types import Document, Question, Span


def at(text, quote, **context):
    span = anchor(Document("d", text), quote, **context)
    assert text[span.start : span.end] == quote
    return span.start


@pytest.mark.parametrize(
    ("text", "start", "end", "whole"),
    [
        ("1308 games", 1, 4, False),
        ("308 games", 0, 3, True),
        ("in 308x", 3, 6, False),
        ("in 308.", 3, 6, True),
        ("今天天气好", 1, 3, True),
        ("a今b", 1, 2, True),
        ("", 0, 0, True),
        ("(word)", 1, 5, True),
    ],
)
def test_a_span_is_whole_when_it_cuts_no_word(text, start, end, whole):
    assert is_whole(text, start, end) is whole


def test_occurrences_do_not_overlap():
    assert find_all("aaaa", "aa") == [0, 2]
    assert find_all("abc", "x") == []


def test_a_long_quote_that_stands_once_needs_no_context():
    quote = "a long enough quotation"
    assert at(f"now {quote} here", quote, before="something else", after="entirely") == 4


def test_a_short_quote_that_stands_once_needs_its_context_if_it_brings_one():
    assert at("gave up 308 points", "308") == 8
    assert at("gave up 308 points", "308", before="gave up ", after=" goals") == 8
    with pytest.raises(Problem, match="occurs once, at 5, and no one place fits"):
        at("room 308, second floor", "308", before="gave up ", after=" points")


def test_the_best_context_wins_if_at_least_half_of_it_agrees():
    text = "red box is 5. blue box is 5. green box is 5."
    assert at(text, "5", before="blue box is ") == text.index("5. green")
    assert at(text, "5", before="green box is ", after=".") == text.rindex("5")
    with pytest.raises(Problem, match="occurs 3 times, at 11, 26, 42"):
        at(text, "5", before="something wholly other: ")
    with pytest.raises(Problem, match="no one place fits its context best"):
        at(text, "5", before=" box is ")


def test_places_inside_words_count_only_where_there_is_no_other():
    assert at("catalogue of a cat", "cat") == 15
    assert at("catalogue", "cat") == 0


def test_without_context_several_places_are_ambiguous():
    with pytest.raises(Problem, match="occurs 7 times, at 0, 2, 4, 6, 8, …") as caught:
        at("a a a a a a a", "a")
    assert caught.value.code == "ambiguous"


def question(*slots, number=1, doc_id="a.md"):
    spans = tuple(tuple(Span(*span) for span in slot) for slot in slots)
    return Question(f"q{number}", doc_id, "?", spans)


def test_identical_passages_become_alternatives():
    a = Document("a.md", "Press F5. Then F5 again, not F50.")
    b = Document("b.md", "F5 is a key. Then rest.")
    questions = [
        question([(6, 8)], number=1),
        question([(10, 14)], number=2),
        question([(25, 28)], number=3),
        question(number=4),
    ]
    found = expand_identical(questions, [a, b])
    assert found.questions[0].slots == ((Span(6, 8), Span(15, 17)),)
    assert found.questions[1:] == tuple(questions[1:])
    assert (found.touched, found.elsewhere) == (1, 2)


def test_an_occurrence_that_overlaps_the_slots_gold_is_none():
    text = "na na na na"
    found = expand_identical([question([(0, 5)])], {"a.md": Document("a.md", text)})
    assert found.questions[0].slots == ((Span(0, 5), Span(6, 11)),)


def test_expansion_of_nothing():
    found = expand_identical([], [Document("a.md", "x")])
    assert (found.questions, found.touched, found.elsewhere) == ((), 0, 0)
