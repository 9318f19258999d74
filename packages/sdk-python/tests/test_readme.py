"""Runs the programs of the README as a newcomer does: saved in an empty folder, with the variables that it names."""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from host import URL, open_malipo, pay

README = Path(os.environ["MALIPO_README"])
SECRET_KEY = os.urandom(32)
SECRET = "whsec_" + base64.b64encode(SECRET_KEY).decode()


@contextlib.contextmanager
def running(program, *command):
    """Runs a program in an empty folder, and yields its process. At the end it is killed, and its output is read."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "shop.py").write_text(program, "utf-8")
        env = {**os.environ, "MALIPO_WEBHOOK_SECRET": SECRET}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        child = subprocess.Popen([sys.executable, *command], cwd=folder, env=env, **pipes)
        deadline = threading.Timer(60, child.kill)
        deadline.start()
        try:
            yield child
        finally:
            deadline.cancel()
            child.kill()
            child.communicate()


def line_of(child, pattern):
    """The first group of the next line that fits. Raises with all lines when the program ends without one."""
    lines = []
    for line in child.stdout:
        lines.append(line)
        found = re.search(pattern, line)
        if found:
            return found.group(1)
    raise AssertionError(f"no line fits {pattern}:\n{''.join(lines)}")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def post(url, body=b"", headers=None):
    request = urllib.request.Request(url, data=body, headers=headers or {})
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=60) as answer:
            return answer.status, answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers


def webhook(checkout_id, key=SECRET_KEY):
    body = json.dumps({"type": "checkout.completed", "timestamp": "x", "data": {"id": checkout_id}}).encode()
    timestamp = str(int(time.time()))
    digest = hmac.new(key, f"evt_1.{timestamp}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return body, {"webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature}


class Readme(unittest.TestCase):
    def setUp(self):
        self.first, self.shop = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)

    def test_the_first_program_is_a_paid_checkout(self):
        with running(self.first, "shop.py") as program:
            pay(line_of(program, r"^Pay at \S+/c/(cs_ke_\w+)"))
            self.assertRegex(line_of(program, r"^Deliver (.*)$"), r"^order-\d+$")

    def test_names_the_phone_that_approves_as_the_documentation_of_the_host_does(self):
        phone = re.search(r"type (\d+) and press Pay", README.read_text("utf-8")).group(1)
        with urllib.request.urlopen(f"{URL}/docs/quickstart.md", timeout=30) as answer:
            self.assertIn(f"type the number {phone} and press Pay", answer.read().decode())

    def test_the_shop_delivers_once_by_webhook_and_only_what_is_paid(self):
        with running(self.shop, "-m", "flask", "--app", "shop", "run", "--port", "0") as program:
            url = line_of(program, r"Running on (http://\S+)")
            status, headers = post(f"{url}/buy")
            self.assertEqual(status, 303)
            checkout_id = headers["Location"].rsplit("/", 1)[1]
            statuses = [post(f"{url}/webhooks", *webhook(checkout_id))[0]]
            checkouts = open_malipo().checkouts
            order = checkouts.retrieve(checkout_id).reference
            other_id = checkouts.create(amount=150_000, reference=order).id
            for each in [other_id, checkout_id]:
                pay(each)
                paid = checkouts.wait_for_payment(each)
                self.assertEqual((paid.status, paid.reference), ("completed", order))
            statuses.append(post(f"{url}/webhooks", *webhook(checkout_id, os.urandom(32)))[0])
            statuses += [post(f"{url}/webhooks", *webhook(checkout_id))[0] for _ in range(2)]
            statuses.append(post(f"{url}/webhooks", *webhook(other_id))[0])
            with urllib.request.urlopen(f"{url}/thanks?checkout={checkout_id}", timeout=60) as answer:
                self.assertEqual(answer.read(), b"Thank you!")
            program.terminate()
            output = program.stdout.read()
        self.assertEqual(statuses, [204, 400, 204, 204, 204])
        # The order is delivered once for two paid checkouts, and after the refused webhook.
        delivered = [line for line in output.splitlines() if " 400 " in line or line.startswith("Deliver")]
        self.assertEqual(delivered[1:], [f"Deliver the order {order}"])

    def test_the_shop_delivers_nothing_once_its_money_has_gone_back(self):
        refunded = os.environ["MALIPO_REFUNDED"]
        order = 'orders("INSERT INTO orders (number) VALUES (?)", "refunded-order")\n'
        with running(self.shop + order, "-m", "flask", "--app", "shop", "run", "--port", "0") as program:
            url = line_of(program, r"Running on (http://\S+)")
            status = post(f"{url}/webhooks", *webhook(refunded))[0]
            program.terminate()
            output = program.stdout.read()
        self.assertEqual(status, 204)
        self.assertNotIn("Deliver", output)
