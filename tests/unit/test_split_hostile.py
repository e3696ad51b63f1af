"""What breaks splitters that look at structure: odd tables, depth, characters over the limit."""

import pickle

import pytest

from seamline.errors import InvalidConfig, InvalidDocument
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


@pytest.mark.parametrize(
    "blocks",
    [
        None,
        7,
        (None,),
        (Block("table", Span(0, 100)),),
        (Block("heading", Span(0, 2), level="1"),),
        (Block("heading", Span(0, 2), title=None),),
        (Block(3, Span(0, 2)),),
    ],
)
def test_blocks_that_cannot_be_are_refused_at_once(blocks):
    with pytest.raises(InvalidDocument, match="the blocks of document 'x' must be"):
        Document("x", "Hi.", blocks)


@pytest.mark.parametrize("spec", ["fixed(size=50)", "adaptive", "hierarchical(size=50)"])
def test_an_empty_heading_ends_nothing(spec):
    document = Document("x", "Hi", (Block("heading", Span(0, 0), 1, "A"),))
    (chunk,) = parse_strategy(spec).split(document)
    assert chunk.text == "Hi"


def test_sections_of_hierarchical_never_begin_inside_a_character():
    for text in ("x\n\n \u0301a\n===\n\nfoo bar", " \u0301a\n===\nfoo"):
        for chunk in check_strategy(parse_strategy("hierarchical(size=50)"), markdown(text)):
            assert chunk.parent.start <= chunk.start < chunk.end <= chunk.parent.end


def test_headings_without_text_are_over_the_first_text_below():
    text = "# h\n\n" * 3_000 + "End."
    last = parse_strategy("fixed(size=50)").split(markdown(text))[-1]
    assert last.metadata["headings"] == ("h",)


def test_a_turn_that_answers_has_the_question_before_it_as_context():
    text = "Alice: Welcome to all of you.\n\nBob: Thanks, good to be here with the numbers.\n\n"
    text += "Alice: How much did we spend on travel?\n\n"
    text += "Bob: About forty thousand, most of it in spring, when the fairs were held and all of "
    text += "the people in sales flew out to see customers. It will be less next year.\n\n"
    text += "Carol: Good.\n\nAlice: And on tools?\n\nBob: Nine thousand.\n"
    chunks = parse_strategy("structure(size=60)").split(parse_text(text))
    (answer,) = [chunk for chunk in chunks if chunk.text.startswith("Bob: About")]
    assert answer.context == "Alice: How much did we spend on travel?"
    parted = parse_strategy("structure(size=48)").split(parse_text(text))
    for chunk in parted:
        if chunk.text.startswith("It will be less"):
            assert chunk.context == "Alice: How much did we spend on travel?\nBob:"


def test_steps_are_called_by_their_own_numbers():
    text = "".join(f"{n}. Turn valve {n} until it is quite closed.\n" for n in range(5, 12))
    _, *later = parse_strategy("structure(size=24)").split(markdown(text))
    for chunk in later:
        before = int(chunk.text.partition(".")[0]) - 1
        assert chunk.context == f"(after step {before})"


def test_a_blank_first_row_that_does_not_fit_with_its_header_is_no_chunk():
    for size in range(1, 9):
        strategy = parse_strategy(f"table_rows(size={size}, unit=characters)")
        for chunk in check_strategy(strategy, markdown("|a|\n|-|\n\u00a0\n|b|\n")):
            assert chunk.start < chunk.end


def test_blocks_in_columns_look_and_hash_as_the_tuple_of_them():
    rows = Block("rule", Span(0, 3)), Block("paragraph", Span(5, 8))
    columns = Document("x", "--- and", (rows[0],)).columns
    assert repr(columns) == repr(rows[:1])
    assert hash(columns) == hash(rows[:1])
    assert pickle.loads(pickle.dumps(columns)) == columns == rows[:1]
