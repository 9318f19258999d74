import math
import time
import traceback
import unittest
from email.utils import formatdate
from unittest.mock import patch

from host import KEY, fast_clock, open_malipo, relay
from malipo import Malipo, MalipoConnectionError, MalipoError

BUSY = (503, {"Retry-After": "0"})


class Network(unittest.TestCase):
    def test_makes_exactly_one_checkout_through_a_network_in_trouble(self):
        for trouble in ["request lost", "answer lost", "answer cut", BUSY]:
            with self.subTest(trouble), relay(trouble, trouble, "none") as (url, requests):
                made = open_malipo(base_url=url).checkouts.create(amount=700)
                keys = {request["idempotency-key"] for request in requests}
                self.assertEqual((len(requests), len(keys)), (3, 1))
                # The key names one checkout: with it the host returns the checkout of the first try.
                again = open_malipo().checkouts.create(amount=700, idempotency_key=keys.pop())
                self.assertEqual(again, made)

    def test_pauses_as_long_as_the_host_asks_in_seconds_or_by_a_date(self):
        answers = [(429, {"Retry-After": "7"}), (503, {"Retry-After": in_seconds(20)}), "none"]
        with relay(*answers) as (url, _), fast_clock() as slept:
            open_malipo(base_url=url).checkouts.create(amount=700)
        self.assertEqual(slept[0], 7)
        self.assertTrue(15 < slept[1] <= 20, slept)

    def test_ignores_a_retry_after_that_cannot_be_read(self):
        for year in ["9" * 11, "99999", "x"]:
            date = f"Mon, 01 Jan {year} 00:00:00 GMT"
            with self.subTest(date), relay((429, {"Retry-After": date}), "none") as (url, _), fast_clock() as slept:
                open_malipo(base_url=url).checkouts.create(amount=700)
                self.assertEqual(len(slept), 1)
                self.assertLess(slept[0], 1)

    def test_raises_at_once_when_the_host_asks_for_more_than_half_a_minute(self):
        for retry_after in ["60", "9" * 5_000, in_seconds(40)]:
            with relay((429, {"Retry-After": retry_after})) as (url, requests), fast_clock() as slept:
                with self.subTest(retry_after[:9]), self.assertRaises(MalipoConnectionError):
                    open_malipo(base_url=url).checkouts.create(amount=700)
                self.assertEqual((len(requests), slept), (1, []))

    def test_tries_again_for_half_a_minute_at_most(self):
        with relay((503, {"Retry-After": "9"})) as (url, _), fast_clock() as slept:
            with self.assertRaises(MalipoConnectionError):
                open_malipo(base_url=url).checkouts.create(amount=700)
        self.assertEqual(slept, [9, 9, 9])

    def test_ends_a_retry_without_an_answer_when_half_a_minute_is_over(self):
        began = time.monotonic()
        with relay((503, {"Retry-After": "28"}), "silence") as (url, requests), fast_clock() as slept:
            with self.assertRaises(MalipoConnectionError):
                open_malipo(base_url=url, timeout_seconds=20).checkouts.create(amount=700)
        self.assertEqual((len(requests), slept), (2, [28]))
        self.assertLess(time.monotonic() - began, 10)

    def test_pauses_longer_with_each_try_by_a_partly_random_time(self):
        def pauses():
            with relay((500, {})) as (url, _), patch("time.sleep") as sleep:
                with self.assertRaises(MalipoConnectionError):
                    open_malipo(base_url=url, retries_max=6).checkouts.create(amount=700)
            return [call.args[0] for call in sleep.call_args_list]

        first, second = pauses(), pauses()
        self.assertNotEqual(first, second)
        for pause, most in zip(first + second, [0.3, 0.6, 1.2, 2.4, 4.8, 8.0] * 2):
            self.assertTrue(most / 2 <= pause <= most, f"{pause} of {most}")

    def test_sends_a_request_once_when_the_answer_is_a_page_of_a_proxy(self):
        for page in ["page of a proxy", "deep page"]:
            with self.subTest(page), relay(page) as (url, requests):
                with self.assertRaisesRegex(MalipoConnectionError, "Is base_url right?"):
                    open_malipo(base_url=url).checkouts.create(amount=700)
                self.assertEqual(len(requests), 1)

    def test_reports_a_host_that_is_unavailable(self):
        for status in [500, 503, 522]:
            with self.subTest(status), relay((status, {})) as (url, requests):
                malipo = open_malipo(base_url=url, retries_max=1)
                with self.assertRaisesRegex(MalipoConnectionError, f"^The host is unavailable: {status} from 127"):
                    malipo.checkouts.create(amount=700)
                self.assertEqual(len(requests), 2)

    def test_raises_after_the_last_retry(self):
        with relay("answer lost") as (url, requests):
            with self.assertRaisesRegex(MalipoConnectionError, "did not answer"):
                open_malipo(base_url=url, retries_max=1).checkouts.create(amount=700)
            self.assertEqual(len(requests), 2)

    def test_ends_a_request_without_a_whole_answer_at_its_deadline(self):
        for trouble in ["silence", "header drips"]:
            with self.subTest(trouble), relay(trouble) as (url, _):
                began = time.monotonic()
                with self.assertRaisesRegex(MalipoConnectionError, "timed out"):
                    open_malipo(base_url=url, timeout_seconds=0.2, retries_max=0).checkouts.create(amount=700)
                self.assertLess(time.monotonic() - began, 5)

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
        self.assertEqual([call.args[0] for call in sleep.call_args_list], [10, 10])
        self.assertEqual([request.get("prefer") for request in requests], [None, "wait=60", "wait=60"])


class Wait(unittest.TestCase):
    def setUp(self):
        self.made = open_malipo().checkouts.create(amount=700)

    def wait(self, url, seconds, **settings):
        malipo = open_malipo(base_url=url, **settings)
        return malipo.checkouts.wait_for_payment(self.made.id, timeout_seconds=seconds)

    def test_ends_in_time_when_the_host_is_busy_or_silent(self):
        for trouble in [(429, {"Retry-After": "5"}), "silence"]:
            began = time.monotonic()
            with self.subTest(trouble), relay(trouble) as (url, _), fast_clock() as slept:
                with self.assertRaises(MalipoConnectionError):
                    self.wait(url, 0.5)
                self.assertEqual(slept, [])
            self.assertLess(time.monotonic() - began, 5)

    def test_returns_the_checkout_that_it_read_last_when_the_host_then_fails(self):
        for trouble in [BUSY, (429, {"Retry-After": "60"}), "request lost"]:
            with self.subTest(trouble), relay("not held", trouble) as (url, _), fast_clock() as slept:
                self.assertEqual(self.wait(url, 20).status, "open")
                self.assertLessEqual(sum(slept), 20)

    def test_lets_the_host_hold_a_read_for_longer_than_other_answers_may_take(self):
        with relay("not held", "held", "not held") as (url, requests), fast_clock() as slept:
            self.wait(url, 9, timeout_seconds=1)
        self.assertEqual((len(requests), len(slept)), (3, 1))

    def test_takes_infinity_as_its_timeout(self):
        with relay("not held") as (url, requests), patch("time.sleep", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.wait(url, math.inf)
        self.assertEqual([request.get("prefer") for request in requests], [None, "wait=60"])

    def test_goes_on_through_failed_reads(self):
        with relay("not held", BUSY, (429, {}), "request lost", "not held") as (url, requests), fast_clock() as slept:
            self.assertEqual(self.wait(url, 60).status, "open")
        self.assertGreater(len(requests), 8)
        self.assertTrue(55 < sum(slept) <= 60, slept)

    def test_raises_an_error_that_no_retry_can_mend(self):
        with relay("not held", "page of a proxy") as (url, requests), self.assertRaises(MalipoConnectionError):
            self.wait(url, 60)
        self.assertEqual(len(requests), 2)


def in_seconds(seconds):
    return formatdate(time.time() + seconds, usegmt=True)


class Key(unittest.TestCase):
    def test_refuses_a_wrong_key_or_url_without_repeating_the_key(self):
        for key in ["sk_live_1", KEY + "\n", "", None]:
            with self.subTest(), self.assertRaisesRegex(ValueError, "secret_key must be a secret key") as raised:
                open_malipo(secret_key=key)
            self.assertNotIn(KEY, str(raised.exception))
        for url in ["payments.example", "https://", "ftp://a.example", "https://a.example:x", "https://a..b", None]:
            with self.subTest(url), self.assertRaisesRegex(ValueError, "base_url must be a URL"):
                open_malipo(base_url=url)

    def test_accepts_http_for_this_machine_only(self):
        for url in ["http://payments.example", "http://10.0.0.1", "http://127.0.0.1.example", "http://localhost.a"]:
            with self.subTest(url), self.assertRaisesRegex(ValueError, "base_url must begin with https://"):
                open_malipo(base_url=url)
        for url in ["http://localhost:3000", "http://127.0.0.2", "http://[::1]:3000", "https://payments.example"]:
            open_malipo(base_url=url)

    def test_is_in_no_repr_and_in_no_traceback_with_its_locals(self):
        malipo = open_malipo()
        shown = [repr(malipo), repr(malipo.checkouts), repr(malipo.checkouts._channel)]
        for trouble in ["request lost", "answer cut", "page of a proxy", BUSY]:
            with relay(trouble) as (url, _):
                shown.append(self.traceback_of_create(url))
        # The relay is closed, so nothing listens at its port any more.
        shown.append(self.traceback_of_create(url))
        self.assertTrue(all("Connection" in one for one in shown[3:]))
        shown.append(self.traceback_of(lambda: Malipo(secret_key=KEY, base_url="payments.example")))
        shown.append(self.traceback_of(lambda: Malipo(secret_key=KEY + "\n", base_url="https://payments.example")))
        self.assertEqual([one for one in shown if KEY[10:] in one], [])

    def traceback_of_create(self, url):
        malipo = open_malipo(base_url=url, retries_max=0)
        return self.traceback_of(lambda: malipo.checkouts.create(amount=700))

    def traceback_of(self, call):
        try:
            call()
        except (MalipoConnectionError, MalipoError, ValueError) as error:
            return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        raise AssertionError("There was no error")
