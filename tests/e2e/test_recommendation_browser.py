"""The recommendation's page in a real browser, with sixty configurations.

Screenshots go to the folder that SEAMLINE_SCREENSHOTS names, to be looked at.
"""

import pytest
from report_visits import DESKTOP, OVERLAPPING, PAPER, PHONE, corpus, launched, visits

from seamline.bench import run_bench
from seamline.bench.recommend import recommend
from seamline.config import BenchConfig
from seamline.report.recommended import recommendation_html

pytestmark = pytest.mark.browser
SIZES, OVERLAPS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 512), (0, 2, 4, 6, 8, 12)


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    """The path of the page, and what it shows."""
    documents, questions = corpus(root)
    strategies = tuple(f"fixed(size={s}, overlap={o})" for s in SIZES for o in OVERLAPS)
    config = BenchConfig(strategies=strategies, retriever="bm25", budget=200, k=3)
    results = run_bench(documents, questions, config)
    found = recommend(results)
    path = tmp_path_factory.mktemp("recommended") / "recommendation.html"
    path.write_text(recommendation_html(results, found), encoding="utf-8")
    return path, found


@pytest.fixture(scope="module")
def browser():
    yield from launched()


@pytest.fixture
def visit(browser, made):
    yield from visits(browser, made[0])


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        ("desktop", DESKTOP, "light"),
        ("desktop-dark", DESKTOP, "dark"),
        ("tablet", (768, 1024), "light"),
        ("phone", PHONE, "light"),
        ("phone-small", (320, 568), "dark"),
    ],
)
def test_it_fits_the_screen_and_no_labels_overlap(visit, name, size, scheme):
    one = visit(size, color_scheme=scheme)
    one.picture(f"recommendation-{name}")
    one.no_overflow()
    assert one.page.evaluate(OVERLAPPING) == []


def test_every_configuration_is_a_point_and_few_have_a_label(visit, made):
    page, found = visit().page, made[1]
    points = page.locator(".frontier circle.dot, .frontier polygon.dot")
    assert points.count() == len(found.options) == 60
    wanted = {one.spec for one in found.options if one.frontier} | {found.best.spec}
    wanted |= {found.chosen.spec}
    assert page.locator(".frontier svg.name").count() == len(wanted) < 20
    assert page.locator(".frontier .legend li").count() == len(wanted)
    assert page.locator(".frontier .legend li.chosen .spec").inner_text() == found.chosen.spec


def test_the_tables_open_without_a_script(visit):
    page = visit(java_script_enabled=False).page
    for part in ("#frontier", "#knobs"):
        page.locator(f"{part} summary").click()
        assert page.locator(f"{part} table").is_visible()


def test_the_point_to_take_can_be_told_from_the_others(visit):
    fill = "(one) => getComputedStyle(one).fill"
    page = visit().page
    chosen = page.locator(".frontier .chosen circle.dot").first.evaluate(fill)
    other = page.locator(".frontier .alike:not(.chosen) circle.dot").first.evaluate(fill)
    assert chosen != other


def test_it_prints(visit):
    one = visit(PAPER)
    one.page.emulate_media(media="print")
    one.picture("recommendation-paper")
    assert one.page.evaluate(OVERLAPPING) == []
