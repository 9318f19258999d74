<?php

declare(strict_types=1);

namespace Malipo;

/** A request that was not signed with this secret, or not within five minutes: do nothing of what it says. */
final class MalipoWebhookError extends \RuntimeException
{
}
