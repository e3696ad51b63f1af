"""What breaks splitters that look at structure: odd tables, depth, characters over the limit."""

import pytest

from seamline.errors import InvalidConfig
from seamline.parse import parse_text
from seamline.sizers import parse_sizer
from seamline.sizers.rulers import BpeRuler
from seamline.split import parse_strategy
from seamline.split.atoms import find_atoms
from seamline.testing import check_strategy
from seamline.types import Block, Document, Span


def markdown(text):
    return parse_text(text, media_type="text/markdown")


@pytest.mark.parametrize(
    "text",
    [
        "|A|\n|-|\n|a\nb",
        "| Name |\n|---|\n| a\nNote: see below",
        "A\n-\n|a\nb",
        "|A\n|-\n|a\n|b",
        "|\n-|\n:\n\u00a0\n",
        "|A|\n|-|\n|\n||\n| |",
    ],
)
@pytest.mark.parametrize("spec", ["table_rows", "routed(questions=sentence)"])
def test_tables_of_one_column_and_torn_rows_are_cut(text, spec):
    chunks = check_strategy(parse_strategy(spec), markdown(text))
    assert all(chunk.text.strip() for chunk in chunks)


@pytest.mark.parametrize("spec", ["adaptive(size=5, target=3)", "structure(size=5)"])
@pytest.mark.parametrize(
    "large", ["\U0001f469\u200d", "\U0001f469\u200d\U0001f469\u200d\U0001f467"]
)
def test_a_context_never_takes_a_chunk_over_the_limit(spec, large):
    strategy, sizer = parse_strategy(spec), parse_sizer("tokens")
    text = f"==\n{large}|.\n2|:\n\n| ab | cd |\n|----|----|\n| {large} | x |\n| y | {large} |\n"
    for document in (markdown(text), parse_text(text)):
        for chunk in strategy.split(document):
            if chunk.context:
                assert sizer.size(chunk.text) + sizer.size(f"{chunk.context}\n") <= 5


class Counted(BpeRuler):
    """A ruler that says how many characters it was asked about."""

    asked = 0

    def size(self, start, end):
        self.asked += end - start
        return BpeRuler.size(self, start, end)


@pytest.mark.parametrize("kind", ["list", "definition", "qa_pair"])
def test_blocks_in_each_other_are_not_all_measured(kind):
    n = 3_000
    text = "- " * n + "x" * n
    blocks = [Block(kind, Span(2 * at, len(text)), at + 1) for at in range(n)]
    sizer = parse_sizer("tokens")
    ruler = Counted(text, sizer.size, sizer.ends(text))
    find_atoms(
        Document.from_text(text, blocks=blocks),
        ruler,
        most=512,
        whole={kind: 512},
        cut=lambda start, end: ([start], [end]),
        sure=0,
    )
    assert 0 < ruler.asked < 60 * len(text)


def test_a_target_over_the_limit_is_refused_by_the_numbers_given():
    with pytest.raises(InvalidConfig, match="target=600 with size=512"):
        parse_strategy("adaptive(target=600)")
    assert parse_strategy("adaptive(size=9)").target == 9
    assert parse_strategy("adaptive(unit=characters)").target == 256
