"""What must stay together and what must be said with it, kind by kind, on parsed documents."""

from __future__ import annotations

import pytest

from seamline.parse import parse_bytes, parse_text
from seamline.split import parse_strategy
from seamline.testing import check_chunks

SPECS = ["structure(size={size})", "adaptive(target={size}, size={size})"]


def chunks_of(spec, text, *, size=40, media_type="text/markdown"):
    document = parse_text(text, media_type=media_type)
    chunks = parse_strategy(spec.format(size=size)).split(document)
    check_chunks(document, chunks)
    return chunks


def holding(chunks, words):
    return [chunk for chunk in chunks if words in chunk.text]


@pytest.fixture(params=SPECS, ids=["structure", "adaptive"])
def spec(request):
    return request.param


LONG = "The seal is checked by hand. " * 5


def test_a_heading_stays_with_its_first_body(spec):
    text = f"# Pump\n\n{LONG}\n\n## Safety\n\nWear gloves.\n\n{LONG}\n\n## Notes\n\nNone."
    chunks = chunks_of(spec, text)
    assert len(chunks) > 3
    for chunk in chunks:
        assert not chunk.text.rstrip().split("\n")[-1].startswith("#")
    assert "Wear gloves." in holding(chunks, "## Safety")[0].text


def test_headings_of_both_kinds_open_sections(spec):
    text = f"Pump\n====\n\n{LONG}\n\nSafety\n------\n\nWear gloves.\n"
    [safety] = holding(chunks_of(spec, text), "Wear gloves")
    assert safety.text.startswith("Safety")


def test_a_hash_in_code_or_with_seven_marks_opens_nothing(spec):
    text = f"# A\n\n{LONG}\n\n    # not a heading\n    code = 1\n\n####### nor this\n\n{LONG}"
    paths = {chunk.indexed.split("\n")[0] for chunk in chunks_of(spec, text)[1:]}
    assert not any("not a heading" in path or "nor this" in path for path in paths)


def test_sections_of_the_same_title_are_told_apart_by_their_path(spec):
    text = f"# Guide\n\n## Hotel\n\n### Book\n\n{LONG}\n\n## Car\n\n### Book\n\n{LONG}"
    chunks = chunks_of(spec, text)
    heads = [chunk.indexed.split("\n")[0] for chunk in chunks if "### Book" not in chunk.text]
    assert any("Hotel > Book" in head for head in heads)
    assert any("Car > Book" in head for head in heads)


@pytest.mark.parametrize("fence", ["```", "````", "~~~"])
def test_a_fence_is_whole_where_it_fits_and_its_marks_never_stand_alone(spec, fence):
    body = "for i in range(9):\n\tprint(i)\n# not a heading"
    text = f"# Code\n\n{LONG}\n\n{fence}python\n{body}\n{fence}\n\n{LONG}"
    [chunk] = holding(chunks_of(spec, text), "print(i)")
    assert f"{fence}python\n{body}\n{fence}" in chunk.text


def test_a_long_fence_keeps_its_marks_with_its_first_and_last_lines(spec):
    lines = "\n".join(f"    value_{i} = compute({i})" for i in range(30))
    chunks = chunks_of(spec, f"Text.\n\n```python\n{lines}\n```\n\nMore.")
    assert "value_0" in holding(chunks, "```python")[0].text
    assert all(chunk.text.strip() != "```" for chunk in chunks)
    assert any(chunk.text.startswith("    value_") for chunk in chunks)  # indentation kept


def test_an_unclosed_fence_loses_nothing(spec):
    chunks = chunks_of(spec, "# A\n\n```sh\nmake\n# all\nmake test\n\ntext after")
    assert "text after" in chunks[-1].text


def test_a_table_is_whole_where_it_fits(spec):
    table = "| Day | Load |\n|---|---|\n| Mon | 40 |\n| Tue | 55 |"
    [chunk] = holding(chunks_of(spec, f"# T\n\n{LONG}\n\n{table}\n\n{LONG}"), "| Tue | 55 |")
    assert table in chunk.text


@pytest.mark.parametrize(
    "header",
    [
        "| Region | Value |\n|--------|-------|",
        "Region | Value\n------ | -----",
        "| Region | 2024 |\n|        | kEUR |\n|--------|------|",
    ],
)
def test_rows_after_the_first_unit_have_the_header_as_context(spec, header):
    bare = not header.startswith("|")
    rows = [f"R{i} | {i * 10}" if bare else f"| R{i} | {i * 10} |" for i in range(1, 25)]
    chunks = chunks_of(spec, f"{header}\n" + "\n".join(rows), size=70)
    assert len(chunks) > 1
    assert all(row in chunk.text for row in rows for chunk in holding(chunks, row))
    assert sum(chunk.text.count("\n") + 1 for chunk in chunks) >= len(rows)
    assert [chunk.context for chunk in chunks[1:]] == [header] * (len(chunks) - 1)


def test_a_table_inside_a_fence_is_code(spec):
    text = f"{LONG}\n\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n\n{LONG}"
    assert all(chunk.context == "" for chunk in chunks_of(spec, text))


def test_a_question_stays_with_its_answer(spec):
    text = (
        "# FAQ\n\n**Q: How often must the filter be changed?**\n\nA: Every 400 running hours.\n\n"
        "**Q: Which oil is approved?**\n\nA: Only ISO VG 46. Other grades void the warranty.\n\n"
        "Q3. Can the pump run dry?\nNo. Dry running destroys the seal.\n"
    )
    chunks = chunks_of(spec, text, size=30)
    for question, answer in (
        ("filter be changed", "400 running"),
        ("oil is approved", "warranty"),
        ("run dry", "seal"),
    ):
        [chunk] = holding(chunks, question)
        assert answer in chunk.text
        assert chunk.text.count("?") == 1


def test_a_long_answer_repeats_its_question(spec):
    text = f"Q: Why does it leak?\nA: {LONG}{LONG}{LONG}\n\nQ: When?\nA: Now.\n"
    chunks = chunks_of(spec, text, size=50)
    rest = [c for c in chunks if "seal is checked" in c.text and "Why" not in c.text]
    assert rest
    assert all("Why does it leak?" in chunk.context for chunk in rest)


def test_steps_are_whole_where_they_fit_else_the_ones_before_are_named():
    steps = "\n".join(f"{i}. Turn valve number {i} until it stops." for i in range(1, 15))
    text = f"Shut down as follows:\n\n{steps}\n"
    [chunk] = chunks_of("structure(size={size})", text, size=300)
    assert chunk.text == text.strip()
    chunks = chunks_of("structure(size={size})", text, size=60)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        first = int(chunk.text.split(".")[0])
        assert chunk.context == f"Shut down as follows: (after step {first - 1})"


def test_a_formula_is_whole(spec):
    formula = "$$\nE = m c^2\n\n+ \\sum_i x_i\n$$"
    [chunk] = holding(chunks_of(spec, f"{LONG}\n\n{formula}\n\n{LONG}"), "E = m")
    assert formula in chunk.text


def test_front_matter_is_whole(spec):
    text = f"---\ntitle: Pumps\ntags: [a, b]\n---\n\n# One\n\n{LONG}"
    assert "title: Pumps\ntags: [a, b]\n---" in chunks_of(spec, text)[0].text


def test_the_rest_of_a_turn_has_its_speaker_and_the_question(spec):
    text = (
        "Ann: Who turned the pump off?\n"
        f"Bob: It was me. {LONG}{LONG}\n"
        "Ann: Why?\nBob: It leaked.\nAnn: Again?\nBob: Yes.\nAnn: Thanks.\nBob: Sure.\n"
        "Ann: When will it be mended, then?\nBob: It is mended by Friday at noon.\n"
    )
    chunks = chunks_of(spec, text, size=50, media_type="text/plain")
    rest = [c for c in chunks if "seal is checked" in c.text and "Bob: It was" not in c.text]
    assert rest
    assert all("Bob:" in chunk.context and "pump off?" in chunk.context for chunk in rest)


def test_nothing_is_indexed_twice_or_shown(spec):
    chunks = chunks_of(spec, f"# Pump\n\n{LONG}\n\n## Oil\n\n{LONG}\n\n{LONG}")
    for chunk in chunks:
        assert chunk.indexed.endswith(chunk.text)
        assert "Pump" not in chunk.context
        assert chunk.indexed.split("\n").count("Pump > Oil") <= 1


def test_without_prefix_the_text_alone_is_indexed():
    chunks = chunks_of("structure(size={size}, prefix=false)", f"# A\n\n{LONG}\n\n{LONG}")
    assert all(chunk.indexed == chunk.text for chunk in chunks)


def test_any_strategy_can_index_the_path():
    text = f"# Pump\n\n## Oil\n\n{LONG}\n\n{LONG}"
    chunks = chunks_of("recursive(size={size}, overlap=0, prefix=true)", text)
    assert chunks[-1].indexed == f"Pump > Oil\n{chunks[-1].text}"
    assert all(chunk.context == "" for chunk in chunks)


TANK = """class Tank:
    \"\"\"A water tank, in caf\u00e9 terms.\"\"\"

    LIMIT = 900

    @property
    def level(self):
        \"\"\"Current level in litres.\"\"\"
        return self._level

    @level.setter
    def level(self, value):
        if value > self.LIMIT:
            raise ValueError("overflow")
        self._level = value

    def drain(self, litres):
        \"\"\"Remove litres from the tank.\"\"\"
        self._level = max(0, self._level - litres)
        return self._level
"""


def test_methods_are_whole_and_know_their_class(spec):
    pytest.importorskip("tree_sitter_python", reason="needs the extra code")
    document = parse_bytes(TANK.encode(), "tank.py")
    chunks = parse_strategy(spec.format(size=48)).split(document)
    check_chunks(document, chunks)
    [drain] = holding(chunks, "def drain")
    assert drain.context == "class Tank"
    assert drain.text.startswith("    def drain(self, litres):")
    assert drain.text.rstrip().endswith("return self._level")
    [setter] = holding(chunks, "@level.setter")
    assert "self._level = value" in setter.text
    assert "A water tank" in holding(chunks, "class Tank:")[0].text


def test_the_rest_of_a_method_names_class_and_method(spec):
    pytest.importorskip("tree_sitter_python", reason="needs the extra code")
    body = "\n".join(f"        self.step_{i}({i})" for i in range(40))
    code = f"class Tank:\n    def run(self):\n{body}\n"
    document = parse_bytes(code.encode(), "tank.py")
    chunks = parse_strategy(spec.format(size=80)).split(document)
    check_chunks(document, chunks)
    assert len(chunks) > 2
    assert {chunk.context for chunk in chunks[1:]} == {"class Tank \u203a def run"}


def test_a_string_of_several_lines_is_not_cut(spec):
    pytest.importorskip("tree_sitter_python", reason="needs the extra code")
    lines = "\n".join(f"x{i} = {i}" for i in range(30))
    code = f"{lines}\nquery = '''SELECT a,\n b\nFROM c'''\n{lines}\n"
    document = parse_bytes(code.encode(), "q.py")
    chunks = parse_strategy(spec.format(size=60)).split(document)
    assert len(holding(chunks, "SELECT a,\n b\nFROM c")) == 1


@pytest.mark.parametrize("before", range(0, 40, 3))
@pytest.mark.parametrize(
    "string", ["query = '''{}'''", "ask(\n    1, '''{}''', deep=True)", "'''{}'''.strip()"]
)
def test_no_line_is_parted_at_a_string_of_several_lines(string, before, spec):
    pytest.importorskip("tree_sitter_python", reason="needs the extra code")
    lines = "\n".join(f"x{i} = {i}" for i in range(before))
    told = string.format("SELECT a,\n b\nFROM c")
    code = f"{lines}\n{told}\n{lines}\n{told}\n{lines}\n"
    document = parse_bytes(code.encode(), "q.py")
    chunks = parse_strategy(spec.format(size=60)).split(document)
    starts = [document.text.rfind("\n", 0, chunk.start) + 1 for chunk in chunks]
    assert all(
        not document.text[start : chunk.start].strip()
        for start, chunk in zip(starts, chunks, strict=True)
    )


def test_units_of_turns_are_twice_as_large_where_the_limit_allows_it():
    said = [
        f"{who}: The pump is checked by {who} on day {day}."
        for day in range(30)
        for who in ("Anna", "Bert")
    ]
    turns, prose = "\n".join(said), " ".join(line.split(": ")[1] for line in said)

    def mean(text, size):
        chunks = chunks_of(
            "adaptive(target=30, size={size})", text, size=size, media_type="text/plain"
        )
        return sum(len(chunk.text.split()) for chunk in chunks) / len(chunks)

    assert mean(turns, 512) > 1.5 * mean(prose, 512)
    assert mean(turns, 60) < 1.5 * mean(prose, 60)


STEPS = """# Failover

## Steps

1. Check that the standby is in step. Both numbers must be under one megabyte:

   ```sql
   SELECT application_name, sync_state,
          pg_wal_lsn_diff(sent_lsn, replay_lsn)  AS replay_bytes
   FROM pg_stat_replication
   WHERE sync_state = 'sync';
   ```

2. End sessions that would delay the shutdown, which means exports.

   ~~~sql
   SELECT pg_terminate_backend(pid)
   FROM pg_stat_activity WHERE usename = 'exporter';
   ~~~

(3) Restart. Wait for the primary to come up again and look at the lag.

- Tell the others. They wait for it.
"""


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain"])
@pytest.mark.parametrize("target", [4, 8, 16, 32, 64])
def test_the_number_of_a_step_and_the_fence_in_it_are_not_parted_from_what_they_open(
    media_type, target
):
    document = parse_text(STEPS, media_type=media_type)
    for chunk in parse_strategy(f"adaptive(target={target}, size=256)").split(document):
        last = chunk.text.rsplit("\n", 1)[-1].strip()
        assert last not in ("1.", "2.", "(3)", "-", "```sql", "~~~sql")


@pytest.mark.parametrize("spec", ["adaptive", "structure(size=90)", "adaptive(target=16)"])
def test_headings_above_a_question_that_is_a_heading_stay_with_it(spec):
    text = "# FAQ\n\n## Rota\n\n### When does it start?\n\nOn Tuesday at ten.\n\n"
    text += (
        "## Access\n\n### What must work?\n\n" + "The pager must work, and so must the laptop. " * 3
    )
    document = parse_text(text, media_type="text/markdown")
    found = [chunk.text for chunk in parse_strategy(spec).split(document)]
    assert not [part for part in found if part.splitlines()[-1].startswith("#")]
    assert found[0].endswith("On Tuesday at ten.")
