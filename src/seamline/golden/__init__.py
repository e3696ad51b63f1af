"""Golden sets: questions and the spans of the documents that answer them."""

from seamline.golden.anchor import Expansion, expand_identical
from seamline.golden.findings import Finding
from seamline.golden.load import GoldenSet, load_golden
from seamline.golden.validate import Validation, validate

__all__ = [
    "Expansion",
    "Finding",
    "GoldenSet",
    "Validation",
    "expand_identical",
    "load_golden",
    "validate",
]
