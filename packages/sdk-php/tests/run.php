<?php

declare(strict_types=1);

// Runs every function that is named test_…, and prints a line each: ok or failed, its name, and why it failed.

require $argv[1] . '/autoload.php';
require __DIR__ . '/host.php';
require __DIR__ . '/pauses.php';
require __DIR__ . '/amounts.php';
require __DIR__ . '/checkouts.php';
require __DIR__ . '/network.php';
require __DIR__ . '/webhooks.php';

// A warning is a failure, except where the code says that it expects one.
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});

foreach (get_defined_functions()['user'] as $name) {
    if (!str_starts_with($name, 'test_')) {
        continue;
    }
    Pauses::$seconds = [];
    Pauses::$setBackSeconds = 0.0;
    try {
        $name();
        echo json_encode(['name' => $name, 'outcome' => 'ok']), "\n";
    } catch (Throwable $error) {
        echo json_encode(['name' => $name, 'outcome' => (string) $error]), "\n";
    }
}
