"""The embedded default: its vectors never depend on what they are computed with."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamline.embed.minilm import DATA, MiniLM
from seamline.errors import InvalidConfig
from seamline.protocols import Embedder

WORDS = "the plan covers refunds within thirty days `kubectl get pods` 東京 naïve 😀 3.14 || \n"
PROBES = [
    "How do I rotate the signing key?",
    "Rotate it with `keyctl rotate --now`; old tokens stay valid for an hour.",
    "",
    "東京は日本の首都です。",
    "😀" * 40,
    "money " * 700,
]

texts = st.lists(
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(" ".join) | st.text(max_size=80),
    min_size=1,
    max_size=24,
)


@settings(max_examples=25, deadline=None)
@given(texts, st.randoms(use_true_random=False))
def test_a_vector_is_the_same_bytes_in_any_batch_and_order(mates, random):
    together = MiniLM().embed_documents(mates)
    chosen = random.randrange(len(mates))
    alone = MiniLM().embed_documents([mates[chosen]])[0]
    assert alone.tobytes() == together[chosen].tobytes()
    order = random.sample(range(len(mates)), len(mates))
    shuffled = MiniLM().embed_documents([mates[i] for i in order])
    assert shuffled.tobytes() == together[order].tobytes()


def test_a_full_batch_of_one_length_equals_its_rows_alone():
    for n_words in (1, 7, 30, 62, 126, 254):
        rows = [" ".join(["day"] * (n_words - 1) + [word]) for word in ("red", "tea", "law") * 20]
        together = MiniLM().embed_documents(rows)
        for i in (0, 1, 2, 59):
            alone = MiniLM().embed_documents([rows[i]])[0]
            assert alone.tobytes() == together[i].tobytes(), (n_words, i)


def test_another_process_gives_the_same_bytes():
    code = (
        "import json, sys; from seamline.embed.minilm import MiniLM;"
        "print(MiniLM().embed_documents(json.load(sys.stdin)).tobytes().hex())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(PROBES[::-1]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    here = MiniLM().embed_documents(PROBES[::-1])
    assert run.stdout.strip() == here.tobytes().hex()


def test_threads_share_one_model_and_agree():
    model = MiniLM()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: model.embed_queries(PROBES).tobytes(), range(8)))
    assert len(set(results)) == 1
    assert model.usage.texts == 8 * len(PROBES)
    assert model.usage.truncated_texts == 8


def test_meaning_decides_what_is_near():
    query = MiniLM().embed_queries(["how can I get my money back?"])[0]
    answers = [
        "Refunds are paid within thirty days of the purchase.",
        "The cluster has three control plane nodes.",
        "Our office is closed on public holidays.",
    ]
    scores = MiniLM().embed_documents(answers) @ query
    assert scores.argmax() == 0
    assert scores[0] > scores[1:].max() + 0.1


def test_truncation_is_counted_in_texts_and_tokens():
    model = MiniLM()
    model.embed_documents(["money " * 254, "money " * 700])
    assert (model.usage.truncated_texts, model.usage.truncated_tokens) == (1, 700 - 254)
    assert (model.usage.texts, model.usage.tokens) == (2, 512)


@given(st.lists(st.text(max_size=60) | st.text("aé \n\t\x1c\xa0\u0301\u2028[SEP]東.", max_size=80)))
def test_pieces_are_counted_as_the_model_gets_them(texts):
    model = MiniLM(overlong="mean_of_windows")
    model.embed_documents(texts)
    windows = model.usage.tokens - 2 * len(texts)  # short texts: one window, two marks each
    assert model.beyond_window(texts) == (0, windows)


def test_pieces_beyond_the_window_are_those_that_embedding_cuts_off():
    for model in (MiniLM(), MiniLM(prefix_document="a passage: ")):
        model.embed_documents([*PROBES, "tea " * 300])
        beyond, total = model.beyond_window([*PROBES, "tea " * 300])
        assert beyond == model.usage.truncated_tokens > 46
        marks = 2 * model.usage.texts
        assert total - beyond == model.usage.tokens - marks
    assert MiniLM(overlong="mean_of_windows").beyond_window(PROBES)[0] == 0


def test_counting_pieces_does_not_load_the_model():
    code = (
        "import sys, seamline.embed.minilm as m; assert m.MiniLM().beyond_window(['tea']) == (0, 1);"
        "assert 'onnxruntime' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_truncating_equals_the_text_cut_by_hand():
    long, cut = MiniLM().embed_documents(["money " * 700, "money " * 254])
    assert long.tobytes() == cut.tobytes()


def test_mean_of_windows_uses_the_whole_text():
    long = "money " * 254 + "river " * 254
    kept = MiniLM(overlong="mean_of_windows")
    near = kept.embed_documents([long])[0] @ kept.embed_documents(["river"])[0]
    far = MiniLM().embed_documents([long])[0] @ MiniLM().embed_documents(["river"])[0]
    assert near > far
    assert kept.usage.truncated_texts == 0
    short = ["money " * 254, "one sentence"]
    assert kept.embed_documents(short).tobytes() == MiniLM().embed_documents(short).tobytes()


def test_mean_of_windows_does_not_depend_on_the_batch_either():
    kept = MiniLM(overlong="mean_of_windows")
    together = kept.embed_documents(PROBES)
    for text, row in zip(PROBES, together, strict=True):
        assert kept.embed_documents([text])[0].tobytes() == row.tobytes()


def test_overlong_text_can_be_refused():
    with pytest.raises(InvalidConfig, match="at most 254 word pieces, got 700"):
        MiniLM(overlong="error").embed_documents(["money " * 700])
    with pytest.raises(InvalidConfig, match="overlong must be one of"):
        MiniLM(overlong="ignore")


def test_literal_special_tokens_are_plain_text():
    plain, literal = MiniLM().embed_documents(["a b", "a [SEP] b"])
    model = MiniLM()
    model.embed_documents(["[SEP]"])
    assert model.usage.tokens == 5
    assert not np.array_equal(plain, literal)


def test_fingerprint_follows_everything_that_changes_a_vector():
    variants = [
        MiniLM(),
        MiniLM(overlong="mean_of_windows"),
        MiniLM(prefix_query="query: "),
        MiniLM(prefix_document="query: "),
    ]
    assert len({variant.fingerprint for variant in variants}) == len(variants)
    assert MiniLM().fingerprint == MiniLM().fingerprint
    assert isinstance(MiniLM(), Embedder)


def test_prefixes_are_put_before_texts():
    prefixed = MiniLM(prefix_query="query: ")
    plain = MiniLM()
    assert np.array_equal(prefixed.embed_queries(["x"]), plain.embed_queries(["query: x"]))
    assert np.array_equal(prefixed.embed_documents(["x"]), plain.embed_documents(["x"]))


def test_progress_adds_up_to_the_texts():
    seen = []
    model = MiniLM(overlong="mean_of_windows")
    model.progress = seen.append
    model.embed_documents(PROBES)
    assert sum(seen) == len(PROBES)


def test_pickling_keeps_it_working():
    model = pickle.loads(pickle.dumps(MiniLM()))
    assert np.array_equal(model.embed_queries(["x"]), MiniLM().embed_queries(["x"]))


def test_importing_the_package_loads_no_runtime():
    code = (
        "import sys, seamline.embed, seamline.embed.minilm as m; m.MiniLM().fingerprint;"
        "assert not {'onnxruntime', 'tokenizers', 'httpx', 'sqlite3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_shipped_files_are_those_of_the_manifest_and_the_notice():
    digests = json.loads((DATA / "manifest.json").read_text())["sha256"]
    notice = (Path(__file__).parents[2] / "NOTICE").read_text()
    for name, digest in digests.items():
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == digest
        assert digest in notice
    tokenizer = json.loads((DATA / "tokenizer.json").read_text())
    assert tokenizer["truncation"] is None
    assert tokenizer["padding"] is None
    assert "Apache License" in (DATA / "LICENSE").read_text()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs CPU affinity")
def test_one_processor_gives_the_same_vectors():
    """Texts of many lengths make many batches: each must be run, whoever runs it."""
    texts = ["word " * n for n in (1, 2, 3, 5, 8, 13, 60, 200)] * 2
    program = (
        "import os, sys, json; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from seamline.embed.minilm import MiniLM;"
        "sys.stdout.write(MiniLM().embed_documents(json.loads(sys.argv[1])).tobytes().hex())"
    )
    process = subprocess.run(
        [sys.executable, "-c", program, json.dumps(texts)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == MiniLM().embed_documents(texts).tobytes().hex()
