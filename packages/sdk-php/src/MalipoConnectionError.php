<?php

declare(strict_types=1);

namespace Malipo;

/** No answer came, or one that is not of this API: the request may have been done. */
final class MalipoConnectionError extends \RuntimeException
{
}
