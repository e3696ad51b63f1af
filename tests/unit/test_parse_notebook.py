import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes
from seamline.parse.notebook import PARSER
from seamline.split import parse_strategy


def markdown(*lines):
    return {"cell_type": "markdown", "source": list(lines)}


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def value(**data):
    return {
        "output_type": "execute_result",
        "data": {k.replace("_", "/"): v for k, v in data.items()},
    }


def parse(*cells, **metadata):
    book = {"nbformat": 4, "metadata": metadata, "cells": list(cells)}
    return parse_bytes(json.dumps(book).encode(), "a.ipynb")


def blocks(document):
    text = document.text
    return [(b.kind, b.title, text[b.span.start : b.span.end]) for b in document.blocks]


def test_cells_come_in_order_with_their_blocks():
    document = parse(
        markdown("# Pumps\n", "\n", "- thin\n", "- thick"),
        code("x = 1\nx", printed(["one\n", "two\n"]), value(text_plain=["1"])),
        {"cell_type": "raw", "source": "  raw text"},
        kernelspec={"language": "Julia"},
    )
    assert document.media_type == "application/x-ipynb+json"
    assert document.text == (
        "# Pumps\n\n- thin\n- thick\n\n```julia\nx = 1\nx\n```\n\n"
        "```output\none\ntwo\n```\n\n```output\n1\n```\n\n  raw text"
    )
    assert blocks(document) == [
        ("heading", "Pumps", "# Pumps"),
        ("list", "bullet", "- thin\n- thick"),
        ("list_item", "", "- thin"),
        ("list_item", "", "- thick"),
        ("code", "julia", "```julia\nx = 1\nx\n```"),
        ("code", "output", "```output\none\ntwo\n```"),
        ("code", "output", "```output\n1\n```"),
        ("paragraph", "", "raw text"),
    ]
    assert document.metadata == {
        "cells": [0, 25, 87],
        "cell_numbers": [1, 2, 3],
        "language": "julia",
        "title": "Pumps",
    }


def test_empty_cells_are_counted():
    document = parse(markdown(), code("", printed("")), markdown("text"), code("   "))
    assert document.text == "text"
    assert (document.metadata["cells"], document.metadata["cell_numbers"]) == ([0], [3])
    chunks = parse_strategy("whole").split(document)
    assert [chunk.metadata["cell_range"] for chunk in chunks] == [(3, 3)]


def test_an_open_fence_ends_with_its_cell():
    document = parse(markdown("```\nopen"), markdown("# After"))
    assert [kind for kind, *_ in blocks(document)] == ["code", "heading"]


def test_fences_are_longer_than_any_in_the_code():
    document = parse(code("'''\n````\n'''"), markdown("after"))
    assert document.text.startswith("`````python\n")
    reread = parse_bytes(document.text.encode(), "a.md")
    assert [b.kind for b in reread.blocks] == ["code", "paragraph"]


def test_cell_magic_names_the_language():
    assert blocks(parse(code("%%bash\nls")))[0][1] == "bash"
    assert blocks(parse(code("%%time\nx")))[0][1] == "python"


def test_pictures_are_left_out():
    document = parse(
        code(
            "plot()",
            value(image_png="aGVsbG8=", text_plain="<Figure size 640x480 with 1 Axes>"),
            value(image_png="aGVsbG8="),
            value(text_html="<b>1</b>", text_plain="   a\n0  1"),
            value(text_plain="<object at 1>"),
        )
    )
    assert [text for *_, text in blocks(document)][1:] == [
        "```output\n   a\n0  1\n```",
        "```output\n<object at 1>\n```",
    ]
    assert "aGVs" not in document.text


def test_errors_and_progress_bars_read_as_on_screen():
    error = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "no",
        "traceback": ["\x1b[0;31mTraceback\x1b[0m", "ValueError: no"],
    }
    bare = {"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": []}
    document = parse(code("x", error, bare, printed(" 10%\r 50%\r100%\ndone\r\n")))
    assert [text for *_, text in blocks(document)][1:] == [
        "```output\nTraceback\nValueError: no\n```",
        "```output\nKeyError: 'a'\n```",
        "```output\n100%\ndone\n```",
    ]


def test_long_outputs_are_cut_and_counted():
    document = parse(code("x", printed("a" * 50_000), printed("b" * 20_000)))
    assert document.metadata["cut_outputs"] == 1
    assert "a" * 20_000 + "\n[… 30,000 characters more]" in document.text
    assert "a" * 20_001 not in document.text


def test_format_3_is_read():
    book = {
        "nbformat": 3,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": "Oil"},
                    {
                        "cell_type": "code",
                        "input": ["x"],
                        "language": "python",
                        "outputs": [
                            {"output_type": "pyout", "text": ["1"]},
                            {"output_type": "pyout", "png": "aGVs", "text": "<a plot>"},
                        ],
                    },
                ]
            }
        ],
    }
    document = PARSER.parse(json.dumps(book), "a.ipynb")
    assert document.text == "## Oil\n\n```python\nx\n```\n\n```output\n1\n```"
    assert document.blocks[0].level == 2


def test_a_blank_file_is_a_document_without_text():
    assert parse_bytes(b"\n", "a.ipynb").blocks == ()


def test_a_notebook_without_cells_has_no_text():
    assert parse().text == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2"),
        ("[]", "holds a list"),
        ("1", "holds a str"),
        ("{}", "has no 'cells'"),
        ('{"cells": 1}', "'cells' are no list"),
        ('{"worksheets": [1]}', "'cells' are no list"),
        ('{"cells": [1]}', "cell 1 is a str"),
        ('{"cells":' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_notebook_is_refused(text, said):
    with pytest.raises(InvalidDocument, match=r"a\.ipynb must be") as caught:
        PARSER.parse(text, "a.ipynb")
    assert said in str(caught.value)


junk = st.recursive(
    st.none() | st.integers(-1, 9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
sources = st.text(st.sampled_from("a `#-\n\r\x1b[0m|é\ud800\f"), max_size=20) | junk
cells = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["markdown", "code", "raw", "heading", "x"]) | junk},
    optional={
        "source": sources | st.lists(sources, max_size=3),
        "level": junk,
        "outputs": junk
        | st.lists(
            st.fixed_dictionaries(
                {"output_type": st.sampled_from(["stream", "error", "display_data"])},
                optional={
                    "text": sources,
                    "data": st.dictionaries(st.just("text/plain"), sources) | junk,
                    "traceback": st.lists(sources, max_size=2) | junk,
                },
            ),
            max_size=3,
        ),
    },
)


@given(st.lists(cells, max_size=5))
def test_any_cells_give_blocks_inside_the_text(given_cells):
    document = PARSER.parse(json.dumps({"cells": given_cells}), "a.ipynb")
    text, starts = document.text, document.metadata["cells"]
    assert starts == sorted(set(starts))
    assert "\r" not in text
    open_ends, last = [], (-1, 0)
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        assert 0 <= start < end <= len(text)
        assert last <= (start, -end)
        last = (start, -end)
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1]
        open_ends.append(end)
        assert text[start:end].strip()
