"""One run of a store in a process of its own; prints a line of JSON.

Called by the section store: `ingest FOLDER MODEL`, `fill FOLDER`, `search FOLDER`, and
`peer NAME FOLDER`, which any interpreter runs that has numpy and the peer. By the section
postgres: `server_fill FOLDER URL`, `server_search FOLDER URL`, `server_peer NAME FOLDER URL`.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

CHUNKS, DIM, BATCH = 100_000, 384, 5_000
QUESTIONS = 30
FIRST = 1_500  # texts
SHARE = 100  # one document of so many is the small tenant's


def megabytes(field: str) -> float:
    """`VmRSS` or `VmHWM` (the peak) of this process."""
    status = Path("/proc/self/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def median_ms(work: Callable[[Any], Any], questions: list[Any]) -> float:
    """The median CPU milliseconds a question, the first one apart."""
    work(questions[0])
    return float(np.median([cpu(lambda q=q: work(q)) for q in questions])) * 1e3


@cache
def _centres() -> np.ndarray:
    return np.random.default_rng(7).standard_normal((1_000, DIM))


def grouped(dice: np.random.Generator, n: int) -> np.ndarray:
    """float32[n, DIM] of length 1 in a thousand groups, as texts have subjects.

    Two of a group have a cosine of about 0.5; without groups nothing is near anything.
    """
    rows = _centres()[dice.integers(1_000, size=n)] + dice.standard_normal((n, DIM))
    return (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)


def ingest(folder: str, model: str) -> dict[str, Any]:
    """Documents of a folder with the embedded model, or it for the first texts alone; twice."""
    from seamline.config import BenchConfig
    from seamline.embed.minilm import MiniLM
    from seamline.ingest.open import open_ingest
    from seamline.parse import find_files
    from seamline.store import open_store

    place = Path(folder)
    config = BenchConfig(retriever="hybrid", cache_dir=str(place))
    out: dict[str, Any] = {}
    for name in ("first", "again"):
        spent = Spending(MiniLM() if model == "minilm" else First())
        start, wall = time.process_time(), time.perf_counter()
        with open_store(f"sqlite:///{place}/index.db") as store:
            files = find_files([place / "docs"])
            work = open_ingest(config, store, files, embedder=spent)
            done = work.run(files)
        out[name] = {
            "CPU-s": time.process_time() - start,
            "wall-s": time.perf_counter() - wall,
            "model CPU-s": spent.seconds,
            "peak MB": megabytes("VmHWM"),
            **done.row(),
        }
    return out


class First:
    """The embedded model for the first texts, so that it is in memory; then no cost at all."""

    fingerprint = "first"

    def __init__(self) -> None:
        self.left = FIRST

    def embed_documents(self, texts: Any) -> np.ndarray:
        from seamline.embed.minilm import MiniLM

        self.left -= len(texts)
        if self.left > -len(texts):
            return MiniLM().embed_documents(texts)
        rows = np.zeros((len(texts), DIM), np.float32)
        rows[:, 0] = 1
        return rows


class Spending:
    """An embedder that says what it cost."""

    def __init__(self, embedder: Any) -> None:
        self.embedder, self.seconds = embedder, 0.0
        self.fingerprint = embedder.fingerprint

    def embed_documents(self, texts: Any) -> Any:
        start = time.process_time()
        try:
            return self.embedder.embed_documents(texts)
        finally:
            self.seconds += time.process_time() - start


def entries(folder: Path, spent: dict[str, float]) -> Iterator[list[Any]]:
    """Batches of documents cut from real text, with random vectors."""
    from seamline.ingest.cut import Maker
    from seamline.retrieve.analyze import Analyzer
    from seamline.sizers import parse_sizer
    from seamline.split import parse_strategy
    from seamline.store import Entry
    from seamline.types import Document

    spec = "recursive(size=48, overlap=0)"
    maker = Maker(parse_strategy(spec), parse_sizer("tokens"), Analyzer("english"))
    vectors, number, at, batch = np.load(folder / "vectors.npy"), 0, 0, []
    texts: list[str] = []
    for text in json.loads((folder / "texts.json").read_text()):
        start = time.process_time()
        cut = maker.cut(Document.from_text(text, f"{number:06}"))
        spent["cut"] += time.process_time() - start
        n = len(cut.columns)
        if at + n > CHUNKS:
            break
        tenant = "small" if number % SHARE == 0 else ""
        own = vectors[at : at + n]
        batch.append(
            Entry(f"{number:06}", text, b"1", cut.columns, cut.details, own, cut.ends, tenant)
        )
        texts += cut.indexed
        number, at = number + 1, at + n
        if sum(len(one.columns) for one in batch) >= BATCH:
            yield batch
            batch = []
    yield batch
    (folder / "chunks.json").write_text(json.dumps(texts))


def fill(folder: str) -> dict[str, Any]:
    """A SQLite store of 100,000 chunks with vectors that are there."""
    from seamline.store import NamespaceInfo, open_store

    place, spent = Path(folder), {"cut": 0.0, "put": 0.0}
    with open_store(f"sqlite:///{place}/index.db") as store:
        namespace = store.create(NamespaceInfo("main", "bench", DIM, "bench", "english", "tokens"))
        for batch in entries(place, spent):
            spent["put"] += cpu(lambda batch=batch: namespace.put(batch))
    size = sum(path.stat().st_size for path in place.glob("index.db*")) / 1e6
    return spent | {"MB": size}


class Asking:
    """An embedder that answers any question with the next of some vectors."""

    fingerprint = "bench"

    def __init__(self, rows: np.ndarray) -> None:
        self.rows, self.n = rows, 0

    def embed_queries(self, _texts: Any) -> np.ndarray:
        self.n += 1
        return self.rows[self.n % len(self.rows)][None]


def search(folder: str) -> dict[str, Any]:
    """What loading costs, and a question in each way."""
    from seamline.retrieve import parse_retriever
    from seamline.retrieve.searcher import Searcher
    from seamline.store import Reader, open_store
    from seamline.store.base import Asked

    place = Path(folder)
    rows = grouped(np.random.default_rng(1), QUESTIONS)
    asked = json.loads((place / "questions.json").read_text())
    with open_store(f"sqlite:///{place}/index.db") as store:
        namespace, everything, small = store.open("main"), Reader(), Reader("small")

        def scan(reader: Reader) -> Callable[[Any], Any]:
            def work(vector: Any) -> Any:
                with namespace.read(reader) as view:
                    return view.scope(Asked(vector, np.empty(0, np.uint64), 10)).dense(vector)

            return work

        before = megabytes("VmRSS")
        out: dict[str, Any] = {"load CPU-s": cpu(lambda: scan(everything)(rows[0]))}
        out["kept MB"] = megabytes("VmRSS") - before
        out["peak MB"] = megabytes("VmHWM") - before
        for name, reader in (("scan", everything), ("scan of 1 %", small)):
            out[name] = median_ms(scan(reader), list(rows))
        for spec in ("dense", "bm25", "hybrid", "hybrid(positional=160, kernel=512)"):
            for reader in (everything, small):
                searcher = Searcher(namespace, parse_retriever(spec), Asking(rows), k=10)
                name = f"{spec}{', 1 %' if reader is small else ''}"
                out[name] = median_ms(lambda q, s=searcher, r=reader: s.search(q, r), asked)
    return out


def peer(name: str, folder: str) -> dict[str, Any]:
    """The same chunks in another embedded store, filled and asked as its documentation says."""
    place = Path(folder)
    vectors = np.load(place / "vectors.npy")
    texts = json.loads((place / "chunks.json").read_text())
    tenants = ["small" if i % SHARE == 0 else "" for i in range(len(texts))]
    add, ask = {"chromadb": _chromadb, "lancedb": _lancedb}[name](place / name)
    spent = 0.0
    for at in range(0, len(texts), BATCH):
        part = slice(at, min(at + BATCH, len(texts)))
        ids = [str(i) for i in range(part.start, part.stop)]
        spent += cpu(lambda p=part, i=ids: add(i, vectors[p], texts[p], tenants[p]))
    rows = list(grouped(np.random.default_rng(1), QUESTIONS))
    files = [path for path in (place / name).rglob("*") if path.is_file()]
    return {
        "put": spent,
        "MB": sum(path.stat().st_size for path in files) / 1e6,
        "dense": median_ms(lambda v: ask(v, None), rows),
        "dense, 1 %": median_ms(lambda v: ask(v, "small"), rows),
    }


def _chromadb(path: Path) -> tuple[Callable[..., Any], Callable[..., Any]]:
    import chromadb

    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(path), settings=settings)
    made = client.create_collection("main", metadata={"hnsw:space": "cosine"})

    def add(ids: Any, vectors: Any, texts: Any, tenants: Any) -> None:
        facts = [{"tenant": tenant} for tenant in tenants]
        made.add(ids=ids, embeddings=vectors, documents=texts, metadatas=facts)

    def ask(vector: Any, tenant: str | None) -> Any:
        where = {"where": {"tenant": tenant}} if tenant else {}
        return made.query(query_embeddings=[vector], n_results=10, **where)

    return add, ask


def _lancedb(path: Path) -> tuple[Callable[..., Any], Callable[..., Any]]:
    import lancedb

    store, made = lancedb.connect(str(path)), []

    def add(ids: Any, vectors: Any, texts: Any, tenants: Any) -> None:
        rows = [
            {"id": i, "vector": v, "text": t, "tenant": n}
            for i, v, t, n in zip(ids, vectors, texts, tenants, strict=True)
        ]
        if made:
            made[0].add(rows)
        else:
            made.append(store.create_table("main", rows))

    def ask(vector: Any, tenant: str | None) -> Any:
        query = made[0].search(vector).distance_type("cosine").limit(10)
        if tenant:
            query = query.where(f"tenant = '{tenant}'", prefilter=True)
        return query.to_list()

    return add, ask


def wall(work: Callable[[], Any]) -> float:
    """Seconds by the clock: a server's work counts."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def wall_ms(work: Callable[[Any], Any], questions: list[Any]) -> list[float]:
    """The 50th and 99th of 100 in milliseconds by the clock, the first question apart."""
    work(questions[0])
    spent = [wall(lambda q=q: work(q)) * 1e3 for q in questions]
    return np.percentile(spent, [50, 99]).tolist()


def server_fill(folder: str, url: str) -> dict[str, Any]:
    """The chunks of `fill` in PostgreSQL: written, then their indexes built."""
    from seamline.store import NamespaceInfo, open_store

    spent = {"cut": 0.0, "put": 0.0}
    with open_store(url) as store:
        store.drop("bench")
        namespace: Any = store.create(
            NamespaceInfo("bench", "bench", DIM, "bench", "english", "tokens")
        )
        for batch in entries(Path(folder), spent):
            spent["put"] += wall(lambda batch=batch: namespace.put(batch))
        spent["indexes"] = wall(namespace.settle)
        return spent | {"MB": namespace.n_bytes / 1e6}


SERVER_RANKINGS = (
    "dense",
    "bm25",
    "hybrid",
    "hybrid(positional=160, kernel=512)",
    "hybrid(fusion=rrf)",
)


def server_search(folder: str, url: str) -> dict[str, Any]:
    """Recall of the graph, and what a question takes in each way."""
    from seamline.retrieve import parse_retriever
    from seamline.retrieve.searcher import Searcher
    from seamline.store import Reader, open_store

    place = Path(folder)
    rows = grouped(np.random.default_rng(1), QUESTIONS)
    asked = json.loads((place / "questions.json").read_text())
    out: dict[str, Any] = {}
    with open_store(url) as store:
        namespace = store.open("bench")
        for spec in SERVER_RANKINGS:
            for reader in (Reader(), Reader("small")):
                searcher = Searcher(namespace, parse_retriever(spec), Asking(rows), k=10)
                name = f"{spec}{', 1 %' if reader.tenant else ''}"
                out[name] = wall_ms(lambda q, s=searcher, r=reader: s.search(q, r), asked)
        with namespace.read(Reader()) as view:
            exact = view.scope()
            found = [_recall(view, exact, row) for row in rows]
            for spec in SERVER_RANKINGS:
                out[f"{spec}, agrees"] = _agreement(view, exact, parse_retriever(spec), rows, place)
        out["recall"] = float(np.mean(found))
        with namespace.read(Reader("small")) as view:
            exact = view.scope()
            found = [_recall(view, exact, row) for row in rows]
        out["recall, 1 %"] = float(np.mean(found))
    return out


def _agreement(view: Any, exact: Any, retriever: Any, rows: np.ndarray, place: Path) -> float:
    """The share of the exact first 10 that are among the first 10 found.

    Asked are the questions of golden sets, and 3 to 9 words of each of 70 chunks.
    """
    from seamline.retrieve.analyze import Analyzer
    from seamline.retrieve.live import score
    from seamline.retrieve.terms import asked_terms
    from seamline.store.base import Asked

    dice = np.random.default_rng(5)
    chunks = json.loads((place / "chunks.json").read_text())
    questions = json.loads((place / "questions.json").read_text())
    for i in dice.integers(len(chunks), size=70):
        words = chunks[i].split()
        n = min(len(words), int(dice.integers(3, 10)))
        questions.append(" ".join(dice.choice(words, n, replace=False)))

    def best(scope: Any, asked: Any, times: Any) -> set[Any]:
        found = score(retriever, scope, asked, times).best(10, scope.eligible)
        return set(zip(scope.document[found].tolist(), scope.ordinal[found].tolist(), strict=True))

    shared = []
    for i, question in enumerate(questions):
        terms, times = asked_terms(Analyzer("english"), question)
        asked = Asked(rows[i % len(rows)], terms, 100)
        right = best(exact, asked, times)
        if right:
            shared.append(len(right & best(view.scope(asked), asked, times)) / len(right))
    return float(np.mean(shared))


def _recall(view: Any, exact: Any, row: Any) -> float:
    """The share of the 10 nearest of all chunks that are among the 10 nearest found."""
    from seamline.store.base import Asked

    def best(scope: Any) -> set[Any]:
        scores = scope.dense(row)
        if scope.eligible is not None:
            scores = np.where(scope.eligible, scores, -np.inf)
        top = np.argsort(-scores, kind="stable")[:10]
        return set(zip(scope.document[top].tolist(), scope.ordinal[top].tolist(), strict=True))

    asked = Asked(row, np.empty(0, np.uint64), 10)
    return len(best(exact) & best(view.scope(asked))) / 10


def server_peer(name: str, folder: str, url: str) -> dict[str, Any]:
    """The same chunks put into PostgreSQL by another library, as its documentation says."""
    place = Path(folder)
    vectors = np.load(place / "vectors.npy")
    texts = json.loads((place / "chunks.json").read_text())
    tenants = ["small" if i % SHARE == 0 else "" for i in range(len(texts))]
    add, ask = {"langchain-postgres": _langchain, "llama-index": _llama_index}[name](url)
    spent = 0.0
    for at in range(0, len(texts), BATCH):
        part = slice(at, min(at + BATCH, len(texts)))
        ids = [str(i) for i in range(part.start, part.stop)]
        spent += wall(lambda p=part, i=ids: add(i, vectors[p], texts[p], tenants[p]))
    rows = list(grouped(np.random.default_rng(1), QUESTIONS))
    return {"put": spent, "dense": wall_ms(ask, rows)}


def _langchain(url: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    from langchain_core.embeddings import Embeddings
    from langchain_postgres import PGVector

    class None_(Embeddings):  # noqa: N801 - vectors are given
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise NotImplementedError

        def embed_query(self, text: str) -> list[float]:
            raise NotImplementedError

    store = PGVector(
        embeddings=None_(),
        collection_name="bench",
        connection=url.replace("postgresql://", "postgresql+psycopg://"),
        embedding_length=DIM,
        use_jsonb=True,
    )

    def add(ids: Any, vectors: Any, texts: Any, tenants: Any) -> None:
        facts = [{"tenant": tenant} for tenant in tenants]
        store.add_embeddings(texts, vectors.tolist(), metadatas=facts, ids=ids)

    return add, lambda vector: store.similarity_search_by_vector(vector.tolist(), k=10)


def _llama_index(url: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import VectorStoreQuery
    from llama_index.vector_stores.postgres import PGVectorStore

    store = PGVectorStore.from_params(
        connection_string=url.replace("postgresql://", "postgresql+psycopg2://"),
        async_connection_string=url.replace("postgresql://", "postgresql+asyncpg://"),
        table_name="bench",
        embed_dim=DIM,
    )

    def add(ids: Any, vectors: Any, texts: Any, tenants: Any) -> None:
        store.add(
            [
                TextNode(id_=i, text=t, embedding=v, metadata={"tenant": n})
                for i, v, t, n in zip(ids, vectors.tolist(), texts, tenants, strict=True)
            ]
        )

    def ask(vector: Any) -> Any:
        return store.query(VectorStoreQuery(query_embedding=vector.tolist(), similarity_top_k=10))

    return add, ask


WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "ingest": ingest,
    "fill": fill,
    "search": search,
    "peer": peer,
    "server_fill": server_fill,
    "server_search": server_search,
    "server_peer": server_peer,
}

if __name__ == "__main__":
    print(json.dumps(WORK[sys.argv[1]](*sys.argv[2:])))
