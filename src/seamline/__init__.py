"""Cut documents for retrieval, measure the cuts on your own questions, decide honestly.

The names below are loaded when they are first used, so that importing seamline
costs nothing. Everything else is public in its own module: `seamline.measure`,
`seamline.retrieve`, `seamline.report` …
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it; importing typing costs more than all the rest
if TYPE_CHECKING:
    from seamline.api import benchmark, ingest_documents, open_searcher, split_text, sweep
    from seamline.bench import Results
    from seamline.embed import parse_embedder
    from seamline.errors import SeamlineError
    from seamline.golden import load_golden
    from seamline.ingest.labels import Labels, Rule, Rules, read_rules
    from seamline.parse import read_documents
    from seamline.report import write_report
    from seamline.retrieve import parse_retriever
    from seamline.split import parse_strategy
    from seamline.store import Reader, key, open_store
    from seamline.types import Chunk, Document, Question, Span

    __version__: str

__all__ = [
    "Chunk",
    "Document",
    "Labels",
    "Question",
    "Reader",
    "Results",
    "Rule",
    "Rules",
    "SeamlineError",
    "Span",
    "__version__",
    "benchmark",
    "ingest_documents",
    "key",
    "load_golden",
    "open_searcher",
    "open_store",
    "parse_embedder",
    "parse_retriever",
    "parse_strategy",
    "read_documents",
    "read_rules",
    "split_text",
    "sweep",
    "write_report",
]

_HOMES = {
    "seamline.api": ("benchmark", "ingest_documents", "open_searcher", "split_text", "sweep"),
    "seamline.bench": ("Results",),
    "seamline.embed": ("parse_embedder",),
    "seamline.errors": ("SeamlineError",),
    "seamline.golden": ("load_golden",),
    "seamline.ingest.labels": ("Labels", "Rule", "Rules", "read_rules"),
    "seamline.parse": ("read_documents",),
    "seamline.report": ("write_report",),
    "seamline.retrieve": ("parse_retriever",),
    "seamline.split": ("parse_strategy",),
    "seamline.store": ("Reader", "key", "open_store"),
    "seamline.types": ("Chunk", "Document", "Question", "Span"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("seamline")
    elif name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'seamline' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
