"""`seamline search`: passages with their places, and "not answered" said as such."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from cli_runner import SEAMLINE, done, environment, refused, run

STORE = "sqlite:///index.db"
STRATEGY = "structure(size=40)"
HANDBOOK = """# Handbook

## Pumps

Oil the pump each day before it is started. Check the belt twice.

## Fish

Feed the fish at noon, never later than one.

| item | price |
| --- | --- |
| pump | 12 |
| belt | 3 |
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    (folder / "docs").mkdir()
    (folder / "docs" / "handbook.md").write_text(HANDBOOK)
    (folder / "docs" / "note.txt").write_text("The anchor weighs nine tons.\n")
    options = ["--keep-versions", 1, "--strategy", STRATEGY]
    done("ingest", "docs", "--store", STORE, *options, cwd=folder)
    (folder / "docs" / "note.txt").write_text("The anchor weighs eight tons.\n")
    done("ingest", "docs", "--store", STORE, *options, cwd=folder)
    return folder


def search(place, *arguments, **options):
    return run("search", *arguments, "--store", STORE, cwd=place, **options)


def found(place, *arguments):
    process = search(place, *arguments, "--json")
    assert process.returncode in (0, 4), process.stderr
    return json.loads(process.stdout)


def test_a_passage_is_shown_with_its_document_headings_and_offsets(place):
    process = search(place, "When are the fish fed?", "--threshold", 0.3, "-k", 1)
    assert (process.returncode, process.stderr) == (0, "")
    first, scores, *rest = process.stdout.splitlines()
    assert first.startswith("1  handbook.md, Handbook > Fish, ")
    assert "cosine 0." in scores
    assert "tokens" in scores
    assert any("Feed the fish at noon" in line for line in rest)


def test_json_has_slices_of_the_documents(place):
    answer = found(place, "When are the fish fed?", "--threshold", 0.3)
    assert answer["answered"] is True
    assert answer["revision"] == 2
    texts = {"handbook.md": HANDBOOK, "note.txt": "The anchor weighs eight tons.\n"}
    for rank, passage in enumerate(answer["passages"], 1):
        assert passage["rank"] == rank
        start, end = passage["start"], passage["end"]
        assert passage["text"] == texts[passage["doc_id"]][start:end]
        assert passage["id"] == f"{passage['doc_id']}#{start}-{end}"
    assert answer["tokens"] == sum(passage["tokens"] for passage in answer["passages"])
    assert answer["passages"][0]["metadata"]["headings"] == ["Handbook", "Fish"]


def test_under_the_threshold_is_not_answered_with_exit_code_4(place):
    process = search(place, "Who won the cup in 1954?")
    assert process.returncode == 4
    assert process.stdout.splitlines()[-1].startswith("Not answered: ")
    assert found(place, "Who won the cup in 1954?")["answered"] is False
    nobody = search(place, "fish", "--tenant", "nobody")
    assert nobody.returncode == 4
    assert nobody.stdout == "Not answered: nothing was found in 0 chunks that you may read.\n"
    assert search(place, "fish", "--threshold", -1).returncode == 0


def test_by_words_there_is_no_threshold(place):
    process = search(place, "fish", "--retriever", "bm25")
    assert process.returncode == 0
    assert "cosine" not in process.stdout
    assert search(place, "xylophone", "--retriever", "bm25").returncode == 4


@pytest.mark.parametrize("budget", [1, 5, 20, 10_000])
def test_a_budget_takes_the_place_of_k_and_holds(place, budget):
    answer = found(place, "pump", "--budget", budget, "--threshold", -1)
    assert 0 < answer["tokens"] <= budget
    both = found(place, "pump", "--budget", budget, "-k", 1, "--threshold", -1)
    assert len(both["passages"]) == 1


def test_conditions_versions_and_labels_narrow_down(place):
    only = found(place, "pump", "--where", "id=note.txt")["passages"]
    assert {passage["doc_id"] for passage in only} == {"note.txt"}
    none = ["--where", "id=note.txt", "--where", "id=handbook.md"]
    assert found(place, "pump", *none)["passages"] == []
    old = found(place, "How heavy is the anchor?", "--as-of", 1)["passages"][0]
    new = found(place, "How heavy is the anchor?")["passages"][0]
    assert (old["text"], new["text"]) == (
        "The anchor weighs nine tons.",
        "The anchor weighs eight tons.",
    )
    assert (old["version"], new["version"]) == (1, 2)


def test_conditions_that_match_nothing_say_why(place):
    tagged = ["--tag", "hr", "--meta", "date=2024-05-31", "--meta", "code=007"]
    store = "sqlite:///tagged.db"
    done("ingest", "docs", "--store", store, "--strategy", STRATEGY, *tagged, cwd=place)

    def ask(*arguments):
        return run("search", "pump", "--store", store, "--where", *arguments, cwd=place)

    process = ask("date<2025", "--where", "tagz~hr")
    assert process.returncode == 4
    assert process.stdout == "Not answered: the conditions match no document that you may read.\n"
    assert process.stderr.splitlines() == [
        "hint: 'date' is text in these documents, such as '2024-05-31': write date<\"2025\"",
        "hint: no document has 'tagz'; did you mean 'tags'?",
    ]
    assert ask("date<2025", "-q").stderr == ""
    assert json.loads(ask("tags=hr", "--json").stdout)["hints"] == [
        "'tags' holds lists of text in these documents, such as 'hr': write tags~hr"
    ]
    for condition in ('date<"2025"', "code==007"):
        told = json.loads(ask(condition, "--json").stdout)
        assert (told["hints"], bool(told["passages"])) == ([], True), condition


def test_json_names_the_scores_as_the_text_does(place):
    passage = found(place, "pump")["passages"][0]
    assert -1 <= passage["cosine"] <= 1
    assert passage["bm25"] > 0
    assert not {"dense", "words"} & set(passage)
    assert found(place, "pump", "--retriever", "bm25")["passages"][0]["cosine"] is None


def test_a_passage_is_cited_by_its_lines(place):
    process = search(place, "When are the fish fed?", "--threshold", 0.3, "-k", 1)
    passage = found(place, "When are the fish fed?", "--threshold", 0.3, "-k", 1)["passages"][0]
    first, last = passage["metadata"]["line_range"]
    start, end = passage["start"], passage["end"]
    assert (first, last) == (
        HANDBOOK.count("\n", 0, start) + 1,
        HANDBOOK.count("\n", 0, end - 1) + 1,
    )
    cited = f"1  handbook.md, Handbook > Fish, line {first}–{last}, {start}–{end}"
    assert process.stdout.splitlines()[0] == cited


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--retriever", "bm25"], {"bm25"}),
        (["--retriever", "dense"], {"cosine"}),
        (["--hybrid"], {"cosine", "bm25"}),
        (["--hybrid", "--rerank", "maxsim"], {"cosine", "bm25", "rerank"}),
    ],
)
def test_the_parts_of_a_score_add_up_to_it(place, arguments, names):
    passages = found(place, "Oil the pump", "-k", 9, "--threshold", -1, *arguments)["passages"]
    assert len(passages) > 1
    for passage in passages:
        assert sum(passage["parts"].values()) == pytest.approx(passage["score"], abs=1e-5)
        assert names <= passage["parts"].keys() <= names | {"neighbours"}
    process = search(place, "Oil the pump", "-k", 1, "--threshold", -1, *arguments)
    said = process.stdout.splitlines()[1].strip().partition(", ")[0]
    assert said.startswith(f"score {passages[0]['score']:.3f}")
    assert (" = " in said) == (len(passages[0]["parts"]) > 1)


def test_hybrid_is_short_for_the_retriever(place):
    (place / "words.toml").write_text('retriever = "bm25"\n')
    ask = ["Who gets food at midday?", "--config", "words.toml", "--threshold", -1]
    short, long = found(place, *ask, "--hybrid"), found(place, *ask, "--retriever", "hybrid")
    assert short == long
    assert short["similarity"] is not None
    assert found(place, *ask)["similarity"] is None
    for spec in ("dense", "hybrid", "hybrid(alpha=0.3)"):
        said = refused("search", "x", "--store", STORE, "--hybrid", "--retriever", spec, cwd=place)
        assert said == "--hybrid is a --retriever of its own: give one of them"


def test_a_budget_that_nothing_fits_is_named(place, tmp_path):
    """A row of a table costs its header too, and of a header alone nothing is shown."""
    rows = "".join(f"| pump {number} | {number} |\n" for number in range(60))
    (tmp_path / "t.md").write_text(f"# Prices\n\n| item | price |\n| --- | --- |\n{rows}")
    store = ["--store", "sqlite:///rows.db", "--retriever", "bm25"]
    (tmp_path / "seamline.toml").write_text('retriever = "bm25"\nstrategy = "table_rows"\n')
    done("ingest", "t.md", *store[:2], cwd=tmp_path)
    for budget, tokens in ((1, "1 token"), (3, "3 tokens")):
        process = run("search", "pump 31", *store, "--budget", budget, cwd=tmp_path)
        assert process.returncode == 4
        assert process.stdout == (
            f"Not answered: nothing that fits {tokens} was found in 60 chunks that you may read.\n"
        )
    assert (
        "| pump 31 | 31 |" in done("search", "pump 31", *store, "--budget", 20, cwd=tmp_path).stdout
    )


@pytest.fixture
def held():
    """A reranker that answers when its event is set."""
    go = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            go.wait(30)
            rows = [{"index": i, "relevance_score": 1} for i in range(len(body["documents"]))]
            told = json.dumps({"results": rows}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http(url='http://127.0.0.1:{server.server_port}/rerank')", go
    go.set()
    server.shutdown()
    server.server_close()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_who_waits_on_a_terminal_sees_that_it_searches(place, held):
    import pty

    spec, go = held
    ours, theirs = pty.openpty()
    command = [SEAMLINE, "search", "fish", "--store", STORE, "--threshold", "-1", "--rerank", spec]
    env = environment(TERM="xterm")
    with subprocess.Popen(
        command, cwd=place, env=env, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        drawn = b""
        try:
            while part := os.read(ours, 4096):
                drawn += part
                if b"searching" in drawn:
                    go.set()
        except OSError:  # Linux says so when the other end is closed
            pass
        shown = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert shown.startswith(b"1  ")
    assert b"searching" in drawn
    assert drawn.rstrip().endswith(b"\x1b[2K")  # and it is wiped away


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["  \n"], r"the question must be a text that is not blank, got '  \n'"),
        ([""], "the question must be a text that is not blank, got ''"),
        ([], "Missing argument 'QUESTION'"),
        (["x", "-k", "0"], "k must be at least 1"),
        (["x", "-k", "1.5"], "whole number"),
        (["x", "--budget", "0"], "budget must be at least 1"),
        (["x", "--threshold", "2"], "from -1 to 1"),
        (["x", "--threshold", "nan"], "from -1 to 1"),
        (["x", "--retriever", "densee"], "did you mean 'dense'?"),
        (["x", "--retriever", "hybrid(language=german)"], "language is german"),
        (["x", "--where", "year"], "a condition must be like"),
        (["x", "--where", 'a="b'], "a string in quotes must end in one"),
        (["x", "--where", "a=>2024"], "got '=>' in 'a=>2024': did you mean >=?"),
        (["x", "--rerank", "foo"], "there are: cross-encoder, http, maxsim"),
        (["x", "--rerank", "maxsin"], "did you mean 'maxsim'?"),
        (["x", "--rerank", "maxsim(top=3)"], "--rerank maxsim takes no parameters"),
        (["x", "--retriever", "bm25", "--rerank", "maxsim"], "needs the retriever hybrid"),
        (["x", "--as-of", "99"], "from 0 to 2, got 99"),
        (["x", "--as-of", "-1"], "as_of must be the number of a revision, got -1"),
        (["x", "--access", ""], "--access must not be empty"),
        (["x", "--namespace", "mian"], "did you mean 'main'?"),
        (["x", "--embedder", "minilmm"], "did you mean 'minilm'?"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(place, arguments, says):
    assert says in refused("search", *arguments, "--store", STORE, cwd=place)


def test_an_index_that_is_not_there_is_not_made(place):
    said = refused("search", "x", "--store", "sqlite:///typo.db", cwd=place)
    assert "no index at 'sqlite:///typo.db'" in said
    assert "no index" in refused("namespaces", "--store", "sqlite:///typo.db", cwd=place)
    assert not (place / "typo.db").exists()
    assert "a store must be named" in refused("search", "x", cwd=place)


def test_settings_of_another_strategy_are_refused(place):
    (place / "other.toml").write_text('strategy = "whole"\n')
    said = refused("search", "x", "--store", STORE, "--config", "other.toml", cwd=place)
    assert "was cut by structure(size=40), but the settings name whole" in said


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE document; --",
        "\x1b[2J\u202efish",
        "%s {} $1 fish",
        "fish " * 20_000,
        "魚 👩‍👧 é",
    ],
    ids=["sql", "escapes", "formats", "long", "scripts"],
)
def test_any_question_is_only_text(place, question):
    process = search(place, question, env={"COLUMNS": "20"})
    assert process.returncode in (0, 4), process.stderr
    assert "\x1b[2J" not in process.stdout
    assert search(place, "fish", "--threshold", 0.2).returncode == 0
