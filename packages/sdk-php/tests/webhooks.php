<?php

declare(strict_types=1);

use Malipo\MalipoWebhookError;
use Malipo\WebhookEvent;

const CHECKOUT_ID = 'cs_ke_0123456789abcdef01234567';
const BODY = '{"type":"checkout.completed","timestamp":"2026-11-22T09:00:00.000Z","data":{"id":"' . CHECKOUT_ID . '"}}';

function secretOf(int $byte): string
{
    return 'whsec_' . base64_encode(str_repeat(chr($byte), 32));
}

/** @return array<string, string> */
function signed(int $ageSeconds = 0, int $byte = 7, string $body = BODY): array
{
    $timestamp = (string) (time() - $ageSeconds);
    $digest = hash_hmac('sha256', "evt_1.$timestamp.$body", str_repeat(chr($byte), 32), true);
    return ['webhook-id' => 'evt_1', 'webhook-timestamp' => $timestamp, 'webhook-signature' => 'v1,' . base64_encode($digest)];
}

function test_returns_the_event_of_a_request_that_the_public_library_signed(): void
{
    $given = json_decode(env('MALIPO_WEBHOOK'), true);
    $event = WebhookEvent::verify($given['body'], $given['headers'], $given['secret']);
    same(['checkout.completed', '2026-11-22T09:00:00.000Z', CHECKOUT_ID], [$event->type, $event->timestamp, $event->checkoutId]);
}

function test_takes_headers_in_any_case_and_as_lists(): void
{
    foreach ([array_change_key_case(signed(), CASE_UPPER), array_map(fn (string $one): array => [$one], signed())] as $headers) {
        same(CHECKOUT_ID, WebhookEvent::verify(BODY, $headers, secretOf(7))->checkoutId);
    }
}

function test_accepts_a_request_if_one_of_several_signatures_matches_as_during_a_rotation(): void
{
    $both = signed(byte: 8)['webhook-signature'] . ' ' . signed()['webhook-signature'];
    same(CHECKOUT_ID, WebhookEvent::verify(BODY, ['webhook-signature' => $both] + signed(), secretOf(7))->checkoutId);
}

function test_accepts_a_request_of_four_minutes_ago(): void
{
    same(CHECKOUT_ID, WebhookEvent::verify(BODY, signed(240), secretOf(7))->checkoutId);
}

function test_refuses_a_request_that_is_changed_too_old_or_signed_with_another_secret(): void
{
    $headers = signed();
    $refused = [
        [BODY . ' ', $headers],
        [BODY, signed(byte: 8)],
        [BODY, ['webhook-id' => 'evt_2'] + $headers],
        [BODY, ['webhook-signature' => str_replace('v1', 'v2', $headers['webhook-signature'])] + $headers],
        [BODY, ['webhook-signature' => substr($headers['webhook-signature'], 0, 20)] + $headers],
        [BODY, ['webhook-timestamp' => 'now'] + $headers],
        [BODY, signed(360)],
        [BODY, signed(-360)],
        [BODY, ['webhook-signature' => ''] + $headers],
        [BODY, []],
    ];
    foreach ($refused as [$body, $given]) {
        thrown(MalipoWebhookError::class, fn () => WebhookEvent::verify($body, $given, secretOf(7)));
    }
}

function test_returns_an_event_of_a_type_added_later_though_it_has_no_id(): void
{
    $body = '{"type":"payout.sent","timestamp":"2026-11-22T09:00:00.000Z","data":{"amount":"1"}}';
    $event = WebhookEvent::verify($body, signed(body: $body), secretOf(7));
    same(['payout.sent', null], [$event->type, $event->checkoutId]);
}

function test_refuses_a_signed_body_that_is_no_event(): void
{
    foreach (['', '[]', '"text"', '{"type":"checkout.completed"}'] as $body) {
        thrown(MalipoWebhookError::class, fn () => WebhookEvent::verify($body, signed(body: $body), secretOf(7)));
    }
}

function test_refuses_what_is_no_signing_secret(): void
{
    foreach (['', 'mkp_test_A', 'whsec_', 'whsec_' . base64_encode('sixteen bytes is'), 'whsec_é'] as $secret) {
        thrown(InvalidArgumentException::class, fn () => WebhookEvent::verify(BODY, signed(), $secret));
    }
}
