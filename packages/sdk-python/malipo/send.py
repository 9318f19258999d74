"""One request to the host, and its outcome."""

from __future__ import annotations

import email.utils
import http.client
import io
import json
import re
import time
from dataclasses import dataclass, field
from datetime import timezone
from typing import Any, Mapping, Optional, Union
from urllib.parse import urlsplit

from .checkout import Checkout, read_checkout
from .errors import MalipoConnectionError, MalipoError

_ANSWER_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Channel:
    base_url: str
    timeout_seconds: float
    #: Left out of the repr, so that a logged channel does not show the key.
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
    """The outcome of one request: an answer, or why there is none."""

    status: int = 0
    body: bytes = b""
    retry_after: Optional[str] = None
    was_held: bool = False
    problem: Optional[MalipoConnectionError] = None

    @property
    def may_be_sent_again(self) -> bool:
        return self.problem is not None or self.status == 429 or self.status >= 500

    @property
    def retry_after_seconds(self) -> Optional[float]:
        """The pause that the host asks for with `Retry-After`, in seconds or as a date."""
        text = self.retry_after or ""
        if re.fullmatch("[0-9]+", text):
            return float(text)
        try:
            at = email.utils.parsedate_to_datetime(text)
        except (TypeError, ValueError, OverflowError):
            return None
        return max(0.0, at.replace(tzinfo=at.tzinfo or timezone.utc).timestamp() - time.time())


def send(request: Request, channel: Channel, end: float) -> Answer:
    """
    Sends one request, which ends at the monotonic time `end` at the latest. Redirects are not followed: the key would
    go to another host.
    """
    began = time.monotonic()
    deadline = min(end, began + channel.timeout_seconds + request.wait_seconds)
    connection = _connection_to(channel.base_url, min(channel.timeout_seconds, max(0.001, deadline - began)))
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
        # The cause has no traceback: frames have buffers of http.client with the key, and error trackers keep frames.
        problem = MalipoConnectionError(f"Malipo did not answer: {error!r}")
        problem.__cause__ = error.with_traceback(None)
        return Answer(problem=problem)
    finally:
        connection.close()


def _connection_to(base_url: str, timeout_seconds: float) -> http.client.HTTPConnection:
    url = urlsplit(base_url)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    return kind(url.hostname or "", url.port, timeout=timeout_seconds)


def _read(connection: http.client.HTTPConnection, deadline: float) -> Answer:
    timed = _Timed(connection.sock, deadline)
    connection.response_class = lambda _, **options: http.client.HTTPResponse(timed, **options)
    response = connection.getresponse()
    body = b""
    while True:
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


class _Timed(io.RawIOBase):
    """
    The file that http.client reads an answer from. Each read waits until the deadline at most, because the timeout of a
    socket would start again at each byte.
    """

    def __init__(self, socket: Any, deadline: float) -> None:
        self._socket = socket
        self._deadline = deadline
        self._bytes = socket.makefile("rb", buffering=0)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        left_seconds = self._deadline - time.monotonic()
        if left_seconds <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left_seconds)
        return self._bytes.readinto(buffer)

    def close(self) -> None:
        self._bytes.close()
        super().close()


def checkout_of(answer: Answer, base_url: str) -> Checkout:
    """The checkout of an answer. Raises MalipoError, or MalipoConnectionError when there is no answer of Malipo."""
    if answer.problem is not None:
        raise answer.problem
    try:
        content = _parse(answer)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        what = f"{answer.status} from {urlsplit(base_url).hostname}"
        if answer.status >= 500:
            raise MalipoConnectionError(f"The host is unavailable: {what}") from None
        raise MalipoConnectionError(f"This is no answer of Malipo: {what}. Is base_url right?") from None
    if isinstance(content, MalipoError):
        raise content
    return content


def _parse(answer: Answer) -> Union[Checkout, MalipoError]:
    body = json.loads(answer.body)
    if body["ok"] is True and answer.status < 300:
        return read_checkout(body["data"])
    return MalipoError(answer.status, body)
