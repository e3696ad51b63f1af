"""Importing this makes seamline run as plain Python, as where no compiler was at hand."""

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

SOURCE = str(Path(__file__).resolve().parents[1] / "src")


def _sources_only(path):
    if not path.startswith(SOURCE):
        raise ImportError
    return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))


sys.path_hooks.insert(0, _sources_only)
sys.path_importer_cache.clear()
