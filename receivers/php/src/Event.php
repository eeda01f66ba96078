<?php

declare(strict_types=1);

namespace Hookline\Receiver;

final class Event
{
    /** @param array<array-key, mixed> $data In a form and a query all values are text. */
    public function __construct(
        /** The same on every attempt and replay: recognizes duplicates. */
        public readonly string $id,
        public readonly string $type,
        /** When the event was accepted. */
        public readonly string $timestamp,
        public readonly array $data,
        /** From 1. */
        public readonly int $attempt,
        public readonly bool $isTest,
    ) {
    }
}
