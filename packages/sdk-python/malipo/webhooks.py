from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Literal

_TOLERANCE_SECONDS = 300


@dataclass(frozen=True)
class WebhookData:
    #: The id of the checkout, to be read; of a test, that of the endpoint.
    id: str


@dataclass(frozen=True)
class WebhookEvent:
    type: Literal["checkout.completed", "checkout.expired", "payment.failed", "payment.reversed", "webhook.test"]
    #: When it happened, ISO 8601 in UTC.
    timestamp: str
    data: WebhookData


class MalipoWebhookError(Exception):
    """A request that was not signed with this secret, or not within five minutes: do nothing of what it says."""


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
    key = _key_of(secret)
    webhook_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    is_number = re.fullmatch("[0-9]{1,12}", timestamp)
    if not is_number or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise MalipoWebhookError("webhook-timestamp is not within five minutes of this clock")
    signed = f"{webhook_id}.{timestamp}.".encode("utf-8", "replace") + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = _header_of(headers, "webhook-signature").encode("utf-8", "replace").split(b" ")
    if not any(hmac.compare_digest(one, expected) for one in signatures):
        raise MalipoWebhookError("no signature matches: not of this secret, or the body was changed")
    event = json.loads(bytes(body))
    return WebhookEvent(event["type"], event["timestamp"], WebhookData(event["data"]["id"]))


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :]) if (secret or "").startswith("whsec_") else b""
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < 24:
        raise ValueError("secret must be the signing secret of a webhook: whsec_…")
    return key


def _header_of(headers: Any, name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name and value:
            return str(value if isinstance(value, str) else value[0])
    raise MalipoWebhookError(f"the header {name} is missing")
