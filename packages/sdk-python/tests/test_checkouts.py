import dataclasses
import json
import pickle
import typing
import unittest
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

from host import KEY, URL, open_malipo, pay
from malipo import Checkout, CheckoutPayment, MalipoError

UNKNOWN = "cs_ke_" + "0" * 24


def fields_of(shape):
    """The values that each field may have: the choices, or whether it may be None."""
    hints = typing.get_type_hints(shape)
    return {field.name: kind_of(hints[field.name]) for field in dataclasses.fields(shape)}


def kind_of(hint):
    inner = [one for one in typing.get_args(hint) if one is not type(None)]
    if typing.get_origin(hint) is typing.Literal:
        return frozenset(inner)
    if type(None) in typing.get_args(hint):
        return ("or None", kind_of(inner[0]))
    return fields_of(hint) if dataclasses.is_dataclass(hint) else "text"


def document():
    with urllib.request.urlopen(f"{URL}/docs/openapi.json", timeout=30) as answer:
        return json.load(answer)


def resolved(document, node):
    """The node with each `$ref` replaced by what it names."""
    if isinstance(node, list):
        return [resolved(document, one) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = document
        for part in node["$ref"].split("/")[1:]:
            named = named[part]
        return resolved(document, named)
    return {name: resolved(document, one) for name, one in node.items()}


def kind_of_schema(schema):
    given = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if given:
        return ("or None", kind_of_schema(given[0]))
    if schema.get("type") == ["string", "null"]:
        return ("or None", "text")
    if "enum" in schema:
        return frozenset(schema["enum"])
    if schema["type"] == "object":
        return {name: kind_of_schema(one) for name, one in schema["properties"].items()}
    return {"string": "text"}[schema["type"]]


class Checkouts(unittest.TestCase):
    def setUp(self):
        self.checkouts = open_malipo().checkouts

    def refusal(self, call, *args, **options):
        with self.assertRaises(MalipoError) as raised:
            call(*args, **options)
        return raised.exception

    def test_has_the_fields_of_the_api_and_no_other(self):
        operation = resolved(document(), document()["paths"]["/v1/payments/merchant/checkouts/{id}"]["get"])
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        self.assertEqual(fields_of(Checkout), kind_of_schema(schema["properties"]["data"]))

    def test_sends_every_field_that_the_api_takes(self):
        operation = resolved(document(), document()["paths"]["/v1/payments/merchant/checkouts"]["post"])
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        taken = set(typing.get_type_hints(type(self.checkouts).create))
        self.assertEqual(taken - {"idempotency_key", "return"}, set(schema["properties"]))

    def test_creates_a_checkout_and_reads_it_again(self):
        made = self.checkouts.create(
            amount=150_000,
            reference="order-1",
            description="Kahawa, 2 × 500 g",
            return_url="https://shop.example/thanks",
            phone="254700000123",
        )
        self.assertEqual(
            (made.status, made.amount, made.currency, made.reference, made.description, made.payment),
            ("open", "150000", "KES", "order-1", "Kahawa, 2 × 500 g", None),
        )
        self.assertEqual(self.checkouts.retrieve(made.id), made)

    def test_makes_one_checkout_of_one_idempotency_key_and_two_without(self):
        def made(key):
            return len({self.checkouts.create(amount=500, idempotency_key=key).id for _ in range(2)})

        self.assertEqual((made("order-2"), made(None)), (1, 2))

    def test_refuses_an_idempotency_key_that_no_header_can_carry(self):
        for key in ["", "two\nlines", "kahawa ☕", "x" * 129]:
            with self.subTest(key), self.assertRaisesRegex(ValueError, "1 to 128 visible ASCII"):
                self.checkouts.create(amount=500, idempotency_key=key)

    def test_waits_for_a_payment_and_returns_when_it_completes(self):
        made = self.checkouts.create(amount=50_000)
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(self.checkouts.wait_for_payment, made.id)
            pay(made.id)
            paid = waiting.result(60)
        self.assertIsInstance(paid.payment, CheckoutPayment)
        self.assertEqual(
            (paid.status, paid.payment.status, paid.payment.amount_settled), ("completed", "completed", "50000")
        )

    def test_returns_the_open_checkout_when_the_wait_times_out(self):
        made = self.checkouts.create(amount=50_000)
        waited = self.checkouts.wait_for_payment(made.id, timeout_seconds=1)
        self.assertEqual(waited.status, "open")

    def test_raises_what_the_api_says_with_code_fields_and_the_id_for_support(self):
        error = self.refusal(self.checkouts.create, amount=1, reference="")
        self.assertEqual((error.status, error.code), (400, 1701))
        self.assertTrue(error.request_id)
        self.assertEqual(str(error), "The request is not valid: reference must be 1 to 64 characters (code 1701)")
        self.assertEqual(
            [(one.path, one.message) for one in error.problems], [("reference", "must be 1 to 64 characters")]
        )
        self.assertEqual(self.refusal(self.checkouts.create, amount=0.5).code, 1701)
        self.assertEqual(self.refusal(self.checkouts.create, amount=1).code, 2702)

    def test_raises_an_error_that_a_process_can_send_to_another(self):
        error = self.refusal(self.checkouts.create, amount=1, reference="")
        other = pickle.loads(pickle.dumps(error))
        self.assertEqual(vars(other), vars(error))
        self.assertEqual((str(other), other.code), (str(error), 1701))

    def test_raises_2783_for_an_unknown_checkout_and_2781_for_an_unknown_key(self):
        unknown = self.refusal(self.checkouts.retrieve, UNKNOWN)
        self.assertEqual((unknown.status, unknown.code), (404, 2783))
        other = open_malipo(secret_key=KEY[:-1] + ("A" if KEY[-1] != "A" else "B"))
        self.assertEqual(self.refusal(other.checkouts.retrieve, UNKNOWN).code, 2781)

    def test_sends_an_id_as_one_part_of_the_path(self):
        for checkout_id in ["../checkouts", "a/b?c=d#e", "x\r\nHost: evil", str(uuid.uuid4())]:
            with self.subTest(checkout_id):
                self.assertEqual(self.refusal(self.checkouts.retrieve, checkout_id).code, 1701)
