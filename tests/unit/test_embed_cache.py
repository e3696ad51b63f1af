"""The cache: nothing is embedded twice, and nothing that happens to the file breaks a run."""

from __future__ import annotations

import pickle
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from seamline.embed.cache import CachedEmbedder, cache_path
from seamline.embed.minilm import MiniLM
from seamline.embed.vectorfile import Memory, VectorFile
from seamline.errors import EmbeddingError
from seamline.protocols import Embedder

TEXTS = ["one", "two", "", "東京", "one", "x" * 2000]


class Lengths:
    """A tiny real embedder: a unit vector from a text's length."""

    def __init__(self, name="lengths", dim=2):
        self.fingerprint = name
        self.dim = dim
        self.seen = []

    def embed_documents(self, texts):
        self.seen += texts
        angles = np.array([len(text) for text in texts], np.float32)
        rows = np.zeros((len(texts), self.dim), np.float32)
        rows[:, 0], rows[:, 1] = np.cos(angles), np.sin(angles)
        return rows

    embed_queries = embed_documents


@pytest.fixture(params=["file", "memory"])
def path(request, tmp_path):
    return tmp_path / "deep" / "vectors.sqlite3" if request.param == "file" else None


def test_vectors_are_those_of_the_embedder_byte_for_byte(path):
    cached = CachedEmbedder(MiniLM(), path)
    expected = MiniLM().embed_documents(TEXTS)
    for _ in range(2):
        assert cached.embed_documents(TEXTS).tobytes() == expected.tobytes()
    assert (cached.misses, cached.hits) == (5, 7)
    assert cached.usage.texts == 5
    assert isinstance(cached, Embedder)


def test_a_second_run_embeds_nothing(tmp_path):
    first = CachedEmbedder(Lengths(), tmp_path / "v.sqlite3")
    expected = first.embed_documents(TEXTS)
    first.close()
    second = CachedEmbedder(Lengths(), tmp_path / "v.sqlite3")
    assert np.array_equal(second.embed_documents(TEXTS[::-1]), expected[::-1])
    assert second.embedder.seen == []
    assert (second.hits, second.misses) == (6, 0)


def test_only_texts_not_seen_are_embedded_and_each_once(path):
    cached = CachedEmbedder(Lengths(), path)
    cached.embed_documents(["b", "aa"])
    cached.embed_documents(["c", "aa", "c", "b", "dd"])
    assert cached.embedder.seen == ["b", "aa", "c", "dd"]


def test_document_and_query_and_model_are_kept_apart(path):
    cached = CachedEmbedder(Lengths(), path)
    cached.embed_documents(["a"])
    cached.embed_queries(["a"])
    assert cached.embedder.seen == ["a", "a"]
    other = CachedEmbedder(Lengths("another"), path)
    other.embed_documents(["a"])
    assert other.misses == 1


def test_a_runtime_that_may_move_bits_is_part_of_the_key(path):
    old, new = Lengths(), Lengths()
    old.runtime, new.runtime = "onnxruntime 1", "onnxruntime 2"
    CachedEmbedder(old, path).embed_documents(["a"])
    fresh = CachedEmbedder(new, path)
    fresh.embed_documents(["a"])
    assert fresh.misses == 1


def test_many_texts_cross_blocks_and_commits(path):
    texts = [str(i % 9000) for i in range(20_000)]
    cached = CachedEmbedder(Lengths(), path)
    vectors = cached.embed_documents(texts)
    assert np.array_equal(vectors, Lengths().embed_documents(texts))
    assert (cached.misses, cached.hits) == (9000, 11_000)


def test_what_was_committed_survives_an_embedder_that_fails(tmp_path):
    class Failing(Lengths):
        def embed_documents(self, texts):
            if "1500" in texts:
                raise EmbeddingError("the server is gone")
            return super().embed_documents(texts)

    texts = [str(i) for i in range(2000)]
    with pytest.raises(EmbeddingError):
        CachedEmbedder(Failing(), tmp_path / "v.sqlite3").embed_documents(texts)
    again = CachedEmbedder(Lengths(), tmp_path / "v.sqlite3")
    again.embed_documents(texts)
    assert again.hits == 1024


def test_no_texts_give_no_rows(path):
    assert CachedEmbedder(MiniLM(), path).embed_documents([]).shape == (0, 384)


def test_progress_counts_every_text_once(path):
    for embedder in (MiniLM(), Lengths()):
        seen = []
        cached = CachedEmbedder(embedder, path)
        cached.progress = seen.append
        cached.embed_documents(TEXTS)
        cached.embed_documents(TEXTS)
        assert sum(seen) == 2 * len(TEXTS)


def test_threads_share_one_cache(path):
    cached = CachedEmbedder(Lengths(), path)
    texts = [str(i) for i in range(500)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: cached.embed_documents(texts).tobytes(), range(16)))
    assert len(set(results)) == 1
    assert cached.hits + cached.misses == 16 * 500


def test_a_copy_by_pickle_reads_the_same_file(tmp_path):
    cached = CachedEmbedder(MiniLM(), tmp_path / "v.sqlite3")
    expected = cached.embed_documents(["a"])
    copy = pickle.loads(pickle.dumps(cached))
    assert np.array_equal(copy.embed_documents(["a"]), expected)
    assert copy.hits == 1


def test_a_damaged_file_is_set_aside_and_begun_anew(tmp_path):
    path = tmp_path / "v.sqlite3"
    path.write_bytes(b"this is no database, it is a note of somebody" * 100)
    cached = CachedEmbedder(Lengths(), path)
    with pytest.warns(RuntimeWarning, match=r"damaged .* kept as v.sqlite3.damaged-1"):
        cached.embed_documents(["a"])
    assert (tmp_path / "v.sqlite3.damaged-1").read_bytes().startswith(b"this is no database")
    cached.close()
    again = CachedEmbedder(Lengths(), path)
    again.embed_documents(["a"])
    assert again.hits == 1


def test_damage_inside_a_file_loses_only_the_vectors(tmp_path):
    path = tmp_path / "v.sqlite3"
    texts = [f"text {i}" for i in range(4000)]
    cached = CachedEmbedder(Lengths(dim=64), path)
    expected = cached.embed_documents(texts)
    cached.close()
    data = bytearray(path.read_bytes())
    data[8192 : len(data) - 8192] = b"\xa5" * (len(data) - 2 * 8192)
    path.write_bytes(data)
    again = CachedEmbedder(Lengths(dim=64), path)
    with pytest.warns(RuntimeWarning, match="damaged"):
        vectors = again.embed_documents(texts)
    assert np.array_equal(vectors, expected)
    again.close()
    third = CachedEmbedder(Lengths(dim=64), path)
    third.embed_documents(texts)
    assert third.hits == 4000


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cached = CachedEmbedder(Lengths(), tmp_path / "file" / "v.sqlite3")
    with pytest.warns(RuntimeWarning, match="cannot be used .* SEAMLINE_CACHE_DIR"):
        cached.embed_documents(["a", "b"])
    cached.embed_documents(["a"])
    assert (cached.hits, cached.misses) == (1, 2)


def test_a_file_of_another_version_is_left_alone(tmp_path):
    path = tmp_path / "v.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.warns(RuntimeWarning, match="another version of seamline"):
        CachedEmbedder(Lengths(), path).embed_documents(["a"])
    assert path.read_bytes() == before


def test_one_fingerprint_with_two_lengths_is_refused(path):
    cached = CachedEmbedder(Lengths(dim=2), path)
    cached.embed_documents(["a"])
    cached.embedder = Lengths(dim=3)
    with pytest.raises(EmbeddingError, match="change the fingerprint"):
        cached.embed_documents(["a", "b"])


def test_keys_that_share_64_bits_are_not_confused(tmp_path):
    for vectors in (VectorFile(tmp_path / "v.sqlite3"), Memory()):
        one, other = b"12345678" + b"a" * 8, b"12345678" + b"b" * 8
        vectors.put({one: b"\0" * 8})
        assert vectors.get([other]) == {}
        assert vectors.get([one]) == {one: b"\0" * 8}


def test_the_default_place_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SEAMLINE_CACHE_DIR", str(tmp_path / "here"))
    assert cache_path() == tmp_path / "here" / "vectors.sqlite3"
    monkeypatch.delenv("SEAMLINE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache_path() == tmp_path / "seamline" / "vectors.sqlite3"
        monkeypatch.delenv("XDG_CACHE_HOME")
        assert cache_path() == Path.home() / ".cache" / "seamline" / "vectors.sqlite3"
