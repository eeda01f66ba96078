<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** The request is not genuine, or cannot be read. `reason` is one of the codes in the documentation. */
final class InvalidRequest extends \RuntimeException
{
    /** What to respond with. */
    public readonly int $status;

    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
        $this->status = match ($reason) {
            'unreadable' => 400,
            'too_large' => 413,
            'already_parsed', 'no_secret' => 500,
            default => 401,
        };
    }
}
