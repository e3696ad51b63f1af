"""Strategies: parameters, strings, presets, errors, parents, foreign splitters."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from seamline.errors import AlignmentError, InvalidConfig, UnknownName
from seamline.parse import parse_text
from seamline.sizers import make_ruler, parse_sizer
from seamline.split import PRESETS, STRATEGIES, Foreign, align, parse_strategy
from seamline.split.headings import section_starts
from seamline.split.levels import Offsets, levels_of
from seamline.split.pack import pack
from seamline.split.semantic import Semantic, semantic_seams
from seamline.split.sentences import sentence_ends
from seamline.types import Chunk, Document, Seams


class Topics:
    """Embeds a sentence by the first letter of its subject: a, b, c are orthogonal."""

    fingerprint = "topics"

    def __init__(self):
        self.calls = []

    def embed_documents(self, texts):
        self.calls.append(list(texts))
        return np.eye(3, dtype=np.float32)[["abc".index(text.strip()[0].lower()) for text in texts]]

    embed_queries = embed_documents


A, B, C = "Ants are small. ", "Bees make honey. ", "Cats sleep long. "


# Strings


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_every_strategy_is_a_string_that_parses_back(name):
    strategy = parse_strategy(name, embedder=Topics())
    again = parse_strategy(str(strategy), embedder=Topics())
    assert str(again) == str(strategy)
    assert again == strategy


@pytest.mark.parametrize(("preset", "spec"), PRESETS.items())
def test_every_preset_is_canonical(preset, spec):
    assert str(parse_strategy(preset, embedder=Topics())) == str(
        parse_strategy(spec, embedder=Topics())
    )
    assert str(parse_strategy(spec, embedder=Topics())) == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("recursiv", "did you mean 'recursive'"),
        ("recursive(sise=3)", "did you mean 'size'"),
    ],
)
def test_an_unknown_name_is_answered_with_a_suggestion(spec, message):
    with pytest.raises(UnknownName, match=message):
        parse_strategy(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "fixed(size=200, overlap=256)",
            "overlap must be smaller than size, got overlap=256 with size=200",
        ),
        ("fixed(size=0, overlap=0)", "size must be a whole number of at least 1, got 0"),
        ("fixed(size=1.5)", "size must be a whole number of at least 1, got 1.5"),
        ("fixed(size=true)", "got True"),
        ("fixed(size=10, overlap=-1)", "overlap must be a whole number of at least 0, got -1"),
        ("sliding(size=10, step=11)", "step must be at most size, got step=11 with size=10"),
        ("recursive(size=100, overlap=0, separators=best)", "separators must be"),
        ('recursive(size=100, overlap=0, separators=["re:("])', "must be a regular expression"),
        ("recursive(size=9, overlap=0, separators=[1])", "separators must be"),
        ("hierarchical(parent=100, size=100)", "size must be smaller than parent"),
        ("hierarchical(parent=chapters)", "parent must be 'sections' or a size"),
        ("semantic(threshold=0.5, percentile=80)", "one criterion"),
        ("semantic(threshold=2)", "threshold must be a number from -1 to 1, got 2"),
        ("semantic(size=10, floor=10)", "floor must be smaller than size"),
        ("fixed(unit=tokenz)", "unit must be one of"),
        ("fixed(unit=5)", "unit must be a name, .* got 5"),
        ("fixed(unit=true)", "unit must be a name, .* got True"),
        ("fixed(unit=[])", r"unit must be a name, .* got \[\]"),
        ("recursive(separators=none)", "separators must be .* got None"),
        ("recursive(separators=5)", "separators must be .* got 5"),
        ("semantic(minima=no)", "minima must be true or false, got 'no'"),
        ("semantic(minima=1)", "minima must be true or false, got 1"),
        ("semantic(threshold=true)", "threshold must be a number"),
        ("semantic(threshold=high)", "threshold must be a number"),
    ],
)
def test_a_parameter_that_cannot_work_is_refused_where_it_enters(spec, message):
    with pytest.raises(InvalidConfig, match=message.replace("(", r"\(")):
        parse_strategy(spec)


def test_ids_are_the_same_in_another_process():
    program = (
        "from seamline.split import parse_strategy; from seamline.types import Document;"
        "print([c.id for c in parse_strategy('recursive(size=4, overlap=1)').split(Document.from_text('one two. ' * 9))])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1
    chunks = parse_strategy("recursive(size=4, overlap=1)").split(
        Document.from_text("one two. " * 9)
    )
    assert runs == {f"{[chunk.id for chunk in chunks]}\n"}
    assert pickle.loads(pickle.dumps(chunks)) == chunks


# Windows


def test_the_tail_and_short_documents_are_covered():
    strategy = parse_strategy("sliding(size=4, step=2, unit=words)")
    words = [f"w{i}" for i in range(7)]
    chunks = strategy.split(Document.from_text(" ".join(words)))
    assert [chunk.text.split() for chunk in chunks] == [words[0:4], words[2:6], words[4:7]]
    assert [chunk.text for chunk in strategy.split(Document.from_text("w0 w1"))] == ["w0 w1"]


@pytest.mark.parametrize(("size", "overlap"), [(8, 0), (8, 3), (8, 7)])
def test_fixed_windows_start_every_size_minus_overlap(size, overlap):
    text = " ".join(f"w{i}" for i in range(50))
    chunks = parse_strategy(f"fixed(size={size}, overlap={overlap}, unit=words)").split(
        Document.from_text(text)
    )
    firsts = [int(chunk.text.split()[0][1:]) for chunk in chunks]
    assert firsts == list(range(0, firsts[-1] + 1, size - overlap))
    assert all(len(chunk.text.split()) == size for chunk in chunks[:-1])


def test_a_heading_begins_a_chunk_and_its_tail_stays_in_its_section():
    text = "## One\n\n" + "alpha " * 30 + "\n\n## Two\n\nbeta"
    document = Document.from_text(text, media_type="text/markdown")
    chunks = parse_strategy("recursive(size=100, overlap=0, unit=characters)").split(document)
    assert chunks[-1].text == "## Two\n\nbeta"
    assert not any("alpha" in chunk.text and "## Two" in chunk.text for chunk in chunks)


# Hierarchy


def test_headings_with_nothing_between_open_one_section():
    document = parse_text(
        "# Book\n\n## Part\n\nText.\n\n## Next\n\nMore.\n", media_type="text/markdown"
    )
    assert section_starts(document) == [0, document.text.index("## Next")]


@pytest.mark.parametrize(
    "line",
    ["Section 2. Scope", "2.1 Scope of work", "ARTICLE IV", "\u00a7 3 Scope", "2. Scope of work\n"],
)
def test_numbered_sections_count_where_there_are_no_headings(line):
    text = f"Preamble here.\n\n{line}\n\nBody text.\n"
    assert section_starts(Document.from_text(text)) == [text.index(line)]


def test_list_items_are_no_sections():
    assert (
        section_starts(Document.from_text("Do this:\n\n1. Open the valve.\n2. Close it.\n")) == []
    )


def test_a_document_without_sections_gets_parents_by_size():
    document = Document.from_text("One two three. " * 400)
    chunks = parse_strategy("hierarchical(size=64)").split(document)
    parents = {chunk.parent for chunk in chunks}
    sizer = parse_sizer("tokens")
    assert len(parents) > 1
    assert all(sizer.size(document.text[p.start : p.end]) <= 512 for p in parents)


def test_text_before_the_first_heading_has_a_parent_too():
    document = parse_text("Intro.\n\n# One\n\nBody.\n", media_type="text/markdown")
    chunks = parse_strategy("hierarchical").split(document)
    assert [(chunk.text, chunk.parent.start) for chunk in chunks] == [
        ("Intro.", 0),
        ("# One\n\nBody.", 8),
    ]


# Semantic


def test_semantic_cuts_where_the_subject_turns_and_embeds_each_sentence_once():
    embedder = Topics()
    text = A * 3 + B * 2 + C
    chunks = parse_strategy("semantic(threshold=0.5)", embedder=embedder).split(
        Document.from_text(text)
    )
    assert [chunk.text for chunk in chunks] == [(A * 3).strip(), (B * 2).strip(), C.strip()]
    assert [len(call) for call in embedder.calls] == [6]


@pytest.mark.parametrize(
    "criterion", ["threshold=0.5", "distance=0.35", "percentile=50", "minima=true"]
)
def test_each_criterion_finds_the_turn(criterion):
    strategy = parse_strategy(f"semantic({criterion})", embedder=Topics())
    assert [c.text for c in strategy.split(Document.from_text(A * 3 + B * 3))] == [
        (A * 3).strip(),
        (B * 3).strip(),
    ]


def test_the_size_limit_holds_where_nothing_turns():
    strategy = parse_strategy("semantic(size=20, threshold=0.5)", embedder=Topics())
    chunks = strategy.split(Document.from_text(A * 40))
    assert all(parse_sizer("tokens").size(chunk.text) <= 20 for chunk in chunks)
    assert all(chunk.text.endswith(".") for chunk in chunks)


@pytest.mark.parametrize("tail", ["", B])
def test_runs_under_the_floor_join_a_neighbour(tail):
    strategy = parse_strategy("semantic(threshold=0.5, floor=10)", embedder=Topics())
    chunks = strategy.split(Document.from_text(A + B + A * 3 + C * 3 + tail))
    assert all(parse_sizer("tokens").size(chunk.text) >= 10 for chunk in chunks)


def test_a_window_smooths_a_single_odd_sentence():
    narrow = parse_strategy("semantic(threshold=0.2)", embedder=Topics())
    wide = parse_strategy("semantic(threshold=0.2, window=3)", embedder=Topics())
    text = Document.from_text(A * 4 + B + A * 4)
    assert len(narrow.split(text)) == 3
    assert len(wide.split(text)) == 1


def test_semantic_without_an_embedder_says_what_to_do():
    with pytest.raises(InvalidConfig, match="needs an embedder"):
        Semantic().split(Document.from_text(A))


def test_one_sentence_has_no_seams():
    assert len(semantic_seams(A, sentence_ends(A), Topics())) == 0
    assert [c.text for c in Semantic(embedder=Topics()).split(Document.from_text(A))] == [A.strip()]


# Seams of one's own


def test_columnar_seams_cut_the_strongest_first():
    text = "aa bb cc dd ee ff"
    seams = Seams.of([5, 8, 11, 14], [1.0, 3.0, 1.0, 2.0])
    cuts = pack(text, levels_of(seams), make_ruler(parse_sizer("characters"), text), 12)
    assert [text[a:b] for a, b in zip(*cuts, strict=True)] == ["aa bb cc", "dd ee ff"]


def test_offsets_know_the_next_cut():
    level = Offsets([3, 9])
    assert [level.next(low, 12) for low in (0, 3, 9)] == [3, 9, 12]
    assert level.last(9, 12) == -1


# Foreign splitters


class Lines:
    """A splitter without offsets."""

    def split_text(self, text):
        return [line.upper() if line == "shout" else line for line in text.split("\n")]


class Halves:
    """A splitter that makes chunks itself."""

    name = "halves"

    def __init__(self, shift=0):
        self.shift = shift

    def split(self, document):
        middle = len(document.text) // 2
        spans = [(0, middle), (middle, len(document.text))]
        return [
            Chunk(document.id, s, e, document.text[s + self.shift : e], i)
            for i, (s, e) in enumerate(spans)
        ]


def test_strings_are_placed_after_one_another():
    document = Document.from_text("OK\nOK\nFAIL\nOK\n")
    chunks, exact = Foreign(Lines()).split_counted(document)
    assert [chunk.span.start for chunk in chunks] == [0, 3, 6, 11]
    assert exact == 4


def test_overlapping_strings_are_placed_before_the_end_of_the_one_before():
    document = Document.from_text("one two three four one two")
    chunks, exact = align(document, ["one two three", "three four", "four one two"])
    assert [document.text[c.start : c.end] for c in chunks] == [
        "one two three",
        "three four",
        "four one two",
    ]
    assert [c.start for c in chunks] == [0, 8, 14]
    assert exact == 3


def test_changed_white_space_is_aligned_but_not_exact():
    document = Document.from_text("one\n\n  two   three")
    chunks, exact = align(document, ["one two", "three"])
    assert [c.text for c in chunks] == ["one\n\n  two", "three"]
    assert exact == 1


def test_a_string_that_is_not_there_is_named():
    with pytest.raises(AlignmentError, match=r"chunk 0 of 'text'.*'SHOUT'"):
        Foreign(Lines()).split(Document.from_text("shout"))


def test_chunks_of_a_foreign_splitter_are_checked():
    document = Document.from_text("abcdef")
    strategy = Foreign(Halves())
    assert str(strategy) == "halves"
    assert [chunk.text for chunk in strategy.split(document)] == ["abc", "def"]
    with pytest.raises(AlignmentError, match="have its document's text"):
        Foreign(Halves(shift=1)).split(document)


def test_an_object_without_split_is_refused():
    with pytest.raises(InvalidConfig, match=r"split\(document\) or split_text\(text\)"):
        Foreign(object())


def test_any_alias_or_sizer_object_is_a_unit():
    sizer = parse_sizer("words")
    assert parse_sizer(sizer) is sizer
    assert str(parse_strategy("fixed(size=9, overlap=0, unit=o200k_base)")) == (
        "fixed(size=9, overlap=0, unit=o200k_base)"
    )


def test_a_separator_of_ones_own_may_be_a_pattern_that_looks_around():
    document = Document.from_text("a1;b22;c333;d4444")
    strategy = parse_strategy(
        'recursive(size=8, overlap=0, unit=characters, separators=["re:(?<=;)"])'
    )
    assert [chunk.text for chunk in strategy.split(document)] == ["a1;b22;", "c333;", "d4444"]


def test_indentation_that_fills_a_chunk_is_dropped():
    for spec in (
        "recursive(size=8, overlap=0, unit=characters)",
        "recursive(size=8, overlap=2, unit=characters)",
    ):
        chunks = parse_strategy(spec).split(Document.from_text("x\n    " + "y" * 30))
        assert not any(chunk.text.isspace() for chunk in chunks)
        assert "".join(chunk.text.strip() for chunk in chunks if chunk.start > 1).startswith("yyyy")


def test_abbreviations_before_numbers_and_maybe_ends():
    text = "See No. 5 and Fig. 3. It is Acme Inc. The firm grew. He met J. R. Smith. 1. Done etc. No more"
    pieces = [
        text[a:b].strip()
        for a, b in zip([0, *sentence_ends(text)], [*sentence_ends(text), len(text)], strict=True)
    ]
    assert pieces == [
        "See No. 5 and Fig. 3.",
        "It is Acme Inc.",
        "The firm grew.",
        "He met J. R. Smith.",
        "1.",
        "Done etc.",
        "No more",
    ]


def test_a_pattern_far_away_is_found_once_and_remembered():
    text = "a" * 30 + ";" + "b" * 30 + ";" + "c" * 5
    strategy = parse_strategy('recursive(size=8, overlap=0, unit=characters, separators=["re:;"])')
    chunks = strategy.split(Document.from_text(text))
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.text for chunk in chunks][3] == "aaaaaa;"


def test_a_mark_after_white_space_ends_a_sentence_too():
    assert sentence_ends("One . Two").tolist() == [5]


def test_repeated_pieces_inside_the_last_one_are_passed_over():
    chunks, exact = align(Document.from_text("ab ab ab | ab ab"), ["ab ab ab", "ab ab"])
    assert [chunk.start for chunk in chunks] == [0, 11]
    assert exact == 2


def test_very_short_sentences_are_embedded_with_a_neighbour():
    embedder = Topics()
    text = "## A heading\n\n" + A + "Yes. " + B * 2
    chunks = parse_strategy("semantic(threshold=0.5)", embedder=Shifted(embedder)).split(
        Document.from_text(text)
    )
    assert embedder.calls == [["A heading " + A + "Yes.", B.strip(), B.strip()]]
    assert [chunk.text for chunk in chunks] == [text[: text.index(B)].strip(), (B * 2).strip()]


class Shifted:
    """Drops a heading's marks, so that the topic is the first letter again."""

    fingerprint = "shifted"

    def __init__(self, embedder):
        self.embedder = embedder

    def embed_documents(self, texts):
        return self.embedder.embed_documents([text.lstrip("# ") for text in texts])

    embed_queries = embed_documents


@pytest.mark.parametrize("name", ["fixed", "recursive"])
@pytest.mark.parametrize(("size", "overlap"), [(512, 64), (64, 8), (7, 0), (1, 0)])
def test_overlap_is_an_eighth_of_the_size_unless_given(name, size, overlap):
    strategy = parse_strategy(f"{name}(size={size})")
    assert str(strategy) == f"{name}(size={size}, overlap={overlap})"
    assert strategy == parse_strategy(str(strategy))


def test_parameters_given_with_a_preset_replace_its_own():
    assert (
        str(parse_strategy("fixed-512-50(unit=words)")) == "fixed(size=512, overlap=50, unit=words)"
    )
    with pytest.raises(UnknownName, match="'fixed' has no parameter 'sise'; did you mean 'size'"):
        parse_strategy("fixed-512-50(sise=3)")


@pytest.mark.parametrize(
    "unit", ["\U0001f1e9\U0001f1ea", "\u304b\u3099", "a\u0301", "1\ufe0f\u20e3", "\u0915\u094d"]
)
@pytest.mark.parametrize(
    "spec",
    [
        "recursive(size=64, overlap=8)",
        "fixed(size=64, overlap=16)",
        "recursive(size=64, overlap=16, unit=characters)",
        "sliding(size=64, step=32)",
    ],
)
def test_long_runs_of_clusters_are_cut_in_linear_time(unit, spec):
    """They take half a second; a border sought from far back would take minutes."""
    document = Document.from_text(unit * (100_000 // len(unit)))
    chunks = parse_strategy(spec).split(document)
    borders = range(0, len(document.text) + 1, len(unit))
    inside = [c for c in chunks if c.start not in borders or c.end not in borders]
    assert not inside or unit == "\u0915\u094d"
    assert chunks[-1].end == len(document.text)


def test_a_pattern_without_a_match_ahead_leaves_the_piece_to_finer_ones():
    text = "one, two three four five six seven eight nine ten"
    strategy = parse_strategy(
        'recursive(size=12, overlap=0, unit=characters, separators=["re:,\\\\s", "re:;", " "])'
    )
    chunks = strategy.split(Document.from_text(text))
    assert [chunk.text for chunk in chunks][:2] == ["one,", "two three"]


def test_sentence_marks_with_nothing_before_or_after():
    assert sentence_ends(". Then").tolist() == [1]
    assert sentence_ends("No.").tolist() == [3]
    assert [
        c.text
        for c in parse_strategy("recursive(size=4, overlap=0)").split(
            Document.from_text("a b c.\nd e f. g")
        )
    ]


@pytest.mark.parametrize(
    ("media_type", "first"),
    [
        ("text/markdown", "Read."),
        ("application/x-ipynb+json", "Read."),
        ("application/vnd.ms-excel", "Read.\n\n## Oil\n\nThick."),
        ("application/vnd.oasis.opendocument.spreadsheet", "Read.\n\n## Oil\n\nThick."),
        ("text/plain", "Read.\n\n## Oil\n\nThick.\n\n# B"),
        ("text/html", "Read.\n\n## Oil\n\nThick.\n\n# B"),
    ],
)
def test_separators_follow_the_media_type(media_type, first):
    text = "Read.\n\n## Oil\n\nThick.\n\n# B\n\nLast of all."
    document = Document.from_text(text, media_type=media_type)
    strategy = parse_strategy("recursive(size=30, overlap=0, unit=characters)")
    assert strategy.split(document)[0].text == first
