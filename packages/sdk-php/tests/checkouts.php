<?php

declare(strict_types=1);

use Malipo\Checkout;
use Malipo\CheckoutPayment;
use Malipo\MalipoError;

/** @return list<string> */
function propertiesOf(string $class): array
{
    return array_map(fn (ReflectionProperty $one): string => $one->getName(), (new ReflectionClass($class))->getProperties());
}

/** An operation of the API's OpenAPI document, with each `$ref` replaced by what it names. */
function documented(string $method, string $path): array
{
    $document = ask(env('MALIPO_URL') . '/docs/openapi.json');
    $resolve = function (array $node) use (&$resolve, $document): array {
        if (isset($node['$ref'])) {
            $named = $document;
            foreach (array_slice(explode('/', $node['$ref']), 1) as $part) {
                $named = $named[$part];
            }
            return $resolve($named);
        }
        return array_map(fn (mixed $one): mixed => is_array($one) ? $resolve($one) : $one, $node);
    };
    return $resolve($document['paths'][$path][$method]);
}

function test_has_the_fields_of_the_api_and_no_other(): void
{
    $answer = documented('get', CHECKOUTS . '/{id}')['responses']['200']['content']['application/json']['schema'];
    $checkout = $answer['properties']['data']['properties'];
    same(array_keys($checkout), propertiesOf(Checkout::class));
    same(array_keys($checkout['payment']['anyOf'][0]['properties']), propertiesOf(CheckoutPayment::class));
}

function test_sends_every_field_that_the_api_takes(): void
{
    $body = documented('post', CHECKOUTS)['requestBody']['content']['application/json']['schema'];
    $create = new ReflectionMethod(Malipo\Checkouts::class, 'create');
    $taken = array_map(
        fn (ReflectionParameter $one): string => strtolower(preg_replace('/[A-Z]/', '_$0', $one->getName())),
        $create->getParameters(),
    );
    $properties = [...array_keys($body['properties']), 'idempotency_key'];
    sort($taken);
    sort($properties);
    same($properties, $taken);
}

function test_creates_a_checkout_and_reads_it_again(): void
{
    $checkouts = openMalipo()->checkouts;
    $made = $checkouts->create(150_000, 'order-1', 'Kahawa, 2 × 500 g', 'https://shop.example/thanks', '254700000123');
    same(
        ['open', '150000', 'KES', 'order-1', 'Kahawa, 2 × 500 g', 'https://shop.example/thanks', null],
        [$made->status, $made->amount, $made->currency, $made->reference, $made->description, $made->return_url, $made->payment],
    );
    same(true, $checkouts->retrieve($made->id) == $made);
}

function test_makes_one_checkout_with_one_idempotency_key_and_two_without(): void
{
    $checkouts = openMalipo()->checkouts;
    $made = fn (?string $key): string => $checkouts->create(amount: 500, idempotencyKey: $key)->id;
    same([true, false], [$made('order-2') === $made('order-2'), $made(null) === $made(null)]);
}

function test_refuses_an_idempotency_key_that_would_begin_another_header(): void
{
    foreach (['', "two\r\nX-Admin: 1", 'kahawa ☕', str_repeat('x', 129)] as $key) {
        thrown(InvalidArgumentException::class, fn () => openMalipo()->checkouts->create(amount: 500, idempotencyKey: $key));
    }
}

function test_waits_for_a_payment_and_returns_when_it_completes(): void
{
    $checkouts = openMalipo()->checkouts;
    $made = $checkouts->create(amount: 50_000);
    pay($made->id);
    $paid = $checkouts->waitForPayment($made->id);
    same(['completed', 'completed', '50000'], [$paid->status, $paid->payment?->status, $paid->payment?->amount_settled]);
    same([], Pauses::$seconds);
}

function test_returns_the_open_checkout_when_the_wait_times_out(): void
{
    $checkouts = openMalipo()->checkouts;
    same('open', $checkouts->waitForPayment($checkouts->create(amount: 50_000)->id, 1)->status);
}

function test_throws_what_the_api_says_with_code_fields_and_the_id_for_support(): void
{
    $error = thrown(MalipoError::class, fn () => openMalipo()->checkouts->create(amount: 1, reference: ''));
    same([400, 1701], [$error->status, $error->apiCode]);
    same('The request is not valid: reference must be 1 to 64 characters (code 1701)', $error->getMessage());
    same([['path' => 'reference', 'message' => 'must be 1 to 64 characters']], $error->problems);
    same(true, $error->requestId !== '');
    same(2702, thrown(MalipoError::class, fn () => openMalipo()->checkouts->create(amount: 1))->apiCode);
}

function test_throws_2783_for_an_unknown_checkout_and_2781_for_an_unknown_key(): void
{
    $unknown = 'cs_ke_' . str_repeat('0', 24);
    $error = thrown(MalipoError::class, fn () => openMalipo()->checkouts->retrieve($unknown));
    same([404, 2783], [$error->status, $error->apiCode]);
    $key = env('MALIPO_KEY');
    $other = openMalipo(['secretKey' => substr($key, 0, -1) . ($key[-1] === 'A' ? 'B' : 'A')]);
    same(2781, thrown(MalipoError::class, fn () => $other->checkouts->retrieve($unknown))->apiCode);
}

function test_sends_an_id_as_one_part_of_the_path(): void
{
    foreach (['../checkouts', 'a/b?c=d#e', "x\r\nHost: evil"] as $id) {
        same(1701, thrown(MalipoError::class, fn () => openMalipo()->checkouts->retrieve($id))->apiCode);
    }
}
