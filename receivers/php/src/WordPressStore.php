<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * Keeps ids among the options of WordPress, which have unique names. The value is the time until which a handler may run,
 * or, with a minus sign, the time when it has finished.
 */
final class WordPressStore implements IdStore
{
    private const PREFIX = 'hookline_id_';

    /** @param \wpdb $wpdb */
    public function __construct(private object $wpdb)
    {
    }

    public function start(string $id): string
    {
        $options = $this->wpdb->options;
        $name = self::PREFIX . $id;
        $until = (string) (time() + self::MAX_RUNNING_SECONDS);
        // Not with `add_option`: it replaces an option that another process has added meanwhile.
        $isNew = $this->run("INSERT IGNORE INTO $options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $name, $until);
        $expired = "UPDATE $options SET option_value = %s WHERE option_name = %s AND option_value > 0 AND option_value < %d";
        if ($isNew > 0 || $this->run($expired, $until, $name, time()) > 0) {
            return 'started';
        }
        $value = $this->wpdb->get_var($this->wpdb->prepare("SELECT option_value FROM $options WHERE option_name = %s", $name));
        return $value !== null && (int) $value < 0 ? 'done' : 'running';
    }

    public function finish(string $id): void
    {
        $this->run("UPDATE {$this->wpdb->options} SET option_value = %s WHERE option_name = %s", (string) -time(), self::PREFIX . $id);
    }

    public function remove(string $id): void
    {
        $this->run("DELETE FROM {$this->wpdb->options} WHERE option_name = %s", self::PREFIX . $id);
    }

    /** Deletes the ids older than these days. To be called about daily. Returns the number of deleted ids. */
    public function prune(int $days = 7): int
    {
        $sql = "DELETE FROM {$this->wpdb->options} WHERE option_name LIKE %s AND ABS(option_value) < %d";
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
