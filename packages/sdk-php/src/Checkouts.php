<?php

declare(strict_types=1);

namespace Malipo;

/** Create, read and wait for checkouts: `$malipo->checkouts`. */
final class Checkouts
{
    private const PATH = '/v1/payments/merchant/checkouts';
    /** The longest that the API holds a request (`Prefer: wait`). */
    private const WAIT_MAX_SECONDS = 60;
    /** Between two reads where a proxy or an older host did not hold the request. */
    private const REREAD_SECONDS = 5.0;
    private const BACKOFF_FIRST_SECONDS = 0.3;
    private const BACKOFF_MAX_SECONDS = 8.0;

    /** @internal */
    public function __construct(private readonly Channel $channel, private readonly int $retriesMax)
    {
    }

    /**
     * Makes a checkout. Send the payer to its `url`.
     *
     * @param int $amount minor units, 150000 is KES 1,500.00; UGX takes multiples of 100
     * @param ?string $reference your own number of the order, 1 to 64 characters
     * @param ?string $description 1 to 140 characters; the payer sees it
     * @param ?string $returnUrl https; where the payer goes after paying. That the payer came back proves no payment.
     * @param ?string $phone 9 to 15 digits with the country code; fills the field of the page
     * @param ?string $idempotencyKey 1 to 128 visible ASCII characters that name this order: the same key makes one
     *     checkout, however often it is sent. Without one the SDK makes a key for this call, so that only its own
     *     retries are safe.
     * @throws MalipoError
     * @throws MalipoConnectionError
     */
    public function create(
        int $amount,
        ?string $reference = null,
        ?string $description = null,
        ?string $returnUrl = null,
        ?string $phone = null,
        ?string $idempotencyKey = null,
    ): Checkout {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        // A line break in a header would begin another one.
        if (preg_match('/\A[!-~]{1,128}\z/', $key) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 128 visible ASCII characters');
        }
        $texts = ['reference' => $reference, 'description' => $description, 'return_url' => $returnUrl, 'phone' => $phone];
        $given = array_filter($texts, static fn (?string $text): bool => $text !== null);
        $body = json_encode(['amount' => $amount] + $given, JSON_THROW_ON_ERROR);
        $headers = ['Content-Type: application/json', "Idempotency-Key: $key"];
        return $this->call('POST', self::PATH, $headers, $body)[0];
    }

    /**
     * Reads a checkout.
     *
     * @throws MalipoError with the code 2783 when there is none with this id
     * @throws MalipoConnectionError
     */
    public function retrieve(string $checkoutId): Checkout
    {
        return $this->call('GET', self::pathOf($checkoutId), [])[0];
    }

    /**
     * Waits until a checkout is "completed" or "expired", and returns it; after `$timeoutSeconds` as it is, perhaps
     * still "open". The host answers within a second of the payment.
     *
     * @throws MalipoError
     * @throws MalipoConnectionError
     */
    public function waitForPayment(string $checkoutId, float $timeoutSeconds = 300.0): Checkout
    {
        $deadline = microtime(true) + $timeoutSeconds;
        for (;;) {
            $leftSeconds = max(0.0, $deadline - microtime(true));
            $waitSeconds = (int) min(self::WAIT_MAX_SECONDS, ceil($leftSeconds));
            $headers = ["Prefer: wait=$waitSeconds"];
            [$checkout, $wasHeld] = $this->call('GET', self::pathOf($checkoutId), $headers, '', $waitSeconds);
            $leftSeconds = $deadline - microtime(true);
            if ($checkout->status !== 'open' || $leftSeconds <= 0) {
                return $checkout;
            }
            if (!$wasHeld) {
                self::pause(min(self::REREAD_SECONDS, $leftSeconds));
            }
        }
    }

    /**
     * Sends a request, again where that can help: each of ours may be sent twice without being done twice.
     *
     * @param list<string> $headers
     * @return array{Checkout, bool}
     */
    private function call(string $method, string $path, array $headers, string $body = '', int $waitSeconds = 0): array
    {
        $host = (string) parse_url($this->channel->origin, PHP_URL_HOST);
        for ($tries = 1; ; $tries++) {
            $isLast = $tries > $this->retriesMax;
            $pauseSeconds = self::backoffSeconds($tries);
            try {
                $answer = $this->channel->send($method, $path, $headers, $body, $waitSeconds);
                if ($isLast || !$answer->mayBeSentAgain()) {
                    return [$answer->checkout($host), $answer->wasHeld()];
                }
                $pauseSeconds = $answer->retryAfterSeconds() ?? $pauseSeconds;
            } catch (MalipoConnectionError $error) {
                if ($isLast || isset($answer)) {
                    throw $error;
                }
            }
            unset($answer);
            self::pause($pauseSeconds);
        }
    }

    /** Doubled with each try, and half of it by chance, so that many clients do not come again together. */
    private static function backoffSeconds(int $tries): float
    {
        $seconds = min(self::BACKOFF_MAX_SECONDS, self::BACKOFF_FIRST_SECONDS * 2 ** ($tries - 1));
        return $seconds * random_int(500, 1_000) / 1_000;
    }

    private static function pause(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    private static function pathOf(string $checkoutId): string
    {
        return self::PATH . '/' . rawurlencode($checkoutId);
    }
}
