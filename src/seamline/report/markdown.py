"""A check as a summary of a pull request, in GitHub's Markdown."""

from __future__ import annotations

import re
from html import escape

from seamline.lock.checked import PASS, Checked
from seamline.report.details import fault_lines, moved_lines, notes_of
from seamline.report.plain import one_line

__all__ = ["checked_markdown"]

_MARKS = {"pass": "✅", "fail": "❌", "open": "➖", "skip": "➖"}
# What would be read as markup of Markdown, a mention or a link.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$#]|(?<!\w)@|&(?=#|\w+;))")


def checked_markdown(checked: Checked) -> str:
    """The verdict, a table of the parts, then moved cuts and broken gold to unfold.

    Text of documents and golden sets is escaped: none of it becomes markup.
    """
    mark = _MARKS["pass" if checked.code == PASS else "fail"]
    blocks = [
        f"## {mark} seamline check: {checked.verdict}",
        f"{_plain(checked.title)}.",
        _table(checked),
        _folded("Moved cuts", moved_lines(checked)),
        _folded("Errors in the golden set", fault_lines(checked)),
        f"**To do:** {checked.todo}." if checked.todo else "",
        "\n".join(f"- {_plain(note)}" for note in notes_of(checked)),
        f"Locked: {_code(checked.locked)}",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(checked: Checked) -> str:
    rows = [
        f"| {_MARKS[part.outcome]} | {_plain(part.name)} | {_plain(part.says)} |"
        for part in checked.parts
    ]
    return "\n".join(["| | check | what was found |", "|---|---|---|", *rows])


def _folded(title: str, lines: list[str]) -> str:
    """A block to unfold that shows lines as they are."""
    if not lines:
        return ""
    text = "\n".join(escape(one_line(line), quote=False) for line in lines)
    return f"<details><summary>{title}</summary>\n\n<pre>\n{text}\n</pre>\n\n</details>"


def _plain(text: str) -> str:
    r"""Text that Markdown shows as it is, in one line.

    Example:
        >>> _plain("a|b *c*")
        'a\\|b \\*c\\*'
    """
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _code(text: str) -> str:
    return f"<code>{escape(one_line(text), quote=False)}</code>"
