<?php

declare(strict_types=1);

namespace Malipo;

/** The request is not signed with this secret, its time is over five minutes off, or it has no event: ignore it. */
final class MalipoWebhookError extends \RuntimeException
{
}
