<?php

declare(strict_types=1);

namespace Malipo;

/** Create, read and wait for checkouts: `$malipo->checkouts`. */
final class Checkouts
{
    private const PATH = '/v1/payments/merchant/checkouts';
    /** The longest wait that the API supports (`Prefer: wait`). */
    private const WAIT_MAX_SECONDS = 60;
    /** The part of a wait that is reserved for its last answer. */
    private const LAST_ANSWER_SECONDS = 1.0;
    /** The pause between two reads when the host or a proxy ignored the wait. */
    private const REREAD_SECONDS = 10.0;
    /** The longest time that a call spends on retries, because a waiting call occupies a worker of the web server. */
    private const RETRIES_SECONDS = 30.0;
    private const BACKOFF_FIRST_SECONDS = 0.3;
    private const BACKOFF_MAX_SECONDS = 8.0;

    /** @internal */
    public function __construct(private readonly Channel $channel, private readonly int $retriesMax)
    {
    }

    /**
     * Creates a checkout. Send the payer to its `url`.
     *
     * @param int $amount minor units, 150000 is KES 1,500.00; UGX takes multiples of 100. A float is refused, because
     *     PHP would cut off its fraction where strict_types is not declared: 19.99 * 100 became 1998.
     * @param ?string $reference your own number of the order, 1 to 64 characters
     * @param ?string $description 1 to 140 characters; the payer sees it
     * @param ?string $returnUrl https; the payer is redirected here after paying. The redirect does not prove a payment.
     * @param ?string $phone 9 to 15 digits with the country code; prefills the phone field of the page
     * @param ?string $idempotencyKey 1 to 128 visible ASCII characters that name this order: the same key makes one
     *     checkout, however often it is sent. Without a key the SDK makes one for this call, so that only the
     *     retries of this call are safe.
     * @throws MalipoError
     * @throws MalipoConnectionError
     */
    public function create(
        int|float $amount,
        ?string $reference = null,
        ?string $description = null,
        ?string $returnUrl = null,
        ?string $phone = null,
        ?string $idempotencyKey = null,
    ): Checkout {
        if (!is_int($amount)) {
            throw new \InvalidArgumentException('amount must be an integer in minor units: (int) round(19.99 * 100)');
        }
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        // A line break in the key would begin another header.
        if (preg_match('/\A[!-~]{1,128}\z/', $key) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 128 visible ASCII characters');
        }
        $texts = ['reference' => $reference, 'description' => $description, 'return_url' => $returnUrl, 'phone' => $phone];
        $given = array_filter($texts, static fn (?string $text): bool => $text !== null);
        $body = json_encode(['amount' => $amount] + $given, JSON_THROW_ON_ERROR);
        $headers = ['Content-Type: application/json', "Idempotency-Key: $key"];
        return $this->checkoutOf($this->call(new Request('POST', self::PATH, $headers, $body)));
    }

    /**
     * Reads a checkout.
     *
     * @throws MalipoError with the code 2783 when there is none with this id
     * @throws MalipoConnectionError
     */
    public function retrieve(string $checkoutId): Checkout
    {
        return $this->checkoutOf($this->call(self::readOf($checkoutId)));
    }

    /**
     * Waits until a checkout is "completed" or "expired", and returns it. After `$timeoutSeconds` it returns the
     * checkout as it was last read, perhaps still "open", even if later reads failed. The host answers within a second
     * of the payment.
     *
     * @throws MalipoError
     * @throws MalipoConnectionError
     */
    public function waitForPayment(string $checkoutId, float $timeoutSeconds = 300.0): Checkout
    {
        $deadline = Channel::now() + $timeoutSeconds;
        // The first read asks for no wait, so that there is a checkout to return when later reads fail.
        $checkout = $this->checkoutOf($this->call(self::readOf($checkoutId), $deadline));
        $failures = 0;
        $pauseSeconds = 0.0;
        while ($checkout->status === 'open' && Channel::now() < $deadline) {
            if ($pauseSeconds > 0) {
                self::pause(max(0.0, min($pauseSeconds, $deadline - Channel::now())));
            }
            $answer = $this->send(self::readOf($checkoutId, $deadline - Channel::now()), $deadline);
            if ($answer->mayBeSentAgain()) {
                $failures++;
                $pauseSeconds = self::pauseSeconds($answer, $failures);
                if (Channel::now() + $pauseSeconds > $deadline) {
                    return $checkout;
                }
            } else {
                $checkout = $this->checkoutOf($answer);
                $failures = 0;
                $pauseSeconds = $answer->wasHeld() ? 0.0 : self::REREAD_SECONDS;
            }
        }
        return $checkout;
    }

    /** Sends a request with retries, which are safe for every request of this SDK. */
    private function call(Request $request, float $deadline = INF): Answer
    {
        $retriesEnd = min($deadline, Channel::now() + self::RETRIES_SECONDS);
        $answer = $this->send($request, $deadline);
        for ($tries = 1; $answer->mayBeSentAgain() && $tries <= $this->retriesMax; $tries++) {
            $pauseSeconds = self::pauseSeconds($answer, $tries);
            if (Channel::now() + $pauseSeconds > $retriesEnd) {
                break;
            }
            self::pause($pauseSeconds);
            $answer = $this->send($request, $retriesEnd);
        }
        return $answer;
    }

    /** Sends a request once. It ends at `$end`, but has at least a second for the answer. */
    private function send(Request $request, float $end): Answer
    {
        try {
            return $this->channel->send($request, max($end, Channel::now() + self::LAST_ANSWER_SECONDS));
        } catch (MalipoConnectionError $error) {
            return new Answer(0, [], '', $error);
        }
    }

    /**
     * @throws MalipoError
     * @throws MalipoConnectionError
     */
    private function checkoutOf(Answer $answer): Checkout
    {
        return $answer->checkout((string) parse_url($this->channel->origin, PHP_URL_HOST));
    }

    /** A read of a checkout that asks the host to wait for most of `$leftSeconds` until the checkout changes. */
    private static function readOf(string $checkoutId, float $leftSeconds = 0.0): Request
    {
        $path = self::PATH . '/' . rawurlencode($checkoutId);
        $seconds = (int) floor(min(self::WAIT_MAX_SECONDS, $leftSeconds - self::LAST_ANSWER_SECONDS));
        return $seconds < 1
            ? new Request('GET', $path)
            : new Request('GET', $path, ["Prefer: wait=$seconds"], waitSeconds: $seconds);
    }

    /**
     * The pause before a retry: it doubles with each retry, and half of it is random, so that clients do not retry
     * together. A longer `Retry-After` replaces it.
     */
    private static function pauseSeconds(Answer $answer, int $tries): float
    {
        $seconds = min(self::BACKOFF_MAX_SECONDS, self::BACKOFF_FIRST_SECONDS * 2 ** ($tries - 1));
        return max($seconds * random_int(500, 1_000) / 1_000, $answer->retryAfterSeconds() ?? 0.0);
    }

    private static function pause(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }
}
