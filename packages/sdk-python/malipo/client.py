from __future__ import annotations

import json
import math
import random
import re
import time
import uuid
from typing import Optional
from urllib.parse import quote, urlsplit

from .checkout import Checkout
from .send import Answer, Channel, Request, checkout_of, send

_PATH = "/v1/payments/merchant/checkouts"
#: The longest wait that the API supports (`Prefer: wait`).
_WAIT_MAX_SECONDS = 60
#: The part of a wait that is reserved for its last answer.
_LAST_ANSWER_SECONDS = 1.0
#: The pause between two reads when the host or a proxy ignored the wait.
_REREAD_SECONDS = 10.0
#: The longest time that a call spends on retries, because a waiting call occupies a worker of the web server.
_RETRIES_SECONDS = 30.0
_BACKOFF_FIRST_SECONDS = 0.3
_BACKOFF_MAX_SECONDS = 8.0


class Malipo:
    """
    The API of one country's payments host. Threads may share it.

    `secret_key`: `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app.
    `base_url`: the payments host of your country, as `https://payments.example`; http for this machine only.
    `timeout_seconds`: for one answer.
    `retries_max`: how often a request is sent again after no answer, 429 or 5xx, within 30 seconds.
    """

    checkouts: Checkouts

    def __init__(
        self, *, secret_key: str, base_url: str, timeout_seconds: float = 15.0, retries_max: int = 4
    ) -> None:
        problem = _key_problem(secret_key) or _url_problem(base_url)
        if problem is not None:
            # Error trackers keep the local variables of a traceback, so the key must not be in one.
            del secret_key
            raise ValueError(problem)
        self.checkouts = Checkouts(Channel(base_url, timeout_seconds, secret_key), retries_max)


class Checkouts:
    """Create, read and wait for checkouts: `Malipo(…).checkouts`."""

    def __init__(self, channel: Channel, retries_max: int) -> None:
        self._channel = channel
        self._retries_max = retries_max

    def create(
        self,
        *,
        amount: int,
        reference: Optional[str] = None,
        description: Optional[str] = None,
        return_url: Optional[str] = None,
        phone: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Checkout:
        """
        Creates a checkout. Send the payer to its `url`. Raises MalipoError and MalipoConnectionError.

        `amount`: minor units, 150000 is KES 1,500.00. UGX takes multiples of 100.
        `reference`: your own number of the order, 1 to 64 characters.
        `description`: 1 to 140 characters; the payer sees it.
        `return_url`: https; the payer is redirected here after paying. The redirect does not prove a payment.
        `phone`: 9 to 15 digits with the country code; prefills the phone field of the page.
        `idempotency_key`: 1 to 128 visible ASCII characters that name this order: the same key makes one checkout,
        however often it is sent. Without one the SDK makes a key for this call, so that only its own retries are safe.
        """
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        # http.client cannot send a line break or an emoji in a header, so the API never sees it to refuse it.
        if not re.fullmatch("[!-~]{1,128}", key):
            raise ValueError("idempotency_key must be 1 to 128 visible ASCII characters")
        texts = {"reference": reference, "description": description, "return_url": return_url, "phone": phone}
        given = {name: value for name, value in texts.items() if value is not None}
        body = json.dumps({"amount": amount, **given}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        return self._checkout_of(self._call(Request("POST", _PATH, headers, body)))

    def retrieve(self, checkout_id: str) -> Checkout:
        """Reads a checkout. Raises MalipoError, with code 2783 when there is none with this id."""
        return self._checkout_of(self._call(Request("GET", _path_of(checkout_id), {})))

    def wait_for_payment(self, checkout_id: str, *, timeout_seconds: float = 300.0) -> Checkout:
        """
        Waits until a checkout is "completed" or "expired", and returns it. After `timeout_seconds` it returns the
        checkout as it was last read, perhaps still "open", even if later reads failed. The host answers within a second
        of the payment. Raises as `retrieve` does.
        """
        deadline = time.monotonic() + timeout_seconds
        # The first read asks for no wait, so that there is a checkout to return when later reads fail.
        checkout = self._checkout_of(self._call(Request("GET", _path_of(checkout_id), {}), deadline))
        failures = 0
        pause_seconds = 0.0
        while checkout.status == "open" and time.monotonic() < deadline:
            if pause_seconds > 0:
                time.sleep(min(pause_seconds, max(0.0, deadline - time.monotonic())))
            answer = self._send(_held(checkout_id, deadline - time.monotonic()), deadline)
            if answer.may_be_sent_again:
                failures += 1
                pause_seconds = _pause_seconds(answer, failures)
                if time.monotonic() + pause_seconds > deadline:
                    return checkout
            else:
                checkout = self._checkout_of(answer)
                failures = 0
                pause_seconds = 0.0 if answer.was_held else _REREAD_SECONDS
        return checkout

    def _call(self, request: Request, deadline: float = math.inf) -> Answer:
        """Sends a request with retries, which are safe for every request of this SDK."""
        retries_end = min(deadline, time.monotonic() + _RETRIES_SECONDS)
        tries = 1
        answer = self._send(request, deadline)
        while answer.may_be_sent_again and tries <= self._retries_max:
            pause_seconds = _pause_seconds(answer, tries)
            if time.monotonic() + pause_seconds > retries_end:
                break
            time.sleep(pause_seconds)
            tries += 1
            answer = self._send(request, retries_end)
        return answer

    def _send(self, request: Request, end: float) -> Answer:
        """Sends a request once. It ends at `end`, but has at least a second for the answer."""
        return send(request, self._channel, max(end, time.monotonic() + _LAST_ANSWER_SECONDS))

    def _checkout_of(self, answer: Answer) -> Checkout:
        return checkout_of(answer, self._channel.base_url)


def _held(checkout_id: str, left_seconds: float) -> Request:
    """A read of a checkout that asks the host to wait for most of `left_seconds` until the checkout changes."""
    wait_seconds = math.floor(min(_WAIT_MAX_SECONDS, left_seconds - _LAST_ANSWER_SECONDS))
    if wait_seconds < 1:
        return Request("GET", _path_of(checkout_id), {})
    return Request("GET", _path_of(checkout_id), {"Prefer": f"wait={wait_seconds}"}, wait_seconds=wait_seconds)


def _key_problem(secret_key: object) -> Optional[str]:
    # The message does not repeat the value, because the error may be logged.
    if isinstance(secret_key, str) and re.fullmatch("mkp_(test|live)_[!-~]*", secret_key):
        return None
    return "secret_key must be a secret key of Malipo: mkp_test_… or mkp_live_…"


def _url_problem(base_url: object) -> Optional[str]:
    try:
        url = urlsplit(base_url if isinstance(base_url, str) else "")
        # A port that is no number raises ValueError, and so does a name that cannot be encoded.
        is_url = url.scheme in ("http", "https") and url.port != 0 and (url.hostname or "").encode("idna") != b""
    except ValueError:
        is_url = False
    if not is_url:
        return "base_url must be a URL with its scheme: https://…"
    is_this_machine = re.fullmatch(r"localhost|127(\.[0-9]{1,3}){3}|::1", url.hostname or "")
    if url.scheme == "https" or is_this_machine:
        return None
    return "base_url must begin with https://, as http shows the key to the network. http is for this machine only."


def _path_of(checkout_id: str) -> str:
    return f"{_PATH}/{quote(checkout_id, safe='')}"


def _pause_seconds(answer: Answer, tries: int) -> float:
    """
    The pause before a retry: it doubles with each retry, and half of it is random, so that clients do not retry
    together. A longer `Retry-After` replaces it.
    """
    seconds = min(_BACKOFF_MAX_SECONDS, _BACKOFF_FIRST_SECONDS * 2 ** min(tries - 1, 10))
    return max(random.uniform(seconds / 2, seconds), answer.retry_after_seconds or 0)
