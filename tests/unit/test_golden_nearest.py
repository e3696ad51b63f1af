import pytest

from seamline.golden.nearest import nearest

TEXT = (
    "Invoices are paid within thirty days of receipt. A late payment bears interest at four per "
    "cent a year, counted from the due date.\n\n“Receipt” means the day on which the invoice "
    "reaches our office — not the day it was sent.\n\n"
    "订单在收到后三十天内付款\uff0c逾期付款按年利率百分之四计息。\n"
)


def passage(quote, text=TEXT):
    found = nearest(text, [quote])[0]
    return None if found is None else text[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Invoices are payed within thirty days", "Invoices are paid within thirty days"),
        ("INVOICES ARE PAID WITHIN THIRTY DAYS", "Invoices are paid within thirty days"),
        (
            "late payments bear interest at four percent a year",
            "late payment bears interest at four per cent a year",
        ),
        ('"Receipt" means the day', "“Receipt” means the day"),
        (
            "reaches our office - not the day it was send",
            "reaches our office — not the day it was sent",
        ),
        ("订单在收到後三十天内付款", "订单在收到后三十天内付款"),
        ("thirty days of reciept", "thirty days of receipt"),
    ],
)
def test_the_most_similar_passage_is_found_in_whole_words(quote, expected):
    assert passage(quote) == expected


@pytest.mark.parametrize(
    "quote", ["", "x", "qqqq zzzz vvvv", "Entirely different subject matter", "完全不同"]
)
def test_where_nothing_is_similar_there_is_nothing(quote):
    assert passage(quote) is None


def test_the_middle_may_have_grown():
    old = (
        "The first sentence of the rule stays as it was. And the last sentence stays too, "
        "word for word."
    )
    new = old.replace("And the", "In between a new one has been put by an editor. And the")
    assert passage(old, f"Before it. {new} After it.") == new


def test_many_quotes_are_answered_in_order():
    quotes = ["paid within thirty day", "nothing like it at all", "reaches our ofice"]
    found = nearest(TEXT, quotes)
    assert [near and TEXT[near.span.start : near.span.end] for near in found] == [
        "paid within thirty days",
        None,
        "reaches our office",
    ]
    assert 60 <= found[0].score <= 100
    assert nearest(TEXT, []) == []
    assert nearest("", quotes) == [None] * 3


def test_the_earlier_of_two_equal_places_is_taken():
    text = "the quick brown fox. " * 3
    assert nearest(text, ["the quikc brown fox"])[0].span.start == 0


def test_a_text_whose_lower_case_is_longer_keeps_its_offsets():
    text = "İstanbul " * 3 + "is where the meeting was held in the spring"
    assert passage("where the meeting was hold in the spring", text) == (
        "where the meeting was held in the spring"
    )


def test_a_passage_inside_an_endless_word_grows_only_so_far():
    meant = "the passage that is meant, which is long enough to stay similar to what was asked for"
    text = "x" * 500 + meant + "y" * 500
    found = nearest(text, [meant.replace("that", "thet")])[0]
    assert text[found.span.start : found.span.end].strip("xy") == meant
    assert len(found.span) <= len(meant) + 2 * 24
