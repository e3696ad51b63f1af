"""A recommendation in a terminal."""

import io

import pytest
from recommend_samples import made, scores, worse
from rich.console import Console

from seamline.bench.recommend import recommend
from seamline.report.chosen import recommendation_text
from seamline.report.headline import headline

GOOD = scores(0.7, 60, 1)
LONG = "recursive(size=128, overlap=0) | hybrid(alpha=0.6, positional=160, kernel=512) | merge"


def printed(results, width=100):
    console = Console(width=width, file=io.StringIO(), markup=False, emoji=False, highlight=False)
    found = recommend(results)
    console.print(recommendation_text(results, found))
    return found, console.file.getvalue()


def rows(text):
    """The lines of the table, from its rule to the note."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("──"))
    end = next(i for i, line in enumerate(lines) if line.startswith("→ take"))
    return lines[start + 1 : end]


def three():
    given = {"dear": GOOD, "dominated": worse(GOOD, 0.2), "cheap": worse(GOOD, 0.1)}
    costs = {"dear": (400, 40_000), "dominated": (450, 40_000), "cheap": (100, 40_000)}
    return made(given, costs=costs)


def test_it_is_the_words_of_the_headline_and_the_frontier():
    results = three()
    found, text = printed(results, 500)
    said = headline(results, found)
    assert text.splitlines()[0] == f"{said.title}."
    for sentence in (*said.sentences, *said.cautions):
        assert sentence in text
    cheap, dear = rows(text)
    assert cheap.split()[0] == "cheap"
    assert dear.split()[:2] == ["→", "dear"]
    assert dear.split()[-1] == "100%"
    assert "dominated" not in "".join(rows(text))


@pytest.mark.parametrize("width", [80, 100, 130])
def test_it_fits_the_width(width):
    given = {LONG: GOOD, LONG.replace("128", "256"): worse(GOOD, 0.1)}
    _, text = printed(made(given), width)
    assert max(map(len, text.splitlines())) <= width
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("given", [{"a": GOOD}, {"a": [1.0] * 60, "b": [1.0] * 60}])
def test_without_a_comparison_there_is_no_table(given):
    assert "Frontier" not in printed(made(given))[1]


def test_names_cannot_steer_the_terminal():
    _, text = printed(made({"a\x1b[31m": GOOD, "b": worse(GOOD, 0.1)}))
    assert "\x1b" not in text
