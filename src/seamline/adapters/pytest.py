"""`seamline check` as tests: a fixture with the result, and a test a part of the check.

Ask for it where tests are, it is not loaded by itself:

    pytest_plugins = ["seamline.adapters.pytest"]

    def test_chunking_is_as_locked(seamline_part):
        seamline_part.hold()

The nearest `seamline.toml` in the folder of the test file or above it counts, wherever the
run was started; `SEAMLINE_CONFIG = "rag/seamline.toml"` in the test file names another one,
relative to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from seamline.lock.checked import Checked

__all__ = ["HeldPart", "pytest_generate_tests", "seamline_check", "seamline_part"]

_CONFIG = "seamline.toml"
_UNREADABLE = "check"


@dataclass(frozen=True, slots=True)
class HeldPart:
    """A part of a check, by name, with the check it is of."""

    name: str
    checked: Checked

    def hold(self) -> None:
        """Nothing where the part holds; the test is skipped if it was not looked at, else fails."""
        part = self.checked[self.name]
        if part.outcome == "skip":
            pytest.skip(part.says)
        if not part.ok:
            _fail(self.checked, self.name)


@pytest.fixture(scope="module")
def seamline_check(request: pytest.FixtureRequest) -> Checked:
    """The check of the configuration against its lock, a `Checked`: run once for all tests.

    `seamline_check.ok` and `.code` say what `seamline check` would, `["boundaries"]` is one
    of its parts, and `.means["Containment"]` what a locked measure is today.
    """
    from seamline.errors import SeamlineError

    try:
        return _checked(_config_of(request.module))
    except SeamlineError as error:
        why = str(error)
    pytest.fail(why, pytrace=False)


@pytest.fixture
def seamline_part(request: pytest.FixtureRequest, seamline_check: Checked) -> HeldPart:
    """One part of the check; a test that asks for it runs once for each of them."""
    return HeldPart(request.param, seamline_check)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of `seamline_part` for gold, comparability, boundaries, the measure, each floor."""
    if "seamline_part" not in metafunc.fixturenames:
        return
    metafunc.parametrize("seamline_part", _names(metafunc.module), indirect=True)


def _names(module: Any) -> list[str]:
    """The parts of the check; where lock or config cannot be read, one that fails and says so."""
    from seamline.errors import SeamlineError
    from seamline.lock.checked import part_names
    from seamline.lock.lock import Lock
    from seamline.lock.run import Project

    try:
        project = Project(_config_of(module))
        return part_names(Lock.load(project.lock_file), project.config.floors)
    except SeamlineError:
        return [_UNREADABLE]


def _config_of(module: Any) -> Path:
    """The config file for a module of tests.

    Raises:
        MissingInput: there is none; says how to name one.
    """
    from seamline.errors import MissingInput

    folder = Path(module.__file__).resolve().parent
    if named := getattr(module, "SEAMLINE_CONFIG", ""):
        file = (folder / named).resolve()
        if not file.is_file():
            raise MissingInput(
                f"SEAMLINE_CONFIG must name a config file, relative to {module.__file__}, but "
                f"there is none at {str(file)!r}"
            )
        return file
    above = (place / _CONFIG for place in (folder, *folder.parents))
    found = next((file for file in above if file.is_file()), None)
    if found is None:
        raise MissingInput(
            f"there must be a {_CONFIG} in the folder of the test file or above it, but there is "
            f"none from {str(folder)!r} upwards: put one there (`seamline recommend` writes it), "
            f'or name it in the test file: SEAMLINE_CONFIG = "../rag/{_CONFIG}"'
        )
    return found


@cache
def _checked(config: Path) -> Checked:
    from seamline.lock.run import Project

    return Project(config).check()


def _fail(checked: Checked, name: str) -> None:
    from seamline.report.details import details_of

    lines = [f"{name}: {checked[name].says}", *details_of(checked, name)]
    if checked.todo:
        lines.append(f"To do: {checked.todo}.")
    pytest.fail("\n".join(lines), pytrace=False)
