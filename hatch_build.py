"""Compiles the cutting engine, where a C compiler is at hand.

The modules below are plain Python; the `.pxd` file beside each holds C types for
Cython. Without a compiler, or with SEAMLINE_PURE set, nothing is built and the
same files run as they are: the same chunks, several times slower.

Run as a script it builds in place, which `make` does after a change.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
MODULES = (
    "scan",
    "sizers.rulers",
    "split.graphemes",
    "split.levels",
    "split.optimal",
    "split.pack",
    "split.sentences",
    "split.widen",
)
DIRECTIVES = {"language_level": 3, "annotation_typing": False}


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


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled engine into the wheel, or beside its sources for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or os.environ.get("SEAMLINE_PURE"):
            return
        work = ROOT / "build" / f"engine-{sys.implementation.cache_tag}"
        editable = version == "editable"
        try:
            files = compile_engine(SOURCE if editable else work / "lib", work)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - compilers fail in every way
            self.app.display_warning(f"seamline will cut in plain Python, slower: {error}")
            return
        if not editable:
            build_data["force_include"] |= {
                str(file): file.relative_to(work / "lib").as_posix() for file in files
            }
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


if __name__ == "__main__":
    place = ROOT / "build" / f"engine-{sys.implementation.cache_tag}"
    if shutil.which("cc") is None and shutil.which("gcc") is None and sys.platform != "win32":
        print("no C compiler found: seamline runs as plain Python")
    else:
        compile_engine(SOURCE, place)
