<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** The request is not genuine, or cannot be read. `reason` is one of the codes in the documentation. */
final class InvalidRequest extends \RuntimeException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
