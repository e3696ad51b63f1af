"""The probe of a model: alike for one model, unlike for another, and only asked where one is needed."""

import numpy as np
import pytest

from lock_project import write_config, write_set
from seamline.config import load_config
from seamline.embed import parse_embedder
from seamline.golden.sets import load_set
from seamline.lock.compared import changed_settings
from seamline.lock.lock import Lock
from seamline.lock.make import settings_of
from seamline.lock.measured import Measured
from seamline.lock.probe import ALIKE, agreement, probe_of


class Embedder:
    """Vectors from a generator: another seed is another model."""

    def __init__(self, seed, dim=64, noise=0.0):
        self.fingerprint = f"own-{seed}"
        rng = np.random.default_rng(seed)
        row = rng.normal(size=dim) + noise * np.random.default_rng(99).normal(size=dim)
        self.row = (row / np.linalg.norm(row)).astype(np.float32)

    def embed_documents(self, texts):
        return np.stack([self.row] * len(texts))

    embed_queries = embed_documents


def test_the_same_model_agrees_though_its_last_bits_differ():
    assert agreement(probe_of(Embedder(1)), probe_of(Embedder(1))) == pytest.approx(1)
    assert agreement(probe_of(Embedder(1)), probe_of(Embedder(1, noise=0.05))) > ALIKE


def test_another_model_does_not_agree_and_one_of_another_size_not_at_all():
    assert abs(agreement(probe_of(Embedder(1)), probe_of(Embedder(2)))) < 0.5
    assert agreement(probe_of(Embedder(1)), probe_of(Embedder(1, dim=32))) == 0


def test_the_bundled_model_gives_the_same_probe_twice():
    model = parse_embedder("minilm")
    assert probe_of(model) == probe_of(model)


def measured(folder, **settings):
    config = load_config(write_config(folder, **settings))
    return Measured.of(config, *load_set(config.docs, config.golden))


def test_a_model_counts_where_both_sides_need_one(tmp_path):
    write_set(tmp_path, n=1)
    without, dense = measured(tmp_path), measured(tmp_path, retriever="dense")
    cut = measured(tmp_path, strategy="semantic(size=64, threshold=0.5)")
    assert (without.embeds, dense.embeds, cut.embeds) == (False, True, True)
    assert settings_of(without)["probe"] is settings_of(without)["embedder"] is None
    was = settings_of(dense)
    assert was["embedder"] == "minilm"
    lock = Lock(was, ("Recall@60t",), {}, {}, {}, {})
    assert changed_settings(lock, settings_of(cut), "Recall@60t") == []
    assert changed_settings(lock, settings_of(without), "Recall@60t") == []
    other = {**was, "probe": probe_of(Embedder(1))}
    assert changed_settings(lock, other, "Recall@60t") == [
        "model: minilm answers otherwise (cosine 0.00 on a probe text)"
    ]
    renamed = {**was, "embedder": "own", "embedder_fingerprint": "own-1"}
    (says,) = changed_settings(lock, renamed, "Recall@60t")
    assert says.startswith("model: minilm (minilm-")
    assert says.endswith(" → own (own-1)")
