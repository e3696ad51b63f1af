"""Ctrl-C and SIGTERM at the moments at which an exception alone would be lost."""

import signal
import subprocess
import sys

import pytest
from cli_runner import environment

# Sends a signal from inside the import of a module; from a class too, as Python then wraps it.
WHILE_IMPORTING = """
import signal, sys

class Raises:
    def __set_name__(self, owner, name):
        signal.raise_signal({signal})

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            type("Late", (), {{"field": Raises()}}) if {wrapped} else signal.raise_signal({signal})

sys.meta_path.insert(0, Finder())
from seamline.cli import main
sys.exit(main(["strategies"]))
"""
# Says what Python code the faster tokenizer runs while it reads a text.
WHAT_IS_CALLED = """
import sys
from seamline.sizers.tokens import _fast_encode, _vocabulary

encode = _fast_encode("cl100k_base", _vocabulary("cl100k_base")._spelled)
called = []
sys.setprofile(lambda frame, event, _: called.append((event, frame.f_code.co_name)))
encode("pump")
sys.setprofile(None)
print([name for event, name in called if event == "call"])
"""


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True
    )


@pytest.mark.parametrize("module", ["typer", "seamline.cli.entry", "seamline.split"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_ctrl_c_while_the_command_is_loaded_is_one_line(module, wrapped):
    done = python(
        WHILE_IMPORTING.format(module=module, wrapped=wrapped, signal=signal.SIGINT.value)
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("wrapped", [False, True])
def test_sigterm_that_arrives_as_another_error_still_ends_with_its_code(wrapped):
    done = python(
        WHILE_IMPORTING.format(
            module="seamline.split", wrapped=wrapped, signal=signal.SIGTERM.value
        )
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")


def test_the_faster_tokenizer_imports_nothing_in_the_middle_of_a_text():
    """A signal would be answered there, and its exception taken for a failure of the import."""
    pytest.importorskip("gigatoken", reason="needs the extra fast")
    done = python(WHAT_IS_CALLED)
    assert (done.stdout, done.stderr) == ("['encode']\n", "")
