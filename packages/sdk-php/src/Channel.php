<?php

declare(strict_types=1);

namespace Malipo;

/**
 * One host, and how a request reaches it.
 * @internal
 */
final class Channel
{
    private const ANSWER_MAX_BYTES = 1_000_000;

    /** @var \WeakMap<self, string>|null The keys lie outside of the objects, so no dump of an object shows a key. */
    private static ?\WeakMap $keys = null;

    public function __construct(
        public readonly string $origin,
        private readonly float $timeoutSeconds,
        #[\SensitiveParameter] string $secretKey,
    ) {
        self::$keys ??= new \WeakMap();
        self::$keys[$this] = $secretKey;
    }

    /** Seconds of a monotonic clock, because the wall clock may be set back in the middle of a wait. */
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /**
     * Sends one request, which ends at the time `$end` at the latest. Only headers that come byte by byte can make it
     * last longer, because PHP starts the timeout again at each byte of them.
     *
     * @throws MalipoConnectionError when no whole answer came in time
     */
    public function send(Request $request, float $end): Answer
    {
        $now = self::now();
        $deadline = min($end, $now + $this->timeoutSeconds + $request->waitSeconds);
        error_clear_last();
        $context = $this->context($request, max(0.001, $deadline - $now));
        $stream = @fopen($this->origin . $request->path, 'r', false, $context);
        if ($stream === false) {
            // PHP's own message names the address and nothing that was sent.
            $why = error_get_last()['message'] ?? 'no answer';
            throw new MalipoConnectionError("Malipo did not answer: $why");
        }
        try {
            [$status, $answered] = self::readHead(stream_get_meta_data($stream)['wrapper_data']);
            return new Answer($status, $answered, self::readBody($stream, $answered, $deadline));
        } finally {
            fclose($stream);
        }
    }

    /** @return resource */
    private function context(Request $request, float $seconds)
    {
        $authorization = 'Authorization: Bearer ' . self::$keys[$this];
        return stream_context_create(['http' => [
            'method' => $request->method,
            'header' => [...$request->headers, $authorization, 'Connection: close'],
            'content' => $request->body,
            'timeout' => $seconds,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            // A redirect would carry the key to another host.
            'follow_location' => 0,
        ]]);
    }

    /**
     * @param list<string> $lines
     * @return array{int, array<string, string>}
     */
    private static function readHead(array $lines): array
    {
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [(int) substr($lines[0], 9, 3), $headers];
    }

    /**
     * @param resource $stream
     * @param array<string, string> $headers
     */
    private static function readBody($stream, array $headers, float $deadline): string
    {
        $body = '';
        while (!feof($stream)) {
            $leftSeconds = $deadline - self::now();
            if ($leftSeconds <= 0) {
                throw new MalipoConnectionError('Malipo did not answer: the answer did not end in time');
            }
            stream_set_timeout($stream, (int) $leftSeconds, (int) (fmod($leftSeconds, 1) * 1_000_000));
            $body .= fread($stream, 65_536);
            if (strlen($body) > self::ANSWER_MAX_BYTES) {
                throw new MalipoConnectionError('Malipo did not answer: the answer is too long');
            }
        }
        if (isset($headers['content-length']) && strlen($body) < (int) $headers['content-length']) {
            throw new MalipoConnectionError('Malipo did not answer: the answer was cut short');
        }
        return $body;
    }
}
