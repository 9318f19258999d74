<?php

declare(strict_types=1);

namespace Malipo;

/** A request that was not signed with this secret, or not within five minutes: ignore it. */
final class MalipoWebhookError extends \RuntimeException
{
}
