"""Chunks drawn on their document's text, readable with and without colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

from seamline.phrases import counted
from seamline.report.plain import one_line, plain
from seamline.types import Chunk, Document

__all__ = ["draw_chunks"]

# Both colours are given, so that text can be read in a light terminal, too.
_SHADES = ("grey93 on grey15", "grey93 on grey27")
_SHARED_SHADE = "italic grey70 on grey15"
_OWN, _SHARED, _NO_CHUNK = "│ ", "┊ ", "✗ "
_MEANING = {
    _OWN: "in this chunk",
    _SHARED: "repeated from the chunk before",
    _NO_CHUNK: "in no chunk",
}


def draw_chunks(
    document: Document,
    chunks: Sequence[Chunk],
    *,
    sizes: Sequence[int] | None = None,
    unit: str = "tokens",
) -> RenderableType:
    """The document's text with a line before each chunk and a bar beside it.

    The line says which chunk it is, where it lies and, given `sizes`, how large it
    is. Text that the chunk before holds as well is set apart by a dotted bar;
    text in no chunk by a cross. White space between chunks is not drawn. Control
    characters appear as pictures. The last line says what the marks mean.
    """
    return _Drawing(document, chunks, sizes, unit)


@dataclass(frozen=True, slots=True)
class _Drawing:
    document: Document
    chunks: Sequence[Chunk]
    sizes: Sequence[int] | None
    unit: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        title = Text(
            f"{one_line(self.document.id)}: {counted(len(self.chunks), 'chunk')}", style="bold"
        )
        yield Rule(title, characters="═", align="left", style="cyan")
        text, reach = self.document.text, 0
        for i, chunk in enumerate(self.chunks):
            yield from self._left_out(console, options, text[reach : chunk.start])
            yield Rule(self._title(i, chunk, reach), align="left", style="cyan")
            inner = min(max(reach, chunk.start), chunk.end)
            shade = _SHADES[i % 2]
            own = inner + (inner == reach and _broken_at(text, inner))
            yield from _bar(console, options, text[chunk.start : inner], _SHARED, _SHARED_SHADE)
            yield from _bar(console, options, text[own : chunk.end], _OWN, shade)
            reach = max(reach, chunk.end)
        yield from self._left_out(console, options, text[reach:])
        yield self._legend()

    def _legend(self) -> Text:
        """The marks that occur, and what they mean."""
        text, reach, occurring = self.document.text, 0, dict.fromkeys([_OWN][: len(self.chunks)])
        for chunk in self.chunks:
            if chunk.start < reach:
                occurring[_SHARED] = None
            if text[reach : chunk.start].strip():
                occurring[_NO_CHUNK] = None
            reach = max(reach, chunk.end)
        if text[reach:].strip():
            occurring[_NO_CHUNK] = None
        said = ", ".join(f"{mark}{_MEANING[mark]}" for mark in _MEANING if mark in occurring)
        return Text(f"Marks: {said}" if said else "", style="dim")

    def _title(self, i: int, chunk: Chunk, reach: int) -> Text:
        parts = [f"{i + 1}", f"{chunk.start:,}–{chunk.end:,}"]
        if self.sizes is not None:
            unit = self.unit.removesuffix("s") if self.sizes[i] == 1 else self.unit
            parts.append(f"{self.sizes[i]:,} {unit}")
        if chunk.start < reach:
            again = min(reach, chunk.end) - chunk.start
            parts.append(f"repeats {counted(again, 'character')} of the chunk before")
        if chunk.parent is not None:
            parts.append(f"parent {chunk.parent.start:,}–{chunk.parent.end:,}")
        if chunk.context:
            parts.append(plain(" ".join(chunk.context.split())))
        return Text(" · ".join(parts), style="bold")

    def _left_out(self, console: Console, options: ConsoleOptions, text: str) -> Iterator[Text]:
        if text.strip():
            yield from _bar(console, options, text.strip("\n"), _NO_CHUNK, "dim")


def _broken_at(text: str, at: int) -> bool:
    """A line ends between two pieces: starting a row for the second has drawn that already."""
    return at > 0 and text[at - 1] != "\n" and text[at : at + 1] == "\n"


def _bar(
    console: Console, options: ConsoleOptions, text: str, bar: str, style: str
) -> Iterator[Text]:
    if not text:
        return
    text = text.removesuffix("\n")  # which ends the last row
    width = max(options.max_width - len(bar), 1)
    for line in plain(text).split("\n"):
        content = Text(line.expandtabs(4))
        for row in content.wrap(console, width, overflow="fold", no_wrap=False) or [content]:
            row.truncate(width, pad=console.color_system is not None)
            yield Text.assemble((bar, "cyan"), (row.plain, style))
