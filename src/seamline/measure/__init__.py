"""Measures: numbers a question, from spans of gold and spans of chunks."""

from seamline.measure.aggregate import Mean, aggregate, curve, mean_of
from seamline.measure.base import LARGEST, Cutoff, Measure
from seamline.measure.boundaries import BoundaryCuts, boundary_cuts
from seamline.measure.chunks import Containment, SplitGold, containment, split_rate
from seamline.measure.context import Gold, Shown
from seamline.measure.names import (
    CHUNK_MEASURES,
    MEASURES,
    PRIMARY,
    ChunkMeasure,
    default_measures,
    describe,
    parse_measure,
    score_all,
)
from seamline.measure.omega import PrecisionOmega, chroma_spans, precision_omega
from seamline.measure.reader import share_under
from seamline.measure.regions import Regions, regions_of
from seamline.measure.sizes import SizeDistribution, size_distribution

__all__ = [
    "CHUNK_MEASURES",
    "LARGEST",
    "MEASURES",
    "PRIMARY",
    "BoundaryCuts",
    "ChunkMeasure",
    "Containment",
    "Cutoff",
    "Gold",
    "Mean",
    "Measure",
    "PrecisionOmega",
    "Regions",
    "Shown",
    "SizeDistribution",
    "SplitGold",
    "aggregate",
    "boundary_cuts",
    "chroma_spans",
    "containment",
    "curve",
    "default_measures",
    "describe",
    "mean_of",
    "parse_measure",
    "precision_omega",
    "regions_of",
    "score_all",
    "share_under",
    "size_distribution",
    "split_rate",
]
