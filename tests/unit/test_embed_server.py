"""What a server is reached by is refused in one sentence where it cannot be, and no key is shown."""

import pytest

from seamline.embed.http import HttpEmbedder
from seamline.errors import EmbeddingError, InvalidConfig
from seamline.golden.chat import Chat

URLS = [
    "",
    "localhost:11434",
    "ftp://localhost/v1",
    "http://",
    "http://[::1",
    "http://localhost:99999/v1",
    "http://localhost:port/v1",
    "http://exa mple/v1",
    "http://a\nb/v1",
    "http://ä..b/v1",
    "http://-ä-.com/v1",
    f"http://{'a' * 300}ä.de/v1",
    "http://\udcff/v1",
    "http://host/\udcff",
    "http://999.999.999.999/v1",
    "http://u:secret@[x",
    "http://u:secret@host:port/v1",
    3,
]
MAKERS = [Chat, HttpEmbedder]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("url", URLS)
def test_a_url_that_no_server_can_have_is_refused(make, url):
    with pytest.raises(InvalidConfig, match=r"^(llm|url) must be the server's base url") as caught:
        make(url=url, model="m")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("key", ["a\nb", "ä", "\udcff", "two words", "\x7f"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(make, key, monkeypatch):
    monkeypatch.setenv("SERVER_KEY", f"secret{key}")
    with pytest.raises(InvalidConfig, match=r"SERVER_KEY must hold the key .* printable") as caught:
        make(url="http://localhost:1/v1", model="m", key_env="SERVER_KEY")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("make", MAKERS)
def test_a_model_must_be_valid_unicode(make):
    with pytest.raises(InvalidConfig, match="model must be valid Unicode"):
        make(url="http://localhost:1/v1", model="\udcff")


def test_the_usual_key_is_checked_too(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret key")
    with pytest.raises(InvalidConfig, match="OPENAI_API_KEY must hold the key"):
        Chat(url="http://localhost:1/v1", model="m")


@pytest.mark.parametrize(
    ("variable", "value"), [("HTTP_PROXY", "foo://x"), ("SSL_CERT_FILE", "/nowhere/cert.pem")]
)
def test_a_proxy_or_certificate_that_cannot_be_is_one_sentence(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(EmbeddingError, match=r"could not be asked .* proxy and certificates"):
        Chat(url="http://localhost:1/v1", model="m").__enter__()


def test_a_host_name_that_only_the_client_refuses_is_one_sentence():
    embedder = HttpEmbedder(url="http://xn--a/v1", model="m", retries=0)
    with pytest.raises(EmbeddingError, match="could not be reached"):
        embedder.embed_queries(["x"])
