"""The engine gives the same chunks whether it runs compiled or as plain Python."""

import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
STRATEGIES = [
    f"{name}, unit={unit})"
    for unit in ("characters", "words", "tokens", "o200k_base")
    for name in (
        "fixed(size=40, overlap=7",
        "sliding(size=30, step=11",
        "sentence(size=25, overlap=0",
        "sentence(size=40, overlap=9",
        "recursive(size=12, overlap=0",
        "recursive(size=60, overlap=15",
        'recursive(size=33, overlap=4, separators=["re:;+", "\\f", sentence, word]',
        "hierarchical(parent=sections, size=20",
        "hierarchical(parent=50, size=20",
        "structure(size=9",
        "structure(size=60",
        "adaptive(target=6, size=20",
        "adaptive(target=15, size=60",
    )
]
PIECES = [
    *"aZ9 .,;!?:\n\t\f\"'()-#>|/\u2026\u3002\uff0c\u3000\xa0\u0301\u200d\u4e00\xe9",
    *("\n\n", "\n# ", "\n## ", "\n- ", "\n1. ", "\n\n```\n", "\n|a|b|\n|-|-|\n|1|2|\n", ":\n\n"),
    *(
        "\nAnn: ",
        "\n\nQ: Why?\nA: ",
        "\n$$\n",
        "\n---\n",
        "\n> ",
        "1. ",
        "Dr. ",
        "etc. ",
        "U.S. ",
        "e.g. ",
        "word ",
        "Then ",
    ),
    *("approx. ", "No. 5", "hello world. ", "\U0001f468\u200d\U0001f469", "\U0001f1e9\U0001f1ea"),
    *(
        "u.\u212a. ",
        "......",
        "!?!?",
        "\u3002\u3002\u300d",
        "\U0001f1e9",
        "\u0600",
        "\U0001f468\u200d",
    ),
    *("\u1112\u1161\u11ab", "\u0915\u094d\u0937", "    indented\n", "\u5b57\u5b57\u3002", " \n \n"),
]


def texts():
    draw = random.Random(20)
    return ["".join(draw.choices(PIECES, k=draw.randrange(200))) for _ in range(150)]


def digests():
    """Lines that are equal where the chunks are, the first saying what engine it was."""
    from seamline.parse import parse_text
    from seamline.scan import COMPILED
    from seamline.split import parse_strategy

    yield f"compiled {COMPILED}"
    documents = [parse_text(text, media_type="text/markdown") for text in texts()]
    for spec in STRATEGIES:
        strategy = parse_strategy(spec)
        chunks = [
            (c.start, c.end, c.text, c.context, c.parent, c.indexed)
            for document in documents
            for c in strategy.split(document)
        ]
        yield f"{len(chunks)} {hashlib.sha256(repr(chunks).encode()).hexdigest()} {spec}"


def told(plain):
    first = "import plain_engine; " if plain else ""
    command = f"import sys; sys.path[:0] = sys.argv[1:]; {first}import test_split_engine as t; print(*t.digests(), sep=chr(10))"
    done = subprocess.run(
        [sys.executable, "-c", command, TESTS, TESTS / "property"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_compiled_and_plain_engine_cut_alike():
    compiled, plain = told(plain=False), told(plain=True)
    assert plain[0] == "compiled False"
    if compiled[0] == "compiled False":
        pytest.skip("the engine is not compiled here: no C compiler")
    assert compiled[1:] == plain[1:]
    assert len(plain) == len(STRATEGIES) + 1
    assert all(int(line.split()[0]) > 150 for line in plain[1:])
