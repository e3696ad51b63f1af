"""What the browser's tests of the report look at, and with what eyes."""

import os
import shutil
from pathlib import Path

import pytest

from seamline.golden import load_golden
from seamline.parse import parse_text, read_documents
from seamline.types import Question, Span

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
DESKTOP, PHONE, PAPER = (1280, 900), (390, 844), (718, 1000)
MIXED = (
    "# 手册 📘\n\n第一步 👩‍🔧:关闭阀门。第二步:打开盖子 🔧🔧。\n\n"
    + "🙂 一二三四五六七八九十。" * 90
    + "\n\n"
    "备用钥匙 🔑 挂在蓝色的门后面,请找门卫 👮 领取。\n\n" + "𝒜𝓁𝓉 text, 😀 more of it. " * 90
)
MIXED_GOLD = "备用钥匙 🔑 挂在蓝色的门后面"
HOSTILE = (
    "# Safe?\n\n</script><script>window.__pwned = 1</script>\n\n<!-- <script>\n\n"
    "<img src=x onerror='window.__pwned = 2'> \u2028\u2029 & <svg onload=window.__pwned=3>\n\n"
    "The answer is <b>42</b>.\n"
)
HOSTILE_GOLD = "<img src=x onerror='window.__pwned = 2'> \u2028\u2029 &"


def _question(question_id, document, gold, tag):
    start = document.text.index(gold)
    slots = ((Span(start, start + len(gold)),),)
    return Question(question_id, document.id, f"{gold}?", slots, (tag,))


def corpus(root):
    documents = list(read_documents([root / "examples" / "handbook" / "docs"]))
    questions = list(load_golden(root / "examples" / "handbook" / "golden.jsonl", documents))
    mixed = parse_text(MIXED, "手册 🔑.md", media_type="text/markdown")
    hostile = parse_text(HOSTILE, "<script>.md", media_type="text/markdown")
    return [*documents, mixed, hostile], [
        *questions,
        _question("mixed", mixed, MIXED_GOLD, "混合 🔑"),
        _question("hostile", hostile, HOSTILE_GOLD, "<script>window.__pwned=4</script>"),
    ]


class Visit:
    """An open report, and all that a well-behaved page has none of."""

    def __init__(self, page, path):
        self.page, self.path = page, path
        self.messages, self.requests = [], []
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("dialog", lambda dialog: self.messages.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri())

    def check(self):
        assert self.messages == []
        assert [url for url in self.requests if not url.startswith("data:")] == [self.path.as_uri()]
        assert self.page.evaluate("window.__pwned") is None

    def no_overflow(self):
        """Nothing but what scrolls on its own is wider than the screen."""
        assert self.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert self.page.evaluate(WIDE) == []

    def picture(self, name, **options):
        folder = os.environ.get("SEAMLINE_SCREENSHOTS")
        if folder:
            path = Path(folder)
            path.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=path / f"{name}.png", full_page=True, **options)


WIDE = """[...document.querySelectorAll('main *')].filter((element) => {
  const { right, left, width } = element.getBoundingClientRect();
  const clipped = element.closest('.scroll, svg');
  return width && !clipped && (right > innerWidth + 1 || left < -1);
}).map((element) => element.outerHTML.slice(0, 99))"""

OVERLAPPING = """() => {
  const found = [];
  for (const svg of document.querySelectorAll('main svg:not(svg svg)')) {
    const boxes = [...svg.querySelectorAll('text')].map((text) => [
      text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
      const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (across > 0.5 && down > 3) found.push(`${a} and ${b}`);
    }));
  }
  return found;
}"""


def launched():
    """What the fixture `browser` yields: one for all tests of a module."""
    if CHROMIUM is None:
        pytest.skip("no browser to look with: install the package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield one
        one.close()


def visits(browser, path):
    """What the fixture `visit` yields: opens the page at `path`; each visit is checked at the end."""
    opened = []

    def open_page(size=DESKTOP, **options):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        opened.append((context, Visit(context.new_page(), path)))
        return opened[-1][1]

    yield open_page
    for context, one in opened:
        one.check()
        context.close()
