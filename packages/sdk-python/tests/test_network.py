import time
import traceback
import unittest
from unittest.mock import patch

from host import KEY, open_malipo, relay
from malipo import MalipoConnectionError, MalipoError

BUSY = (503, {"Retry-After": "0"})


class Network(unittest.TestCase):
    def test_makes_exactly_one_checkout_through_a_network_in_trouble(self):
        for trouble in ["request lost", "answer lost", "answer cut", BUSY]:
            with self.subTest(trouble), relay(trouble, trouble, "none") as (url, requests):
                made = open_malipo(base_url=url).checkouts.create(amount=700)
                keys = {request["idempotency-key"] for request in requests}
                self.assertEqual((len(requests), len(keys)), (3, 1))
                # The key names one checkout: with it the host shows that of the first try.
                again = open_malipo().checkouts.create(amount=700, idempotency_key=keys.pop())
                self.assertEqual(again, made)

    def test_pauses_as_long_as_the_host_asks_and_at_most_a_minute(self):
        answers = [(429, {"Retry-After": "7"}), (503, {"Retry-After": "900"}), "none"]
        with relay(*answers) as (url, _), patch("time.sleep") as sleep:
            open_malipo(base_url=url).checkouts.create(amount=700)
        self.assertEqual([call.args[0] for call in sleep.call_args_list], [7, 60])

    def test_pauses_longer_with_each_try_and_partly_by_chance(self):
        def pauses():
            with relay((500, {})) as (url, _), patch("time.sleep") as sleep:
                with self.assertRaises(MalipoConnectionError):
                    open_malipo(base_url=url, retries_max=6).checkouts.create(amount=700)
            return [call.args[0] for call in sleep.call_args_list]

        first, second = pauses(), pauses()
        self.assertNotEqual(first, second)
        for pause, most in zip(first + second, [0.3, 0.6, 1.2, 2.4, 4.8, 8.0] * 2):
            self.assertTrue(most / 2 <= pause <= most, f"{pause} of {most}")

    def test_sends_a_refused_request_once(self):
        with relay("page of a proxy") as (url, requests):
            with self.assertRaisesRegex(MalipoConnectionError, "Is base_url right?"):
                open_malipo(base_url=url).checkouts.create(amount=700)
            self.assertEqual(len(requests), 1)

    def test_gives_up_after_its_tries(self):
        with relay("answer lost") as (url, requests):
            with self.assertRaisesRegex(MalipoConnectionError, "did not answer"):
                open_malipo(base_url=url, retries_max=1).checkouts.create(amount=700)
            self.assertEqual(len(requests), 2)

    def test_ends_a_request_without_an_answer_at_its_deadline(self):
        with relay("silence") as (url, _):
            began = time.monotonic()
            with self.assertRaises(MalipoConnectionError):
                open_malipo(base_url=url, timeout_seconds=0.2, retries_max=0).checkouts.create(amount=700)
            self.assertLess(time.monotonic() - began, 10)

    def test_follows_no_redirect_which_would_carry_the_key_to_another_host(self):
        with relay("none") as (other, carried), relay((307, {"Location": f"{other}/"})) as (url, _):
            with self.assertRaises(MalipoConnectionError):
                open_malipo(base_url=url).checkouts.create(amount=700)
            self.assertEqual(carried, [])

    def test_reads_again_after_a_pause_where_a_proxy_did_not_hold_the_request(self):
        made = open_malipo().checkouts.create(amount=700)
        with relay("not held") as (url, requests), patch("time.sleep", side_effect=[None, KeyboardInterrupt]) as sleep:
            with self.assertRaises(KeyboardInterrupt):
                open_malipo(base_url=url).checkouts.wait_for_payment(made.id)
        self.assertEqual([call.args[0] for call in sleep.call_args_list], [5, 5])
        self.assertEqual([request["prefer"] for request in requests], ["wait=60"] * 2)


class Key(unittest.TestCase):
    def test_refuses_what_is_no_key_and_no_url_without_repeating_the_key(self):
        for key in ["sk_live_1", KEY + "\n", "", None]:
            with self.subTest(), self.assertRaisesRegex(ValueError, "secret_key must be a secret key") as raised:
                open_malipo(secret_key=key)
            self.assertNotIn(KEY, str(raised.exception))
        for url in ["payments.example", "https://", "ftp://payments.example", "https://payments.example:x", None]:
            with self.subTest(url), self.assertRaisesRegex(ValueError, "base_url must be a URL"):
                open_malipo(base_url=url)

    def test_is_in_no_repr_and_in_no_traceback_with_its_locals(self):
        malipo = open_malipo()
        shown = [repr(malipo), repr(malipo.checkouts), repr(malipo.checkouts._channel)]
        for trouble in ["request lost", "answer cut", "page of a proxy", BUSY]:
            with relay(trouble) as (url, _):
                shown.append(self.traceback_of(open_malipo(base_url=url, retries_max=0)))
        # A port where nothing listens: the relay has just left it.
        shown.append(self.traceback_of(open_malipo(base_url=url, retries_max=0)))
        self.assertTrue(all("Connection" in one for one in shown[3:]))
        self.assertEqual([one for one in shown if KEY[10:] in one], [])

    def traceback_of(self, malipo):
        try:
            malipo.checkouts.create(amount=700)
        except (MalipoConnectionError, MalipoError) as error:
            return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        raise AssertionError("There was no error")
