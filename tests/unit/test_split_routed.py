"""Each kind of region by the strategy that is named for it."""

import pytest

from seamline.errors import InvalidConfig, UnknownName
from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.testing import check_strategy
from seamline.types import Document

TEXT = """# Plans

We sell two plans. Both renew each year. Ask the desk for a quote.

## Questions

Q: Is there a fee?
A: No. There never was one.

Q: May I leave?
A: At any time.

## Prices

| Plan | Fee |
|---|---|
| Basic | $5 |
| Plus | $9 |

## Steps

1. Call us.
2. Sign.
"""


def markdown(text=TEXT):
    return parse_text(text, media_type="text/markdown")


def texts(spec, document=None):
    return [one.text for one in parse_strategy(spec).split(document or markdown())]


def test_each_kind_of_region_goes_its_way():
    found = texts("routed(prose=sentence, questions=whole, tables=table_rows, other=whole)")
    assert found == [
        "# Plans\n\nWe sell two plans. Both renew each year. Ask the desk for a quote.",
        TEXT[TEXT.index("## Questions") : TEXT.index("\n\n## Prices")],
        "## Prices\n\n| Plan | Fee |\n|---|---|\n| Basic | $5 |",
        "| Plus | $9 |",
        "## Steps\n\n1. Call us.\n2. Sign.",
    ]


def test_parameters_of_a_route_are_quoted_and_parse_back():
    strategy = parse_strategy('routed(prose="sentence(size=6)", questions=whole)')
    assert str(parse_strategy(str(strategy))) == str(strategy)
    assert [one.text for one in strategy.split(markdown())][:4] == [
        "# Plans",
        "We sell two plans.",
        "Both renew each year.",
        "Ask the desk for a",
    ]


def test_rows_are_indexed_as_sentences_and_the_rest_with_its_headings():
    found = parse_strategy("routed(prose=sentence, questions=whole)").split(markdown())
    indexed = {one.text: one.indexed for one in found}
    assert indexed["| Plus | $9 |"].endswith("The Plus plan has a fee of $9.")
    (asked,) = [said for text, said in indexed.items() if "May I leave?" in text]
    assert asked.startswith("Plans")
    bare = parse_strategy("routed(questions=whole, prefix=false)").split(markdown())
    assert all(one.indexed_as is None for one in bare if one.text.startswith("## Q"))


def test_parents_and_places_are_the_documents_own():
    text = "First page. It is short.\n\f\nSecond page. It is short too. " + "More of it. " * 40
    document = Document.from_text(text)
    found = parse_strategy('routed(prose="hierarchical(parent=64, size=8)")').split(document)
    for one in found:
        assert one.parent is not None
        assert one.parent.start <= one.start < one.end <= one.parent.end
    assert found[0].metadata["page_range"] == (1, 1)
    assert found[-1].metadata["page_range"] == (2, 2)


def test_why_names_the_strategy_of_the_route():
    strategy = parse_strategy("routed(prose=sentence, questions=whole, other=adaptive)")
    assert (
        strategy.reason("prose") == "as sentence(size=256, overlap=0) cuts, whatever the structure"
    )
    assert strategy.reason("questions and answers").startswith("as whole cuts")
    assert "a row a chunk" in strategy.reason("table")
    assert strategy.reason("steps") == parse_strategy("adaptive").reason("steps")


@pytest.mark.parametrize("spec", ["routed(other=routed)", 'routed(prose="routed(other=whole)")'])
def test_a_route_is_another_strategy(spec):
    with pytest.raises(InvalidConfig, match="a route must be the spec of another strategy"):
        parse_strategy(spec)


def test_an_unknown_route_is_refused_at_once():
    with pytest.raises(UnknownName, match="recursive"):
        parse_strategy("routed(prose=recursiv)")
    with pytest.raises(InvalidConfig, match="tables"):
        parse_strategy("routed(tables=5)")


def test_a_model_is_asked_only_where_semantic_cuts():
    told = []

    class Asked:
        name, dimension = "asked", 2

        def embed_documents(self, given):
            import numpy as np

            told.extend(given)
            return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(given), 1))

        embed_queries = embed_documents

    parse_strategy("routed", embedder=Asked()).split(markdown())
    assert told
    assert not any("We sell" in one or "Basic" in one for one in told)


def test_the_laws_hold():
    found = check_strategy(parse_strategy("routed(questions=sentence)"), markdown())
    assert "".join("".join(one.text for one in found).split()) == "".join(TEXT.split())


def test_the_cuts_are_those_of_the_chunks():
    strategy, document = parse_strategy("routed(questions=whole)"), markdown()
    chunks = strategy.split(document)
    assert strategy.cut(document) == ([c.start for c in chunks], [c.end for c in chunks])
