from hypothesis import given
from hypothesis import strategies as st

from seamline.golden.nearest import nearest
from seamline.golden.search import QuoteIndex

texts = st.text(alphabet="abA é漢😀\n", max_size=80)


@given(texts, st.lists(st.text(alphabet="abA é漢😀\n", min_size=1, max_size=20), max_size=6))
def test_quotes_are_found_wherever_they_start(text, quotes):
    quotes += [text[start : start + 9] for start in range(0, len(text), 17)]
    expected = {
        quote: [start for start in range(len(text)) if text.startswith(quote, start)]
        for quote in quotes
    }
    found = QuoteIndex(quotes).find(text)
    assert found == {quote: starts for quote, starts in expected.items() if starts}
    limited = QuoteIndex(quotes).find(text, limit=2)
    assert limited == {quote: starts[:2] for quote, starts in found.items()}


@given(st.integers(0, 400_000), st.text(alphabet="xyz", min_size=1, max_size=40))
def test_a_quote_is_found_across_the_borders_of_blocks(start, quote):
    text = "." * start + quote + "." * (400_000 - start)
    assert QuoteIndex([quote, quote + "!"]).find(text) == {quote: [start]}


@given(texts, st.lists(texts, max_size=3))
def test_the_nearest_passage_lies_in_the_text(text, quotes):
    for found in nearest(text, quotes):
        assert found is None or 0 <= found.span.start < found.span.end <= len(text)
        assert found is None or 60 <= found.score <= 100
