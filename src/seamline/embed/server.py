"""What a server is reached by: a URL that can be one, and a key that can be sent."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from seamline.embed.base import need
from seamline.errors import InvalidConfig

__all__ = ["check_name", "check_url", "key_of"]


def check_url(url: Any, *, wanted: str) -> None:
    """Nothing, if `url` is a server's: http or https, a host, no password; else an error.

    The message begins with `wanted`: what it must be, with an example.

    Raises:
        InvalidConfig: it is none.
        MissingExtra: httpx is not installed.
    """
    need("httpx", "http")
    # Imported here: the rest of seamline does without httpx.
    from seamline.embed.post import parse_url

    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
        secret = parts.username or parts.password
        parse_url(url)
    except (ValueError, TypeError, AttributeError) as error:
        why = str(error).replace(str(url), "it") or type(error).__name__
        raise InvalidConfig(f"{wanted}, got {_shown(url)} ({why})") from None
    if parts.scheme not in {"http", "https"} or not host or any(map(str.isspace, url)):
        raise InvalidConfig(f"{wanted}, got {_shown(url)}")
    if secret:
        raise InvalidConfig(
            f"{wanted.split(maxsplit=1)[0]} must not hold a password: name its variable"
        )


def _shown(url: Any) -> str:
    """A URL without what may be a password in it."""
    text = repr(url)
    before, at, after = text.rpartition("@")
    return f"{before.split('//')[0]}//…{at}{after}" if at else text


def check_name(model: Any) -> None:
    """Nothing, if a model's name can be sent; else an error.

    Raises:
        InvalidConfig: it is no valid Unicode.
    """
    try:
        str(model).encode()
    except UnicodeEncodeError:
        raise InvalidConfig(f"model must be valid Unicode, got {model!r}") from None


def key_of(variable: str, endpoint: str) -> str:
    """The key that an environment variable holds.

    Raises:
        InvalidConfig: it is not set, or holds what no header can; the key is not shown.
    """
    key = os.environ.get(variable)
    if not key:
        raise InvalidConfig(
            f"the environment variable {variable} must hold the key for {endpoint}, but is not set"
        )
    if not all("!" <= character <= "~" for character in key):
        raise InvalidConfig(
            f"the environment variable {variable} must hold the key for {endpoint}, of printable "
            "ASCII characters without spaces, but holds others: set it again"
        )
    return key
