"""What was measured through a store in a real browser: on a desktop, on a phone, on paper.

Screenshots go to the folder that SEAMLINE_SCREENSHOTS names, to be looked at.
"""

from itertools import pairwise

import pytest
from report_visits import DESKTOP, OVERLAPPING, PAPER, PHONE, corpus, launched, visits

from seamline.bench import Results, run_bench
from seamline.config import DEFAULT_STRATEGIES, BenchConfig
from seamline.report import write_report
from seamline.store import open_store

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(root, tmp_path_factory):
    """The path of a report on strategies that lose something, one of them slow at times."""
    documents, questions = corpus(root)
    folder = tmp_path_factory.mktemp("through")
    config = BenchConfig(strategies=DEFAULT_STRATEGIES, retriever="bm25")
    with open_store(f"sqlite:///{folder}/index.db") as store:
        results = run_bench(documents, questions, config, store=store)
    rows = [
        {**row, "through": row["exact"] - 0.01 * i} for i, row in enumerate(results.data["through"])
    ]
    clocked = {**results.timings["through"]}
    first = rows[0]["spec"]
    clocked[first] = {**clocked[first], "p99_ms": 1234.5}
    results = Results({**results.data, "through": rows}, {**results.timings, "through": clocked})
    return write_report(results, documents, folder / "report.html")


@pytest.fixture(scope="module")
def browser():
    yield from launched()


@pytest.fixture
def visit(browser, report):
    yield from visits(browser, report)


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        ("desktop", DESKTOP, "light"),
        ("desktop-dark", DESKTOP, "dark"),
        ("phone", PHONE, "light"),
        ("phone-small", (320, 568), "dark"),
    ],
)
def test_it_fits_the_screen_and_no_labels_overlap(visit, name, size, scheme):
    one = visit(size, color_scheme=scheme)
    one.picture(f"through-{name}")
    one.no_overflow()
    assert one.page.evaluate(OVERLAPPING) == []


def test_the_section_is_reached_by_its_link_and_has_both_charts_and_the_table(visit):
    page = visit(java_script_enabled=False).page
    page.locator("nav a", has_text="Store").click()
    assert page.url.endswith("#through")
    n = len(DEFAULT_STRATEGIES)
    assert page.locator("#through tbody tr").count() == n
    assert page.locator("#through .whiskers").count() == 2
    assert page.locator("#through circle").count() == 3 * n
    levels = page.eval_on_selector_all(
        "h1, h2, h3, h4", "(all) => all.map((heading) => Number(heading.tagName[1]))"
    )
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_on_a_desk_the_table_needs_no_scrolling_sideways(visit):
    frame = visit().page.locator("#through .scroll")
    assert frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")


def test_on_paper_the_table_is_whole(visit):
    one = visit(PAPER)
    one.page.emulate_media(media="print")
    one.picture("through-print")
    one.no_overflow()
    wide = "(frame) => frame.firstChild.scrollWidth > document.body.clientWidth + 1"
    assert not one.page.locator("#through .scroll").evaluate(wide)
