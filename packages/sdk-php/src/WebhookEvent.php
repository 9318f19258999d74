<?php

declare(strict_types=1);

namespace Malipo;

final class WebhookEvent
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * @param 'checkout.completed'|'checkout.expired'|'payment.failed'|'payment.reversed'|'webhook.test' $type
     * @param string $timestamp when it happened, ISO 8601 in UTC
     * @param ?string $checkoutId the id of the checkout to read, also in 'payment.failed' and 'payment.reversed',
     *     which name no attempt; in 'webhook.test', the id of the endpoint; null when an event of a type that Malipo
     *     adds later has no id
     */
    private function __construct(
        public readonly string $type,
        public readonly string $timestamp,
        public readonly ?string $checkoutId,
    ) {
    }

    /**
     * The event of a webhook request, if it is Malipo's. The same event may come twice, then with the same `webhook-id`.
     *
     * @param string $body the bytes as they came: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers those of the request: `getallheaders()`, or of a PSR-7 request
     *     `getHeaders()`; the names in any case
     * @param string $secret the `whsec_…` that the hub showed
     * @throws MalipoWebhookError
     */
    public static function verify(string $body, array $headers, #[\SensitiveParameter] string $secret): self
    {
        $key = self::keyOf($secret);
        $id = self::headerOf($headers, 'webhook-id');
        $timestamp = self::headerOf($headers, 'webhook-timestamp');
        $isNumber = preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1;
        if (!$isNumber || abs(time() - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new MalipoWebhookError('webhook-timestamp is not within five minutes of this clock');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', self::headerOf($headers, 'webhook-signature')) as $signature) {
            if (hash_equals($expected, $signature)) {
                return self::of(json_decode($body, true));
            }
        }
        throw new MalipoWebhookError('no signature matches: not of this secret, or the body was changed');
    }

    private static function of(mixed $event): self
    {
        try {
            return new self($event['type'] ?? null, $event['timestamp'] ?? null, $event['data']['id'] ?? null);
        } catch (\TypeError) {
            throw new MalipoWebhookError('the body is no event of Malipo');
        }
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
        if ($key === false || strlen($key) < 24) {
            throw new \InvalidArgumentException('secret must be the signing secret of a webhook: whsec_…');
        }
        return $key;
    }

    /** @param array<string, string|list<string>> $headers */
    private static function headerOf(array $headers, string $name): string
    {
        $value = array_change_key_case($headers)[$name] ?? '';
        $text = is_array($value) ? (string) ($value[0] ?? '') : $value;
        return $text !== '' ? $text : throw new MalipoWebhookError("the header $name is missing");
    }
}
