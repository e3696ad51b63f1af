"""JSON to a server and back: tried again where that can help, explained where it cannot."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Self

import httpx

from seamline.errors import EmbeddingError

__all__ = ["Poster", "parse_url"]

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_LONGEST_ASKED = 300.0  # a server that asks for more is not coming back in this run
_BROKEN = (httpx.TimeoutException, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


def parse_url(url: str) -> None:
    """Nothing, if a URL can be asked for; else ValueError."""
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(str(error)) from None


class Poster:
    """Posts to one endpoint over kept-alive connections, from several threads.

    Status 408, 429 and 5xx, time-outs and connections that break off are tried
    again; a refused connection and every other status fail at once.
    """

    def __init__(self, endpoint: str, *, key: str | None, timeout: float, retries: int) -> None:
        self.endpoint = endpoint
        self.retries = retries
        self._key = key
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        try:
            self._client = httpx.Client(headers=headers, timeout=timeout)
        except (ValueError, ImportError, OSError, httpx.InvalidURL) as error:  # HTTPS_PROXY …
            raise self._error(
                f"could not be asked ({error}): check the settings of proxy and certificates"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def post(self, body: dict[str, Any]) -> Any:
        """The JSON of the server's answer.

        Raises:
            EmbeddingError: refused, or still failing after the last retry.
        """
        for attempt in range(self.retries + 1):
            failure, asked = "", None
            try:
                response = self._client.post(self.endpoint, json=body)
            except _BROKEN as error:
                failure = f"did not answer ({type(error).__name__})"
            except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
                raise self._error(f"could not be reached ({error})") from None
            else:
                if response.is_success:
                    return self._json(response)
                failure = f"answered {response.status_code}: {_message(response)}"
                if not _passing(response.status_code):
                    raise self._error(failure)
                asked = _retry_after(response)
            if attempt == self.retries or (asked or 0) > _LONGEST_ASKED:
                break
            time.sleep(_backoff(attempt) if asked is None else asked)
        again = f" (wait {asked:.0f} s before the next try)" if asked else ""
        raise self._error(f"{failure}, tried {attempt + 1} times{again}")

    def _json(self, response: httpx.Response) -> Any:
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise self._error(f"must answer with JSON, got {response.text[:80]!r}") from None

    def _error(self, what: str) -> EmbeddingError:
        # Some servers repeat the key they were sent.
        shown = what if self._key is None else what.replace(self._key, "***")
        return EmbeddingError(f"{self.endpoint} {shown}")


def _passing(status: int) -> bool:
    """Whether the same request may succeed later."""
    return status in {408, 429} or status >= 500


def _backoff(attempt: int) -> float:
    longest: float = min(_LONGEST_WAIT, _FIRST_WAIT * 2**attempt)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries, guards nothing


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds the server asks to wait, given as seconds or as a date; None if it does not."""
    value = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _message(response: httpx.Response) -> str:
    """What the server says is wrong, in whichever of the usual places it says it."""
    try:
        said = _said(response.json())
    except (ValueError, RecursionError):
        said = response.text
    return " ".join(said.split())[:300] or response.reason_phrase


def _said(body: Any) -> str:
    if isinstance(body, dict):
        body = body.get("error") or body.get("message") or body.get("detail") or body
    if isinstance(body, dict):
        body = body.get("message") or body
    return str(body)
