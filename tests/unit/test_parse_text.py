from pathlib import Path

import pytest

from seamline.errors import InvalidDocument, UnsupportedFormat
from seamline.parse import parse_text
from seamline.parse.text import page_starts

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def paragraphs(text):
    document = parse_text(text)
    assert {block.kind for block in document.blocks} <= {"paragraph"}
    return [document.text[block.span.start : block.span.end] for block in document.blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo\nlines.\n", ["One.", "Two\nlines."]),
        ("\n\n  One.\n \t \n\n   Two.  \n  same.\n\n", ["One.", "Two.  \n  same."]),
        ("a\n\u3000\nb", ["a", "b"]),
        ("a\n\f\nb", ["a", "b"]),
        ("a\n\fb", ["a\n\fb"]),
        ("no line end", ["no line end"]),
        ("# not Markdown\n- here\n", ["# not Markdown\n- here"]),
        ("", []),
        (" \n\t\n", []),
        ("\n" * 100_000, []),
    ],
)
def test_paragraphs_stand_between_blank_lines(text, expected):
    assert paragraphs(text) == expected


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", (0,)),
        ("no break", (0,)),
        ("one\ftwo", (0, 4)),
        ("one\ftwo\f", (0, 4)),
        ("\fone", (0, 1)),
        ("a\f\fb", (0, 2, 3)),
        ("\f", (0,)),
    ],
)
def test_pages_start_behind_form_feeds(text, starts):
    assert page_starts(text) == starts


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_pages_are_noted_where_there_are_several(media_type):
    document = parse_text("Page one.\n\fSeite zwei.\n\f", media_type=media_type)
    assert document.metadata["pages"] == (0, 11)
    assert "pages" not in parse_text("One page.\f", media_type=media_type).metadata


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_the_collected_case_has_three_pages(media_type):
    text = (SHARED / "cases" / "page_breaks.txt").read_text(encoding="utf-8")
    pages = parse_text(text, media_type=media_type).metadata["pages"]
    assert [text[start : start + 8] for start in pages] == ["Page one", "Page two", "Page thr"]


def test_the_document_says_where_it_comes_from():
    document = parse_text("a\r\nb", "note-7")
    assert (document.id, document.text, document.source) == ("note-7", "a\nb", "")
    assert document.media_type == "text/plain"
    assert parse_text("a", media_type="text/markdown").media_type == "text/markdown"


def test_an_unknown_media_type_is_refused_by_name():
    with pytest.raises(UnsupportedFormat, match=r"text/plain, text/markdown.*, got 'image/png'"):
        parse_text("a", media_type="image/png")


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_a_lone_surrogate_is_refused(media_type):
    with pytest.raises(InvalidDocument, match="offset 2"):
        parse_text("ab\ud800", media_type=media_type)
