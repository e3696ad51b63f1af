"""The HTTP embedder against a real server on loopback that answers as servers do: badly too."""

from __future__ import annotations

import base64
import json
import pickle
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from seamline.embed import parse_embedder, post
from seamline.embed.http import HttpEmbedder
from seamline.errors import EmbeddingError, InvalidConfig
from seamline.protocols import Embedder

pytest.importorskip("httpx", reason="needs the extra http")


def vector(text, dim=8):
    return np.random.default_rng(list(text.encode())).normal(size=dim).astype(np.float32)


class Server(ThreadingHTTPServer):
    """Serves `/v1/embeddings`; `script` holds the faults of the next requests, in order."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = []
        self.requests = []
        self.dim = 8
        self.arrivals = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request, client_address):
        pass  # clients that time out close their connection


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.arrivals.append(time.monotonic())
        server.requests.append((self.path, body, self.headers.get("Authorization")))
        fault = server.script.pop(0) if server.script else None
        if callable(fault):
            return fault(self, body)
        return self.answer(body)

    def answer(self, body, change=lambda data: data):
        data = []
        for i, text in enumerate(body["input"]):
            row = vector(text, server_dim(self, body))
            if body["encoding_format"] == "base64":
                shown = base64.b64encode(row.tobytes()).decode()
            else:
                shown = row.tolist()
            data.append({"object": "embedding", "index": i, "embedding": shown})
        n_tokens = sum(len(text.split()) for text in body["input"])
        self.send(200, {"data": change(data), "usage": {"prompt_tokens": n_tokens}})

    def send(self, status, body, **headers):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def server_dim(handler, body):
    return handler.server.dim


def status(code, message="no", **headers):
    return lambda handler, body: handler.send(code, {"error": {"message": message}}, **headers)


def changed(change):
    return lambda handler, body: handler.answer(body, change)


def hang(seconds):
    def fault(handler, body):
        time.sleep(seconds)
        handler.answer(body)

    return fault


def hang_up(handler, body):
    handler.close_connection = True
    handler.connection.close()


@pytest.fixture(scope="module")
def running():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server(running, monkeypatch):
    running.script, running.requests, running.arrivals, running.dim = [], [], [], 8
    monkeypatch.setattr(post, "_FIRST_WAIT", 0.01)
    return running


def make(server, **parameters):
    return HttpEmbedder(url=server.url, model="m", **parameters)


def expected(texts, dim=8):
    rows = np.array([vector(text or " ", dim) for text in texts], np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TEXTS = ["one", "a longer text of words", "", "東京 😀", "one", "x" * 500]


@pytest.mark.parametrize("encoding", ["float", "base64"])
@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_rows_are_unit_and_in_the_order_given(server, encoding, batch_size):
    embedder = make(server, encoding=encoding, batch_size=batch_size)
    rows = embedder.embed_documents(TEXTS)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, expected(TEXTS), atol=1e-6)
    assert embedder.usage.texts == len(TEXTS)
    assert embedder.usage.calls == len(server.requests)
    assert embedder.usage.tokens == sum(len((text or " ").split()) for text in TEXTS)
    assert isinstance(embedder, Embedder)


def test_requests_hold_strings_and_the_asked_for_fields(server):
    make(server, dimensions=8).embed_queries(["one"])
    make(server).embed_queries(["one"])
    (path, first, key), (_, second, _) = server.requests
    assert path == "/v1/embeddings"
    assert first == {"model": "m", "input": ["one"], "encoding_format": "float", "dimensions": 8}
    assert "dimensions" not in second
    assert key is None


def test_batches_keep_both_limits_and_send_the_longest_first(server):
    texts = ["w" * n for n in range(1, 41)]
    make(server, batch_size=8, batch_tokens=30, concurrency=1).embed_documents(texts)
    sent = [body["input"] for _, body, _ in server.requests]
    assert sorted(text for batch in sent for text in batch) == sorted(texts)
    assert all(len(batch) <= 8 for batch in sent)
    assert all(sum(len(text) // 3 + 1 for text in batch) <= 30 for batch in sent)
    lengths = [len(text) for batch in sent for text in batch]
    assert lengths == sorted(lengths, reverse=True)


def test_prefixes_are_sent_and_change_the_fingerprint(server):
    embedder = make(server, prefix_query="query: ", prefix_document="passage: ")
    embedder.embed_queries(["a"])
    embedder.embed_documents(["a"])
    assert [body["input"] for _, body, _ in server.requests] == [["query: a"], ["passage: a"]]
    assert embedder.fingerprint != make(server).fingerprint


def test_the_order_follows_index_not_position(server):
    server.script = [changed(lambda data: data[::-1])]
    np.testing.assert_allclose(make(server).embed_documents(TEXTS), expected(TEXTS), atol=1e-6)


def test_answers_without_index_are_taken_in_order(server):
    server.script = [changed(lambda data: [{"embedding": d["embedding"]} for d in data])]
    np.testing.assert_allclose(make(server).embed_documents(TEXTS), expected(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data[:-1], "sent 2 texts and gave embeddings numbered"),
        (lambda data: [*data[:-1], data[0]], "numbered"),
        (lambda data: [data[0], {**data[1], "embedding": [1.0]}], "of one length"),
        (lambda data: [{**d, "embedding": [float("nan")] * 8} for d in data], "finite numbers"),
        (lambda data: [{**d, "embedding": "?"} for d in data], "one embedding a text"),
        (lambda data: [{**d, "embedding": []} for d in data], "one vector a text"),
        (lambda data: "nonsense", "list of objects in data, but {'data': 'nonsense'"),
        (lambda data: ["nonsense"], "list of objects in data"),
        (lambda data: [{"index": "0"}, {"index": "1"}], "numbered"),
        (lambda data: [{"index": False}, {"index": True}], "numbered"),
        (lambda data: [{}, {}], "neither a list of numbers nor float32 in base64, but None"),
        (lambda data: [{**d, "embedding": "abc"} for d in data], "in base64, but 'abc'"),
        (lambda data: [{**d, "embedding": "abcd"} for d in data], "in base64, but 'abcd'"),
        (lambda data: [{**d, "embedding": {"a": 1}} for d in data], "neither a list of numbers"),
        (lambda data: [{**d, "embedding": ["1.0"]} for d in data], "neither a list of numbers"),
        (lambda data: [{**d, "embedding": [[1.0]]} for d in data], "neither a list of numbers"),
        (lambda data: [{**d, "embedding": [10**400]} for d in data], "neither a list of numbers"),
        (lambda data: [{**d, "embedding": [1e300]} for d in data], "finite numbers"),
        (lambda data: [data[0], {**data[1], "embedding": [0.0] * 8}], "nothing but zeros"),
    ],
)
def test_answers_that_do_not_fit_are_refused(server, change, says):
    server.script = [changed(change)]
    with pytest.raises(EmbeddingError, match=says) as caught:
        make(server).embed_documents(["one", "two"])
    assert server.url in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [[1, 2], "text", None, 7])
def test_an_answer_that_is_no_object_is_refused(server, body):
    server.script = [lambda handler, _: handler.send(200, body)]
    with pytest.raises(EmbeddingError, match="the server's answer must be one embedding a text"):
        make(server).embed_documents(["one"])


@pytest.mark.parametrize("code", [200, 400])
def test_a_deeply_nested_answer_is_refused(server, code):
    nested = b"[" * 100_000 + b"]" * 100_000
    server.script = [lambda handler, _: handler.send(code, nested)]
    with pytest.raises(EmbeddingError, match=r"must answer with JSON|answered 400"):
        make(server).embed_documents(["one"])


@pytest.mark.parametrize("usage", [None, 5, "many", [], {"prompt_tokens": "3"}])
def test_a_usage_that_is_none_counts_no_tokens(server, usage):
    answer = {"data": [{"index": 0, "embedding": [3.0, 4.0]}], "usage": usage}
    server.script = [lambda handler, _: handler.send(200, answer)]
    embedder = make(server)
    assert embedder.embed_documents(["one"]).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]
    assert embedder.usage.tokens == 0


def test_an_answer_that_is_not_json_is_refused(server):
    server.script = [lambda handler, body: handler.send(200, b"<html>login</html>")]
    with pytest.raises(EmbeddingError, match="must answer with JSON, got '<html>login"):
        make(server).embed_documents(["one"])


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_passing_failures_are_tried_again(server, code):
    server.script = [status(code), status(code)]
    np.testing.assert_allclose(make(server).embed_documents(["a"]), expected(["a"]), atol=1e-6)
    assert len(server.requests) == 3


@pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 413, 422])
def test_lasting_failures_are_not_tried_again(server, code):
    server.script = [status(code, "model m is not served here")]
    with pytest.raises(EmbeddingError) as caught:
        make(server).embed_documents(["a"])
    said = str(caught.value)
    assert f"{server.url}/embeddings answered {code}: model m is not served here" in said
    assert len(server.requests) == 1


def test_retries_end_and_say_so(server):
    server.script = [status(503, "loading")] * 3
    with pytest.raises(EmbeddingError, match="answered 503: loading, tried 3 times"):
        make(server, retries=2).embed_documents(["a"])
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", [hang(0.6), hang_up])
def test_time_outs_and_broken_connections_are_tried_again(server, fault):
    server.script = [fault]
    rows = make(server, timeout=0.2).embed_documents(["a"])
    np.testing.assert_allclose(rows, expected(["a"]), atol=1e-6)
    assert len(server.requests) == 2


def test_a_server_that_never_answers_is_named(server):
    server.script = [hang(0.5)] * 2
    with pytest.raises(EmbeddingError, match=r"did not answer \(ReadTimeout\), tried 2 times"):
        make(server, timeout=0.1, retries=1).embed_documents(["a"])


def test_a_refused_connection_fails_at_once():
    closed = HttpEmbedder(url="http://127.0.0.1:9/v1", model="m")
    with pytest.raises(EmbeddingError, match=r"127.0.0.1:9/v1/embeddings could not be reached"):
        closed.embed_documents(["a"])


def test_retry_after_is_waited_for(server):
    server.script = [status(429, Retry_After="1")]
    make(server).embed_documents(["a"])
    assert server.arrivals[1] - server.arrivals[0] >= 1.0


def test_retry_after_may_be_a_date(server):
    soon = datetime.now(UTC) + timedelta(seconds=2)
    server.script = [status(503, Retry_After=format_datetime(soon, usegmt=True))]
    make(server).embed_documents(["a"])
    assert server.arrivals[1] - server.arrivals[0] > 0.5


def test_a_retry_after_too_far_away_fails_at_once(server):
    server.script = [status(429, "quota", Retry_After="3600")]
    with pytest.raises(EmbeddingError, match=r"quota, tried 1 times \(wait 3600 s"):
        make(server).embed_documents(["a"])


def test_the_key_comes_from_the_environment_and_never_shows(server, monkeypatch):
    monkeypatch.setenv("TEST_EMBEDDING_KEY", "sk-very-secret")
    server.script = [status(401, "wrong key sk-very-secret given")]
    embedder = make(server, key_env="TEST_EMBEDDING_KEY")
    with pytest.raises(EmbeddingError) as caught:
        embedder.embed_documents(["a"])
    assert server.requests[0][2] == "Bearer sk-very-secret"
    assert "wrong key *** given" in str(caught.value)
    shown = repr(embedder) + embedder.fingerprint + str(pickle.dumps(embedder))
    assert "sk-very-secret" not in shown + str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"url": ""}, "must be the server's base url"),
        ({"url": "localhost:11434"}, "must be the server's base url"),
        ({"url": "http://me:pass@localhost/v1"}, "must not hold a password"),
        ({"model": ""}, "needs model=NAME"),
        ({"key_env": "sk-123"}, "not hold the key"),
        ({"key_env": "SEAMLINE_NO_SUCH_KEY"}, "SEAMLINE_NO_SUCH_KEY must hold the key"),
        ({"dimensions": 0}, "dimensions must be a number >= 1"),
        ({"batch_size": 0}, "batch_size must be a whole number >= 1"),
        ({"encoding": "hex"}, "encoding must be float or base64"),
        ({"overlong": "drop"}, "overlong must be one of"),
        ({"prefix_query": 3}, "prefix_query must be a string"),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters, says):
    with pytest.raises(InvalidConfig, match=says):
        HttpEmbedder(**{"url": "http://localhost/v1", "model": "m", **parameters})


def test_more_dimensions_than_asked_are_cut_and_scaled(server):
    rows = make(server, dimensions=5).embed_documents(["a", "b"])
    cut = np.array([vector("a")[:5], vector("b")[:5]])
    np.testing.assert_allclose(rows, cut / np.linalg.norm(cut, axis=1, keepdims=True), atol=1e-6)


def test_fewer_dimensions_than_asked_are_refused(server):
    with pytest.raises(EmbeddingError, match="at least dimensions=9, got 8"):
        make(server, dimensions=9).embed_documents(["a"])


def test_dimensions_may_not_change_between_calls(server):
    embedder = make(server)
    embedder.embed_documents(["a"])
    assert embedder.dim == 8
    server.dim = 6
    with pytest.raises(EmbeddingError, match="one length, got 8 and 6"):
        embedder.embed_documents(["b"])


def test_overlong_text_follows_the_rule(server):
    text = "abcdefghij"
    cut = make(server, max_chars=4)
    np.testing.assert_allclose(cut.embed_documents([text, "z"]), expected(["abcd", "z"]), atol=1e-6)
    assert cut.usage.truncated_texts == 1
    seen = []
    mean = make(server, max_chars=4, overlong="mean_of_windows")
    mean.progress = seen.append
    whole = expected(["abcd", "efgh", "ij"]) * [[4], [4], [2]]
    whole = whole.sum(axis=0) / np.linalg.norm(whole.sum(axis=0))
    np.testing.assert_allclose(mean.embed_documents([text, "z"])[0], whole, atol=1e-6)
    assert sum(seen) == 2
    alone = mean.embed_documents(["z"])[0]
    assert alone.tobytes() == mean.embed_documents([text, "z"])[1].tobytes()
    with pytest.raises(InvalidConfig, match="at most max_chars=4 characters, got 10"):
        make(server, max_chars=4, overlong="error").embed_documents([text])


def test_no_texts_ask_nothing(server):
    assert len(make(server).embed_documents([])) == 0
    assert server.requests == []


def test_it_is_made_from_a_string(server):
    spec = f'http(url="{server.url}", model=nomic-embed-text, prefix_query="search_query: ")'
    parse_embedder(spec).embed_queries(["x"])
    assert server.requests[0][1]["input"] == ["search_query: x"]
    assert server.requests[0][1]["model"] == "nomic-embed-text"
