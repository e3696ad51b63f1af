"""A server on loopback that speaks chat/completions: it answers by word counts, and badly on demand.

Its "model" is an algorithm over the text that it is sent: it asks about the rarest
long words of one sentence of the passage, and finds answers by the words that they
share with a question. `fault(body, n)` names what the nth request gets instead.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_WORD = re.compile(r"\w+")


def sentences(text):
    """The sentences of a text, whole lines of tables and lists among them."""
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z`*])|\n\s*\n|\n(?=[|\-*])", text)
    return [part.strip() for part in parts if len(_WORD.findall(part)) >= 6]


def words(text):
    return [word.lower() for word in _WORD.findall(text)]


def ask(passage):
    """A question about one sentence of a passage, and the sentence."""
    found = sentences(passage)
    if not found:
        return None, None
    counts = Counter(words(passage))
    chosen = max(found, key=lambda one: (sum(1 / counts[w] for w in set(words(one))), one))
    names = sorted(set(words(chosen)), key=lambda w: (counts[w], -len(w), w))[:3]
    return f"What is there to know about {', '.join(names)}?", chosen


def find(excerpt, question):
    """The sentence of an excerpt that shares most words with a question."""
    asked = set(words(question))
    return max(sentences(excerpt), key=lambda one: len(asked & set(words(one))), default=None)


def between(text, name):
    return re.search(rf"<{name}>\n(.*)\n</{name}>", text, re.DOTALL)[1]


class ChatServer(ThreadingHTTPServer):
    """Serves `/v1/chat/completions`; `requests` are the bodies it got, `keys` their headers."""

    daemon_threads = True

    def __init__(self, fault=lambda body, n: ""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault = fault
        self.requests, self.keys = [], []
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request, client_address):
        pass  # clients that are stopped close their connection


@contextmanager
def serving(fault=lambda body, n: ""):
    """A running server."""
    server = ChatServer(fault)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.keys.append(self.headers.get("Authorization"))
            n = len(self.server.requests)
        if self.path != "/v1/chat/completions":
            return self.send(404, {"error": {"message": f"no {self.path}"}})
        fault = self.server.fault(body, n)
        if isinstance(fault, tuple):
            status, headers = fault
            return self.send(status, {"error": {"message": "not now"}}, **headers)
        if fault == "slow":
            time.sleep(0.2)
        return self.send(200, self.completion(body, fault))

    def completion(self, body, fault):
        user = body["messages"][-1]["content"]
        said = changed(reply(user, fault), fault)
        return {
            "choices": [{"index": 0, "message": {"role": "assistant", "content": said}}],
            "usage": {"prompt_tokens": len(user.split()), "total_tokens": len(user.split()) + 9},
        }

    def send(self, status, body, **headers):
        raw = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def is_asking(body):
    """Whether a request wants a question, not an answer found again."""
    return "<passage>" in body["messages"][-1]["content"]


def reply(user, fault):
    """The object that the model means."""
    if "<passage>" not in user:
        excerpt, _, question = user.rpartition("\n\nQuestion: ")
        text = between(excerpt, "excerpt")
        found = sentences(text)[0] if fault == "elsewhere" else find(text, question)
        return {"answer": [found] if found and fault != "not found" else []}
    question, answer = ask(between(user, "passage"))
    if fault == "nothing" or question is None:
        return {"question": None, "answer": []}
    questions = {
        "surrogate": f"\ud800 {question}",
        "points": f"According to the passage, {question.lower()}",
        "copies": f"Is it true that {answer}?",
        "same": "What is there to know about this company and what it sells?",
    }
    answers = {
        "paraphrase": " ".join(reversed(answer.split())),
        "reflow": f"“{'  '.join(answer.split())}”",
    }
    return {"question": questions.get(fault, question), "answer": [answers.get(fault, answer)]}


def changed(value, fault):
    """What the model says, which is not always what it means."""
    said = json.dumps(value, ensure_ascii=fault == "surrogate")
    if fault == "thinks":
        return f'<think>{{"question": "no"}} hm</think>Here it is:\n```json\n{said}\n```\nDone!'
    if fault == "broken":
        return said[: len(said) // 2]
    if fault == "prose":
        return "I am sorry, I cannot do that."
    if fault == "empty":
        return None
    return said
