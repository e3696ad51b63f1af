"""The wheel works where nothing else is: a bare environment, another folder, no network.

Installing it takes the package index, or pip's cache of what was installed before.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("wheel")


def run(*command, cwd, env=None):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    compiling = {name: value for name, value in os.environ.items() if name != "SEAMLINE_PURE"}
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--outdir",
        folder,
        root,
        cwd=folder,
        env=compiling,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bare(root, wheel, tmp_path_factory):
    """A folder with an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("bare")
    run(sys.executable, "-m", "venv", "env", cwd=folder)
    python = folder / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "-c", root / "constraints.txt", wheel, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def offline():
    """A command's prefix that takes the network away, where the system lets us."""
    prefix = ["unshare", "--net", "--map-root-user"]
    able = shutil.which("unshare") and subprocess.run([*prefix, "true"]).returncode == 0
    return prefix if able else []


@pytest.fixture
def no_settings(tmp_path):
    """The environment of someone who has set nothing, with a cache of their own."""
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def test_the_wheel_holds_the_package_its_data_and_its_licences(wheel, root):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = root / "src" / "seamline"
    expected = {
        f"seamline/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".pxd", ".h")
    }
    assert expected <= names
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names}
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"seamline"}


def test_the_embedding_model_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        sizes = {
            Path(item.filename).name: item.file_size
            for item in archive.infolist()
            if item.filename.startswith("seamline/embed/data/minilm/")
        }
    assert "tokenizer.json" in sizes
    assert any(name.endswith(".onnx") and size > 10_000_000 for name, size in sizes.items())


def test_the_installed_package_imports_from_another_folder(bare, project, no_settings):
    code = (
        "import importlib.metadata, seamline; "
        "print(importlib.metadata.version('seamline'), seamline.__file__)"
    )
    found = run(bare / "env/bin/python", "-I", "-c", code, cwd=bare, env=no_settings).split()
    assert found[0] == project["version"]
    assert Path(found[1]).is_relative_to(bare)


def test_modules_lack_nothing_but_what_an_extra_brings(bare, project, no_settings):
    code = """
import importlib, pkgutil, seamline
for module in pkgutil.walk_packages(seamline.__path__, "seamline."):
    if not module.name.startswith(("seamline.testing", "seamline.__main__")):
        try:
            importlib.import_module(module.name)
            print(module.name)
        except ModuleNotFoundError as error:
            print(error.name)
"""
    command = [bare / "env/bin/python", "-W", "error", "-c", code]
    names = set(run(*command, cwd=bare, env=no_settings).split())
    brought = {
        re.match(r"[\w-]+", need)[0].replace("-", "_")
        for name, needs in project["optional-dependencies"].items()
        if name not in ("dev", "bench")
        for need in needs
    }
    assert "seamline.types" in names
    hosts = {"pytest"}  # whoever loads the plugin has it
    assert {name for name in names if not name.startswith("seamline.")} <= brought | hosts


def test_the_command_explains_itself(bare, no_settings):
    assert "chunk" in run(bare / "env/bin/seamline", "--help", cwd=bare, env=no_settings)


def test_the_demo_runs_without_a_network(bare, offline, no_settings, tmp_path):
    command = [*offline, bare / "env" / "bin" / "seamline", "demo"]
    assert "recursive" in run(*command, cwd=tmp_path, env=no_settings)
