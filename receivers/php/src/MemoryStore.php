<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** For tests and one process: keeps the newest ids. */
final class MemoryStore implements IdStore
{
    /** @var array<string, 'running'|'done'> By id with a prefix, because PHP turns numeric keys to integers. */
    private array $ids = [];

    public function __construct(private int $maxIds = 100_000)
    {
    }

    public function start(string $id): string
    {
        if (isset($this->ids["id:$id"])) {
            return $this->ids["id:$id"];
        }
        $this->ids["id:$id"] = 'running';
        if (count($this->ids) > $this->maxIds) {
            unset($this->ids[array_key_first($this->ids)]);
        }
        return 'started';
    }

    public function finish(string $id): void
    {
        $this->ids["id:$id"] = 'done';
    }

    public function remove(string $id): void
    {
        unset($this->ids["id:$id"]);
    }
}
