"""Rules for single documents: what they may say, whom they fit, and how their file is read."""

import json

import pytest

from seamline.errors import InvalidConfig, MissingInput
from seamline.ingest.labels import Labels, Rule, Rules, read_rules


@pytest.fixture
def write(tmp_path):
    """What writes a file of rules, bytes or lines of text; gives its path."""

    def written(*lines):
        path = tmp_path / "rules.jsonl"
        data = b"".join(one if isinstance(one, bytes) else f"{one}\n".encode() for one in lines)
        path.write_bytes(data)
        return path

    return written


def fits(rules, doc_id):
    """The ids of the rules that a document gets."""
    return [rule.id for rule in rules.of(doc_id)]


def test_every_key_of_a_rule_is_read(write):
    row = {"id": "a.md", "access": ["hr", "it"], "tags": ["new"], "metadata": {"on": {"y": 1}}}
    rules = read_rules(write(json.dumps(row)))
    wanted = Rule("a.md", frozenset({"hr", "it"}), frozenset({"new"}), {"on": {"y": 1}})
    assert rules.of("a.md") == [wanted]
    assert read_rules(write('{"id": "a.md"}')).of("a.md") == [Rule("a.md")]


def test_blank_lines_marks_and_line_ends_of_windows_are_no_rules(write):
    path = write(b'\xef\xbb\xbf{"id": "a"}\r\n', b"\r\n  \t\r\n", b'{"id": "b"}')
    rules = read_rules(str(path))
    assert rules.unused([]) == ["a", "b"]
    assert read_rules(write()).unused([]) == []


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\u00a0"])
def test_a_line_ends_only_where_json_lines_do(write, sign):
    row = json.dumps({"id": f"a{sign}b"}, ensure_ascii=False)
    assert fits(read_rules(write(row, '{"id": "c"}')), f"a{sign}b") == [f"a{sign}b"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", 'a rule must be like {"id": "hr/*", "access": ["hr"]}'),
        ("7", "a rule must be like"),
        ('{"access": ["hr"]}', "a rule must be like"),
        ('{"id": "a"', "Expecting"),
        ('{"id": "a"} {"id": "b"}', "Extra data"),
        ("{'id': 'a'}", "Expecting property name"),
        ("[" * 100_000, "recursion"),
        ('{"id": "a", "acces": ["hr"]}', "the keys id, access, tags, metadata, got 'acces'"),
        ('{"id": 7}', "id must be a string"),
        ('{"id": null}', "id must be a string"),
        ('{"id": ""}', "id must be a document's id, or a pattern, got an empty string"),
        ('{"id": "a\\u0000"}', "id must be a string without null characters"),
        ('{"id": "\\ud800"}', "and lone surrogates"),
        ('{"id": "a", "access": "hr"}', "access must be a set of strings like {'staff'}, got 'hr'"),
        ('{"id": "a", "access": null}', "access must be a set of strings"),
        ('{"id": "a", "access": [7]}', "each of access must be a string"),
        ('{"id": "a", "access": [["hr"]]}', "each of access must be a string"),
        ('{"id": "a", "tags": [""]}', "tags must not be empty strings"),
        ('{"id": "a", "tags": ["\\udfff"]}', "each of tags must be a string"),
        ('{"id": "a", "metadata": ["y"]}', "metadata must be a table of keys and values"),
        ('{"id": "a", "metadata": null}', "metadata must be a table of keys and values"),
        ('{"id": "a", "metadata": {"n": NaN}}', "finite numbers"),
        ('{"id": "a", "metadata": {"n": [-Infinity]}}', "finite numbers"),
        ('{"id": "a", "metadata": {"n": 1e999}}', "finite numbers"),
        ('{"id": "a", "metadata": {"s": "\\u0000"}}', "without null characters"),
        ('{"id": "a", "metadata": {"id": "b"}}', "other keys than id, source, media_type, version"),
        ('{"id": "a", "metadata": {"version": 2}}', "which every document has, got 'version'"),
        ('{"id": "a", "metadata": {"x": ' + "[" * 30 + "]" * 30 + "}}", "at most 20 levels deep"),
    ],
)
def test_a_line_that_is_no_rule_is_named_with_its_number(write, line, says):
    path = write('{"id": "first"}', "", line, '{"id": "last"}')
    with pytest.raises(InvalidConfig) as caught:
        read_rules(path)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["a", "a*"])
def test_two_rules_for_an_id_are_refused(write, name):
    with pytest.raises(InvalidConfig, match="one rule for an id, got two for 'a"):
        Rules([Rule(name), Rule("b"), Rule(name, access={"hr"})])
    row = json.dumps({"id": name})
    with pytest.raises(InvalidConfig, match="one rule for an id, got two for 'a"):
        read_rules(write(row, '{"id": "b"}', row))


def test_a_file_must_be_there_and_in_utf_8(write, tmp_path):
    with pytest.raises(MissingInput, match=r"labels must be a file, got .*none\.jsonl.*No such"):
        read_rules(tmp_path / "none.jsonl")
    with pytest.raises(MissingInput, match=r"labels must be a file, got .*directory"):
        read_rules(tmp_path)
    for data in (b'{"id": "caf\xe9"}\n', '{"id": "a"}'.encode("utf-16")):
        with pytest.raises(InvalidConfig, match=r"rules\.jsonl must be JSONL in UTF-8"):
            read_rules(write(data))


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("hr/*", ["hr/a.md", "hr/b/c.md", "hr/"], ["hr", "shr/a.md", "HR/a.md"]),
        ("*", ["a", "a/b", "a\nb"], []),
        ("?.md", ["a.md", "魚.md"], ["ab.md", ".md", "a.mdx"]),
        ("*.md", ["a.md", "a/b.md"], ["a.md.bak", "axmd"]),
        ("a.md", ["a.md"], ["axmd", "b/a.md", "a.md/b"]),
        ("(a|b)+", ["(a|b)+"], ["a", "ab"]),
    ],
)
def test_a_pattern_fits_whole_ids_only(pattern, fitting, others):
    rules = Rules([Rule(pattern)])
    assert [name for name in fitting + others if rules.of(name)] == fitting
    assert rules.unused(fitting) == []
    assert rules.unused(others) == [pattern]


def test_brackets_in_an_id_are_only_text():
    rules = Rules([Rule("notes[1].md", access={"hr"}), Rule("draft [old]*", access={"hr"})])
    for name in ("notes[1].md", "draft [old] b.md"):
        assert rules.of(name), f"the rule for {name!r} fits it not, so everybody may read it"
    assert rules.of("notes1.md") == []


def test_patterns_come_in_their_order_and_the_rule_of_its_own_last():
    rules = Rules([Rule("a/b"), Rule("*b"), Rule("a/*"), Rule("c")])
    assert fits(rules, "a/b") == ["*b", "a/*", "a/b"]
    assert fits(rules, "a/c") == ["a/*"]
    assert fits(rules, "c") == ["c"]
    assert fits(rules, "d") == []


def test_what_rules_give_adds_up_and_the_nearest_rule_wins():
    rules = Rules(
        [
            Rule("hr/a.md", tags={"own"}, metadata={"year": 3}),
            Rule("hr/*", access={"hr"}, metadata={"year": 1, "kind": "memo"}),
            Rule("*.md", access={"it"}, tags={"md"}, metadata={"year": 2}),
        ]
    )
    labels = Labels("acme", {"all"}, {"new"}, {"year": 0, "owner": "x"}, rules)
    assert labels.of("hr/a.md") == Labels(
        "acme",
        {"all", "hr", "it"},
        {"new", "own", "md"},
        {"year": 3, "kind": "memo", "owner": "x"},
    )
    assert labels.of("hr/b.md").metadata["year"] == 2
    assert labels.of("c.txt").access == {"all"}
    assert labels.of("c.txt").metadata == {"year": 0, "owner": "x"}
    assert labels.metadata == {"year": 0, "owner": "x"}


@pytest.mark.parametrize("make", [lambda **given: Rule("a", **given), Labels], ids=["rule", "all"])
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"access": "staff"}, "access must be a set of strings"),
        ({"access": [None]}, "each of access must be a string"),
        ({"tags": {""}}, "tags must not be empty strings"),
        ({"tags": 7}, "tags must be a set of strings"),
        ({"metadata": [("a", 1)]}, "metadata must be a table"),
        ({"metadata": {"a": object()}}, "metadata must be JSON"),
        ({"metadata": {"a": float("nan")}}, "metadata must be JSON"),
        ({"metadata": {"source": "x"}}, "which every document has, got 'source'"),
        ({"metadata": {"media_type": "x"}}, "which every document has, got 'media_type'"),
    ],
)
def test_labels_that_cannot_be_are_refused_when_they_are_made(make, given, says):
    with pytest.raises(InvalidConfig, match=says):
        make(**given)


def test_tags_are_no_metadata_as_no_condition_would_see_them():
    with pytest.raises(InvalidConfig, match=r"metadata must .*tags"):
        Labels(metadata={"tags": ["x"]})


@pytest.mark.parametrize("tenant", [None, 7, "a\0", "\ud800"])
def test_a_tenant_is_a_string(tenant):
    with pytest.raises(InvalidConfig, match="tenant must be a string"):
        Labels(tenant)


def test_labels_may_be_given_as_any_collection():
    assert Labels(access=["b", "a", "b"]).access == frozenset({"a", "b"})
    assert Rule("x", tags=(one for one in ("a",))).tags == frozenset({"a"})
