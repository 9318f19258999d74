"""A checkout as the merchant reads it, with the API's field names."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Literal, Mapping, Optional


@dataclass(frozen=True)
class CheckoutPayment:
    intent_id: str
    status: Literal[
        "created", "reserved", "submitted", "pending", "completed", "failed", "expired", "reversed"
    ]
    #: Minor units that were received; None until money came.
    amount_settled: Optional[str]
    provider_receipt: Optional[str]
    #: Digits with the country code; empty for a card payer who gave none.
    phone: str


@dataclass(frozen=True)
class Checkout:
    """Amounts are minor units in text: "150000" is KES 1,500.00."""

    id: str
    #: The page to send the payer to.
    url: str
    #: Deliver when it is "completed", and only then.
    status: Literal["open", "completed", "expired"]
    amount: str
    currency: Literal["KES", "UGX"]
    reference: Optional[str]
    description: Optional[str]
    return_url: Optional[str]
    #: ISO 8601, UTC.
    expires_at: str
    created_at: str
    #: The payment that completed the checkout, else the newest payment; None before the first.
    payment: Optional[CheckoutPayment]


def read_checkout(data: Mapping[str, Any]) -> Checkout:
    """The checkout of an answer. Raises KeyError when a field is missing."""
    payment = data["payment"]
    return Checkout(
        **{
            **_fields_of(Checkout, data),
            "payment": None if payment is None else CheckoutPayment(**_fields_of(CheckoutPayment, payment)),
        }
    )


def _fields_of(shape: Any, data: Mapping[str, Any]) -> Dict[str, Any]:
    return {field.name: data[field.name] for field in fields(shape)}
