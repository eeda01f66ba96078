<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/**
 * Reads forms and queries with brackets. Not with `parse_str`: it has a limit of fields, and changes dots and spaces in
 * names.
 *
 * @internal
 */
final class Form
{
    /** Far more than an event has. */
    private const MAX_FIELDS = 20_000;
    private const MAX_LEVELS = 70;

    /** @return array<array-key, mixed> */
    public static function parse(string $text): array
    {
        // JSON with the content type of a form. The text of an SMS in it could look like other fields.
        if (str_contains($text, '"')) {
            throw new InvalidRequest('unreadable', 'The content type is that of a form, but the content is not a form.');
        }
        $root = [];
        foreach (explode('&', $text, self::MAX_FIELDS + 1) as $index => $pair) {
            if ($index === self::MAX_FIELDS) {
                throw new InvalidRequest('unreadable', 'The form has too many fields.');
            }
            if ($pair === '') {
                continue;
            }
            [$name, $value] = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
            $node = &$root;
            foreach (self::keys($name) as $key) {
                if (!is_array($node)) {
                    $node = [];
                }
                $node = &$node[$key];
            }
            $node = $value;
            unset($node);
        }
        return $root;
    }

    /** @return list<string> */
    private static function keys(string $name): array
    {
        $open = strpos($name, '[');
        if ($open === false || $open === 0) {
            return [$name];
        }
        $keys = [substr($name, 0, $open)];
        while ($open !== false && ($close = strpos($name, ']', $open)) !== false) {
            $keys[] = substr($name, $open + 1, $close - $open - 1);
            if (count($keys) > self::MAX_LEVELS) {
                throw new InvalidRequest('unreadable', 'A field of the form has too many levels.');
            }
            $open = strpos($name, '[', $close);
        }
        return $keys;
    }
}
