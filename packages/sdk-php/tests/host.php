<?php

declare(strict_types=1);

// Access to the host and the relay that the Jest test started, and the assertions of the tests.

use Malipo\Checkout;
use Malipo\Malipo;

const CHECKOUTS = '/v1/payments/merchant/checkouts';

function env(string $name): string
{
    $value = getenv($name);
    return $value !== false ? $value : throw new RuntimeException("$name is not set");
}

/** @param array<string, mixed> $changes */
function openMalipo(array $changes = []): Malipo
{
    return new Malipo(...$changes + ['secretKey' => env('MALIPO_KEY'), 'baseUrl' => env('MALIPO_URL')]);
}

/** The JSON that the host, or the control of the relay, answers to a request. */
function ask(string $url, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => ['Content-Type: application/json', 'Idempotency-Key: ' . bin2hex(random_bytes(8))],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 60,
    ]]);
    return json_decode(file_get_contents($url, false, $context), true);
}

/** Pays a checkout as the payer page does; the Jest test approves every prompt. */
function pay(string $checkoutId): void
{
    $phone = '2547' . random_int(1_000_000, 9_999_999) . '1';
    ask(env('MALIPO_URL') . "/v1/payments/public/checkouts/$checkoutId/pay", ['phone' => $phone]);
}

/** Sets what the relay does to each request from SDK to host, the last for all later ones. Returns its address. */
function relay(mixed ...$troubles): string
{
    ask(env('MALIPO_RELAY') . '/relay', ['troubles' => $troubles]);
    return env('MALIPO_RELAY');
}

/** @return list<array<string, string>> the headers of the requests that came to the relay */
function relayed(): array
{
    return ask(env('MALIPO_RELAY') . '/relay');
}

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new RuntimeException('expected ' . var_export($expected, true) . ', got ' . var_export($actual, true));
    }
}

/**
 * @template Thrown of Throwable
 * @param class-string<Thrown> $class
 * @return Thrown
 */
function thrown(string $class, callable $call): Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error instanceof $class ? $error : throw $error;
    }
    throw new RuntimeException("$class was not thrown");
}

/** The pauses of the SDK, in seconds, which the `usleep` of pauses.php records instead of waiting. */
final class Pauses
{
    /** @var list<float> */
    public static array $seconds = [];
    /** How far the wall clock is set back in each pause. */
    public static float $setBackSeconds = 0.0;
}
