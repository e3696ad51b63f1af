"""The report in a real browser: on a desktop, on a phone, on paper, without scripts.

Screenshots go to the folder that SEAMLINE_SCREENSHOTS names, to be looked at.
"""

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from report_visits import (
    DESKTOP,
    HOSTILE,
    HOSTILE_GOLD,
    MIXED,
    MIXED_GOLD,
    OVERLAPPING,
    PAPER,
    PHONE,
    Visit,
    corpus,
    launched,
)

from seamline.bench import run_bench
from seamline.config import DEFAULT_STRATEGIES, BenchConfig
from seamline.parse import Skipped
from seamline.report import write_report

pytestmark = pytest.mark.browser
UNREAD = Skipped("in/<img src=x>.pdf", f"<img src=x>{'x' * 200}.pdf", "must be <b>whole</b>")


@pytest.fixture(scope="module")
def report(root, tmp_path_factory):
    """The path of a report on the handbook, an emoji document and a hostile one."""
    documents, questions = corpus(root)
    # A tiny size cuts answers, so that there are cut ones to show.
    strategies = (*DEFAULT_STRATEGIES, "fixed(size=12, overlap=4)")
    config = BenchConfig(strategies=strategies)
    results = run_bench(documents, questions, config, skipped=[UNREAD])
    path = tmp_path_factory.mktemp("report") / "report.html"
    return write_report(results, {one.id: one for one in documents}, path), results


@pytest.fixture(scope="module")
def browser():
    yield from launched()


@pytest.fixture
def visit(browser, report):
    """Opens the report on a screen, and checks at the end that nothing untoward happened."""
    opened = []

    def open_report(size=DESKTOP, **options):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options
        )
        opened.append((context, Visit(context.new_page(), report[0])))
        return opened[-1][1]

    yield open_report
    for context, one in opened:
        if not one.page.is_closed() and context.pages:
            one.check()
        context.close()


def pick(page, question_id):
    """Open a question by its id through the word filter."""
    page.locator("#explore input[type=search]").fill(question_id)
    page.locator("button.question").first.click()


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        ("desktop", DESKTOP, "light"),
        ("desktop-dark", DESKTOP, "dark"),
        ("tablet", (768, 1024), "light"),
        ("phone", PHONE, "light"),
        ("phone-dark", PHONE, "dark"),
        ("phone-small", (320, 568), "light"),
    ],
)
def test_it_fits_the_screen_and_no_labels_overlap(visit, name, size, scheme):
    one = visit(size, color_scheme=scheme)
    one.picture(name)
    one.no_overflow()
    assert one.page.evaluate(OVERLAPPING) == []


def test_a_question_fits_a_desk_without_scrolling_sideways(visit):
    page = visit().page
    frame = page.locator(".detail .scroll")
    assert frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
    tokens = [
        row.locator("td").nth(7).text_content() for row in page.locator(".detail tbody tr").all()
    ]
    assert any("," in cell for cell in tokens)
    assert not [cell for cell in tokens if "," not in cell and len(cell) > 3]


@pytest.mark.parametrize("size", [DESKTOP, (320, 568)])
def test_a_rank_stays_on_one_line(visit, size):
    heights = visit(size).page.eval_on_selector_all(
        ".panels h3 .rank", "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert len(heights) == 15
    assert max(heights) == pytest.approx(min(heights), abs=1)


def test_tinted_chunks_are_explained(visit):
    page = visit().page
    pick(page, "mixed")
    assert page.locator("#document .odd").count() > 0
    assert page.locator(".detail .note .odd").text_content() == "tinted"


def test_squares_of_a_question_name_their_strategies(visit, report):
    page = visit().page
    titles = (
        page.locator("button.question")
        .first.locator("i")
        .evaluate_all("(all) => all.map((one) => one.title.split(' ').slice(1).join(' '))")
    )
    assert titles == [one.spec for one in report[1].summary()]


def test_text_has_one_size_on_every_screen(visit):
    sizes = (
        "[...document.querySelectorAll('svg text')].map((t) => t.getBoundingClientRect().height)"
    )
    wide, narrow = (max(visit(size).page.evaluate(sizes)) for size in (DESKTOP, PHONE))
    assert wide == pytest.approx(narrow, abs=0.5)
    assert narrow >= 10


def test_without_scripts_the_charts_and_tables_are_there(visit):
    one = visit(java_script_enabled=False)
    page = one.page
    assert page.locator("#ranking tbody tr").count() == 15
    assert page.locator(".whiskers circle").count() == 15
    assert page.locator(".curves polyline").count() == 15
    assert page.locator(".panels .panel").count() == 15
    assert page.locator(".strips path").count() >= 15
    assert page.get_by_text("Single questions are shown by a script.").is_visible()
    assert page.locator("#explore select").count() == 0


def test_on_paper_it_is_light_whole_and_without_controls(visit, tmp_path):
    one = visit(PAPER, color_scheme="dark")
    one.page.emulate_media(media="print", color_scheme="dark")
    one.picture("print")
    one.no_overflow()
    assert one.page.evaluate(OVERLAPPING) == []
    assert one.page.locator("nav").is_hidden()
    assert one.page.locator("#questions").is_hidden()
    ink = "getComputedStyle(document.body).color"
    assert one.page.evaluate(ink) == "rgb(0, 0, 0)"
    clipped = """[...document.querySelectorAll('.scroll')].filter(
        (frame) => frame.firstChild.scrollWidth > document.body.clientWidth + 1).length"""
    assert one.page.evaluate(clipped) == 0
    folder = Path(os.environ.get("SEAMLINE_SCREENSHOTS", tmp_path))
    printed = one.page.pdf(path=folder / "report.pdf", prefer_css_page_size=True, format="A4")
    assert printed.startswith(b"%PDF")
    assert 3 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page /") <= 12


def marked(page, selector="#document"):
    return page.eval_on_selector_all(
        f"{selector} mark", "(marks) => marks.map((mark) => mark.textContent).join('')"
    )


@pytest.mark.parametrize(
    ("question_id", "gold"), [("mixed", MIXED_GOLD), ("hostile", HOSTILE_GOLD)]
)
def test_gold_is_highlighted_to_the_character_under_every_strategy(visit, question_id, gold):
    page = visit().page
    pick(page, question_id)
    strategies = page.locator("#explore select").first
    for value in range(15):
        strategies.select_option(str(value))
        assert marked(page) == gold


def test_the_document_is_shown_whole_and_cut_where_the_results_say(visit, report):
    page = visit().page
    pick(page, "mixed")
    while page.locator("#document .skipped button").count():
        page.locator("#document .skipped button").first.click()
    assert page.locator("#document").evaluate("(box) => box.textContent") == MIXED
    spec = page.locator("#explore select option").first.text_content().partition(" ")[2]
    (row,) = [one for one in report[1].data["strategies"] if one["spec"] == spec]
    assert page.locator("#document .border").count() == len(row["chunks"]["手册 🔑.md"])


def test_retrieved_pieces_are_the_slices_that_were_retrieved(visit, report):
    page = visit().page
    pick(page, "mixed")
    spec = page.locator("#explore select option").first.text_content().partition(" ")[2]
    (row,) = [one for one in report[1].data["strategies"] if one["spec"] == spec]
    ids = [question["id"] for question in report[1].data["questions"]]
    documents = [one["id"] for one in report[1].data["documents"]]
    hits = row["retrieved"][ids.index("mixed")]
    shown = page.locator(".hits > li")
    assert shown.count() == len(hits) > 0
    for i, (doc, start, end, _) in enumerate(hits):
        more = shown.nth(i).get_by_role("button", name="Show all of it")
        if more.count():
            more.click()
        if documents[int(doc)] == "手册 🔑.md":
            text = shown.nth(i).locator(".text").evaluate("(box) => box.textContent")
            assert text == MIXED[int(start) : int(end)]


def test_the_hostile_document_is_text(visit):
    page = visit().page
    pick(page, "hostile")
    shown = page.locator("#document").evaluate("(box) => box.textContent")
    assert shown == HOSTILE
    assert page.locator("#explore img, #explore svg, #explore script").count() == 0
    assert page.get_by_text("<script>window.__pwned=4</script>").count() > 0


def test_what_could_not_be_read_is_said_first_and_in_full_below(visit):
    page = visit().page
    assert UNREAD.doc_id in page.locator(".cautions").inner_text()
    page.locator("#settings summary", has_text="1 file left out").click()
    assert UNREAD.why in page.locator("#settings").inner_text()


def test_every_cut_answer_is_shown_with_its_gold_and_its_cut(visit, report):
    page = visit().page
    for place in page.locator("#containment .held details").all():
        place.locator("summary").click()
        spec = place.locator("summary .spec").text_content()
        (row,) = [one for one in report[1].data["strategies"] if one["spec"] == spec]
        split = row["containment"]["split"]
        place.locator(".case").first.wait_for()
        assert place.locator(".case").count() == len(split)
        for i in range(len(split)):
            case = place.locator(".case").nth(i)
            assert case.locator(".cut").count() >= 1
    tiny = page.locator("#containment .held details", has_text="fixed(size=12").first
    case = tiny.locator(".case", has_text="mixed · ").first
    assert case.locator("mark").evaluate_all("(m) => m.map((x) => x.textContent).join('')") == (
        MIXED_GOLD
    )


def test_a_cut_answer_leads_to_its_question(visit):
    page = visit().page
    tiny = page.locator("#containment .held details", has_text="fixed(size=12").first
    tiny.locator("summary").click()
    case = tiny.locator(".case", has_text="hostile · ").first
    case.get_by_role("button").click()
    assert page.locator(".detail h3").first.text_content() == f"{HOSTILE_GOLD}?"
    assert "fixed(size=12" in page.locator("#explore select option:checked").first.text_content()


def test_every_failed_question_is_listed_under_its_label_and_leads_to_itself(visit, report):
    page = visit().page
    explained = {one["spec"]: one for one in report[1].data["diagnosis"]}
    listed = 0
    for place in page.locator("#failed .failed > details").all():
        place.locator("summary.row").click()
        found = explained[place.locator("summary.row .spec").text_content()]
        place.locator(".case").first.wait_for(state="attached")
        assert place.locator(".case").count() == len(found["details"])
        for group in place.locator("details").all():
            label = group.locator("summary").text_content().strip().rpartition(" (")[0]
            names = [name for name, own in found["labels"].items() if own == label]
            assert group.locator(".case").count() == len(names)
        listed += len(found["details"])
    assert listed
    last = page.locator("#failed .failed > details").last
    case = last.locator("details[open] .case").first
    asked = case.locator("p").first.text_content()
    case.get_by_role("button", name="Open this question").click()
    assert page.locator(".detail h3").first.text_content() == asked


def test_filters_narrow_the_questions(visit, report):
    page = visit().page
    counts = page.locator(".list .note")
    total = len(report[1].data["questions"])
    assert counts.text_content() == f"{total} of {total} questions"
    outcome, tag = page.locator("#explore select").nth(1), page.locator("#explore select").nth(2)
    kinds = {}
    for value in ("whole", "part", "none"):
        outcome.select_option(value)
        kinds[value] = int(counts.text_content().partition(" ")[0])
    assert kinds["whole"] + kinds["part"] == total
    assert kinds["none"] <= kinds["part"]
    outcome.select_option("all")
    tag.select_option("混合 🔑")
    assert counts.text_content() == f"1 of {total} questions"


def test_the_keyboard_reaches_questions_and_strategies(visit):
    page = visit().page
    first = page.locator("button.question").first
    first.focus()
    before = page.locator(".detail h3").first.text_content()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator(".detail h3").first.text_content() != before
    focused = page.evaluate("document.activeElement.getAttribute('aria-current')")
    assert focused == "true"
    page.locator(".legend button").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".legend button").first.get_attribute("aria-pressed") == "true"
    page.locator(".held summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".held details").first.get_attribute("open") is not None


def test_pointing_at_a_name_brings_out_its_curve(visit):
    page = visit().page
    page.locator(".legend button").nth(2).hover()
    lit = page.locator(".curves.lit g.line.on")
    assert lit.count() == 1
    assert lit.get_attribute("data-s") == "2"
    page.locator("h1").hover()
    assert page.locator(".curves.lit").count() == 0


def test_headings_go_down_by_steps_and_controls_have_names(visit):
    page = visit().page
    levels = page.eval_on_selector_all(
        "h1, h2, h3, h4", "(all) => all.map((heading) => Number(heading.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    unnamed = """(all) => all.filter((one) => !one.textContent.trim()
        && !one.getAttribute('aria-label') && !one.labels?.length).length"""
    assert page.eval_on_selector_all("button, select, input, a, summary", unnamed) == 0


def test_a_large_report_opens_at_once(browser, report, root, tmp_path):
    """A thousand questions by thirteen strategies: few elements until something is opened."""
    results, documents = report[1], {one.id: one for one in corpus(root)[0]}
    times = 90
    data = {**results.data}
    data["questions"] = [
        {**question, "id": f"{question['id']}-{i}"}
        for i in range(times)
        for question in data["questions"]
    ]
    data["strategies"] = [
        {
            **row,
            "top1": row["top1"] * times,
            "retrieved": row["retrieved"] * times,
            "measures": {
                name: {**one, "values": one["values"] * times}
                for name, one in row["measures"].items()
            },
            "containment": {**row["containment"], "split": []},
        }
        for row in data["strategies"]
    ]
    data["diagnosis"] = [
        {
            **row,
            **{
                key: {f"{name}-{i}": one for name, one in row[key].items() for i in range(times)}
                for key in ("labels", "details")
            },
        }
        for row in data["diagnosis"]
    ]
    large = replace(results, data=data)
    path = write_report(large, documents, tmp_path / "large.html")
    assert path.stat().st_size < 15_000_000
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    one = Visit(context.new_page(), path)
    assert one.page.locator("button.question").count() == 101
    assert one.page.evaluate("document.querySelectorAll('*').length") < 8_000
    one.check()
    context.close()
