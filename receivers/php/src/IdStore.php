<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** Ids of handled events, for `once`. */
interface IdStore
{
    /** Stores an id. Returns false if it is stored already. */
    public function add(string $id): bool;

    /** Removes an id, so that the event is handled again. */
    public function remove(string $id): void;
}
