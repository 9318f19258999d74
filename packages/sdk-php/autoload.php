<?php

declare(strict_types=1);

// For a shop without Composer. The autoloader of Composer loads the same classes.
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . substr($class, strlen('Malipo\\')) . '.php';
    if (str_starts_with($class, 'Malipo\\') && is_file($file)) {
        require $file;
    }
});
