import base64
import hashlib
import hmac
import json
import os
import time
import traceback
import unittest
import unittest.mock
from email.message import Message

from malipo import MalipoWebhookError, WebhookData, WebhookEvent, verify_webhook

KEY = bytes([7]) * 32
OTHER = bytes([8]) * 32
SECRET = "whsec_" + base64.b64encode(KEY).decode()
CHECKOUT = "cs_ke_0123456789abcdef01234567"
TIME = "2026-11-22T09:00:00.000Z"
BODY = json.dumps({"type": "checkout.completed", "timestamp": TIME, "data": {"id": CHECKOUT}}).encode()
EVENT = WebhookEvent("checkout.completed", TIME, WebhookData(CHECKOUT))


def signed(age_seconds=0, by=KEY, body=BODY):
    timestamp = str(int(time.time() - age_seconds))
    digest = hmac.new(by, f"evt_1.{timestamp}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def test_returns_the_event_of_a_request_that_the_public_library_signed(self):
        given = json.loads(os.environ["MALIPO_WEBHOOK"])
        event = verify_webhook(given["body"].encode(), given["headers"], given["secret"])
        self.assertEqual((event.type, event.data.id), ("checkout.completed", CHECKOUT))

    def test_returns_the_event_of_a_request_that_was_signed_with_the_secret(self):
        for body in [BODY, bytearray(BODY), memoryview(BODY)]:
            self.assertEqual(verify_webhook(body, signed(), SECRET), EVENT)

    def test_takes_headers_in_any_case_as_lists_and_of_the_standard_library(self):
        upper = {name.upper(): [value] for name, value in signed().items()}
        self.assertEqual(verify_webhook(BODY, upper, SECRET), EVENT)
        message = Message()
        for name, value in signed().items():
            message[name.title()] = value
        self.assertEqual(verify_webhook(BODY, message, SECRET), EVENT)

    def test_accepts_a_request_if_one_of_several_signatures_matches_as_during_a_rotation(self):
        own, other = signed(), signed(by=OTHER)
        both = f"{other['webhook-signature']} {own['webhook-signature']}"
        self.assertEqual(verify_webhook(BODY, {**own, "webhook-signature": both}, SECRET), EVENT)

    def test_accepts_a_request_of_four_minutes_ago(self):
        self.assertEqual(verify_webhook(BODY, signed(age_seconds=240), SECRET), EVENT)

    def test_refuses_a_request_that_is_changed_too_old_or_signed_with_another_secret(self):
        headers = signed()
        signature = headers["webhook-signature"]
        refused = {
            "a changed body": (BODY + b" ", headers),
            "another secret": (BODY, signed(by=OTHER)),
            "another id": (BODY, {**headers, "webhook-id": "evt_2"}),
            "an unknown version": (BODY, {**headers, "webhook-signature": signature.replace("v1", "v2")}),
            "a signature cut short": (BODY, {**headers, "webhook-signature": signature[:20]}),
            "a signature beyond ASCII": (BODY, {**headers, "webhook-signature": "v1,é\udcff"}),
            "a time that is no number": (BODY, {**headers, "webhook-timestamp": "now"}),
            "a time in other digits": (BODY, {**headers, "webhook-timestamp": "١٢٣"}),
            "a request of six minutes ago": (BODY, signed(age_seconds=360)),
            "a request from the future": (BODY, signed(age_seconds=-360)),
            "no signature": (BODY, {**headers, "webhook-signature": None}),
            "no headers": (BODY, {}),
        }
        for what, (body, given) in refused.items():
            with self.subTest(what), self.assertRaises(MalipoWebhookError):
                verify_webhook(body, given, SECRET)

    def test_returns_an_event_of_a_type_added_later_though_it_has_no_id(self):
        body = b'{"type":"payout.sent","timestamp":"%s","data":{"amount":"1"}}' % TIME.encode()
        event = verify_webhook(body, signed(body=body), SECRET)
        self.assertEqual(event, WebhookEvent("payout.sent", TIME, WebhookData(None)))

    def test_refuses_a_signed_body_that_is_no_event(self):
        for body in [b"", b"[]", b"{}", b'{"type":"checkout.completed","timestamp":"x","data":null}']:
            with self.subTest(body), self.assertRaisesRegex(MalipoWebhookError, "no event"):
                verify_webhook(body, signed(body=body), SECRET)

    def test_shows_its_secret_in_no_traceback_with_its_locals(self):
        own = signed()
        forged = {**own, "webhook-signature": "v1,A"}
        calls = [(forged, SECRET), ({}, SECRET), (signed(age_seconds=360), SECRET), (own, "whsec_" + SECRET[-30:])]
        for headers, secret in calls:
            text = self.traceback_of(BODY, headers, secret)
            # With the signature that would have matched, a reader of the traceback could send a valid request.
            hidden = [SECRET[-20:], repr(KEY)[2:-1], *([own["webhook-signature"]] if headers is forged else [])]
            self.assertEqual([one for one in hidden if one in text], [])

    def traceback_of(self, *args):
        try:
            verify_webhook(*args)
        except (MalipoWebhookError, ValueError) as error:
            # Leaves out this frame, whose arguments are those of the test.
            shown = traceback.TracebackException(type(error), error, error.__traceback__.tb_next, capture_locals=True)
            return "".join(shown.format())
        raise AssertionError("There was no error")

    def test_compares_in_constant_time(self):
        with unittest.mock.patch("hmac.compare_digest", return_value=False) as compare:
            with self.assertRaises(MalipoWebhookError):
                verify_webhook(BODY, signed(), SECRET)
        compare.assert_called_once()

    def test_refuses_a_body_that_is_text_because_its_bytes_were_lost(self):
        with self.assertRaisesRegex(TypeError, "bytes of the request as they came"):
            verify_webhook(BODY.decode(), signed(), SECRET)

    def test_refuses_what_is_no_signing_secret(self):
        for secret in [None, "", "mkp_test_A", "whsec_", "whsec_short", "whsec_é"]:
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "whsec_…"):
                verify_webhook(BODY, signed(), secret)
