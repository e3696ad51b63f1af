"""Inputs that break released chunkers, each standing for its kind of fault."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from seamline.parse import parse_bytes
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.testing import check_strategy
from seamline.types import Document

MODEL_FREE = ["fixed", "sliding", "sentence", "recursive", "hierarchical", "whole"]


def split(text, spec):
    return parse_strategy(spec).split(Document.from_text(text, "d"))


def texts(text, spec):
    return [chunk.text for chunk in split(text, spec)]


def overlaps(chunks):
    return [max(a.end - b.start, 0) for a, b in pairwise(chunks)]


# A. Offsets and fidelity


def test_a_chunk_that_occurs_inside_the_one_before_has_its_own_offset():
    chunks = split(
        "status of pump is OK\n\nOK\n\nvalve state is unknown!",
        "recursive(size=22, overlap=6, unit=characters)",
    )
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))
    assert any(chunk.start <= 22 < chunk.end for chunk in chunks)


@pytest.mark.parametrize("name", ["fixed", "recursive", "sentence"])
def test_overlap_in_tokens_has_exact_offsets(name):
    text = (
        "The harbour master logs every arrival. Each vessel is assigned a berth number. The berth number "
        "is printed on the pilot card. Pilots hand the card back when the vessel sails."
    )
    chunks = check_strategy(
        parse_strategy(f"{name}(size=10, overlap=5)"),
        Document.from_text(text),
        sizer=parse_sizer("tokens"),
        limit=10,
    )
    assert min(overlaps(chunks)) > 0


@pytest.mark.parametrize("pattern", [r"re:\\s*[;,]\\s*", r"re:[;,]", r"re:(?<=[;,])\\s*", ";"])
def test_a_separator_never_enters_or_leaves_the_text(pattern):
    text = "red;  green ,blue\tcyan;magenta ,  black"
    document = Document.from_text(text)
    chunks = check_strategy(
        parse_strategy(f'recursive(size=12, overlap=0, unit=characters, separators=["{pattern}"])'),
        document,
    )
    assert "".join(chunk.text for chunk in chunks).count(";") == text.count(";")
    assert not any("[" in chunk.text for chunk in chunks)


@pytest.mark.parametrize("indent", ["    ", "\t", "        "])
def test_code_keeps_its_indentation_where_a_chunk_begins_on_a_line(indent):
    lines = ["def outer():", *(f"{indent}step_{i} = {i}" for i in range(30)), f"{indent}return 0"]
    for chunk in split("\n".join(lines), "recursive(size=60, overlap=0, unit=characters)"):
        assert chunk.text.split("\n")[0] in lines


def test_code_beyond_ascii_has_offsets_in_code_points():
    text = '# Größe der Pumpe – Überblick\nGRÖSSE = "42 µm"\n\n\ndef prüfe(wert):\n    """Prüft den Wert."""\n    return wert\n'
    check_strategy(parse_strategy("recursive(size=20, overlap=4)"), Document.from_text(text))


@pytest.mark.parametrize("name", MODEL_FREE)
@pytest.mark.parametrize(
    "text",
    [
        "Status \U0001f9d1\U0001f3fd\u200d\U0001f680\U0001f680\U0001f6f0\ufe0f ok. 語彙 naïve café — \U0001d4b3\U0001d4b4 done.",
        "e\u0301e\u0301 \U0001f1e8\U0001f1ed\U0001f1ef\U0001f1f5 \U0001f469\u200d\U0001f52c\U0001f469\u200d\U0001f52c \u0915\u094d\u0937\u093f \u0e01\u0e47",
    ],
    ids=["emoji", "combining"],
)
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_no_cut_inside_a_grapheme_or_a_token_of_several_bytes(name, text, size):
    spec = {"whole": "whole", "sliding": f"sliding(size={size}, step={size})"}.get(name)
    spec = spec or f"{name}(size={size}" + (")" if name == "hierarchical" else ", overlap=0)")
    for chunk in check_strategy(parse_strategy(spec), Document.from_text(text)):
        assert "\ufffd" not in chunk.text


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("name", MODEL_FREE)
def test_line_ends_do_not_change_the_cuts(name, ending):
    text = "# Title\n\nPara one is here.\nStill para one.\n\nPara two is here.\n\n## Sub\n\nPara three.\n"
    spec = {
        "whole": "whole",
        "sliding": "sliding(size=8, step=4)",
        "hierarchical": "hierarchical(size=8)",
    }
    strategy = parse_strategy(spec.get(name, f"{name}(size=8, overlap=2)"))
    plain = strategy.split(parse_bytes(text.encode(), "a.md"))
    assert strategy.split(parse_bytes(text.replace("\n", ending).encode(), "a.md")) == plain


@pytest.mark.parametrize("text", ["", " ", "\n", "  \n\t\n   ", "\x0c", "\u3000\xa0\u2028"])
@pytest.mark.parametrize("name", MODEL_FREE)
def test_blank_text_gives_no_chunks(name, text):
    assert split(text, name) == []


def test_children_have_offsets_in_the_document_and_a_parent():
    text = "\n\n".join(
        f"Section {i}. The gauge shows {i} bar. Replace the seal after {i}0 hours. Keep a spare on site."
        for i in range(1, 9)
    )
    chunks = check_strategy(parse_strategy("hierarchical(size=8)"), Document.from_text(text))
    parents = sorted({chunk.parent for chunk in chunks})
    assert [text[p.start : p.end][:10] for p in parents] == [f"Section {i}." for i in range(1, 9)]
    assert all(
        chunk.parent_id == f"text#{chunk.parent.start}-{chunk.parent.end}" for chunk in chunks
    )


@pytest.mark.parametrize(
    "spec",
    [
        "recursive(size=5, overlap=0, unit=characters)",
        "fixed(size=6, overlap=2)",
        "sentence(size=4)",
    ],
)
def test_repeated_lines_have_increasing_offsets(spec):
    check_strategy(parse_strategy(spec), Document.from_text("OK\nOK\nOK\nFAIL\nOK\n" * 6))


def test_chunks_say_which_pages_they_touch():
    text = "Page one text.\x0cPage two text continues here.\x0cPage three text."
    for document in (Document.from_text(text), parse_bytes(text.encode(), "a.txt")):
        pages = [
            chunk.metadata["page_range"]
            for chunk in parse_strategy("recursive(size=8, overlap=0)").split(document)
        ]
        assert pages == [(1, 1), (2, 2), (3, 3)]
        (whole,) = parse_strategy("whole").split(document)
        assert whole.metadata["page_range"] == (1, 3)


# B. Size, overlap, progress


@pytest.mark.parametrize("name", ["fixed", "sentence", "recursive"])
@pytest.mark.parametrize("unit", ["characters", "tokens", "words"])
def test_the_limit_holds_without_sentence_marks(name, unit):
    text = " ".join(f"item{i}" for i in range(1, 121))
    check_strategy(
        parse_strategy(f"{name}(size=50, overlap=0, unit={unit})"),
        Document.from_text(text),
        sizer=parse_sizer(unit),
        limit=50,
    )


@pytest.mark.parametrize("name", ["fixed", "sentence", "recursive"])
@pytest.mark.parametrize("overlap", [0, 7, 49, 98])
@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/" + "a1b2c3d4e5" * 40 + " for details. Short tail.",
        "x9" * 300 + " end.",
    ],
    ids=["url", "run"],
)
def test_an_unbroken_run_is_cut_and_ends(name, overlap, text):
    check_strategy(
        parse_strategy(f"{name}(size=99, overlap={overlap}, unit=characters)"),
        Document.from_text(text),
        sizer=parse_sizer("characters"),
        limit=99,
    )


@pytest.mark.parametrize("overlap", range(8))
def test_overlap_over_white_space_stays_inside_the_limit(overlap):
    check_strategy(
        parse_strategy(f"recursive(size=8, overlap={overlap}, unit=characters)"),
        Document.from_text("one   two   three   four   five   six"),
        sizer=parse_sizer("characters"),
        limit=8,
    )


def test_overlap_reaches_over_a_paragraph_and_begins_with_a_word():
    text = "First paragraph states the rule clearly.\n\nSecond paragraph lists an exception.\n\nThird paragraph closes the matter."
    chunks = split(text, "recursive(size=50, overlap=15, unit=characters)")
    assert [chunk.text for chunk in chunks] == [
        "First paragraph states the rule clearly.",
        "clearly.\n\nSecond paragraph lists an exception.",
        "an exception.\n\nThird paragraph closes the matter.",
    ]


def test_overlap_prefers_a_whole_sentence():
    text = "One two three four. Five six seven. Eight nine ten. Eleven twelve thirteen fourteen."
    for chunk in split(text, "sentence(size=14, overlap=6)")[1:]:
        assert re.match(r"[A-Z]", chunk.text)


def test_metadata_longer_than_a_chunk_loses_no_text():
    text = "Short body text that easily fits. It has two sentences."
    document = Document.from_text(text, metadata={"note": "word " * 93})
    (chunk,) = parse_strategy("recursive(size=64, overlap=8)").split(document)
    assert chunk.text == text


@pytest.mark.parametrize("mark", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"])
@pytest.mark.parametrize("unit", ["cl100k_base", "o200k_base"])
def test_a_special_token_is_plain_text(mark, unit):
    text = f"The marker {mark} separates documents. Keep it as text. " * 9
    for name in ("fixed", "recursive", "sentence"):
        chunks = split(text, f"{name}(size=16, overlap=3, unit={unit})")
        assert any(mark in chunk.text for chunk in chunks)


# E. Language, as far as it needs no structure


def test_abbreviations_do_not_end_a_sentence():
    text = (
        "Dr. Ng met Prof. Ito at 3.15 p.m. in St. Gallen. The U.S. team, e.g. Mr. Lee, arrived late. "
        "Version 2.0.1 shipped at 99.5 percent."
    )
    expected = re.split(r"(?<=Gallen\.) |(?<=late\.) ", text)
    assert texts(text, "sentence(size=26)") == expected
    assert texts(text, "recursive(size=26, overlap=0)") == expected


def test_cjk_sentences_end_without_a_space():
    text = "水泵每周检查一次。如果压力低于三巴，请立即停机！更换滤芯后再启动。备件存放在仓库二层？请联系值班工程师。记录必须保存五年。"
    expected = re.findall(r"[^。！？]+[。！？]", text)
    assert texts(text, "sentence(size=15, unit=characters)") == expected
    assert texts(text, "recursive(size=15, overlap=0, unit=characters)") == expected


def test_a_long_cjk_sentence_is_cut_at_a_comma():
    assert (
        texts("如果压力低于三巴，请立即停机", "recursive(size=10, overlap=0, unit=characters)")[0]
        == "如果压力低于三巴，"
    )


def test_the_cases_folder(shared):
    """Every case file, whatever its kind: all laws, all strategies that need no model."""
    files = sorted((shared / "cases").glob("*.txt"))
    assert files
    for file in files:
        document = Document.from_text(
            file.read_bytes().decode(), file.name, media_type="text/markdown"
        )
        for unit, size in (("characters", 30), ("tokens", 12), ("words", 5)):
            for name in ("fixed", "sentence", "recursive"):
                spec = f"{name}(size={size}, overlap={size // 3}, unit={unit})"
                check_strategy(parse_strategy(spec), document, sizer=parse_sizer(unit), limit=size)


@pytest.mark.parametrize("unit", ["characters", "tokens", "words"])
def test_overlap_begins_with_a_whole_line_and_its_indentation(unit):
    text = (
        "def outer():\n    a = 1\n    b = 2\n    if a:\n        c = 3\n        d = 4\n        e = 5\n"
        "    for i in range(3):\n        print(i)\n        print(a)\n    return a\n"
    )
    size, overlap = {"characters": (80, 26), "tokens": (30, 14), "words": (14, 5)}[unit]
    spec = f"recursive(size={size}, overlap={overlap}, unit={unit})"
    chunks = check_strategy(parse_strategy(spec), Document.from_text(text * 3))
    lines = text.split("\n")
    # The last chunk is full: what room it has left may not hold a line.
    assert all(chunk.text.split("\n")[0] in lines for chunk in chunks[:-1])
    assert min(overlaps(chunks)) > 0


def test_overlap_repeats_a_heading_with_its_marks():
    text = "# Title\n\nOne two three four five six.\n\n## Part\n\nSeven eight nine ten.\n"
    chunks = split(text, "recursive(size=44, overlap=12, unit=characters)")
    assert not any(chunk.text.startswith(("Title", "Part")) for chunk in chunks)
    assert max(overlaps(chunks)) > 0
