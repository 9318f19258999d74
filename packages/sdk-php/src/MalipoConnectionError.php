<?php

declare(strict_types=1);

namespace Malipo;

/** No answer came, or a malformed one: the request may have succeeded. */
final class MalipoConnectionError extends \RuntimeException
{
}
