<?php

declare(strict_types=1);

use Malipo\MalipoConnectionError;

function test_makes_exactly_one_checkout_through_a_network_in_trouble(): void
{
    foreach (['request lost', 'answer lost', 'answer cut', ['status' => 503, 'headers' => ['Retry-After' => '0']]] as $trouble) {
        $made = openMalipo(['baseUrl' => relay($trouble, $trouble, 'none')])->checkouts->create(amount: 700);
        $keys = array_column(relayed(), 'idempotency-key');
        same([3, 1], [count($keys), count(array_unique($keys))]);
        // The key names one checkout: with it the host shows that of the first try.
        same(true, openMalipo()->checkouts->create(amount: 700, idempotencyKey: $keys[0]) == $made);
    }
}

function test_pauses_as_long_as_the_host_asks_and_at_most_a_minute(): void
{
    $busy = fn (string $seconds): array => ['status' => 429, 'headers' => ['Retry-After' => $seconds]];
    openMalipo(['baseUrl' => relay($busy('7'), $busy('900'), 'none')])->checkouts->create(amount: 700);
    same([7.0, 60.0], array_map('floatval', Pauses::$seconds));
}

function test_pauses_longer_with_each_try_and_partly_by_chance(): void
{
    $pauses = function (): array {
        Pauses::$seconds = [];
        $malipo = openMalipo(['baseUrl' => relay(['status' => 500, 'headers' => []]), 'retriesMax' => 6]);
        thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
        return Pauses::$seconds;
    };
    $first = $pauses();
    $second = $pauses();
    same(false, $first === $second);
    foreach ([0.3, 0.6, 1.2, 2.4, 4.8, 8.0] as $try => $most) {
        foreach ([$first[$try], $second[$try]] as $pause) {
            same(true, $pause >= $most / 2 && $pause <= $most);
        }
    }
}

function test_sends_a_request_once_when_the_answer_is_a_page_of_a_proxy(): void
{
    $malipo = openMalipo(['baseUrl' => relay('page of a proxy')]);
    $error = thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same([true, 1], [str_contains($error->getMessage(), 'Is baseUrl right?'), count(relayed())]);
}

function test_gives_up_after_its_tries(): void
{
    $malipo = openMalipo(['baseUrl' => relay('answer lost'), 'retriesMax' => 1]);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same(2, count(relayed()));
}

function test_ends_a_request_without_an_answer_at_its_deadline(): void
{
    foreach (['silence', 'answer stalls'] as $trouble) {
        $malipo = openMalipo(['baseUrl' => relay($trouble), 'timeoutSeconds' => 0.3, 'retriesMax' => 0]);
        $began = microtime(true);
        thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
        same(true, microtime(true) - $began < 10);
    }
}

function test_stops_reading_an_answer_that_does_not_end(): void
{
    $malipo = openMalipo(['baseUrl' => relay('endless'), 'retriesMax' => 0]);
    $error = thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same('Malipo did not answer: the answer is too long', $error->getMessage());
}

function test_follows_no_redirect_which_would_carry_the_key_to_another_host(): void
{
    $relay = env('MALIPO_RELAY');
    $malipo = openMalipo(['baseUrl' => relay(['status' => 307, 'headers' => ['Location' => "$relay/elsewhere"]], 'none')]);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same(1, count(relayed()));
}

function test_reads_again_after_a_pause_where_a_proxy_did_not_hold_the_request(): void
{
    $made = openMalipo()->checkouts->create(amount: 700);
    $malipo = openMalipo(['baseUrl' => relay('not held')]);
    // Ended by the eleventh pause, which no test gets over.
    thrown(LogicException::class, fn () => $malipo->checkouts->waitForPayment($made->id));
    same([5.0], array_map('floatval', array_values(array_unique(Pauses::$seconds))));
    same(['wait=60'], array_values(array_unique(array_column(relayed(), 'prefer'))));
}

function test_refuses_what_is_no_key_and_no_url_without_repeating_the_key(): void
{
    $key = env('MALIPO_KEY');
    foreach (['sk_live_1', "$key\n", ''] as $other) {
        $error = thrown(InvalidArgumentException::class, fn () => openMalipo(['secretKey' => $other]));
        same(false, str_contains(print_r($error->getTrace()[0], true), substr($key, 10)));
    }
    foreach (['payments.example', 'https://', 'ftp://payments.example', '', 'https://payments.example:x'] as $url) {
        thrown(InvalidArgumentException::class, fn () => openMalipo(['baseUrl' => $url]));
    }
}

function test_the_key_is_in_no_dump_and_in_no_trace(): void
{
    $malipo = openMalipo(['baseUrl' => relay('request lost'), 'retriesMax' => 0]);
    $error = thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    ob_start();
    var_dump($malipo);
    $shown = [ob_get_clean(), print_r($malipo, true), var_export($malipo, true), (string) $error, print_r($error->getTrace(), true)];
    foreach ($shown as $text) {
        same(false, str_contains($text, substr(env('MALIPO_KEY'), 10)));
    }
}
