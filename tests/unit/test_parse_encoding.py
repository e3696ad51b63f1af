import codecs

import pytest

from seamline.errors import InvalidDocument, UnsupportedFormat
from seamline.parse import parse_bytes

GERMAN = "Größe: 5 µm. Überprüfen!\n"


def refusal(data, source="notes.txt"):
    with pytest.raises(InvalidDocument) as caught:
        parse_bytes(data, source)
    return str(caught.value)


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_utf_8_is_read_with_and_without_a_mark(name, mark):
    assert parse_bytes(mark + GERMAN.encode(), name).text == GERMAN


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_an_empty_file_is_an_empty_document(name, mark):
    assert (parse_bytes(mark, name).text, parse_bytes(mark, name).blocks) == ("", ())


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("utf-16-le", "UTF-16LE"),
        ("utf-16-be", "UTF-16BE"),
        ("utf-32-le", "UTF-32LE"),
        ("utf-32-be", "UTF-32BE"),
    ],
)
@pytest.mark.parametrize("text", [GERMAN, "plain ASCII\n" * 10_000])
def test_wide_encodings_are_named_with_the_command_that_converts(encoding, name, text):
    message = refusal(text.encode(encoding), "my notes.txt")
    assert message.startswith("my notes.txt must be UTF-8")
    assert (
        f"it looks like {name}: convert it with `iconv -f {name} -t UTF-8 'my notes.txt'" in message
    )


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_western_bytes_are_named_with_their_offset(encoding):
    message = refusal(GERMAN.encode(encoding))
    assert "byte 0xf6 at offset 2 is not" in message
    assert "Windows-1252/Latin-1" in message
    assert "`iconv -f WINDOWS-1252 -t UTF-8 notes.txt > new-file`" in message


def test_the_offset_counts_the_mark():
    assert "byte 0xff at offset 5" in refusal(codecs.BOM_UTF8 + b"ab\xff")


@pytest.mark.parametrize(
    ("text", "encoding"), [("漢字文章。", "gb18030"), ("日本語", "shift_jis"), ("привет", "cp1251")]
)
def test_what_cannot_be_told_is_not_guessed(text, encoding):
    message = refusal(text.encode(encoding))
    assert "could not be told" in message
    assert "Windows-1252" not in message


def test_damage_in_utf_8_is_not_taken_for_another_encoding():
    message = refusal("é and ".encode() + b"\xe9 more")
    assert "offset 7" in message
    assert "damaged" in message


def test_a_binary_file_is_called_one():
    assert "binary" in refusal(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff")


def test_single_nul_bytes_are_text():
    assert parse_bytes(b"a\0b", "a.txt").text == "a\0b"


def test_the_media_type_wins_over_the_name():
    assert parse_bytes(b"# a", "a.txt", media_type="text/markdown").blocks[0].kind == "heading"
    with pytest.raises(UnsupportedFormat, match=r"got 'a\.xyz': name plain text \.txt"):
        parse_bytes(b"%PDF", "a.xyz")


def test_the_id_is_the_file_name_unless_given():
    assert parse_bytes(b"", "docs/a.md").id == "a.md"
    document = parse_bytes(b"", "docs/a.md", doc_id="x/a.md")
    assert (document.id, document.source) == ("x/a.md", "docs/a.md")
