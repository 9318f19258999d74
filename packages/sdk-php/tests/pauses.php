<?php

declare(strict_types=1);

namespace Malipo;

/** The clock of the SDK goes on by its pauses. */
function microtime(bool $asFloat): float
{
    return \microtime($asFloat) + array_sum(\Pauses::$seconds);
}

/** PHP looks for a function in the namespace of its caller first, so the SDK pauses here, and no test waits. */
function usleep(int $microseconds): void
{
    \Pauses::$seconds[] = $microseconds / 1_000_000;
    if (count(\Pauses::$seconds) > 10) {
        throw new \LogicException('the SDK pauses without end');
    }
}
