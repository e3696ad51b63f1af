"""Compiles the cutting engine, where a C compiler is at hand.

The modules below are plain Python; the `.pxd` file beside each holds C types for
Cython. Without a compiler, or with SEAMLINE_PURE set, nothing is built and the
same files run as they are: the same chunks, several times slower.

Run as a script it builds in place, which `make` does after a change.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
MODULES = (
    "parse.blocks",
    "parse.code_flat",
    "parse.code_walk",
    "parse.containers",
    "parse.heads",
    "parse.leaves",
    "parse.lines",
    "scan",
    "sizers.rulers",
    "split.atoms",
    "split.context",
    "split.graphemes",
    "split.levels",
    "split.optimal",
    "split.outline",
    "split.pack",
    "split.sentences",
    "split.widen",
)
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "allow_none_for_extension_args": False,  # C would read a text's memory where None has none
    "nonecheck": True,
}


def compile_engine(target: Path, work: Path) -> list[Path]:
    """Build the modules into `target`, laid out as packages; the files made, by path."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    flags = [] if sys.platform == "win32" else ["-O3", "-g0", "-Wno-unused-function"]
    extensions = [
        Extension(
            f"seamline.{name}",
            [str(SOURCE / "seamline" / f"{name.replace('.', '/')}.py")],
            include_dirs=[str(SOURCE / "seamline")],
            extra_compile_args=flags,
        )
        for name in MODULES
    ]
    before = Path.cwd()
    os.chdir(SOURCE)  # where Cython finds seamline and its .pxd files
    try:
        built = cythonize(
            extensions, build_dir=str(work), compiler_directives=DIRECTIVES, quiet=True
        )
        command = Distribution({"name": "seamline", "ext_modules": built}).get_command_obj(
            "build_ext"
        )
        command.build_lib, command.build_temp = str(target), str(work)
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return [Path(file) for file in command.get_outputs()]


def remove_engine() -> None:
    """Remove what was compiled beside the sources, which Python would prefer to them."""
    for name in MODULES:
        place = SOURCE / "seamline" / name.replace(".", "/")
        for suffix in EXTENSION_SUFFIXES:
            place.with_name(place.name + suffix).unlink(missing_ok=True)


def work_folder() -> Path:
    """A folder to compile in: inside the repository, else (it is read-only) a temporary one."""
    place = ROOT / "build" / f"engine-{sys.implementation.cache_tag}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        if os.access(place, os.W_OK):
            return place
    except OSError:
        pass
    place = Path(mkdtemp(prefix="seamline-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled engine into the wheel, or beside its sources for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        editable = version == "editable"
        if os.environ.get("SEAMLINE_PURE"):
            if editable:
                remove_engine()
            return
        work = work_folder()
        try:
            files = compile_engine(SOURCE if editable else work / "lib", work)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - compilers fail in every way
            if editable:
                remove_engine()  # no mixture of new, old and plain
            self.app.display_warning(f"seamline will cut in plain Python, slower: {error}")
            return
        if not editable:
            build_data["force_include"] |= {
                str(file): file.relative_to(work / "lib").as_posix() for file in files
            }
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


def has_compiler() -> bool:
    """Whether the C compiler is there that Python was built with, or the one that CC names."""
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return sys.platform == "win32" or shutil.which(named.split()[0]) is not None


def main() -> None:
    if has_compiler() and not os.environ.get("SEAMLINE_PURE"):
        with Path(work_folder(), "lock").open("w") as lock:
            if sys.platform != "win32":
                from fcntl import LOCK_EX, flock

                flock(lock, LOCK_EX)  # two builds at once would take each other's files
            compile_engine(SOURCE, Path(lock.name).parent)
    else:
        remove_engine()
        print("seamline runs as plain Python: no C compiler was found, or SEAMLINE_PURE is set")


if __name__ == "__main__":
    main()
