from __future__ import annotations

import json
import math
import random
import re
import time
import uuid
from typing import Optional, Tuple
from urllib.parse import quote, urlsplit

from .checkout import Checkout
from .errors import MalipoConnectionError
from .send import Channel, Request, checkout_of, send

_PATH = "/v1/payments/merchant/checkouts"
#: The longest that the API holds a request (`Prefer: wait`).
_WAIT_MAX_SECONDS = 60
#: Between two reads where a proxy or an older host did not hold the request.
_REREAD_SECONDS = 5.0
_BACKOFF_FIRST_SECONDS = 0.3
_BACKOFF_MAX_SECONDS = 8.0


class Malipo:
    """
    The API of one country's payments host. Threads may share it.

    `secret_key`: `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app.
    `base_url`: the payments host of your country, as `https://payments.example`.
    `timeout_seconds`: for one answer.
    `retries_max`: how often a request is sent again after no answer, 429, 500 or 503.
    """

    checkouts: Checkouts

    def __init__(
        self, *, secret_key: str, base_url: str, timeout_seconds: float = 15.0, retries_max: int = 4
    ) -> None:
        # The value is in no message: this error may be logged.
        if not isinstance(secret_key, str) or not re.fullmatch("mkp_(test|live)_[!-~]*", secret_key):
            raise ValueError("secret_key must be a secret key of Malipo: mkp_test_… or mkp_live_…")
        if not _is_url(base_url):
            raise ValueError("base_url must be a URL with its scheme: https://…")
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
        Makes a checkout. Send the payer to its `url`. Raises MalipoError and MalipoConnectionError.

        `amount`: minor units, 150000 is KES 1,500.00. UGX takes multiples of 100.
        `reference`: your own number of the order, 1 to 64 characters.
        `description`: 1 to 140 characters; the payer sees it.
        `return_url`: https; where the payer goes after paying. That the payer came back proves no payment.
        `phone`: 9 to 15 digits with the country code; fills the field of the page.
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
        return self._call(Request("POST", _PATH, headers, body))[0]

    def retrieve(self, checkout_id: str) -> Checkout:
        """Reads a checkout. Raises MalipoError, with code 2783 when there is none with this id."""
        return self._call(Request("GET", _path_of(checkout_id), {}))[0]

    def wait_for_payment(self, checkout_id: str, *, timeout_seconds: float = 300.0) -> Checkout:
        """
        Waits until a checkout is "completed" or "expired", and returns it; after `timeout_seconds` as it is, perhaps
        still "open". The host answers within a second of the payment. Raises MalipoError and MalipoConnectionError.
        """
        deadline = time.monotonic() + timeout_seconds
        while True:
            left_seconds = max(0.0, deadline - time.monotonic())
            wait_seconds = min(_WAIT_MAX_SECONDS, math.ceil(left_seconds))
            headers = {"Prefer": f"wait={wait_seconds}"}
            request = Request("GET", _path_of(checkout_id), headers, wait_seconds=wait_seconds)
            checkout, was_held = self._call(request)
            left_seconds = deadline - time.monotonic()
            if checkout.status != "open" or left_seconds <= 0:
                return checkout
            if not was_held:
                time.sleep(min(_REREAD_SECONDS, left_seconds))

    def _call(self, request: Request) -> Tuple[Checkout, bool]:
        """Sends a request, again where that can help: each of ours may be sent twice without being done twice."""
        for tries in range(1, self._retries_max + 1):
            pause_seconds = _backoff_seconds(tries)
            try:
                answer = send(request, self._channel)
            except MalipoConnectionError:
                time.sleep(pause_seconds)
                continue
            if not answer.may_be_sent_again:
                return checkout_of(answer, self._channel.base_url), answer.was_held
            asked_seconds = answer.retry_after_seconds
            time.sleep(pause_seconds if asked_seconds is None else asked_seconds)
        answer = send(request, self._channel)
        return checkout_of(answer, self._channel.base_url), answer.was_held


def _is_url(text: object) -> bool:
    try:
        url = urlsplit(text) if isinstance(text, str) else None
        # Reading the port raises ValueError when it is no number.
        return url is not None and url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _path_of(checkout_id: str) -> str:
    return f"{_PATH}/{quote(checkout_id, safe='')}"


def _backoff_seconds(tries: int) -> float:
    """Doubled with each try, and half of it by chance, so that many clients do not come again together."""
    seconds = min(_BACKOFF_MAX_SECONDS, _BACKOFF_FIRST_SECONDS * 2 ** (tries - 1))
    return random.uniform(seconds / 2, seconds)
