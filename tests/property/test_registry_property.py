from hypothesis import given
from hypothesis import strategies as st

from seamline.registry import format_spec, parse_spec, parse_specs

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(["none", "True", "nan", "inf", "1_000", "0x1", "a b", "\\", '"', "'", "\\n"])
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
specs = st.tuples(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True),
    st.dictionaries(keys, values, max_size=4),
)


@given(specs)
def test_format_and_parse_are_each_others_inverse(spec):
    name, params = spec
    text = format_spec(name, params)
    found = parse_spec(text)
    assert (found.name, dict(found.params)) == (name, params)
    assert [type(value) for value in found.params.values()] == [type(v) for v in params.values()]
    assert str(found) == text


@given(st.lists(specs, min_size=1, max_size=4))
def test_a_list_of_specs_reads_back_whatever_its_strings_hold(rows):
    texts = [format_spec(name, params) for name, params in rows]
    assert [str(spec) for spec in parse_specs("; ".join(texts))] == texts
