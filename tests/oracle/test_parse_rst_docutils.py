"""reStructuredText beside docutils: the same titles, and as many blocks of each kind."""

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.parse import parse_text

pytest.importorskip("docutils", reason="docutils is not installed")
from docutils import frontend, nodes, utils
from docutils.parsers.rst import Directive, Parser, directives, roles

FOLDERS = [Path("/usr/share/cmake-3.25/Help/manual"), Path("/usr/share/doc")]
KINDS = {
    "ordered": ("enumerated_list",),
    "bullet": ("bullet_list", "definition_list", "field_list", "option_list"),
    "list_item": ("list_item", "definition_list_item", "field", "option_list_item"),
    "table": ("table",),
    "code": ("literal_block", "doctest_block"),
    "quote": ("block_quote",),
}

BOOK = """\
======
Manual
======

:Author: Ann
:Version: 1

Oil it. See [1]_ and :ref:`below <x>`::

   pump --oil
     --slowly

Parts
=====

- one
  more

  1. first
  2. second

- two

oil : thick
   It is thick.

water
   It is wet.

   * cold
   * warm

.. note::

   Mind the pump.

.. code-block:: python
   :number-lines:

   def drain():
       return 1

.. comment
   goes on

.. _x:

Load
----

+-----+------+
| Day | Load |
+=====+======+
| Mon | 1    |
+-----+------+

====  ====
a     b
====  ====
1     2
      3
====  ====

-a        All.
--to=FILE  There.

>>> 1 + 1
2

| line
| block

    Quoted
    text.

.. [1] A note.

----

A. Einstein
was here.

Parts
=====

End.
"""


class Anything(Directive):
    """Whatever directive it is, with its content read."""

    has_content = True
    optional_arguments = 99
    final_argument_whitespace = True

    def run(self):
        found = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]


def theirs(text, monkeypatch):
    settings = frontend.get_default_settings(Parser)
    settings.report_level, settings.halt_level, settings.file_insertion_enabled = 5, 6, False
    settings.warning_stream = io.StringIO()
    known = directives.directive
    monkeypatch.setattr(directives, "directive", lambda *given: (known(*given)[0] or Anything, []))
    monkeypatch.setattr(
        roles,
        "role",
        lambda *_: (lambda _n, raw, text, *_a, **_k: ([nodes.inline(raw, text)], []), []),
    )
    document = utils.new_document("a", settings)
    Parser().parse(text, document)
    titles = [(depth(found), found[0].astext()) for found in document.findall(nodes.section)]
    for message in list(document.findall(nodes.system_message)):
        message.parent.remove(message)
    counts = Counter(found.tagname for found in document.findall(nodes.Element))
    return titles, {kind: sum(counts[tag] for tag in tags) for kind, tags in KINDS.items()}


def depth(section):
    n = 0
    while section is not None:
        n += isinstance(section, nodes.section)
        section = section.parent
    return min(n, 6)


def ours(text):
    blocks = parse_text(text, media_type="text/x-rst").blocks
    titles = [(block.level, block.title) for block in blocks if block.kind == "heading"]
    counts = Counter(block.title if block.kind == "list" else block.kind for block in blocks)
    return titles, {kind: counts[kind] for kind in KINDS}


def inked(titles):
    """Without what a role's target or a mark says: docutils knows no roles of Sphinx."""
    return [(level, re.sub(r"<[^>]*>|\W", "", title)) for level, title in titles]


def test_every_construct_as_docutils_sees_it(monkeypatch):
    titles, counts = theirs(BOOK, monkeypatch)
    assert ours(BOOK) == (titles, counts)
    assert min(counts.values()) > 0


def real_files():
    found = [path for folder in FOLDERS if folder.is_dir() for path in folder.rglob("*.rst")]
    return sorted(path for path in found if path.is_file() and path.stat().st_size < 50_000)[:60]


@pytest.mark.skipif(not real_files(), reason="no documentation in reStructuredText is installed")
def test_titles_of_real_documents_are_those_of_docutils(monkeypatch):
    for path in real_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        assert inked(ours(text)[0]) == inked(theirs(text, monkeypatch)[0]), path


PARTS = [
    "Oil\n{0}\n\nText.",
    "{0}\nOil\n{0}",
    "Some text\nof two lines.",
    "See::\n\n   code\n     more",
    "- one\n- two\n\n  - deep",
    "1. one\n2. two",
    "term\n   said",
    ":field: x",
    ".. note::\n\n   inside",
    ".. a comment\n   more",
    "+---+---+\n| a | b |\n+---+---+",
    "==  ==\na   b\n==  ==",
    "   quoted",
    ">>> 1",
    "| line",
]
styles = st.sampled_from(["====", "----", "~~~~"])
parts = st.lists(st.builds(lambda part, style: part.format(style), st.sampled_from(PARTS), styles))


@given(parts)
def test_any_constructs_below_each_other(given_parts):
    text = "\n\n".join(given_parts)
    with pytest.MonkeyPatch.context() as patch:
        titles, counts = theirs(text, patch)
    found_titles, found_counts = ours(text)
    if len(found_titles) == len(titles):  # docutils refuses levels that skip one
        assert found_titles == titles
        assert found_counts == counts
