<?php

declare(strict_types=1);

namespace Malipo;

/** The clocks that the SDK reads go on by its pauses; the clock of dates may be set back in each pause. */
function microtime(bool $asFloat): float
{
    return \microtime($asFloat) + array_sum(\Pauses::$seconds) - count(\Pauses::$seconds) * \Pauses::$setBackSeconds;
}

function hrtime(bool $asNumber): int
{
    return \hrtime($asNumber) + (int) (array_sum(\Pauses::$seconds) * 1e9);
}

/** PHP looks for a function in the namespace of its caller first, so the SDK pauses here, and no test waits. */
function usleep(int $microseconds): void
{
    \Pauses::$seconds[] = $microseconds / 1_000_000;
    if (count(\Pauses::$seconds) > 10) {
        throw new \LogicException('the SDK pauses without end');
    }
}
