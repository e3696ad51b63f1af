"""`seamline chunk`: cut documents and print or write the chunks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from seamline.cli.options import Debug, Embedder, Quiet, Strict, examples, settings_here, whole
from seamline.cli.output import dim, note, render, utf8_stdout, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.progress import Bar
from seamline.cli.skips import leave, refuse_all_skipped, tell_pictures, tell_skipped
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.parse import Skipped
    from seamline.protocols import Sizer, Strategy
    from seamline.types import Chunk, Document, IntArray

__all__ = ["EXAMPLES", "chunk"]

# What a chunk's metadata says of where it comes from, and what a reader calls it.
PLACES = {
    "page_range": "page",
    "sheet": "",
    "row_range": "row",
    "cell_range": "cell",
    "line_range": "line",
}

EXAMPLES = examples(
    "seamline chunk handbook.md",
    "seamline chunk docs/ --strategy recursive --size 256 --overlap 32 --out chunks.jsonl",
    "seamline chunk notes.txt --strategy sentence --size 800 --unit characters --show",
    'seamline chunk docs/ --strategy "semantic(size=512, threshold=0.5)" --json | head -1',
)

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Files and folders; of a folder, every document."),
]
Strategy_ = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="SPEC",
        help="How to cut: a name, a preset, or a full spec like "
        '"hierarchical(parent=sections, size=200)"; `seamline strategies` lists them.  '
        "[default: that of seamline.toml if it is here and names one, else adaptive]",
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole,
        help="The most that a chunk holds, overlap included, counted in --unit.  "
        "[default: the strategy's own; adaptive: 512, and units near 64 tokens inside it]",
    ),
]
Overlap = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole,
        help="The most that a chunk repeats of the one before, counted in --unit.  "
        "[default: the strategy's own; adaptive has none, recursive and fixed an eighth of the "
        "size]",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        help="What sizes count: characters, words, tokens (cl100k_base), o200k_base, or the path "
        "of a tokenizer.json.  [default: tokens]",
    ),
]
Jsonl = Annotated[bool, typer.Option("--json", help="Print JSONL on stdout, a chunk a line.")]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write JSONL to FILE, whole or not at all."),
]
Show = Annotated[
    bool, typer.Option("--show", help="Print each document once, with the borders drawn on it.")
]

Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Print each region, how many chunks hold some of it, and why it is cut as it is.",
    ),
]


def chunk(
    paths: Paths,
    *,
    strategy: Strategy_ = None,
    size: Size = None,
    overlap: Overlap = None,
    unit: Unit = None,
    embedder: Embedder = None,
    as_json: Jsonl = False,
    out: Out = None,
    show: Show = False,
    explain: Explain = False,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Cut documents into exact slices.

    Prints the chunks to read, the lines of a context after ┆, or with --json or --out as JSONL:
    id, doc_id, start, end (code points, half-open), text, context (shown with it), indexed (what
    is embedded, null where that is the text), tokens, ordinal, parent (the id of the span that is
    returned in its place, or null), headings (the titles over it, the outermost first), and where
    its document has such places page_range, row_range, cell_range, line_range (first and last)
    and sheet. tokens are those of text alone, without context and what is indexed beside it, and
    count --unit if that is a tokenizer, else cl100k_base. Documents are read one at a time; a
    summary goes to stderr.

    Files of a folder that cannot be read are skipped, named on stderr with the reason and
    counted; the exit code is then 3. The seamline.toml of the current folder, if there is one,
    says what one file may cost, under [limits], and what `seamline recommend` chose: strategy.
    """
    from seamline.config import CONFIG_FILE
    from seamline.parse import find_files, read_each

    if as_json + show + explain + (out is not None) > 1:
        raise typer.BadParameter(
            "--json, --out, --show and --explain exclude each other: give one of them"
        )
    given = {"size": size, "overlap": overlap, "unit": unit}
    settings = settings_here()
    if not strategy and settings.strategy:
        note(f"strategy: {settings.strategy} (seamline.toml)", quiet=quiet)
    chosen = strategy or settings.strategy or "adaptive"
    cutter, sizer = _parts(chosen, given, embedder or settings.embedder)
    skipped: list[Skipped] | None = None if strict else []
    files = find_files(paths, skipped=skipped)
    refuse_overwriting({"--out": out}, {"the config file": Path(CONFIG_FILE)}, paths)
    tally = Tally()
    write = _draw if show else partial(_explain, cutter) if explain else _write_text
    if as_json or out is not None:
        write = _write_jsonl
    if as_json:
        utf8_stdout()
    with whole_file(out) if out else nullcontext(sys.stdout) as target, Bar(quiet=quiet) as bar:
        read = read_each(files, paths, skipped=skipped, strict=strict, limits=settings.limits)
        for done, document in enumerate(read, start=1):
            if document is not None:
                tell_pictures(document)
                write(target, document, *tally.cut(document, cutter, sizer))
            bar("cut", str(cutter), done, len(files))
        refuse_all_skipped(tally.n_documents, skipped or ())
    tally.skipped = skipped or []
    tell_skipped(tally.skipped, quiet=quiet)
    note(str(tally) + (f", written to {out}" if out else ""), quiet=quiet)
    leave(tally.skipped)


def _parts(
    strategy: str, given: dict[str, int | str | None], embedder: str
) -> tuple[Strategy, Sizer]:
    """The strategy with the parameters given, and the sizer that counts its tokens."""
    from seamline.embed import parse_embedder
    from seamline.embed.cache import CachedEmbedder, cache_path
    from seamline.registry import Spec, parse_spec
    from seamline.sizers import parse_sizer
    from seamline.split import parse_strategy

    spec = parse_spec(strategy)
    added = {key: value for key, value in given.items() if value is not None}
    cached = CachedEmbedder(parse_embedder(embedder), cache_path())
    cutter = parse_strategy(Spec(spec.name, {**spec.params, **added}), embedder=cached)
    unit = getattr(cutter, "unit", "tokens")
    return cutter, parse_sizer("tokens" if unit in ("characters", "chars", "words") else unit)


@dataclass
class Tally:
    """What was cut, counted for the summary."""

    n_documents: int = 0
    n_chunks: int = 0
    n_tokens: int = 0
    empty: list[str] = field(default_factory=list)
    skipped: Sequence[Skipped] = ()

    def cut(
        self, document: Document, strategy: Strategy, sizer: Sizer
    ) -> tuple[Sequence[Chunk], IntArray]:
        """The chunks of a document and the tokens of each."""
        from seamline.sizers import sizes

        chunks = strategy.split(document)
        tokens = sizes(sizer, [chunk.text for chunk in chunks])
        self.n_documents += 1
        self.n_chunks += len(chunks)
        self.n_tokens += int(tokens.sum())
        if not chunks:
            self.empty.append(document.id)
        return chunks, tokens

    def __str__(self) -> str:
        from seamline.report.plain import one_line

        parts = [
            counted(self.n_documents, "document"),
            counted(self.n_chunks, "chunk"),
            counted(self.n_tokens, "token"),
        ]
        if self.empty:
            parts.append(f"{len(self.empty)} without text: {one_line(', '.join(self.empty))}")
        n_skipped = sum(one.is_document for one in self.skipped)
        return ", ".join([*parts, f"{n_skipped:,} skipped"] if n_skipped else parts)


def _write_jsonl(
    target: IO[str], _document: Document, chunks: Sequence[Chunk], tokens: IntArray
) -> None:
    for one, n_tokens in zip(chunks, tokens.tolist(), strict=True):
        record = {
            "id": one.id,
            "doc_id": one.doc_id,
            "start": one.start,
            "end": one.end,
            "text": one.text,
            "context": one.context,
            "indexed": one.indexed_as,
            "tokens": n_tokens,
            "ordinal": one.ordinal,
            "parent": one.parent_id,
            "headings": list(one.metadata.get("headings", ())),
            **{place: one.metadata[place] for place in PLACES if place in one.metadata},
        }
        target.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _write_text(
    target: IO[str], _document: Document, chunks: Sequence[Chunk], tokens: IntArray
) -> None:
    from seamline.report.plain import one_line, plain

    for one, n_tokens in zip(chunks, tokens.tolist(), strict=True):
        where = "".join(f" · {one_line(place)}" for place in _places(one))
        head = dim(f"── {one_line(one.id)} · {counted(n_tokens, 'token')}{where}")
        context = "".join(f"{dim(f'┆ {line}')}\n" for line in plain(one.context).splitlines())
        target.write(f"{head}\n{context}{plain(one.text)}\n\n")


def _places(one: Chunk) -> Iterator[str]:
    """Where a chunk comes from, as a reader would cite it."""
    for key, noun in PLACES.items():
        found = one.metadata.get(key)
        if isinstance(found, tuple):
            first, last = found
            yield f"{noun} {first}" if first == last else f"{noun}s {first}–{last}"
        elif found:
            yield str(found)


def _draw(_target: IO[str], document: Document, chunks: Sequence[Chunk], tokens: IntArray) -> None:
    from seamline.report import draw_chunks

    render(draw_chunks(document, chunks, sizes=tokens.tolist()), "")


def _explain(
    strategy: Strategy,
    _target: IO[str],
    document: Document,
    chunks: Sequence[Chunk],
    _tokens: IntArray,
) -> None:
    from seamline.cli.inspect import region_rows
    from seamline.report import explained_table

    render(explained_table(document.id, region_rows(document, chunks, strategy)), "")
