"""Results made of given scores, as a benchmark would write them."""

import numpy as np

from seamline.bench import Results

TOKENS = 2_000  # of each document


def scores(mean, n, seed, spread=0.25):
    """`n` scores in 0..1 around `mean`."""
    drawn = np.random.default_rng(seed).normal(mean, spread, n)
    return np.round(np.clip(drawn, 0, 1), 3).tolist()


def worse(values, by, seed=9, spread=0.02):
    """The same scores less about `by`, and with their own small noise."""
    noise = np.random.default_rng(seed).normal(0, spread, len(values))
    return np.round(np.clip(np.array(values) - by + noise, 0, 1), 3).tolist()


def mixed(values, by, seed=0, apart=0.25):
    """The same scores less `by` in the mean, half of the questions better, half worse."""
    sign = np.random.default_rng(seed).permutation(np.resize([1, -1], len(values)))
    return np.round(np.array(values) - by + apart * sign, 3).tolist()


def made(given, *, n_docs=20, costs=None, shown=None, cuts=None, timings=None, **config):
    """Results of the configurations `given` (spec: scores), their questions spread over documents.

    `costs` is (chunks, indexed tokens) by spec, `shown` the tokens shown by spec, `cuts`
    the chunks by spec.
    """
    config = {
        "primary": "Recall@1000t",
        "lower_is_better": False,
        "k": 5,
        "budget": 1000,
        "budgets": [250, 1000],
        "scope": "corpus",
        "retriever": "hybrid(alpha=0.5)",
        "embedder": "minilm",
        "tokenizer": "tokens",
        "threshold": 0.75,
        "dedupe": False,
        "merge": False,
        "separator": 0,
        "identical": False,
        "margin": 0.02,
        "seed": 0,
        **config,
    }
    config.setdefault("measures", [config["primary"]])
    n = len(next(iter(given.values())))
    documents = [{"id": f"d{i}.md", "tokens": TOKENS} for i in range(n_docs)]
    rows = [
        _row(spec, values, config, (costs or {}).get(spec), (shown or {}).get(spec))
        for spec, values in given.items()
    ]
    for i, row in enumerate(rows):
        row["chunks"] = (cuts or {}).get(row["spec"], {"d0.md": [[0, 10 + i]]})
    data = {
        "schema": 1,
        "seamline": "0.1.0",
        "config": config,
        "documents": documents,
        "questions": [{"id": f"q{i}", "doc_id": f"d{i % n_docs}.md", "tags": []} for i in range(n)],
        "skipped": [],
        "notes": [],
        "strategies": rows,
    }
    return Results.of(data, timings)


def _row(spec, values, config, cost, shown):
    chunks, tokens = cost or (100, 40_000)
    strategy, *rest = spec.split(" | ")
    return {
        "spec": spec,
        "strategy": strategy,
        "top1": [None] * len(values),
        "retriever": rest[0] if rest else config["retriever"],
        "dedupe": "dedupe" in rest,
        "merge": "merge" in rest,
        "cost": {
            "chunks": chunks,
            "indexed_tokens": tokens,
            "source_tokens": 40_000,
            "inflation": tokens / 40_000,
            "embedding_calls": chunks,
            "embedding_tokens": tokens,
            "vector_bytes": chunks * 384 * 4,
            "truncated_share": 0.0,
        },
        "measures": {config["primary"]: _measure(values)}
        | ({f"Tokens@{config['k']}": _measure([shown] * len(values))} if shown else {}),
        "difference": {"to": spec, **dict.fromkeys(("mean", "low", "high", "interval"))},
        "containment": {"rate": 1.0, "split": []},
        "size": {"tokens": {"mean": 100.0}},
    }


def _measure(values):
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else None
    edges = {"low": mean - 0.05, "high": mean + 0.05} if known else {"low": None, "high": None}
    return {"mean": mean, **edges, "interval": "cluster-t", "n": len(known), "values": values}
