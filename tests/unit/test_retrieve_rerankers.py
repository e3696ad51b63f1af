"""Rerankers: endpoints asked for real over loopback, and what they may not answer."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec

import numpy as np
import pytest

from seamline.errors import InvalidConfig, MissingExtra, ModelError, UnknownName
from seamline.retrieve import parse_retriever
from seamline.retrieve.distinct import Distinct
from seamline.retrieve.rerankers import HttpReranker, parse_reranker
from seamline.retrieve.searcher import Searcher
from seamline.store import NamespaceInfo, open_store
from seamline.testing.stores import make_entry

TEXTS = ["alpha beta", "beta gamma delta", "delta"]


class Server:
    """Scores passages by the words that they share with the question; `answer` bends that."""

    def __init__(self):
        self.asked = []
        self.answer = lambda rows: {"results": rows}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((body, self.headers.get("Authorization")))
                words = set(body["query"].split())
                texts = body.get("documents") or body.get("texts")
                name = "relevance_score" if "documents" in body else "score"
                rows = [
                    {"index": i, name: float(len(words & set(text.split())))}
                    for i, text in enumerate(texts)
                ]
                told = json.dumps(outer.answer(rows[::-1])).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/rerank"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def server():
    made = Server()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_the_scores_come_by_index_whatever_the_order(server):
    reranker = HttpReranker(url=server.url, model="m")
    assert reranker.scores("beta delta", TEXTS).tolist() == [1.0, 2.0, 1.0]
    assert server.asked == [({"query": "beta delta", "documents": TEXTS, "model": "m"}, None)]


def test_the_other_form_of_the_protocol(server):
    server.answer = lambda rows: rows
    assert HttpReranker(url=server.url, api="texts").scores("delta", TEXTS).tolist() == [0, 1, 1]
    assert server.asked[0][0] == {"query": "delta", "texts": TEXTS}


def test_the_key_goes_into_the_header_only(server, monkeypatch):
    monkeypatch.setenv("RERANK_KEY", "secret")
    reranker = HttpReranker(url=server.url, key_env="RERANK_KEY")
    reranker.scores("x", TEXTS)
    assert server.asked[0][1] == "Bearer secret"
    assert "secret" not in str(reranker) + repr(reranker)


@pytest.mark.parametrize(
    "answer",
    [
        lambda rows: {"results": rows[1:]},
        lambda rows: {"results": [{**row, "relevance_score": "high"} for row in rows]},
        lambda rows: {"results": [{**row, "relevance_score": float("inf")} for row in rows]},
        lambda rows: {"results": [{**row, "index": 0} for row in rows]},
        lambda _rows: {"results": "none"},
        lambda _rows: [],
        lambda _rows: "what",
    ],
)
def test_nonsense_is_no_order(server, answer):
    server.answer = answer
    with pytest.raises(ModelError, match="score"):
        HttpReranker(url=server.url).scores("delta", TEXTS)


@pytest.mark.parametrize(
    ("spec", "kind", "said"),
    [
        ("http", InvalidConfig, "address of a rerank endpoint"),
        ("http(url='ftp://x/y')", InvalidConfig, "address of a rerank endpoint"),
        ("http(url='http://[')", InvalidConfig, "address of a rerank endpoint"),
        ("http(url='http://x/y', api=words)", InvalidConfig, "documents, texts"),
        ("http(url='http://x/y', top=0)", InvalidConfig, "top"),
        ("http(url='http://x/y', key_env='a b')", InvalidConfig, "environment variable"),
        ("http(url='http://x/y', key_env=NOT_SET_HERE)", InvalidConfig, "NOT_SET_HERE"),
        ("cross-encoder", InvalidConfig, "model="),
        ("crossencoder(model=m)", UnknownName, "cross-encoder"),
        ("foo", UnknownName, "no reranker named 'foo'; there are: cross-encoder, http, maxsim"),
        ("maxsim", UnknownName, r"take the retriever hybrid\(rerank=maxsim\)"),
    ],
)
def test_what_cannot_work_is_refused(spec, kind, said):
    with pytest.raises(kind, match=said):
        parse_reranker(spec)


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is here")
def test_an_extra_that_is_missing_is_a_rerankers():
    with pytest.raises(MissingExtra, match="this reranker needs sentence_transformers"):
        parse_reranker("cross-encoder(model=m)")


@pytest.mark.parametrize("name", ["foo", "cross-encoder", "'http(url=x)'"])
def test_hybrid_says_which_rerankers_it_has_and_where_the_others_go(name):
    says = "in hybrid, only maxsim: a search takes cross-encoder and http by --rerank"
    with pytest.raises(UnknownName, match=says):
        parse_retriever(f"hybrid(rerank={name})")


def filled(texts):
    namespace = open_store("memory://").create(NamespaceInfo("main", "sentence(size=8)"))
    namespace.put([make_entry(f"{i:02}", text, dim=0) for i, text in enumerate(texts)])
    return namespace


def found(namespace, question, **options):
    searcher = Searcher(namespace, parse_retriever("bm25"), **options)
    return [passage.text for passage in searcher.search(question).passages]


def test_a_reranker_orders_the_best_and_leaves_the_others(server):
    texts = ["pump.", "pump oil.", "pump oil belt.", "pump x."]
    namespace = filled(texts)
    plain = found(namespace, "pump", k=4)
    assert sorted(plain) == sorted(texts)

    class Longest:
        top = 2

        def scores(self, question, some):
            assert question == "pump"
            assert list(some) == plain[:2]
            return np.float32([0, 1])

    assert found(namespace, "pump", k=4, reranker=Longest()) == [*plain[1::-1], *plain[2:]]
    by_server = found(namespace, "pump oil. belt.", k=1, reranker=HttpReranker(url=server.url))
    assert by_server == ["pump oil belt."]


def test_what_says_nearly_the_same_is_shown_once():
    texts = ["Oil the pump each week.", "oil the pump  each week", "Oil the belt.", "No pump."]
    namespace = filled(texts)
    assert len(found(namespace, "oil pump", k=9)) == 4
    kept = found(namespace, "oil pump", k=9, distinct=0.9)
    assert len(kept) == 3
    assert len(found(namespace, "oil pump", k=3, distinct=0.9)) == 3
    assert found(namespace, "oil pump", k=9, distinct=1.0) != []


@pytest.mark.parametrize("share", [0.0, -1.0, 1.5])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(InvalidConfig, match="distinct"):
        Searcher(filled(["a."]), parse_retriever("bm25"), distinct=share)


def distinct(texts, most):
    """What is kept, the texts given at once and one by one."""
    at_once, one_by_one = Distinct(most), Distinct(most)
    at_once.add(texts)
    for text in texts:
        one_by_one.add([text])
    assert at_once.kept.tolist() == one_by_one.kept.tolist()
    return at_once.kept.tolist()


def test_likeness_is_that_of_an_edit():
    assert distinct(["a" * 10, "a" * 9 + "b", "c" * 10], 0.9) == [True, False, True]
    assert distinct(["a" * 10, "a" * 9 + "b"], 0.91) == [True, True]
    assert distinct([], 0.5) == []
    assert distinct(["x", "x" * 100], 0.5) == [True, True]
