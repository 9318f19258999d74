"""One request to the host, and what came of it."""

from __future__ import annotations

import http.client
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union
from urllib.parse import urlsplit

from .checkout import Checkout, read_checkout
from .errors import MalipoConnectionError, MalipoError

_REPEATABLE = frozenset({429, 500, 502, 503, 504})
_ANSWER_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Channel:
    base_url: str
    timeout_seconds: float
    #: Not in the repr: what logs a channel must not log the key.
    secret_key: str = field(repr=False)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Optional[bytes] = None
    #: How long the host may hold the request before it answers.
    wait_seconds: int = 0


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    retry_after: Optional[str]
    was_held: bool

    @property
    def may_be_sent_again(self) -> bool:
        return self.status in _REPEATABLE

    @property
    def retry_after_seconds(self) -> Optional[int]:
        """What the host asks for with `Retry-After`, at most a minute."""
        if self.retry_after is None or not re.fullmatch("[0-9]{1,9}", self.retry_after):
            return None
        return min(60, int(self.retry_after))


def send(request: Request, channel: Channel) -> Answer:
    """
    Sends one request. Raises MalipoConnectionError when no whole answer came in time. Redirects are not followed: the
    key would go to another host.
    """
    deadline = time.monotonic() + channel.timeout_seconds + request.wait_seconds
    connection = _connection_to(channel.base_url, channel.timeout_seconds)
    try:
        connection.connect()
        connection.putrequest(request.method, request.path)
        for name, value in request.headers.items():
            connection.putheader(name, value)
        connection.putheader("Connection", "close")
        connection.putheader("Authorization", f"Bearer {channel.secret_key}")
        if request.body is not None:
            connection.putheader("Content-Length", str(len(request.body)))
        connection.endheaders(request.body)
        return _read(connection, deadline)
    except (OSError, http.client.HTTPException) as error:
        # Without the frames of its traceback: the buffers of http.client hold the key, and error trackers keep frames.
        cause = error.with_traceback(None)
    finally:
        connection.close()
    raise MalipoConnectionError(f"Malipo did not answer: {cause!r}") from cause


def _connection_to(base_url: str, timeout_seconds: float) -> http.client.HTTPConnection:
    url = urlsplit(base_url)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    return kind(url.hostname or "", url.port, timeout=timeout_seconds)


def _read(connection: http.client.HTTPConnection, deadline: float) -> Answer:
    # http.client lets go of it when the answer begins, and the deadline holds to its end.
    socket = connection.sock
    _let_wait(socket, deadline)
    response = connection.getresponse()
    body = b""
    while True:
        _let_wait(socket, deadline)
        chunk = response.read1(65_536)
        if not chunk:
            break
        body += chunk
        if len(body) > _ANSWER_MAX_BYTES:
            raise http.client.HTTPException("the answer is too long")
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    held = response.getheader("Preference-Applied") is not None
    return Answer(response.status, body, response.getheader("Retry-After"), held)


def _let_wait(socket: Any, deadline: float) -> None:
    left_seconds = deadline - time.monotonic()
    if left_seconds <= 0:
        raise TimeoutError("timed out")
    # A socket that was closed, as after the last byte, has no timeout to set.
    if socket.fileno() >= 0:
        socket.settimeout(left_seconds)


def checkout_of(answer: Answer, base_url: str) -> Checkout:
    """The checkout of an answer. Raises MalipoError, or MalipoConnectionError when it is no answer of Malipo."""
    try:
        content = _parse(answer)
    except (ValueError, KeyError, TypeError, AttributeError):
        what = f"{answer.status} from {urlsplit(base_url).hostname}"
        raise MalipoConnectionError(f"This is no answer of Malipo: {what}. Is base_url right?") from None
    if isinstance(content, MalipoError):
        raise content
    return content


def _parse(answer: Answer) -> Union[Checkout, MalipoError]:
    body = json.loads(answer.body)
    if body["ok"] is True and answer.status < 300:
        return read_checkout(body["data"])
    return MalipoError(answer.status, body)
