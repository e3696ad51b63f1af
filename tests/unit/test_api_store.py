"""A store filled and searched from Python: settings files, closing, and what one search asks for."""

import asyncio

import pytest

from seamline import Document, ingest_documents, open_searcher, open_store
from seamline.embed.minilm import MiniLM
from seamline.errors import InvalidConfig, MissingInput, StoreError

A = Document.from_text(
    "# Pumps\n\nOil the pump each day.\n\n## Belts\n\nCheck the belt of the pump twice.\n",
    "a.md",
    media_type="text/markdown",
)
B = Document.from_text("The pump is red. A pump is loud. Every pump needs oil.\n", "b.txt")
WORDS = {"strategy": "sentence(size=8)", "retriever": "bm25"}
SETTINGS = """
strategy = "sentence(size=8)"
retriever = "bm25"
store = "sqlite:///index.db"
namespace = "own"
k = 2
"""


@pytest.fixture
def config(tmp_path):
    """A settings file in a folder that is not the current one."""
    path = tmp_path / "project" / "settings.toml"
    path.parent.mkdir()
    path.write_text(SETTINGS)
    return path


@pytest.fixture
def searched():
    with open_store("memory://") as store:
        ingest_documents([A, B], store, **WORDS)
        yield store


def shown(answer):
    return [(passage.id, passage.text) for passage in answer.passages]


def test_a_settings_file_serves_both_calls(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = ingest_documents([A, B], config=config)
    assert (done.new, done.embedded) == (2, 0)
    assert sorted(path.name for path in config.parent.iterdir()) == ["index.db", "settings.toml"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project"]
    with open_searcher(config=str(config)) as searcher:
        info = searcher.namespace.info
        assert (info.name, info.dim, info.strategy) == ("own", 0, "sentence(size=8, overlap=0)")
        answer = searcher.search("pump")
        assert (len(answer.passages), answer.similarity) == (2, None)
    assert ingest_documents([A, B], config=config).unchanged == 2


def test_settings_come_on_top_of_the_file(config, tmp_path):
    ingest_documents([A, B], config=config, namespace="other", strategy="whole")
    with open_searcher(config=config, namespace="other", strategy="whole", k=1) as searcher:
        assert searcher.namespace.info.strategy == "whole"
        assert len(searcher.search("pump").passages) == 1
    with pytest.raises(InvalidConfig, match="was cut by whole, but the settings name sentence"):
        open_searcher(config=config, namespace="other")
    with open_store("memory://") as store:
        assert ingest_documents([A], store, config=config).new == 1
        assert [one.name for one in store.namespaces()] == ["own"]
        assert len(open_searcher(store, config=config).search("pump").passages) == 2
    url = f"sqlite:///{tmp_path}/elsewhere.db"
    assert ingest_documents([A], url, config=config).new == 1
    assert (tmp_path / "elsewhere.db").is_file()


def test_the_threshold_of_the_file_decides_what_is_answered(tmp_path):
    path = tmp_path / "s.toml"
    with open_store("memory://") as store:
        ingest_documents([A], store, retriever="dense")
        answers = {}
        for threshold in (-1, 1):
            path.write_text(f'retriever = "dense"\nthreshold = {threshold}\n')
            answers[threshold] = open_searcher(store, config=path).search("What needs oil?")
        once = open_searcher(store, config=path, threshold=-1).search("What needs oil?")
    assert {at: one.answered for at, one in answers.items()} == {-1: True, 1: False}
    assert shown(answers[1]) == shown(answers[-1]) != []
    assert once.answered


def test_no_file_is_read_unless_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "seamline.toml").write_text(SETTINGS + "threshold = 1\nkeep_versions = 2\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidConfig, match="a store must be named"):
        ingest_documents([A])
    with pytest.raises(InvalidConfig, match="a store must be named"):
        open_searcher()
    with open_store("memory://") as store:
        ingest_documents([A], store, retriever="bm25")
        (info,) = store.namespaces()
        assert (info.name, info.strategy) == ("main", "adaptive(target=64)")
        assert open_searcher(store, retriever="bm25").k == 5
    assert [path.name for path in tmp_path.iterdir()] == ["seamline.toml"]
    assert ingest_documents([A], config="seamline.toml").new == 1
    assert (tmp_path / "index.db").is_file()


@pytest.mark.parametrize(
    ("text", "given", "says"),
    [
        ("strategie = 'whole'\n", {}, "strategie"),
        ("k = 0\n", {}, "k must be at least 1"),
        ("k = \n", {}, r"settings\.toml"),
        (SETTINGS, {"bugdet": 3}, "did you mean 'budget'"),
        (SETTINGS, {"keep_versions": -1}, "keep_versions must be 0 or more"),
        (SETTINGS, {"keep_versions": "1"}, "keep_versions must be a whole number"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_a_store_is_made(config, text, given, says):
    config.write_text(text)
    with pytest.raises(InvalidConfig, match=says):
        ingest_documents([A], config=config, **given)
    with pytest.raises(InvalidConfig, match=says):
        open_searcher(config=config, **given)
    assert not (config.parent / "index.db").exists()


def test_a_settings_file_must_be_there(tmp_path):
    for call in (lambda **given: ingest_documents([A], **given), open_searcher):
        with pytest.raises(MissingInput, match=r"none\.toml"):
            call(config=tmp_path / "none.toml")
        with pytest.raises(InvalidConfig, match="the config file must be a path, got a int"):
            call(config=7)


def test_an_embedder_by_its_spec_or_of_the_callers_own_beats_the_file(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('embedder = "http(url=http://127.0.0.1:9/x, model=m)"\nretriever = "dense"\n')
    with open_store("memory://") as store:
        for embedder in ("minilm", MiniLM()):
            ingest_documents([A], store, config=path, embedder=embedder)
            searcher = open_searcher(store, config=path, embedder=embedder, threshold=-1)
            assert searcher.search("What needs oil?").answered
        assert store.open("main").info.fingerprint == MiniLM().fingerprint


def test_the_file_says_how_many_former_versions_stay(config):
    config.write_text(f"{SETTINGS}keep_versions = 1\n")
    for text in ("Oil the red pump.", "Oil the blue pump.", "Oil the old pump."):
        ingest_documents([Document.from_text(text, "a")], config=config)
    with open_searcher(config=config) as searcher:
        assert [one.version for one in searcher.namespace.versions("", "a")] == [3, 2]


def test_a_searcher_closes_the_store_that_it_opened(tmp_path):
    url = f"sqlite:///{tmp_path}/index.db"
    ingest_documents([A], url, **WORDS)
    with open_searcher(url, **WORDS) as searcher:
        assert searcher.search("pump").passages
    with pytest.raises(StoreError):
        searcher.search("pump")
    searcher.close()  # once more does no harm
    with pytest.raises(ZeroDivisionError), open_searcher(url, **WORDS) as searcher:
        raise ZeroDivisionError
    with pytest.raises(StoreError):
        searcher.search("pump", k=1)


def test_a_searcher_leaves_a_store_open_that_it_was_given(tmp_path):
    with open_store(f"sqlite:///{tmp_path}/index.db", create=True) as store:
        ingest_documents([A], store, **WORDS)
        with open_searcher(store, **WORDS) as searcher:
            before = shown(searcher.search("pump"))
        assert shown(searcher.search("pump")) == before
        assert ingest_documents([A], store, **WORDS).unchanged == 1


@pytest.mark.parametrize(
    "given",
    [{"k": 1}, {"k": 3}, {"budget": 6}, {"budget": 20}, {"k": 1, "budget": 20}],
    ids=str,
)
def test_what_one_search_asks_for_is_what_a_searcher_of_its_own_gives(searched, given):
    own = open_searcher(searched, **WORDS, **given)
    for usual in ({}, {"k": 2}, {"budget": 9}):
        searcher = open_searcher(searched, **WORDS, **usual)
        before = shown(searcher.search("pump oil"))
        for question in ("pump oil", "belt"):
            wanted = own.search(question)
            assert wanted.passages
            assert searcher.search(question, **given) == wanted
            assert asyncio.run(searcher.asearch(question, **given)) == wanted
        assert shown(searcher.search("pump oil")) == before


def test_a_budget_holds_and_k_is_the_most(searched):
    searcher = open_searcher(searched, **WORDS)
    for budget in (1, 5, 12, 1000):
        answer = searcher.search("pump", budget=budget)
        assert answer.tokens <= budget
        assert len(searcher.search("pump", k=1, budget=budget).passages) <= 1
    assert answer.tokens > 12
    assert len(searcher.search("pump", k=2).passages) == 2


def test_a_budget_takes_the_place_of_the_usual_k():
    text = " ".join(f"Rule {number} of the pump is this." for number in range(9))
    with open_store("memory://") as store:
        ingest_documents([Document.from_text(text, "a")], store, **WORDS)
        searched = {
            name: len(open_searcher(store, **WORDS, **given).search("pump").passages)
            for name, given in {
                "usual": {},
                "budget": {"budget": 900},
                "both": {"budget": 900, "k": 2},
            }.items()
        }
    assert searched == {"usual": 5, "budget": 9, "both": 2}


@pytest.mark.parametrize("given", [{"k": 0}, {"k": -1}, {"budget": 0}, {"k": 2, "budget": -5}])
def test_less_than_one_is_refused(searched, given):
    with pytest.raises(InvalidConfig, match="must be at least 1"):
        open_searcher(searched, **WORDS).search("pump", **given)


@pytest.mark.parametrize("name", ["k", "budget"])
@pytest.mark.parametrize("value", ["3", 1.5, float("nan")])
def test_what_is_no_whole_number_is_refused(searched, name, value):
    with pytest.raises(InvalidConfig, match=f"{name} must be"):
        open_searcher(searched, **WORDS).search("pump", **{name: value})


def test_an_answer_as_text_is_its_passages_each_below_its_context(tmp_path):
    settings = {"strategy": "structure(size=40)", "retriever": "bm25"}
    table = "# Prices\n\n| part | price |\n| --- | --- |\n" + "".join(
        f"| pump {number} | {number} |\n" for number in range(60)
    )
    (tmp_path / "t.md").write_text(table)
    (tmp_path / "a.md").write_text(A.text)
    with open_store("memory://") as store:
        ingest_documents(tmp_path, store, **settings)
        answer = open_searcher(store, **settings).search("pump", k=4)
    contexts = [passage.context for passage in answer.passages]
    assert any(contexts)
    assert answer.text == "\n\n".join(
        f"{passage.context}\n{passage.text}" if passage.context else passage.text
        for passage in answer.passages
    )


def test_an_answer_without_passages_has_no_text(searched):
    answer = open_searcher(searched, **WORDS).search("xylophone")
    assert (answer.text, answer.passages, answer.answered) == ("", (), False)
