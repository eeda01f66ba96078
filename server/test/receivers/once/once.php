<?php

/** Handles an event. Arguments: the DSN, the id, and how the handler ends. */

declare(strict_types=1);

use Hookline\Receiver\SqlStore;

use function Hookline\Receiver\once;

require __DIR__ . '/../../../../receivers/php/autoload.php';
require __DIR__ . '/../../../../receivers/php/examples/transaction.php';

[, $dsn, $id, $mode] = $argv;
$pdo = new PDO($dsn, str_starts_with($dsn, 'mysql') ? 'root' : null);
$store = new SqlStore($pdo);
$isInTransaction = str_ends_with($mode, 'in a transaction');
$handle = static function () use ($mode, $pdo, $isInTransaction): void {
    if ($isInTransaction) {
        $pdo->exec("INSERT INTO handled (name) VALUES ('$mode')");
    }
    match (strtok($mode, ',')) {
        'success' => null,
        'exception' => throw new RuntimeException('failed'),
        'SQL error' => $pdo->exec('SELECT no_such_column FROM handled'),
        'time limit' => (static function (): void {
            ini_set('display_errors', '0');
            set_time_limit(1);
            while (true) {
            }
        })(),
        'kill' => posix_kill(getmypid(), SIGKILL),
        'exit' => exit('handled'),
    };
};
if ($mode === 'prune') {
    exit((string) $store->prune(7));
}
if ($mode === 'silent errors') {
    $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
    $store = new SqlStore($pdo, 'no_such_table');
}
try {
    $isHandled = $isInTransaction ? once_in_transaction($id, $pdo, $handle) : once($id, $store, $handle);
    echo $isHandled ? 'handled' : 'duplicate';
} catch (Throwable $error) {
    echo str_contains($error->getMessage(), 'no_such_column') ? 'SQL error' : strtok($error->getMessage(), ':');
}
