<?php

declare(strict_types=1);

namespace Malipo;

/**
 * The outcome of one request: an answer, or why there is none.
 * @internal
 */
final class Answer
{
    /** @param array<string, string> $headers their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        private readonly ?MalipoConnectionError $problem = null,
    ) {
    }

    public function mayBeSentAgain(): bool
    {
        return $this->problem !== null || $this->status === 429 || $this->status >= 500;
    }

    /** The pause that the host asks for with `Retry-After`, in seconds or as a date. */
    public function retryAfterSeconds(): ?float
    {
        $text = $this->headers['retry-after'] ?? '';
        if (preg_match('/\A[0-9]+\z/', $text) === 1) {
            return (float) $text;
        }
        $date = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $text, new \DateTimeZone('UTC'));
        return $date === false ? null : max(0.0, $date->getTimestamp() - microtime(true));
    }

    public function wasHeld(): bool
    {
        return isset($this->headers['preference-applied']);
    }

    /**
     * @throws MalipoError
     * @throws MalipoConnectionError when there is no answer of Malipo
     */
    public function checkout(string $host): Checkout
    {
        if ($this->problem !== null) {
            throw $this->problem;
        }
        $body = json_decode($this->body, true);
        try {
            if ($this->status < 300 && ($body['ok'] ?? null) === true && is_array($body['data'] ?? null)) {
                return Checkout::of($body['data']);
            }
            $texts = [$body['description'] ?? null, $body['request_id'] ?? null];
            if (is_int($body['code'] ?? null) && $texts === array_filter($texts, is_string(...))) {
                throw new MalipoError($this->status, $body);
            }
        } catch (\TypeError) {
            // A field is missing or of another type, so the answer is not from Malipo.
        }
        throw new MalipoConnectionError(
            $this->status >= 500
                ? "The host is unavailable: {$this->status} from $host"
                : "This is no answer of Malipo: {$this->status} from $host. Is baseUrl right?",
        );
    }
}
