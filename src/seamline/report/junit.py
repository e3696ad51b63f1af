"""A check as JUnit XML, as Jenkins and GitLab read it: a test case a part."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from seamline.lock.checked import Checked, Part
from seamline.report.details import details_of
from seamline.report.plain import plain

__all__ = ["checked_junit", "unusable_junit"]

_SUITE = "seamline check"
_CLASS = "seamline.check"
# What XML 1.0 cannot hold, beside the control characters that become pictures.
_FORBIDDEN = re.compile("[\ufffe\uffff\ud800-\udfff]")


def checked_junit(checked: Checked) -> str:
    """The text of a JUnit file; without times, so the same check gives the same bytes."""
    n_failed = sum(not part.ok for part in checked.parts)
    n_skipped = sum(part.outcome == "skip" for part in checked.parts)
    counts = {"tests": str(len(checked.parts)), "failures": str(n_failed), "errors": "0"}
    root, suite = _suite(counts, n_skipped)
    for part in checked.parts:
        _add(suite, part, checked)
    out = ET.SubElement(suite, "system-out")
    out.text = _text(f"{checked.verdict}: {checked.title}.\n{checked.todo}")
    return _written(root)


def unusable_junit(says: str) -> str:
    """The text of a JUnit file of a check that could not be made: one error, which says why."""
    root, suite = _suite({"tests": "1", "failures": "0", "errors": "1"}, 0)
    case = ET.SubElement(suite, "testcase", {"classname": _CLASS, "name": "input"})
    error = ET.SubElement(case, "error", {"type": "UNUSABLE INPUT", "message": _text(says)})
    error.text = _text(says)
    return _written(root)


def _suite(counts: dict[str, str], n_skipped: int) -> tuple[ET.Element, ET.Element]:
    root = ET.Element("testsuites", {"name": _SUITE, **counts})
    skipped = {"skipped": str(n_skipped)}
    return root, ET.SubElement(root, "testsuite", {"name": _SUITE, **counts, **skipped})


def _written(root: ET.Element) -> str:
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add(suite: ET.Element, part: Part, checked: Checked) -> None:
    case = ET.SubElement(suite, "testcase", {"classname": _CLASS, "name": _text(part.name)})
    if part.outcome == "skip":
        ET.SubElement(case, "skipped", {"message": _text(part.says)})
    elif not part.ok:
        attributes = {"type": checked.verdict, "message": _text(part.says)}
        failure = ET.SubElement(case, "failure", attributes)
        failure.text = _text("\n".join([part.says, *details_of(checked, part.name)]))


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", plain(text))
