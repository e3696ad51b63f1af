"""The `seamline` command: one file a command."""

from seamline.cli.entry import app, main

__all__ = ["app", "main"]
