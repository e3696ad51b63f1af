"""The peers, each as it is used by its own documentation, as a function of a text."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Run = Callable[[str], Any]
Embed = Callable[[list[str]], Any]

VOCABULARY = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
CARRIERS = ("llama-index-core", "litellm")
MEASURED = (
    "seamline",
    "numpy",
    "toktok-rs",
    "tiktoken",
    "langchain-text-splitters",
    "langchain-experimental",
    "semantic-text-splitter",
    "chonkie",
    "semchunk",
    "llama-index-core",
)


def offline_vocabulary() -> None:
    """Let tiktoken find cl100k_base in an installed package instead of downloading it."""
    if "TIKTOKEN_CACHE_DIR" in os.environ:
        return
    name = hashlib.sha1(VOCABULARY.encode(), usedforsecurity=False).hexdigest()
    for carrier in CARRIERS:
        try:
            files = importlib.metadata.files(carrier) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            if file.name == name:
                os.environ["TIKTOKEN_CACHE_DIR"] = str(file.locate().parent)
                return


def versions() -> dict[str, str]:
    """The versions of what is installed of the measured packages."""
    found: dict[str, str] = {}
    for name in MEASURED:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def made(makers: Mapping[str, Callable[..., Run]], *settings: Any) -> dict[str, Run]:
    """The peers that are installed, ready to run; the others are named on stderr."""
    tools: dict[str, Run] = {}
    for name, make in makers.items():
        try:
            tools[name] = make(*settings)
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return tools


def tiktoken_encoding() -> Any:
    """The reference tokenizer's cl100k_base."""
    offline_vocabulary()
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")


def langchain_characters(size: int) -> Run:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0).split_text


def langchain_characters_with_offsets(size: int) -> Run:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, add_start_index=True
    )
    return lambda text: splitter.create_documents([text])


def semantic_text_splitter_characters(size: int) -> Run:
    from semantic_text_splitter import TextSplitter

    return TextSplitter(size).chunk_indices


def chonkie_characters(size: int) -> Run:
    from chonkie import RecursiveChunker

    return RecursiveChunker(tokenizer="character", chunk_size=size).chunk


def semchunk_characters(size: int) -> Run:
    import semchunk

    chunker = semchunk.chunkerify(len, size, memoize=False)
    return lambda text: chunker(text, offsets=True)


CHARACTERS: dict[str, Callable[[int], Run]] = {
    "langchain recursive": langchain_characters,
    "langchain recursive, start index": langchain_characters_with_offsets,
    "semantic-text-splitter": semantic_text_splitter_characters,
    "chonkie recursive": chonkie_characters,
    "semchunk": semchunk_characters,
}


def langchain_tokens(size: int) -> Run:
    offline_vocabulary()
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name="cl100k_base", chunk_size=size, chunk_overlap=0
    ).split_text


def semantic_text_splitter_tokens(size: int) -> Run:
    from semantic_text_splitter import TextSplitter

    return TextSplitter.from_tiktoken_model("gpt-4", size).chunk_indices


def semchunk_tokens(size: int) -> Run:
    import semchunk

    chunker = semchunk.chunkerify(tiktoken_encoding(), size)
    return lambda text: chunker(text, offsets=True)


def chonkie_tokens(size: int) -> Run:
    from chonkie import RecursiveChunker

    return RecursiveChunker(tokenizer=tiktoken_encoding(), chunk_size=size).chunk


TOKENS: dict[str, Callable[[int], Run]] = {
    "langchain recursive, tiktoken": langchain_tokens,
    "semantic-text-splitter": semantic_text_splitter_tokens,
    "semchunk": semchunk_tokens,
    "chonkie recursive": chonkie_tokens,
}


def langchain_fixed(size: int, overlap: int) -> Run:
    offline_vocabulary()
    from langchain_text_splitters import TokenTextSplitter

    return TokenTextSplitter(
        encoding_name="cl100k_base", chunk_size=size, chunk_overlap=overlap
    ).split_text


def chonkie_fixed(size: int, overlap: int) -> Run:
    from chonkie import TokenChunker

    return TokenChunker(tokenizer=tiktoken_encoding(), chunk_size=size, chunk_overlap=overlap).chunk


FIXED: dict[str, Callable[[int, int], Run]] = {
    "langchain TokenTextSplitter": langchain_fixed,
    "chonkie TokenChunker": chonkie_fixed,
}


def langchain_semantic(embed: Embed) -> Run:
    from langchain_core.embeddings import Embeddings
    from langchain_experimental.text_splitter import SemanticChunker

    class Given(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector.tolist() for vector in embed(texts)]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return SemanticChunker(Given()).split_text


def llama_index_semantic(embed: Embed) -> Run:
    from llama_index.core import Document
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.node_parser import SemanticSplitterNodeParser

    class Given(BaseEmbedding):
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [vector.tolist() for vector in embed(texts)]

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    parser = SemanticSplitterNodeParser(embed_model=Given(embed_batch_size=2048))
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


def chonkie_semantic(embed: Embed) -> Run:
    from chonkie import SemanticChunker
    from chonkie.embeddings import BaseEmbeddings

    class Given(BaseEmbeddings):
        def embed(self, text: str) -> Any:
            return embed([text])[0]

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(embed(texts))

        @property
        def dimension(self) -> int:
            return len(self.embed("a"))

        def get_tokenizer(self) -> Any:
            return tiktoken_encoding()

    return SemanticChunker(Given(), chunk_size=512).chunk


SEMANTIC: dict[str, Callable[[Embed], Run]] = {
    "langchain SemanticChunker": langchain_semantic,
    "llama-index SemanticSplitter": llama_index_semantic,
    "chonkie SemanticChunker": chonkie_semantic,
}


def langchain_markdown(_size: int) -> Run:
    from langchain_text_splitters import MarkdownHeaderTextSplitter

    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    return MarkdownHeaderTextSplitter(levels).split_text


def semantic_text_splitter_markdown(size: int) -> Run:
    from semantic_text_splitter import MarkdownSplitter

    return MarkdownSplitter(size).chunk_indices


def llama_index_markdown(_size: int) -> Run:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    parser = MarkdownNodeParser()
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


MARKDOWN: dict[str, Callable[[int], Run]] = {
    "langchain MarkdownHeaderTextSplitter": langchain_markdown,
    "semantic-text-splitter MarkdownSplitter": semantic_text_splitter_markdown,
    "llama-index MarkdownNodeParser": llama_index_markdown,
}
