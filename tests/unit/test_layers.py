"""What importing seamline costs, and where its files may live.

That imports go down only is checked by import-linter (`make check`).
"""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "onnxruntime", "tokenizers", "typer", "rich", "httpx", "regex")


def modules_after(statement):
    code = f"{statement}; import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("name", HEAVY)
def test_importing_seamline_loads_no_heavy_library(name, bare_import):
    assert name not in bare_import


@pytest.fixture(scope="module")
def bare_import():
    return modules_after("import seamline")


def test_the_help_of_the_command_loads_no_model_runtime():
    assert "onnxruntime" not in modules_after("import seamline.cli")


def test_no_source_file_is_longer_than_400_lines(root):
    lengths = {
        str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines())
        for path in (root / "src").rglob("*.py")
    }
    assert {name: n for name, n in lengths.items() if n > 400} == {}
