from __future__ import annotations

import json
import random
import re
import time
import uuid
from typing import Optional, Tuple, Union
from urllib.parse import quote, urlsplit

from .checkout import Checkout
from .errors import MalipoConnectionError, MalipoError
from .send import ANSWER_SECONDS, Channel, Request, checkout_of, send

_PATH = "/v1/payments/merchant/checkouts"
#: Between two reads where the host or a proxy did not hold the request.
_REREAD_SECONDS = 10.0
#: A call has its retries within these seconds, because a web server has few workers that can wait.
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
            # Error trackers keep the locals of a traceback.
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
        still "open"; the last answer may take a second more. The host answers within a second of the payment. Raises
        MalipoError and MalipoConnectionError; where reads fail only in the last half minute, it returns the last one.
        """
        deadline = time.monotonic() + timeout_seconds
        request = Request("GET", _path_of(checkout_id), {}, wait_until=deadline)
        checkout = None
        while True:
            try:
                checkout, was_held = self._call(request)
            except (MalipoConnectionError, MalipoError) as error:
                is_near_end = deadline - time.monotonic() < _RETRIES_SECONDS
                if checkout is None or not is_near_end or not _is_temporary(error):
                    raise
                return checkout
            left_seconds = deadline - time.monotonic()
            if checkout.status != "open" or left_seconds <= 0:
                return checkout
            # The host holds a request for whole seconds.
            if not was_held or left_seconds < 1:
                time.sleep(min(_REREAD_SECONDS, left_seconds))

    def _call(self, request: Request) -> Tuple[Checkout, bool]:
        """
        Sends a request, again where that can help: each of ours may be sent twice without being done twice. A retry is
        over _RETRIES_SECONDS after the call began, beside the time for which the host may hold it.
        """
        end = request.end
        retries_end = time.monotonic() + _RETRIES_SECONDS + request.wait_seconds
        tries = 0
        while True:
            tries += 1
            pause_seconds = _backoff_seconds(tries)
            try:
                answer = send(request, self._channel, end)
            except MalipoConnectionError:
                if not self._may_retry(tries, pause_seconds, min(end, retries_end)):
                    raise
            else:
                asked_seconds = answer.retry_after_seconds
                pause_seconds = pause_seconds if asked_seconds is None else asked_seconds
                may_help = answer.may_be_sent_again
                if not may_help or not self._may_retry(tries, pause_seconds, min(end, retries_end)):
                    return checkout_of(answer, self._channel.base_url), answer.was_held
            time.sleep(pause_seconds)
            end = min(end, retries_end + request.wait_seconds)

    def _may_retry(self, tries: int, pause_seconds: float, end: float) -> bool:
        return tries <= self._retries_max and time.monotonic() + pause_seconds + ANSWER_SECONDS <= end


def _key_problem(secret_key: object) -> Optional[str]:
    # The value is in no message: the error may be logged.
    if isinstance(secret_key, str) and re.fullmatch("mkp_(test|live)_[!-~]*", secret_key):
        return None
    return "secret_key must be a secret key of Malipo: mkp_test_… or mkp_live_…"


def _url_problem(base_url: object) -> Optional[str]:
    try:
        url = urlsplit(base_url if isinstance(base_url, str) else "")
        # Both raise ValueError: a port that is no number, and a name that cannot be looked up.
        is_url = url.scheme in ("http", "https") and url.port != 0 and (url.hostname or "").encode("idna") != b""
    except ValueError:
        is_url = False
    if not is_url:
        return "base_url must be a URL with its scheme: https://…"
    is_this_machine = re.fullmatch(r"localhost|127(\.[0-9]{1,3}){3}|::1", url.hostname or "")
    if url.scheme == "https" or is_this_machine:
        return None
    return "base_url must begin with https://, as http shows the key to the network. http is for this machine only."


def _is_temporary(error: Union[MalipoConnectionError, MalipoError]) -> bool:
    return isinstance(error, MalipoConnectionError) or error.status == 429 or error.status >= 500


def _path_of(checkout_id: str) -> str:
    return f"{_PATH}/{quote(checkout_id, safe='')}"


def _backoff_seconds(tries: int) -> float:
    """Doubled with each try, and half of it by chance, so that many clients do not come again together."""
    seconds = min(_BACKOFF_MAX_SECONDS, _BACKOFF_FIRST_SECONDS * 2 ** (tries - 1))
    return random.uniform(seconds / 2, seconds)
