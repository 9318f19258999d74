<?php

declare(strict_types=1);

namespace Malipo;

/** @internal */
final class Request
{
    /**
     * @param list<string> $headers
     * @param int $waitSeconds how long the host may hold the request before it answers
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $headers = [],
        public readonly string $body = '',
        public readonly int $waitSeconds = 0,
    ) {
    }
}
