<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * For MySQL, MariaDB, PostgreSQL and SQLite. The table has a unique column:
 * `CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`.
 * In the transaction of the handler, an event is handled exactly once.
 */
final class SqlStore implements IdStore
{
    public function __construct(private \PDO $pdo, private string $table = 'webhook_ids')
    {
        if (preg_match('/^[A-Za-z_][A-Za-z0-9_.]*$/D', $table) !== 1) {
            throw new \InvalidArgumentException("not the name of a table: $table");
        }
    }

    public function add(string $id): bool
    {
        return $this->run(match ($this->driver()) {
            'mysql' => "INSERT IGNORE INTO $this->table (id) VALUES (?)",
            default => "INSERT INTO $this->table (id) VALUES (?) ON CONFLICT DO NOTHING",
        }, [$id]) > 0;
    }

    public function remove(string $id): void
    {
        $this->run("DELETE FROM $this->table WHERE id = ?", [$id]);
    }

    /** Deletes the ids older than these days. To be called about daily. Returns the number of deleted ids. */
    public function prune(int $days = 7): int
    {
        $since = match ($this->driver()) {
            'mysql' => "NOW() - INTERVAL $days DAY",
            'sqlite' => "datetime('now', '-$days days')",
            default => "now() - interval '$days days'",
        };
        return $this->run("DELETE FROM $this->table WHERE received_at < $since", []);
    }

    private function driver(): string
    {
        return $this->pdo->getAttribute(\PDO::ATTR_DRIVER_NAME);
    }

    /** @param list<string> $parameters */
    private function run(string $sql, array $parameters): int
    {
        $statement = $this->pdo->prepare($sql);
        // Without exceptions, an error would look like a duplicate.
        if ($statement === false || !$statement->execute($parameters)) {
            throw new \RuntimeException('The ids cannot be stored: ' . (($statement ?: $this->pdo)->errorInfo()[2] ?? ''));
        }
        return $statement->rowCount();
    }
}
