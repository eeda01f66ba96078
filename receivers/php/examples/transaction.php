<?php

declare(strict_types=1);

use Hookline\Receiver\SqlStore;

use function Hookline\Receiver\once;

/** Handles an event exactly once, if the handler writes to the same database. Returns false for a duplicate. */
function once_in_transaction(string $id, PDO $pdo, callable $handle): bool
{
    $pdo->beginTransaction();
    try {
        $isHandled = once($id, new SqlStore($pdo), $handle);
        $pdo->commit();
        return $isHandled;
    } catch (Throwable $error) {
        $pdo->rollBack();
        throw $error;
    }
}
