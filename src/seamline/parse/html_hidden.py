"""Which HTML elements a reader does not see, or not as part of the page's content."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["HIDDEN_ELEMENTS", "is_hidden", "may_matter", "revealed_ids"]

# Site furniture, controls, what stands in for scripts and media, and graphics.
HIDDEN_ELEMENTS = frozenset(
    """
    audio canvas datalist iframe nav noembed noframes noscript object rp rt script select style
    svg template textarea title video xmp
    """.split()
)
_MAY_MATTER = re.compile(r"(?i)hidden|display|visib|role|class|itemtype")
_STYLE = re.compile(r"(?i)(?:^|;|\s)(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))")
_ROLES = frozenset("navigation search contentinfo dialog alertdialog menu menubar toolbar".split())
_CLASSES = frozenset(
    """
    anchorjs-link blob-num hash-link header-anchor headerlink lineno linenodiv linenos
    mw-editsection screen-reader-text sr-only visually-hidden
    """.split()
)
# Begins with its mark, which is looked for much faster than a letter of either case.
_CONTROLS = re.compile(r"-(?<=\b(?i:aria)-)(?i:controls)\s*+=\s*+[\"']?([^\"'>]++)")


def may_matter(source: str) -> bool:
    """Whether the attributes are worth reading: a cheap test."""
    return _MAY_MATTER.search(source) is not None


def revealed_ids(text: str) -> frozenset[str]:
    """The ids of what a control opens, such as the answers of a folded list of questions."""
    return frozenset(name for found in _CONTROLS.findall(text) for name in found.split())


def is_hidden(attributes: Mapping[str, str], revealed: frozenset[str]) -> bool:
    """Whether an element with these attributes is out of sight for good.

    Example:
        >>> is_hidden({"style": "color: red; display:none"}, frozenset())
        True
        >>> is_hidden({"hidden": "", "id": "answer-1"}, frozenset({"answer-1"}))
        False
    """
    if not _CLASSES.isdisjoint(attributes.get("class", "").split()):
        return True
    if attributes.get("role", "").lower() in _ROLES:
        return True
    folded = attributes.get("hidden", "no").lower() not in ("no", "until-found")
    folded = folded or attributes.get("aria-hidden", "").lower() == "true"
    folded = folded or _STYLE.search(attributes.get("style", "")) is not None
    return folded and attributes.get("id", "") not in revealed
