<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * For MySQL, MariaDB, PostgreSQL and SQLite. The time until which a handler may run is 0 when it has finished:
 * `CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`.
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

    public function start(string $id): string
    {
        $until = (string) (time() + self::MAX_RUNNING_SECONDS);
        $isNew = $this->run(match ($this->driver()) {
            'mysql' => "INSERT IGNORE INTO $this->table (id, running_until) VALUES (?, ?)",
            default => "INSERT INTO $this->table (id, running_until) VALUES (?, ?) ON CONFLICT DO NOTHING",
        }, [$id, $until]) > 0;
        $expired = "UPDATE $this->table SET running_until = ? WHERE id = ? AND running_until > 0 AND running_until < ?";
        if ($isNew || $this->run($expired, [$until, $id, (string) time()]) > 0) {
            return 'started';
        }
        return $this->isDone($id) ? 'done' : 'running';
    }

    public function finish(string $id): void
    {
        $this->run("UPDATE $this->table SET running_until = 0 WHERE id = ?", [$id]);
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

    private function isDone(string $id): bool
    {
        // PostgreSQL and MySQL return numbers or texts, depending on the driver.
        return (string) $this->execute("SELECT running_until FROM $this->table WHERE id = ?", [$id])->fetchColumn() === '0';
    }

    private function driver(): string
    {
        return $this->pdo->getAttribute(\PDO::ATTR_DRIVER_NAME);
    }

    /** @param list<string> $parameters */
    private function run(string $sql, array $parameters): int
    {
        return $this->execute($sql, $parameters)->rowCount();
    }

    /** @param list<string> $parameters */
    private function execute(string $sql, array $parameters): \PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        // Without exceptions, an error would look like a duplicate.
        if ($statement === false || !$statement->execute($parameters)) {
            throw new \RuntimeException('The ids cannot be stored: ' . (($statement ?: $this->pdo)->errorInfo()[2] ?? ''));
        }
        return $statement;
    }
}
