<?php

/** Loads the classes in a project without Composer. */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $name = str_starts_with($class, 'Hookline\\Receiver\\') ? substr($class, strlen('Hookline\\Receiver\\')) : '';
    if (preg_match('/^\w+$/D', $name) === 1 && is_file(__DIR__ . "/src/$name.php")) {
        require __DIR__ . "/src/$name.php";
    }
});
require_once __DIR__ . '/src/once.php';
