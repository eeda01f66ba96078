<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * Another attempt handles the event, and could still fail. So this one needs another response than success: Hookline
 * repeats it. An exception that is not caught gives a 500.
 */
final class EventInProgress extends \RuntimeException
{
    /** What to respond with. */
    public readonly int $status;

    public function __construct(string $id)
    {
        parent::__construct("Another attempt is handling the event $id.");
        $this->status = 409;
    }
}
