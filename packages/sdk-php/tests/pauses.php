<?php

declare(strict_types=1);

namespace Malipo;

/** Both clocks of the SDK advance by the recorded pauses; this wall clock may also be set back in each pause. */
function microtime(bool $asFloat): float
{
    return \microtime($asFloat) + array_sum(\Pauses::$seconds) - count(\Pauses::$seconds) * \Pauses::$setBackSeconds;
}

function hrtime(bool $asNumber): int
{
    return \hrtime($asNumber) + (int) (array_sum(\Pauses::$seconds) * 1e9);
}

/** The SDK calls this function instead of PHP's, because PHP first looks in the namespace of the caller. */
function usleep(int $microseconds): void
{
    \Pauses::$seconds[] = $microseconds / 1_000_000;
    if (count(\Pauses::$seconds) > 10) {
        throw new \LogicException('the SDK pauses without end');
    }
}
