"""The host that the Jest test started, and a relay between SDK and host."""

import contextlib
import json
import os
import threading
import time
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import patch

from malipo import Malipo

URL = os.environ["MALIPO_URL"]
KEY = os.environ["MALIPO_KEY"]


def open_malipo(**changes):
    return Malipo(**{"secret_key": KEY, "base_url": URL, **changes})


def pay(checkout_id):
    """Does what the payer page does; the Jest test approves every prompt."""
    urllib.request.urlopen(
        urllib.request.Request(
            f"{URL}/v1/payments/public/checkouts/{checkout_id}/pay",
            headers={"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())},
            data=json.dumps({"phone": "2547" + str(uuid.uuid4().int)[:7] + "1"}).encode(),
        ),
        timeout=30,
    ).close()


@contextlib.contextmanager
def fast_clock():
    """Makes each pause of the SDK end at once, and advances its clock by the pause. Yields the pauses in seconds."""
    slept, monotonic = [], time.monotonic
    with patch("time.sleep", side_effect=slept.append), patch("time.monotonic", lambda: monotonic() + sum(slept)):
        yield slept


@contextlib.contextmanager
def relay(*troubles):
    """
    A relay between SDK and host with a trouble for each request, the last for all later ones; a pair of status and
    headers is answered by the relay itself. Yields its address, and the headers of the requests that it received.
    """
    left, requests = list(troubles), []

    class Relay(BaseHTTPRequestHandler):
        def handle_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            requests.append({name.lower(): value for name, value in self.headers.items()})
            trouble = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(trouble, tuple):
                status, headers = trouble
                self.answer(status, b"{}", headers)
            elif trouble == "page of a proxy":
                self.answer(200, b"<html>Sign in</html>", {})
            elif trouble == "deep page":
                self.answer(200, b"[" * 200_000, {})
            elif trouble == "header drips":
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                while not closing.wait(0.1):
                    self.wfile.write(b"X")
            elif trouble == "silence":
                closing.wait(30)
            elif trouble != "request lost":
                closing.wait(1.5 if trouble == "held" else 0)
                status, answer = self.ask_host(body, trouble)
                if trouble == "answer cut":
                    self.answer(status, answer, {}, len(answer) - 5)
                elif trouble != "answer lost":
                    self.answer(status, answer, {})

        do_GET = do_POST = handle_any

        def ask_host(self, body, trouble):
            names = ["Authorization", "Content-Type", "Idempotency-Key", "Prefer"]
            headers = {name: self.headers[name] for name in names if self.headers[name]}
            if trouble in ["held", "not held"]:
                headers.pop("Prefer", None)
            asked = urllib.request.Request(URL + self.path, headers=headers, data=body or None)
            with urllib.request.urlopen(asked, timeout=90) as answer:
                return answer.status, answer.read()

        def answer(self, status, body, headers, sent=None):
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[:sent])

        def log_message(self, *_):
            pass

    closing = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    # The SDK hangs up on some requests, which is no error of the relay.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
