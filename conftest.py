"""Which engine is tested: the compiled one, or the plain one where SEAMLINE_PURE is set."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
PLAIN = bool(os.environ.get("SEAMLINE_PURE"))
COMPILED = [
    path.with_name(path.name.partition(".")[0]) for path in (ROOT / "src").rglob("*.cpython*.so")
]

if PLAIN:
    sys.path.insert(0, str(ROOT / "tests"))
    import plain_engine  # noqa: F401

for made in (ROOT / "src").rglob("*.cpython*.so"):
    for source in made.parent.glob(f"{made.name.partition('.')[0]}.[ph]*"):
        if not PLAIN and source.stat().st_mtime > made.stat().st_mtime:
            pytest.exit(f"{source.name} is newer than its compiled form: run make engine", 2)


def pytest_ignore_collect(collection_path):
    """The examples of compiled modules are tested where they run as plain Python."""
    return True if not PLAIN and collection_path.with_suffix("") in COMPILED else None
