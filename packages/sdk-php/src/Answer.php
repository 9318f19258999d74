<?php

declare(strict_types=1);

namespace Malipo;

/** @internal */
final class Answer
{
    private const REPEATABLE = [429, 500, 502, 503, 504];

    /** @param array<string, string> $headers their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    public function mayBeSentAgain(): bool
    {
        return in_array($this->status, self::REPEATABLE, true);
    }

    /** What the host asks for with `Retry-After`, at most a minute. */
    public function retryAfterSeconds(): ?int
    {
        $text = $this->headers['retry-after'] ?? '';
        return preg_match('/\A[0-9]{1,9}\z/', $text) === 1 ? min(60, (int) $text) : null;
    }

    public function wasHeld(): bool
    {
        return isset($this->headers['preference-applied']);
    }

    /**
     * @throws MalipoError
     * @throws MalipoConnectionError when it is no answer of Malipo
     */
    public function checkout(string $host): Checkout
    {
        $body = json_decode($this->body, true);
        if ($this->status < 300 && ($body['ok'] ?? null) === true && is_array($body['data'] ?? null)) {
            return Checkout::of($body['data']);
        }
        if (is_int($body['code'] ?? null) && is_string($body['description'] ?? null) && is_string($body['request_id'] ?? null)) {
            throw new MalipoError($this->status, $body);
        }
        throw new MalipoConnectionError("This is no answer of Malipo: {$this->status} from $host. Is baseUrl right?");
    }
}
