"""Take payments by mobile money and card in Kenya and Uganda."""

from .checkout import Checkout, CheckoutPayment
from .client import Checkouts, Malipo
from .errors import FieldProblem, MalipoConnectionError, MalipoError
from .webhooks import MalipoWebhookError, WebhookData, WebhookEvent, verify_webhook

__all__ = [
    "Checkout",
    "CheckoutPayment",
    "Checkouts",
    "FieldProblem",
    "Malipo",
    "MalipoConnectionError",
    "MalipoError",
    "MalipoWebhookError",
    "WebhookData",
    "WebhookEvent",
    "verify_webhook",
]
