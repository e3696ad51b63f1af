import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes
from seamline.parse.json_ import JSON, JSONL
from seamline.parse.json_deep import value_end


def blocks(document):
    text = document.text
    return [(b.kind, b.level, b.title, text[b.span.start : b.span.end]) for b in document.blocks]


def test_each_member_of_an_object_is_a_block_titled_by_its_key():
    document = parse_bytes(b'{\r\n  "part": "pump",\r\n  "price": [1, 2]\r\n}\r\n', "a.json")
    assert document.text == '{\n  "part": "pump",\n  "price": [1, 2]\n}\n'
    assert document.media_type == "application/json"
    assert blocks(document) == [
        ("statement", 1, "part", '"part": "pump"'),
        ("statement", 1, "price", '"price": [1, 2]'),
    ]
    assert document.metadata == {"lines": [0, 2, 20, 38, 40]}


def test_each_item_of_an_array_is_a_block_but_for_bare_numbers_and_words():
    document = JSON.parse('[{"a": 1}, "b", 3, true, null, []]', "a.json")
    assert [text for *_, text in blocks(document)] == ['{"a": 1}', '"b"', "[]"]


def test_large_members_have_blocks_inside_down_to_level_three():
    inner = {"rows": [{"text": "x" * 600, "more": {"y": "z" * 1200}} for _ in range(2)]}
    document = JSON.parse(json.dumps({"data": inner, "n": 1}), "a.json")
    assert [(level, title) for _, level, title, _ in blocks(document)] == [
        (1, "data"),
        (2, "rows"),
        (3, ""),
        (3, ""),
        (1, "n"),
    ]


@pytest.mark.parametrize(
    "text", ["1", '"a"', "null", " [] ", "{}", "-1.5e10", "NaN", "[-Infinity]"]
)
def test_a_lone_value_is_a_document(text):
    document = JSON.parse(text, "a.json")
    assert document.text == text
    assert all(kind == "statement" for kind, *_ in blocks(document))


@pytest.mark.parametrize("parser", [JSON, JSONL])
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_blank_text_has_no_blocks(parser, text):
    assert parser.parse(text, "a.json").blocks == ()


def test_each_line_of_json_lines_is_a_block():
    document = parse_bytes(b'{"a": 1}\n\n  [2]\n"c"', "a.ndjson")
    assert [text for *_, text in blocks(document)] == ['{"a": 1}', "[2]", '"c"']
    assert document.metadata["lines"] == [0, 9, 10, 16]


def test_keys_may_stand_twice_and_numbers_may_be_of_any_length():
    document = JSON.parse('{"a": 1' + "0" * 10_000 + ', "a": 2}', "a.json")
    assert [title for _, _, title, _ in blocks(document)] == ["a", "a"]


def test_strings_of_several_lines_are_blocks_of_their_own():
    document = JSON.parse('{"sql": "select\n*", "b": ["x\ny"]}', "a.json")
    assert blocks(document) == [
        ("statement", 1, "sql", '"sql": "select\n*"'),
        ("string", 0, "", '"select\n*"'),
        ("statement", 1, "b", '"b": ["x\ny"]'),
        ("string", 0, "", '"x\ny"'),
    ]


def test_titles_are_valid_text_on_one_line():
    document = JSON.parse(r'{"\ud800 a\nb": 1, "' + "k" * 500 + '": 2}', "a.json")
    first, second = (title for _, _, title, _ in blocks(document))
    assert first == "\ufffd a b"
    assert second == "k" * 200


@pytest.mark.parametrize(
    ("text", "place", "wanted"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, column 6", "':' delimiter, got '2}'"),
        ("[1, 2", "line 1, column 6", "',' delimiter, got the end"),
        ('{"a": 1} x', "line 1, column 10", "the end (for a value a line"),
        ('{"a": 1}\n{"a": 2}', "line 2, column 1", "name the file .jsonl"),
        ("{a: 1}", "line 1, column 2", "a key in double quotes"),
        ("\n\n  nope", "line 3, column 3", "value, got 'nope'"),
        ('["\\x"]', "line 1, column 3", "a known escape"),
        ('["\\u12"]', "line 1, column 4", "four hexadecimal digits"),
        ('["abc', "line 1, column 2", "the end of the string"),
        ("[1" + "[" * 5_000, "line 1, column 3", "delimiter"),
        ("[" * 5_000 + "1 2", "line 1, column 5003", "',' or the closing bracket, got '2'"),
        ("[" * 5_000 + "]" * 4_999 + "}", "line 1, column 10000", "the closing bracket"),
        ("[" * 5_000, "line 1, column 5001", "a value or ']', got the end"),
        ('{"a":' * 5_000 + "}", "line 1, column 25001", "a value"),
    ],
)
def test_an_error_names_line_and_column(text, place, wanted):
    with pytest.raises(InvalidDocument) as caught:
        JSON.parse(text, "a.json")
    assert f"a.json must be JSON, but is not at {place}: expecting" in str(caught.value)
    assert wanted in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1}\n{"b": }\n', "line 2, column 7"),
        ("1\n2 3\n", "line 2, column 3"),
        ('1\n{"a":\n2}\n', "line 2, column 6"),
        ('{"a": 1', "line 1, column 8"),
    ],
)
def test_a_bad_line_of_json_lines_is_named(text, place):
    with pytest.raises(InvalidDocument, match=place):
        JSONL.parse(text, "a.jsonl")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" + ",".join(["[" * 2_000 + "]" * 2_000] * 20) + "]",
        '[{"a":' * 50_000 + "[]" + "}]" * 50_000,
    ],
)
def test_any_depth_is_read(text):
    for parser in (JSON, JSONL):
        document = parser.parse(text, "a.json")
        assert document.text == text
        assert document.blocks


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(values, st.sampled_from([None, 0, 2]), st.booleans())
def test_blocks_are_members_and_items(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    text = text.encode("utf-8", "replace").decode()
    document = JSON.parse(text, "a.json")
    found = [b for b in document.blocks if b.level == 1]
    if isinstance(value, dict):
        for block, (key, member) in zip(found, value.items(), strict=True):
            cut = json.loads(f"{{{text[block.span.start : block.span.end]}}}")
            assert repr(cut) == repr(json.loads(json.dumps({key: member})))
    elif isinstance(value, list):
        items = [item for item in value if isinstance(item, list | dict | str)]
        assert len(found) == len(items)


pieces = st.lists(
    st.sampled_from(
        [*'[]{},:"\\ \n', "1", "-", ".5", "e3", "true", "null", '"a"', '"a":', "\\u00e9"]
    ),
    max_size=25,
).map("".join)


@given(pieces | values.map(json.dumps))
def test_the_deep_reader_agrees_with_the_standard_library(text):
    start = len(text) - len(text.lstrip(" \n"))
    try:
        end = json.JSONDecoder(strict=False).raw_decode(text, start)[1]
    except json.JSONDecodeError:
        assert value_end(text, start)[1]
    else:
        assert value_end(text, start) == (end, "")


@given(pieces, st.sampled_from([JSON, JSONL]))
def test_any_text_is_read_or_refused(text, parser):
    try:
        document = parser.parse(text, "a.json")
    except InvalidDocument:
        return
    last = (-1, 0)
    for block in document.blocks:
        assert 0 <= block.span.start < block.span.end <= len(document.text)
        assert last <= (block.span.start, -block.span.end)
        last = (block.span.start, -block.span.end)
