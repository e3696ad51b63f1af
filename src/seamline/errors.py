"""Every error seamline raises on purpose.

Each is a `SeamlineError` and also the builtin a caller would expect, and each
message says what must hold, what was given and what to do.
"""

__all__ = [
    "AlignmentError",
    "BudgetSpent",
    "EmbeddingError",
    "InvalidConfig",
    "InvalidDocument",
    "InvalidGold",
    "MissingExtra",
    "MissingInput",
    "ModelError",
    "NotComparable",
    "SeamlineError",
    "StoreError",
    "UnknownName",
    "UnsupportedFormat",
]


class SeamlineError(Exception):
    """The root of seamline's errors: catch this to catch them all."""


class InvalidConfig(SeamlineError, ValueError):
    """A parameter, a strategy string or a config file that cannot work."""


class UnknownName(InvalidConfig):
    """A name that no registry knows; the message suggests the nearest one."""


class InvalidDocument(SeamlineError, ValueError):
    """A document that cannot be read as text: wrong encoding, lone surrogates."""


class UnsupportedFormat(InvalidDocument):
    """A file whose format no parser reads."""


class MissingInput(SeamlineError, FileNotFoundError):
    """A path that is not there, or a folder that holds no document."""


class InvalidGold(SeamlineError, ValueError):
    """A golden set that does not fit its documents or its own rules."""


class AlignmentError(SeamlineError, ValueError):
    """Chunks of a foreign splitter that do not occur in their document."""


class NotComparable(SeamlineError, ValueError):
    """Results of which one is not about the same texts, gold or budget as the other."""


class MissingExtra(SeamlineError, ImportError):
    """An optional dependency is needed; the message names the extra to install."""


class EmbeddingError(SeamlineError, RuntimeError):
    """An embedder that failed for good, after its retries."""


class BudgetSpent(SeamlineError, RuntimeError):
    """A limit on texts to embed that the next call would break."""


class StoreError(SeamlineError, RuntimeError):
    """A store that cannot be reached, read or written; what was stored before is as it was."""


class ModelError(SeamlineError, RuntimeError):
    """A language model that failed for good, after its retries, or answered nonsense."""
