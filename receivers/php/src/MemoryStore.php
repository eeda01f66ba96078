<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** For tests and one process: keeps the newest ids. */
final class MemoryStore implements IdStore
{
    /** @var array<string, true> By id with a prefix, because PHP turns numeric keys to integers. */
    private array $ids = [];

    public function __construct(private int $maxIds = 100_000)
    {
    }

    public function add(string $id): bool
    {
        if (isset($this->ids["id:$id"])) {
            return false;
        }
        $this->ids["id:$id"] = true;
        if (count($this->ids) > $this->maxIds) {
            unset($this->ids[array_key_first($this->ids)]);
        }
        return true;
    }

    public function remove(string $id): void
    {
        unset($this->ids["id:$id"]);
    }
}
