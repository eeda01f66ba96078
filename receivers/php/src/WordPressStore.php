<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** Keeps ids among the options of WordPress, which have unique names. */
final class WordPressStore implements IdStore
{
    private const PREFIX = 'hookline_id_';

    /** @param \wpdb $wpdb */
    public function __construct(private object $wpdb)
    {
    }

    public function add(string $id): bool
    {
        // Not with `add_option`: it replaces an option that another process has added meanwhile.
        $sql = "INSERT IGNORE INTO {$this->wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
        return $this->run($sql, self::PREFIX . $id, (string) time()) > 0;
    }

    public function remove(string $id): void
    {
        $this->run("DELETE FROM {$this->wpdb->options} WHERE option_name = %s", self::PREFIX . $id);
    }

    /** Deletes the ids older than these days. To be called about daily. Returns the number of deleted ids. */
    public function prune(int $days = 7): int
    {
        $sql = "DELETE FROM {$this->wpdb->options} WHERE option_name LIKE %s AND option_value < %d";
        return $this->run($sql, $this->wpdb->esc_like(self::PREFIX) . '%', time() - $days * 86_400);
    }

    private function run(string $sql, string|int ...$values): int
    {
        $rows = $this->wpdb->query($this->wpdb->prepare($sql, ...$values));
        if ($rows === false) {
            throw new \RuntimeException("The ids cannot be stored: {$this->wpdb->last_error}");
        }
        return $rows;
    }
}
