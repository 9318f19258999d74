from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Literal, Optional

_TOLERANCE_SECONDS = 300


@dataclass(frozen=True)
class WebhookData:
    #: The id of the checkout to read, also in payment.failed and payment.reversed, which name no attempt; in
    #: webhook.test, the id of the endpoint. None when an event of a type that Malipo adds later has no id.
    id: str


@dataclass(frozen=True)
class WebhookEvent:
    type: Literal["checkout.completed", "checkout.expired", "payment.failed", "payment.reversed", "webhook.test"]
    #: When it happened, ISO 8601 in UTC.
    timestamp: str
    data: WebhookData


class MalipoWebhookError(Exception):
    """The request is not signed with this secret, its time is over five minutes off, or it has no event: ignore it."""


def verify_webhook(body: bytes, headers: Any, secret: str) -> WebhookEvent:
    """
    The event of a webhook request, if it is Malipo's. The same event may come twice, then with the same `webhook-id`.
    Raises MalipoWebhookError.

    `body`: the bytes as they came, before anything parsed them (Flask: `request.get_data()`, Django: `request.body`).
    `headers`: those of the request, as Flask, Django or http.server have them, or a dict; the names in any case.
    `secret`: the `whsec_…` that the hub showed.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the bytes of the request as they came, not parsed and not text")
    mac = _mac_of(secret)
    # Error trackers keep the locals of a traceback, and anyone can send a request that is refused.
    del secret
    if mac is None:
        raise ValueError("secret must be the signing secret of a webhook: whsec_…")
    webhook_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    is_number = re.fullmatch("[0-9]{1,12}", timestamp)
    if not is_number or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise MalipoWebhookError("webhook-timestamp is not within five minutes of this clock")
    mac.update(f"{webhook_id}.{timestamp}.".encode("utf-8", "replace"))
    mac.update(body)
    if not _is_one_of(mac, _header_of(headers, "webhook-signature")):
        raise MalipoWebhookError("no signature matches: not of this secret, or the body was changed")
    try:
        event = json.loads(bytes(body))
        return WebhookEvent(event["type"], event["timestamp"], WebhookData(event.get("data", {}).get("id")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise MalipoWebhookError("the body is no event of Malipo") from None


def _mac_of(secret: object) -> Optional[hmac.HMAC]:
    """An HMAC keyed with the secret, which its repr does not show; None when the text is no signing secret."""
    try:
        is_secret = isinstance(secret, str) and secret.startswith("whsec_")
        key = base64.b64decode(str(secret)[len("whsec_") :]) if is_secret else b""
    except ValueError:
        return None
    return hmac.new(key, digestmod=hashlib.sha256) if len(key) >= 24 else None


def _is_one_of(mac: hmac.HMAC, signatures: str) -> bool:
    expected = b"v1," + base64.b64encode(mac.digest())
    return any(hmac.compare_digest(one, expected) for one in signatures.encode("utf-8", "replace").split(b" "))


def _header_of(headers: Any, name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name and value:
            return str(value if isinstance(value, str) else value[0])
    raise MalipoWebhookError(f"the header {name} is missing")
