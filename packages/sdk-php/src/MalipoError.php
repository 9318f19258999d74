<?php

declare(strict_types=1);

namespace Malipo;

/** An error answer. */
final class MalipoError extends \RuntimeException
{
    /** 2702 amount outside the limits, 2781 key refused, 2783 no such checkout, 1804 too many requests, 2752 try again, … */
    public readonly int $apiCode;
    /** The id of the request, for support to find this answer. */
    public readonly string $requestId;
    /** @var list<array{path: string, message: string}> The refused fields, with code 1701. */
    public readonly array $problems;

    /**
     * @param int $status the HTTP status
     * @param array<string, mixed> $body
     * @throws \TypeError when `errors` is no list of refused fields
     */
    public function __construct(public readonly int $status, array $body)
    {
        $this->apiCode = $body['code'];
        $this->requestId = $body['request_id'];
        $this->problems = array_map(
            static fn (array $one): array => self::problem($one['path'] ?? null, $one['message'] ?? null),
            array_values($body['errors'] ?? []),
        );
        $refused = array_map(fn (array $one): string => "{$one['path']} {$one['message']}", $this->problems);
        $where = $refused === [] ? '' : ': ' . implode(', ', $refused);
        parent::__construct("{$body['description']}$where (code {$this->apiCode})", $this->apiCode);
    }

    /** @return array{path: string, message: string} */
    private static function problem(string $path, string $message): array
    {
        return ['path' => $path, 'message' => $message];
    }
}
