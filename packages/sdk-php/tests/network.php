<?php

declare(strict_types=1);

use Malipo\MalipoConnectionError;

function test_makes_exactly_one_checkout_through_a_network_in_trouble(): void
{
    foreach (['request lost', 'answer lost', 'answer cut', ['status' => 503, 'headers' => ['Retry-After' => '0']]] as $trouble) {
        $made = openMalipo(['baseUrl' => relay($trouble, $trouble, 'none')])->checkouts->create(amount: 700);
        $keys = array_column(relayed(), 'idempotency-key');
        same([3, 1], [count($keys), count(array_unique($keys))]);
        // The key names one checkout: with it the host returns the checkout of the first try.
        same(true, openMalipo()->checkouts->create(amount: 700, idempotencyKey: $keys[0]) == $made);
    }
}

/** @return array<string, mixed> an answer that asks for a pause */
function busy(string $retryAfter): array
{
    return ['status' => 429, 'headers' => ['Retry-After' => $retryAfter]];
}

function inSeconds(int $seconds): string
{
    return gmdate('D, d M Y H:i:s', time() + $seconds) . ' GMT';
}

function test_pauses_as_long_as_the_host_asks_in_seconds_or_by_a_date(): void
{
    $malipo = openMalipo(['baseUrl' => relay(busy('7'), busy(inSeconds(20)), 'none')]);
    $malipo->checkouts->create(amount: 700);
    [$first, $second] = Pauses::$seconds;
    // The first pause has taken seven of the twenty seconds.
    same([7.0, true], [(float) $first, $second > 8 && $second <= 13]);
}

function test_throws_at_once_when_the_host_asks_for_more_than_half_a_minute(): void
{
    foreach (['60', '99999999999999999999', inSeconds(40)] as $retryAfter) {
        $malipo = openMalipo(['baseUrl' => relay(busy($retryAfter))]);
        thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
        same([[], 1], [Pauses::$seconds, count(relayed())]);
    }
}

function test_tries_again_for_half_a_minute_at_most(): void
{
    $malipo = openMalipo(['baseUrl' => relay(busy('9'))]);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same([9.0, 9.0, 9.0], array_map('floatval', Pauses::$seconds));
}

function test_ends_retries_and_waits_in_time_when_the_clock_of_the_machine_is_set_back(): void
{
    $made = openMalipo()->checkouts->create(amount: 700);
    Pauses::$setBackSeconds = 3_600.0;
    $malipo = openMalipo(['baseUrl' => relay(busy('9'))]);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same([9.0, 9.0, 9.0], array_map('floatval', Pauses::$seconds));
    Pauses::$seconds = [];
    $malipo = openMalipo(['baseUrl' => relay('not held')]);
    same('open', $malipo->checkouts->waitForPayment($made->id, 25)->status);
    same(true, array_sum(Pauses::$seconds) <= 25);
}

function test_ends_a_retry_without_an_answer_when_half_a_minute_is_over(): void
{
    $malipo = openMalipo(['baseUrl' => relay(busy('28'), 'silence'), 'timeoutSeconds' => 20]);
    $began = microtime(true);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
    same([2, true], [count(relayed()), microtime(true) - $began < 10]);
}

function test_ends_a_wait_in_time_when_the_host_is_busy_or_silent(): void
{
    foreach ([busy('5'), 'silence'] as $trouble) {
        $malipo = openMalipo(['baseUrl' => relay($trouble)]);
        $began = microtime(true);
        thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->waitForPayment('cs_ke_1', 0.5));
        same([[], true], [Pauses::$seconds, microtime(true) - $began < 5]);
    }
}

function test_a_wait_returns_the_checkout_that_it_read_last_when_the_host_then_fails(): void
{
    $made = openMalipo()->checkouts->create(amount: 700);
    foreach ([busy('0'), busy('60'), 'request lost'] as $trouble) {
        Pauses::$seconds = [];
        $malipo = openMalipo(['baseUrl' => relay('not held', $trouble)]);
        same('open', $malipo->checkouts->waitForPayment($made->id, 20)->status);
        same(true, array_sum(Pauses::$seconds) <= 20);
    }
}

function test_a_wait_goes_on_through_failed_reads(): void
{
    $made = openMalipo()->checkouts->create(amount: 700);
    $malipo = openMalipo(['baseUrl' => relay('not held', busy('0'), 'request lost', 'not held')]);
    same('open', $malipo->checkouts->waitForPayment($made->id, 40)->status);
    same([true, true], [count(relayed()) > 6, array_sum(Pauses::$seconds) > 35]);
}

function test_a_wait_throws_an_error_that_no_retry_can_mend(): void
{
    $made = openMalipo()->checkouts->create(amount: 700);
    $malipo = openMalipo(['baseUrl' => relay('not held', 'page of a proxy')]);
    thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->waitForPayment($made->id, 60));
    same(2, count(relayed()));
}

function test_pauses_longer_with_each_try_by_a_partly_random_time(): void
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

function test_reports_a_host_that_is_unavailable(): void
{
    foreach ([500, 503, 522] as $status) {
        $malipo = openMalipo(['baseUrl' => relay(['status' => $status, 'headers' => []]), 'retriesMax' => 1]);
        $error = thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
        same(["The host is unavailable: $status from 127.0.0.1", 2], [$error->getMessage(), count(relayed())]);
    }
}

function test_does_not_accept_an_answer_without_its_fields_as_one_of_malipo(): void
{
    $refused = '{"ok":false,"code":1701,"description":"d","request_id":"r","errors":';
    $bodies = ['123', '"text"', 'null', '{"ok":true}', '{"ok":true,"data":{}}', '{"ok":true,"data":{"id":1}}', '{"ok":false}'];
    foreach ([...$bodies, $refused . '"amount"}', $refused . '["amount"]}', $refused . '[{"path":"amount"}]}'] as $body) {
        $malipo = openMalipo(['baseUrl' => relay(['status' => 200, 'headers' => [], 'body' => $body])]);
        $error = thrown(MalipoConnectionError::class, fn () => $malipo->checkouts->create(amount: 700));
        same('This is no answer of Malipo: 200 from 127.0.0.1. Is baseUrl right?', $error->getMessage());
    }
}

function test_throws_after_the_last_retry(): void
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
    // The eleventh pause throws (pauses.php), which ends the wait.
    thrown(LogicException::class, fn () => $malipo->checkouts->waitForPayment($made->id));
    same([10.0], array_map('floatval', array_values(array_unique(Pauses::$seconds))));
    same(['wait=60'], array_values(array_unique(array_column(relayed(), 'prefer'))));
}

function test_refuses_a_wrong_key_or_url_without_repeating_the_key(): void
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

function test_accepts_http_for_this_machine_only(): void
{
    foreach (['http://payments.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'http://localhost.example'] as $url) {
        $error = thrown(InvalidArgumentException::class, fn () => openMalipo(['baseUrl' => $url]));
        same(true, str_starts_with($error->getMessage(), 'baseUrl must begin with https://'));
    }
    foreach (['http://localhost:3000', 'http://127.0.0.2', 'http://[::1]:3000', 'https://payments.example'] as $url) {
        openMalipo(['baseUrl' => $url]);
    }
}

function test_names_the_setting_of_php_without_which_it_sends_nothing(): void
{
    $autoload = dirname((new ReflectionClass(Malipo\Malipo::class))->getFileName(), 2) . '/autoload.php';
    $program = 'require $argv[1];
        try {
            new Malipo\Malipo(secretKey: "mkp_test_A", baseUrl: "https://payments.example");
        } catch (RuntimeException $error) {
            echo $error->getMessage();
        }';
    $command = [PHP_BINARY, '-n', '-d', 'allow_url_fopen=0', '-r', $program, '--', $autoload];
    $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
    same(true, str_starts_with(stream_get_contents($pipes[1]), 'The setting allow_url_fopen must be on'));
    proc_close($process);
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
