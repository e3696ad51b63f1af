"""The metadata block that may open a Markdown file: YAML or TOML."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FrontMatter", "read_front_matter"]

_OPENING = re.compile(r"(---|\+\+\+)[ \t]*\n")
_CLOSING = {
    "---": re.compile(r"\n(?:---|\.\.\.)[ \t]*(?=\n|\Z)"),
    "+++": re.compile(r"\n\+\+\+[ \t]*(?=\n|\Z)"),
}
_ENTRY = re.compile(r"^[\w\"'\[][^\n]*?(?:[=\]]|:(?=\s|\Z))", re.MULTILINE)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"([\"'])(.*?)\1")
_NOT_PLAIN = ("|", ">", "&", "*", "{", "[")


class FrontMatter(NamedTuple):
    """Where the block ends, 0 if there is none, and its title, empty if it has none."""

    end: int
    title: str


def read_front_matter(text: str) -> FrontMatter:
    r"""The front matter that opens `text`.

    It is YAML between `---` lines (or `---` and `...`), or TOML between `+++`
    lines, on the first line of the text. What stands between must hold an entry
    (`key: value`, `key = value`), or nothing, and not begin with a blank line:
    otherwise the first line is a rule.

    Example:
        >>> read_front_matter("---\ntitle: Pumps\n---\n# Start")
        FrontMatter(end=20, title='Pumps')
        >>> read_front_matter("---\nOnly a line between rules.\n---\n")
        FrontMatter(end=0, title='')
    """
    none = FrontMatter(0, "")
    opening = _OPENING.match(text)
    closing = _CLOSING[opening[1]].search(text, opening.end() - 1) if opening else None
    if opening is None or closing is None:
        return none
    inside = text[opening.end() : closing.start() + 1]
    if inside and (not inside.partition("\n")[0].strip() or not _ENTRY.search(inside)):
        return none
    return FrontMatter(closing.end(), _title(inside))


def _title(inside: str) -> str:
    """The value of `title`, without quotes or comment; block scalars are left out."""
    found = _TITLE.search(inside)
    if found is None or found[1].startswith(_NOT_PLAIN):
        return ""
    quoted = _QUOTED.match(found[1])
    return quoted[2] if quoted else re.split(r"\s#", found[1], maxsplit=1)[0].rstrip()
