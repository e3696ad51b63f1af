"""Models of other packages that run in this process, each behind an extra of its name."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from seamline.embed.base import fingerprint, need
from seamline.embed.batched import BatchedEmbedder, Encode
from seamline.errors import InvalidConfig

__all__ = ["Model2Vec", "SentenceTransformers", "WordLlama"]


@dataclass(eq=False, kw_only=True)
class LocalModel(BatchedEmbedder):
    """The base of models that are loaded once and kept; never pickled along."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_model"}

    @cached_property
    def _model(self) -> Any:
        raise NotImplementedError

    def _fingerprint(self, name: str, *parts: Any) -> str:
        rules = (self.max_chars, self.overlong, self.prefix_document, self.prefix_query)
        return fingerprint(name, *parts, *rules)


@dataclass(eq=False, kw_only=True)
class WordLlama(LocalModel):
    """WordLlama's static vectors: 256 dimensions, tens of times MiniLM's speed, recalls less."""

    def __post_init__(self) -> None:
        super().__post_init__()
        need("wordllama", "wordllama")

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the package's version, the prefixes and the rule for long texts."""
        return self._fingerprint("wordllama", version("wordllama"))

    @cached_property
    def _model(self) -> Any:
        package = import_module("wordllama")
        # Its default would look for the files it ships on the network.
        folder = Path(str(package.__file__)).parent
        return package.WordLlama.load(cache_dir=folder, disable_download=True)

    def _open(self) -> AbstractContextManager[Encode]:
        return nullcontext(self._model.embed)


@dataclass(eq=False, kw_only=True)
class Model2Vec(LocalModel):
    """A model2vec model by folder or hub name: static vectors, very fast, recalls less."""

    model: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_model("model2vec", self.model)
        need("model2vec", "model2vec")

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the model's files, the prefixes and the rule for long texts."""
        return self._fingerprint("model2vec", _contents(self.model))

    @cached_property
    def _model(self) -> Any:
        return import_module("model2vec").StaticModel.from_pretrained(self.model)

    def _open(self) -> AbstractContextManager[Encode]:
        return nullcontext(lambda texts: self._model.encode(texts, use_multiprocessing=False))


@dataclass(eq=False, kw_only=True)
class SentenceTransformers(LocalModel):
    """A sentence-transformers model by folder or hub name; needs torch."""

    model: str = ""
    device: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_model("sentence-transformers", self.model)
        need("sentence_transformers", "sentence-transformers")

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the model's files, the prefixes and the rule for long texts."""
        return self._fingerprint("sentence-transformers", _contents(self.model))

    @cached_property
    def _model(self) -> Any:
        package = import_module("sentence_transformers")
        return package.SentenceTransformer(self.model, device=self.device)

    def _open(self) -> AbstractContextManager[Encode]:
        return nullcontext(self._encode)

    def _encode(self, texts: list[str]) -> Any:
        limit = self._model.max_seq_length
        sizes = [len(ids) for ids in self._model.tokenizer(texts, truncation=False)["input_ids"]]
        over = [size - limit for size in sizes if limit and size > limit]
        self.usage.add(
            tokens=sum(sizes) - sum(over), truncated_texts=len(over), truncated_tokens=sum(over)
        )
        return self._model.encode(texts, batch_size=len(texts), show_progress_bar=False)


def _check_model(name: str, model: str) -> None:
    if not (model and isinstance(model, str)):
        raise InvalidConfig(f"{name} needs model=FOLDER or model=NAME, got {model!r}")


def _contents(model: str) -> str:
    """A digest of the model's files, its name where it is not a folder."""
    folder = Path(model)
    if not folder.is_dir():
        return model
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
