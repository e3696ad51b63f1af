"""The `seamline` command: one file a command."""

from seamline.cli.main import app, main

__all__ = ["app", "main"]
