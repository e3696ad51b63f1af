"""Drafting by a model against a real server on loopback, which answers well and badly."""

from __future__ import annotations

import json

import pytest

from chat_server import is_asking, serving
from seamline.embed import post
from seamline.errors import InvalidConfig, ModelError
from seamline.golden.chat import Chat
from seamline.golden.draft import draft_by_model, estimate
from seamline.golden.filters import fault
from seamline.parse import read_documents
from seamline.sizers import parse_sizer

pytest.importorskip("httpx", reason="needs the extra http")


@pytest.fixture(scope="module")
def documents(root):
    return list(read_documents([root / "examples" / "runbooks" / "docs"]))


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(post, "_FIRST_WAIT", 0.01)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def drafted(documents, behaviour, n=8, **options):
    with serving(behaviour) as server:
        chat = Chat(url=server.url, model="counts", retries=2)
        drafts = draft_by_model(documents, n, chat, **options)
    return drafts, server, chat


def always(name):
    return lambda body, n: name


def test_a_model_that_behaves_gives_as_many_questions_as_wanted(documents):
    told = []
    drafts, server, chat = drafted(
        documents, always(""), progress=lambda *numbers: told.append(numbers)
    )
    assert len(drafts.questions) == 8
    assert [asked for _, asked, _ in told] == [*range(1, len(told) + 1)]
    assert told[0] == (0, 1, 24)
    assert told[-1][0] < 8 <= len(told)
    assert chat.calls == len(server.requests)
    assert chat.tokens > 9 * chat.calls
    sizer = parse_sizer("tokens")
    for draft in drafts.questions:
        assert draft.kind == "model"
        assert draft.model == "counts"
        assert draft.tags == ["model"]
        assert not fault(draft, sizer)
        for span, text in zip(draft.spans, draft.texts, strict=True):
            assert draft.document.text[span.start : span.end] == text == text.strip()
    ids = {body["model"] for body in server.requests}
    assert ids == {"counts"}
    assert all(set(body) == {"model", "messages"} for body in server.requests)


def test_the_same_seed_asks_the_same_and_another_asks_other_things(documents):
    first, _, _ = drafted(documents, always(""), seed=3)
    again, _, _ = drafted(documents, always("slow"), seed=3)
    other, _, _ = drafted(documents, always(""), seed=4)
    assert first.questions == again.questions
    assert {d.spans for d in first.questions} != {d.spans for d in other.questions}


def test_the_answer_is_found_again_blind_to_the_first(documents):
    _, server, _ = drafted(documents, always(""))
    asked = [body["messages"][-1]["content"] for body in server.requests]
    finding = [text for text in asked if "<excerpt>" in text]
    assert finding
    assert all("<passage>" not in text for text in finding)
    assert all(len(text) > 1000 for text in finding)


@pytest.mark.parametrize("behaviour", ["thinks", "reflow"])
def test_thoughts_fences_and_other_white_space_do_no_harm(documents, behaviour):
    drafts, _, _ = drafted(documents, always(behaviour))
    assert len(drafts.questions) == 8
    assert not drafts.failures


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        ("paraphrase", "gold not verbatim in its passage"),
        ("broken", "reply is no JSON"),
        ("surrogate", "reply is no JSON"),
        ("prose", "reply is no JSON"),
        ("empty", "reply is no JSON"),
        ("nothing", "nothing to ask"),
        ("points", "question points at its passage"),
        ("copies", "question copies its gold"),
        ("not found", "answer not found again"),
    ],
)
def test_what_a_model_does_wrong_is_dropped_and_counted(documents, behaviour, why):
    drafts, server, _ = drafted(documents, always(behaviour), n=4)
    assert drafts.questions == ()
    assert drafts.dropped[why] == drafts.dropped.total() >= 4
    assert drafts.failures == ()
    if behaviour != "not found":
        assert all(is_asking(body) for body in server.requests)


def test_an_answer_found_elsewhere_is_not_found_again(documents):
    drafts, _, _ = drafted(documents, always("elsewhere"), n=4)
    assert drafts.dropped["answer not found again"] >= 4


def test_a_question_asked_twice_is_kept_once(documents):
    drafts, _, _ = drafted(documents, lambda body, n: "same" if is_asking(body) else "", n=4)
    assert len(drafts.questions) <= 1


def test_a_call_that_fails_is_tried_again(documents):
    seen = set()

    def busy_at_first(body, n):
        text = json.dumps(body)
        if text in seen:
            return ""
        seen.add(text)
        return (429, {"Retry_After": "0"}) if n % 2 else (500, {})

    drafts, server, chat = drafted(documents, busy_at_first, n=4)
    assert len(drafts.questions) == 4
    assert len(server.requests) >= 2 * chat.calls
    assert not drafts.failures


def test_a_call_that_fails_for_good_costs_its_window_alone(documents):
    lost = set()

    def refuse_some(body, n):
        text = body["messages"][-1]["content"]
        if is_asking(body) and (len(lost) < 2 or text in lost):
            lost.add(text)
            return 400, {}
        return ""

    drafts, _, _ = drafted(documents, refuse_some, n=6)
    assert len(drafts.questions) == 6
    assert len(drafts.failures) == 2
    assert all("answered 400: not now" in message for message in drafts.failures)


def test_a_server_that_refuses_everything_is_an_error(documents):
    with pytest.raises(ModelError, match="answered 401: not now"):
        drafted(documents, always((401, {})))
    with serving() as server:
        url = server.url
    with pytest.raises(ModelError, match="could not be reached"):
        draft_by_model(documents, 4, Chat(url=url, model="m", retries=0))


def test_what_came_before_a_server_breaks_down_is_kept(documents):
    drafts, _, _ = drafted(documents, lambda body, n: "" if n <= 64 else (403, {}), n=40)
    assert 0 < len(drafts.questions) < 40
    assert drafts.failures


def test_an_answer_that_is_no_completion_is_a_failure(documents, monkeypatch):
    from chat_server import Handler

    monkeypatch.setattr(Handler, "completion", lambda *_: {"choices": []})
    with pytest.raises(ModelError, match=r"must answer with choices\[0\].message.content"):
        drafted(documents, always(""))


def test_questions_that_are_there_are_not_asked_again(documents):
    first, _, _ = drafted(documents, always(""))
    from seamline.types import Question

    existing = [
        Question(str(i), d.document.id, d.question, tuple((span,) for span in d.spans))
        for i, d in enumerate(first.questions)
    ]
    again, _, _ = drafted(documents, always(""), existing=existing)
    assert not {d.question for d in first.questions} & {d.question for d in again.questions}
    assert again.dropped["gold of another question"]


def test_the_key_is_read_from_the_environment_and_sent(documents, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-1")
    _, server, _ = drafted(documents, always(""), n=1)
    assert set(server.keys) == {"Bearer secret-1"}
    monkeypatch.setenv("MY_KEY", "secret-2")
    with serving(always((401, {}))) as server:
        with pytest.raises(ModelError) as error:
            draft_by_model(documents, 1, Chat(url=server.url, model="m", key_env="MY_KEY"))
        assert set(server.keys) == {"Bearer secret-2"}
    assert "secret" not in str(error.value)
    with pytest.raises(InvalidConfig, match="NO_SUCH_KEY must hold the key"):
        Chat(url="http://127.0.0.1:9/v1", model="m", key_env="NO_SUCH_KEY")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"url": "localhost:11434"}, "base url"),
        ({"url": "http://me:pw@localhost/v1"}, "must not hold a password"),
        ({"model": ""}, "give --model NAME"),
    ],
)
def test_a_chat_that_cannot_work_is_refused(given, says):
    with pytest.raises(InvalidConfig, match=says):
        Chat(**{"url": "http://localhost:1/v1", "model": "m"} | given)


def test_the_endpoint_may_be_given_whole():
    url = "http://localhost:1/v1/chat/completions"
    assert Chat(url=url, model="m").endpoint == url
    assert Chat(url="http://localhost:1/v1/", model="m").endpoint == url


def test_an_estimate_is_kept(documents):
    cost = estimate(documents, 8)
    assert cost.least_calls == 16
    assert cost.most_calls <= 48
    assert cost.least_tokens < cost.most_tokens
    _, server, _ = drafted(documents, always("nothing"))
    assert len(server.requests) == cost.most_calls // 2
    _, server, _ = drafted(documents, always(""))
    assert len(server.requests) <= cost.most_calls


@pytest.mark.parametrize("n", [0, -3])
def test_a_number_of_questions_that_is_none_is_refused(documents, n):
    with pytest.raises(InvalidConfig, match="n must be a positive number"):
        estimate(documents, n)
