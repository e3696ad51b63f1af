"""The names at the top of the package."""

import subprocess
import sys
import types

import pytest

import seamline
from seamline import Document, Span
from seamline.api import find_set
from seamline.embed.minilm import MiniLM
from seamline.errors import InvalidConfig, MissingInput, UnknownName

TEXT = "Oil the pump. Check the belt.\r\nThen rest."


def test_every_public_name_is_there_and_sorted():
    assert seamline.__all__ == sorted(seamline.__all__)
    for name in seamline.__all__:
        assert getattr(seamline, name) is not None
        assert name in dir(seamline)


def test_no_public_name_is_a_module_that_an_import_would_put_in_its_place():
    code = (
        "import pkgutil, seamline\n"
        "modules = {module.name for module in pkgutil.iter_modules(seamline.__path__)}\n"
        "assert not modules & set(seamline.__all__), modules & set(seamline.__all__)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lazy_names_are_the_objects_of_their_modules():
    for home, names in seamline._HOMES.items():
        module = __import__(home, fromlist=["_"])
        for name in names:
            assert getattr(seamline, name) is getattr(module, name)
            assert not isinstance(getattr(seamline, name), types.ModuleType)


def test_types_for_checkers_and_names_at_run_time_agree(root):
    source = (root / "src/seamline/__init__.py").read_text(encoding="utf-8")
    block = source.partition("if TYPE_CHECKING:\n")[2].partition("\n\n    __version__")[0]
    declared = {}
    for line in block.splitlines():
        home, _, names = line.strip().removeprefix("from ").partition(" import ")
        declared[home] = tuple(name.strip() for name in names.split(","))
    assert declared == seamline._HOMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'seamline' has no attribute 'splitt'"):
        _ = seamline.splitt


def test_chunks_are_slices_of_the_normalised_text():
    chunks = seamline.split_text(TEXT, "sentence(size=5)")
    text = TEXT.replace("\r\n", "\n")
    assert [chunk.text for chunk in chunks] == ["Oil the pump.", "Check the belt.", "Then rest."]
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)


def test_a_preset_a_document_and_an_object_are_accepted_too():
    document = Document.from_text(TEXT, "pumps")
    by_preset = seamline.split_text(document, "recursive-400")
    strategy = seamline.parse_strategy("recursive(size=400, overlap=0)")
    assert by_preset == seamline.split_text(document, strategy)
    assert by_preset[0].doc_id == "pumps"

    class Words:
        def split_text(self, text):
            return text.split()

    assert len(seamline.split_text(document, Words())) == len(TEXT.split())


def test_markdown_is_cut_as_markdown_when_told():
    text = "Intro words here.\n## Pumps\nOil them.\n"
    plain = seamline.split_text(text, "recursive(size=8, overlap=0)")
    marked = seamline.split_text(text, "recursive(size=8, overlap=0)", media_type="text/markdown")
    assert [chunk.text.startswith("## Pumps") for chunk in marked] == [False, True]
    assert not any(chunk.text.startswith("## Pumps") for chunk in plain)


def test_semantic_brings_the_default_embedder():
    by_default = seamline.split_text(TEXT, "semantic(size=64, threshold=0.9)")
    given = seamline.split_text(TEXT, "semantic(size=64, threshold=0.9)", embedder=MiniLM())
    assert by_default == given
    assert len(by_default) > 1


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_blank_text_gives_no_chunks(text):
    assert seamline.split_text(text) == []


def test_errors_say_what_is_wrong():
    with pytest.raises(UnknownName, match="did you mean 'recursive'"):
        seamline.split_text(TEXT, "recursiv")
    with pytest.raises(UnknownName, match="did you mean 'minilm'"):
        seamline.split_text(TEXT, embedder="minilmm")
    with pytest.raises(InvalidConfig, match="at least 1"):
        seamline.benchmark("examples/handbook", k=0)


def test_the_root_of_all_errors_catches_them():
    with pytest.raises(seamline.SeamlineError):
        seamline.parse_retriever("nothing")


@pytest.fixture(scope="module")
def handbook(root):
    return root / "examples" / "handbook"


@pytest.mark.parametrize("way", ["folder", "golden", "both"])
def test_a_benchmark_needs_no_more_than_where_the_set_is(handbook, way):
    docs, golden = handbook / "docs", handbook / "golden.jsonl"
    arguments = {"folder": (str(handbook),), "golden": ((), golden), "both": ([docs], str(golden))}
    results = seamline.benchmark(*arguments[way], strategies="whole", retriever="bm25", k=2)
    assert [row.spec for row in results.summary()] == ["whole"]
    assert results.data["config"]["k"] == 2


def test_a_benchmark_takes_own_splitters_and_embedders(handbook):
    class Paragraphs:
        name = "paragraphs"

        def split_text(self, text):
            return text.split("\n\n")

    results = seamline.benchmark(
        handbook, strategies=["whole", Paragraphs()], embedder=MiniLM(), retriever="dense"
    )
    assert {row.spec for row in results.summary()} == {"whole", "paragraphs"}


def test_notes_of_the_loading_are_warnings(handbook, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Oil the pump. Check the belt.")
    (tmp_path / "golden.jsonl").write_text(
        '{"id": "q", "doc_id": "a.md", "question": "What?", "mode": "all", "answers": '
        '[{"start": 0, "end": 13, "text": "Oil the pump."}, '
        '{"start": 8, "end": 19, "text": "pump. Check"}]}'
    )
    with pytest.warns(UserWarning, match=r"golden\.jsonl:1: question 'q'"):
        seamline.benchmark(tmp_path, strategies="whole", retriever="bm25")


def test_a_set_is_found_by_its_layout(tmp_path):
    (tmp_path / "docs").mkdir()
    golden = tmp_path / "golden.jsonl"
    golden.write_text("")
    assert find_set(tmp_path) == ([tmp_path / "docs"], golden)
    assert find_set((), golden) == ([tmp_path / "docs"], golden)
    assert find_set(tmp_path / "docs") == ([tmp_path / "docs"], golden)
    other = tmp_path / "other.jsonl"
    assert find_set([tmp_path], other) == ([tmp_path / "docs"], other)
    assert find_set(["a.md", "b.md"], "g.jsonl")[0][1].name == "b.md"


@pytest.mark.parametrize("docs", [(), "docs", ["docs", "README.md"], "README.md"])
def test_a_missing_golden_set_is_asked_for(docs):
    with pytest.raises(MissingInput, match="golden set are needed"):
        find_set(docs)


def test_a_span_is_what_questions_are_made_of():
    question = seamline.Question("q", "d", "?", ((Span(0, 3),),))
    assert question.spans == (Span(0, 3),)


def test_a_path_is_read_and_its_name_says_what_it_is(tmp_path):
    text = "Intro words here.\n## Pumps\nOil them.\n"
    path = tmp_path / "pumps.md"
    path.write_text(text, encoding="utf-8")
    chunks = seamline.split_text(path, "recursive(size=8, overlap=0)")
    assert [chunk.doc_id for chunk in chunks] == ["pumps.md"] * len(chunks)
    assert any(chunk.text.startswith("## Pumps") for chunk in chunks)
    with pytest.raises(MissingInput, match=r"nowhere\.md"):
        seamline.split_text(tmp_path / "nowhere.md")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seamline.split_text(b"text"), "a string, a Document or a Path, got a bytes"),
        (lambda: seamline.split_text(None), "got a NoneType"),
        (lambda: seamline.split_text(TEXT, 42), r"split\(document\) or split_text\(text\)"),
        (lambda: seamline.split_text(TEXT, str), "a strategy must be an object, got the class str"),
        (lambda: seamline.split_text(TEXT, embedder=42), "an embedder must be a spec, or an obj"),
        (lambda: seamline.parse_embedder(42), "a spec must be a string .*, got a int"),
        (lambda: seamline.parse_retriever(None), "a spec must be a string .*, got a NoneType"),
        (lambda: seamline.benchmark(42, "g"), "docs must be the path .*, got a int; .*run_bench"),
        (lambda: seamline.benchmark([Document("a", "b")], "g"), "docs must be .* got a Document"),
        (lambda: seamline.benchmark("docs", [1]), "golden must be the path .*, got a list"),
        (lambda: seamline.benchmark("docs", bugdet=3), "named 'bugdet'; did you mean 'budget'"),
        (lambda: seamline.benchmark("docs", budget="3"), "budget must be a whole number, got '3'"),
    ],
)
def test_wrong_arguments_are_named_with_what_must_hold(call, message):
    with pytest.raises(InvalidConfig, match=message):
        call()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strategies": 42}, "strategies must be a list, or a mapping .*, got a int"),
        ({"embedder": 42}, "an embedder must be a spec"),
        ({"progress": 42}, "progress must be a function .*, got a int"),
        ({"retriever": 42}, "retriever must be a string, got 42"),
    ],
)
def test_wrong_arguments_of_a_benchmark_are_named(handbook, given, message):
    with pytest.raises(InvalidConfig, match=message):
        seamline.benchmark(handbook, **given)


def test_strategies_may_be_named(handbook):
    named = {"all": "whole", "short": "sentence(size=32)"}
    results = seamline.benchmark(handbook, strategies=named, retriever="bm25")
    assert {row.spec for row in results.summary()} == set(named)
