<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** Ids of events, for `once`. */
interface IdStore
{
    /** A claim without a result ends after this: its process may have been killed. */
    public const MAX_RUNNING_SECONDS = 900;

    /**
     * Claims an id for a handler.
     *
     * @return 'started'|'running'|'done' `running`: another attempt has claimed it and has not finished.
     */
    public function start(string $id): string;

    /** Stores that the event was handled. */
    public function finish(string $id): void;

    /** Ends the claim, so that the event is handled again. */
    public function remove(string $id): void;
}
