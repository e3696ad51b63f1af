"""The embedded default against the original model.

`minilm_torch.jsonl` holds vectors of all-MiniLM-L6-v2 in fp32 by sentence-transformers 6.2
and torch 2.13 with 256 tokens, one text a call, as base64 of little-endian float16.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np

from seamline.embed.minilm import MiniLM

LINES = (Path(__file__).parent / "minilm_torch.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


def test_int8_stays_within_two_hundredths_of_torch():
    rows = MiniLM().embed_documents([case["text"] for case in CASES])
    raw = [np.frombuffer(base64.b64decode(case["vector"]), "<f2") for case in CASES]
    expected = np.array(raw, np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    cosines = (rows * expected).sum(axis=1)
    assert cosines.min() > 0.98, dict(zip(cosines.round(4).tolist(), CASES, strict=True))
    assert cosines.mean() > 0.99
