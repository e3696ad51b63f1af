"""Runs the installed `seamline` command as a person would."""

import os
import subprocess
import sys
from pathlib import Path

SEAMLINE = str(Path(sys.executable).with_name("seamline"))


def environment(**changes):
    """The environment of someone who has set nothing but the cache's place."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "XDG_CACHE_HOME") if key in os.environ}
    coverage = {key: value for key, value in os.environ.items() if key.startswith("COVERAGE")}
    return {**kept, **coverage, "LANG": "C.UTF-8", **changes}


def run(*arguments, cwd=None, env=None, **options):
    """The finished process of `seamline ARGUMENTS`; its output as text."""
    return subprocess.run(
        [SEAMLINE, *map(str, arguments)],
        cwd=cwd,
        env=environment(**(env or {})),
        capture_output=True,
        text=True,
        encoding="utf-8",
        **options,
    )


def done(*arguments, **options):
    """What `run` gives, after it ended well."""
    process = run(*arguments, **options)
    assert process.returncode == 0, process.stderr
    return process


def refused(*arguments, code=2, **options):
    """The error message of a command that must end with `code`, in one sentence."""
    process = run(*arguments, **options)
    assert process.returncode == code, (process.returncode, process.stdout, process.stderr)
    assert "Traceback" not in process.stderr
    assert process.stdout == ""
    first, *rest = process.stderr.splitlines()
    assert first.startswith("error: ")
    assert all(line.startswith("see: ") for line in rest)
    return first.removeprefix("error: ")
