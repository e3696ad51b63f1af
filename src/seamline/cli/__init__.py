"""The `seamline` command: one file a command."""
