"""The peers by name, each made for a case as its own documentation uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from judging.piece import Case, Cut, Piece, Run, Tool
from peers import tiktoken_encoding

__all__ = ["METADATA", "PEERS"]

LEVELS = range(1, 7)
METADATA = {"note": " ".join(f"said{i} of this file" for i in range(24))}  # over 64 tokens
Offsets = Iterable[tuple[int | None, str]]


def run_of(cut: Callable[[str], Offsets]) -> Run:
    """A run from a function that gives offsets and texts."""
    return lambda text: Cut(text, [Piece(part, start) for start, part in cut(text)])


def in_tokens(case: Case) -> bool:
    return case.unit == "tokens"


# LangChain


def lc_settings(case: Case) -> dict[str, Any]:
    return {"chunk_size": case.limit, "chunk_overlap": case.overlap, "add_start_index": True}


def lc_run(splitter: Any) -> Run:
    def cut(text: str) -> Offsets:
        for one in splitter.create_documents([text]):
            yield one.metadata.get("start_index"), one.page_content

    return run_of(cut)


def lc_recursive(case: Case) -> Tool:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    if not in_tokens(case):
        return Tool(lc_run(RecursiveCharacterTextSplitter(**lc_settings(case))))
    tiktoken_encoding()
    return Tool(
        lc_run(
            RecursiveCharacterTextSplitter.from_tiktoken_encoder(
                encoding_name="cl100k_base", **lc_settings(case)
            )
        )
    )


def lc_language(name: str) -> Callable[[Case], Tool]:
    def make(case: Case) -> Tool:
        from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter.from_language(Language[name], **lc_settings(case))
        return Tool(lc_run(splitter))

    return make


def lc_token(case: Case) -> Tool:
    from langchain_text_splitters import TokenTextSplitter

    tiktoken_encoding()
    return Tool(lc_run(TokenTextSplitter(encoding_name="cl100k_base", **lc_settings(case))))


PATTERN = r"\s*[;,]\s*"


def lc_pattern(case: Case) -> Tool:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        separators=[PATTERN], is_separator_regex=True, keep_separator=False, **lc_settings(case)
    )
    return Tool(lc_run(splitter))


def lc_character(case: Case) -> Tool:
    from langchain_text_splitters import CharacterTextSplitter

    splitter = CharacterTextSplitter(
        separator=PATTERN, is_separator_regex=True, keep_separator=False, **lc_settings(case)
    )
    return Tool(lc_run(splitter))


def lc_headings(name: str) -> Callable[[Case], Tool]:
    def make(_: Case) -> Tool:
        import langchain_text_splitters as module

        levels = [("#" * level, f"h{level}") for level in LEVELS]
        splitter = getattr(module, name)(headers_to_split_on=levels, strip_headers=False)

        def run(text: str) -> Cut:
            found = []
            for one in splitter.split_text(text):
                path = tuple(str(one.metadata[key]) for _, key in levels if one.metadata.get(key))
                found.append(Piece(one.page_content, said=" > ".join(path), path=path))
            return Cut(text, found)

        return Tool(run, sized=False, sections=True)

    return make


# LlamaIndex


def li_nodes(parser: Any, text: str, metadata: dict[str, Any] | None = None) -> list[Any]:
    from llama_index.core import Document

    return list(parser.get_nodes_from_documents([Document(text=text, metadata=metadata or {})]))


def li_run(parser: Any, metadata: dict[str, Any] | None = None) -> Run:
    def cut(text: str) -> Offsets:
        for one in li_nodes(parser, text, metadata):
            yield one.start_char_idx, one.text

    return run_of(cut)


def li_sized(name: str, metadata: dict[str, Any] | None = None) -> Callable[[Case], Tool]:
    def make(case: Case) -> Tool:
        from llama_index.core import node_parser

        # As its own default does: a token's name in the text is allowed.
        encode = partial(tiktoken_encoding().encode, allowed_special="all")
        tokenizer = encode if in_tokens(case) else list
        kind = getattr(node_parser, name)
        parser = kind(chunk_size=case.limit, chunk_overlap=case.overlap, tokenizer=tokenizer)
        return Tool(li_run(parser, metadata))

    return make


def li_markdown(_: Case) -> Tool:
    from llama_index.core.node_parser import MarkdownNodeParser

    parser = MarkdownNodeParser()

    def run(text: str) -> Cut:
        found = []
        for one in li_nodes(parser, text):
            above = one.metadata.get("header_path", "")
            path = tuple(filter(None, above.split("/")))
            found.append(Piece(one.text, one.start_char_idx, said=above, path=path))
        return Cut(text, found)

    return Tool(run, sized=False, sections=True)


def li_hierarchical(case: Case) -> Tool:
    from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes

    sizes = [16 * case.limit, 4 * case.limit, case.limit]
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=sizes, chunk_overlap=0)
    return Tool(
        run_of(
            lambda text: [
                (n.start_char_idx, n.text) for n in get_leaf_nodes(li_nodes(parser, text))
            ]
        )
    )


def li_code(case: Case) -> Tool:
    import tree_sitter_python
    from llama_index.core.node_parser import CodeSplitter
    from tree_sitter import Language, Parser

    parser = Parser(Language(tree_sitter_python.language()))
    return Tool(li_run(CodeSplitter(language="python", max_chars=case.limit, parser=parser)))


# chonkie


def ch_run(chunker: Any) -> Run:
    return run_of(lambda text: [(one.start_index, one.text) for one in chunker.chunk(text)])


def ch_sized(name: str) -> Callable[[Case], Tool]:
    def make(case: Case) -> Tool:
        import chonkie

        settings: dict[str, Any] = {"chunk_size": case.limit}
        settings["tokenizer"] = tiktoken_encoding() if in_tokens(case) else "character"
        if name != "RecursiveChunker":
            settings["chunk_overlap"] = case.overlap
        return Tool(ch_run(getattr(chonkie, name)(**settings)))

    return make


def ch_code(case: Case) -> Tool:
    from chonkie import CodeChunker

    return Tool(ch_run(CodeChunker(language="python", chunk_size=case.limit)))


def ch_table(_: Case) -> Tool:
    from chonkie import TableChunker

    return Tool(ch_run(TableChunker(chunk_size=2)), sized=False, n_rows=2)


def ch_markdown(_: Case) -> Tool:
    from chonkie.chef import MarkdownChef

    def cut(text: str) -> Offsets:
        found = MarkdownChef().parse(text)
        parts = [(one.start_index, one.text) for one in found.chunks]
        parts += [(one.start_index, text[one.start_index : one.end_index]) for one in found.tables]
        parts += [(one.start_index, text[one.start_index : one.end_index]) for one in found.code]
        return sorted(parts)

    return Tool(run_of(cut), sized=False)


# semantic-text-splitter and semchunk


def st_sized(name: str) -> Callable[[Case], Tool]:
    def make(case: Case) -> Tool:
        import semantic_text_splitter

        kind = getattr(semantic_text_splitter, name)
        if in_tokens(case):
            splitter = kind.from_tiktoken_model("gpt-4", case.limit, case.overlap)
        else:
            splitter = kind(case.limit, case.overlap)
        return Tool(run_of(splitter.chunk_indices), sections=name == "MarkdownSplitter")

    return make


def st_code(case: Case) -> Tool:
    import tree_sitter_python
    from semantic_text_splitter import CodeSplitter

    return Tool(run_of(CodeSplitter(tree_sitter_python.language(), case.limit).chunk_indices))


def sc_sized(case: Case) -> Tool:
    import semchunk

    counter = tiktoken_encoding() if in_tokens(case) else len
    chunker = semchunk.chunkerify(counter, case.limit)

    def cut(text: str) -> Offsets:
        texts, offsets = chunker(text, offsets=True, overlap=case.overlap or None)
        return [(start, part) for part, (start, _) in zip(texts, offsets, strict=True)]

    return Tool(run_of(cut))


PEERS: dict[str, Callable[[Case], Tool]] = {
    "langchain Recursive": lc_recursive,
    "langchain Token": lc_token,
    "langchain Recursive, regex": lc_pattern,
    "langchain Character, regex": lc_character,
    "langchain Markdown": lc_language("MARKDOWN"),
    "langchain MarkdownHeader": lc_headings("MarkdownHeaderTextSplitter"),
    "langchain MarkdownSyntax": lc_headings("ExperimentalMarkdownSyntaxTextSplitter"),
    "langchain Python": lc_language("PYTHON"),
    "langchain HTML": lc_language("HTML"),
    "llama-index Sentence": li_sized("SentenceSplitter"),
    "llama-index Sentence, metadata": li_sized("SentenceSplitter", METADATA),
    "llama-index Token": li_sized("TokenTextSplitter"),
    "llama-index Markdown": li_markdown,
    "llama-index Hierarchical": li_hierarchical,
    "llama-index Code": li_code,
    "chonkie Recursive": ch_sized("RecursiveChunker"),
    "chonkie Token": ch_sized("TokenChunker"),
    "chonkie Sentence": ch_sized("SentenceChunker"),
    "chonkie Code": ch_code,
    "chonkie Table": ch_table,
    "chonkie MarkdownChef": ch_markdown,
    "semantic-text-splitter Text": st_sized("TextSplitter"),
    "semantic-text-splitter Markdown": st_sized("MarkdownSplitter"),
    "semantic-text-splitter Code": st_code,
    "semchunk": sc_sized,
}
