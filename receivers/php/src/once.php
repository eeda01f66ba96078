<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * Runs the handler unless the event was handled. Returns false for a duplicate, and throws EventInProgress while another
 * attempt handles the event. If the handler fails, the next attempt runs it again. A handler that calls `exit` counts as
 * finished.
 */
function once(string $id, IdStore $store, callable $handle): bool
{
    /** @var array<int, array{IdStore, string}> $running */
    static $running = [];
    static $isWatched = false;
    $state = $store->start($id);
    if ($state !== 'started') {
        return $state === 'done' ? false : throw new EventInProgress($id);
    }
    if (!$isWatched) {
        $isWatched = true;
        // A fatal error, such as the time limit, and `exit` end the script without an exception.
        register_shutdown_function(static function () use (&$running): void {
            $fatal = E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
            $isFailed = ((error_get_last()['type'] ?? 0) & $fatal) !== 0;
            foreach ($running as [$store, $id]) {
                $isFailed ? $store->remove($id) : $store->finish($id);
            }
        });
    }
    $running[] = [$store, $id];
    $index = array_key_last($running);
    try {
        $handle();
    } catch (\Throwable $error) {
        try {
            $store->remove($id);
        } catch (\Throwable) {
            // In an aborted transaction of PostgreSQL. Its rollback removes the id.
        }
        throw $error;
    } finally {
        unset($running[$index]);
    }
    $store->finish($id);
    return true;
}
