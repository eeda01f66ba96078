<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** Verifies and parses requests. Throws InvalidRequest for those that are not genuine. */
final class Receiver
{
    /** Far more than a rotation has. */
    private const MAX_SIGNATURES = 20;

    /** @var list<string> */
    private array $secrets;
    /** @var list<string> */
    private array $signingKeys;

    /**
     * @param list<string> $secrets Of webhooks (`whsec_…`). Several during a rotation.
     * @param list<string> $signingKeys Of the account, for `x-signature`. Count only without secrets.
     * @param ?string $url The URL that the webhook is registered with, for `x-signature`.
     */
    public function __construct(
        array $secrets,
        array $signingKeys = [],
        private ?string $url = null,
        private int $toleranceSeconds = 300,
    ) {
        // An empty key, such as that of a missing variable, would make signatures that anyone can make.
        $isFilled = static fn (string $text): bool => trim($text) !== '';
        $isSecret = static fn (string $text): bool => preg_match('#^(whsec_)?[A-Za-z0-9+/_-]{2,}={0,2}$#D', trim($text)) === 1;
        $this->secrets = array_values(array_filter($secrets, $isSecret));
        $this->signingKeys = array_values(array_filter($signingKeys, $isFilled));
    }

    /** Verifies and parses a request. */
    public function receive(Request $request): Event
    {
        $this->verify($request);
        return $this->parse($request);
    }

    /** @param ?int $now In Unix seconds. */
    public function verify(Request $request, ?int $now = null): void
    {
        $signed = match (true) {
            $this->secrets !== [] => $this->standard($request),
            $this->signingKeys !== [] => $this->account($request),
            default => throw new InvalidRequest('no_secret', 'There is no secret to verify with, or none of the right form: whsec_ and Base64. Is its variable set?'),
        };
        [$timestamp, $signatures, $keys, $sign, $content] = $signed;
        if (!self::matches($signatures, $keys, $sign, $content)) {
            throw $this->explain($signed);
        }
        $off = ($now ?? time()) - $timestamp;
        if (abs($off) > $this->toleranceSeconds) {
            throw new InvalidRequest('clock_off', 'The signature is valid, but it was ' . ($off > 0
                ? "made $off s ago. The clock of this machine is wrong, or an old request was sent again."
                : 'dated ' . -$off . ' s in the future. The clock of this machine is wrong.'));
        }
    }

    /** Parses a verified request, in all three formats. */
    public function parse(Request $request): Event
    {
        $fields = $this->fields($request);
        $type = $fields['webhook_event'] ?? null;
        $timestamp = $fields['webhook_timestamp'] ?? null;
        if (!is_string($type) || !is_string($timestamp)) {
            throw new InvalidRequest('unreadable', 'The request has no webhook_event and webhook_timestamp.');
        }
        unset($fields['webhook_event'], $fields['webhook_timestamp']);
        return new Event(
            $request->header('webhook-id') ?? '',
            $type,
            $timestamp,
            $request->isGet() ? $fields : self::data($fields, self::isForm($request)),
            max(1, (int) $request->header('x-hookline-attempt')),
            $request->header('x-hookline-test') === '1',
        );
    }

    /**
     * A form with flat fields has the data beside. So has a GET, where `data` is a field of the event or of the URL.
     *
     * @param array<array-key, mixed> $fields
     * @return array<array-key, mixed>
     */
    private static function data(array $fields, bool $isForm): array
    {
        $data = $fields['data'] ?? null;
        return match (true) {
            $isForm && count($fields) > 1 => $fields,
            is_array($data) => $data,
            // An event without fields.
            $data === '' => [],
            default => $fields,
        };
    }

    private static function isForm(Request $request): bool
    {
        return str_starts_with(strtolower($request->header('content-type') ?? ''), 'application/x-www-form-urlencoded');
    }

    /** @return array<array-key, mixed> */
    private function fields(Request $request): array
    {
        if ($request->isGet()) {
            return Form::parse($request->query);
        }
        if (self::isForm($request)) {
            return Form::parse($request->body);
        }
        $fields = json_decode($request->body, true, 512, JSON_BIGINT_AS_STRING);
        if (json_last_error() === JSON_ERROR_UTF16) {
            $fields = json_decode(self::withoutLoneSurrogates($request->body), true, 512, JSON_BIGINT_AS_STRING);
        }
        if (!is_array($fields) || array_is_list($fields)) {
            throw new InvalidRequest('unreadable', 'The body is neither a JSON object nor a form.');
        }
        return $fields;
    }

    /** The text of an SMS can end in half of a character, which `json_decode` rejects and databases too. */
    private static function withoutLoneSurrogates(string $json): string
    {
        $escape = '/\\\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/s';
        return (string) preg_replace_callback(
            $escape,
            static fn (array $match): string => isset($match[1]) ? '\\ufffd' : $match[0],
            $json,
        );
    }

    /** @return array{int, list<string>, list<string>, callable(string, string): ?string, string} */
    private function standard(Request $request): array
    {
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            self::requireHeader($request, $name);
        }
        $id = self::id($request);
        $timestamp = self::timestamp($request, 'webhook-timestamp');
        preg_match_all('/(?<=^|[ ,])v1,([^ ,]+)/', (string) $request->header('webhook-signature'), $found);
        if ($found[1] === []) {
            throw new InvalidRequest('header_invalid', 'The header webhook-signature has no signature of version 1.');
        }
        if (count($found[1]) > self::MAX_SIGNATURES) {
            throw new InvalidRequest('header_invalid', 'The header webhook-signature has more than ' . self::MAX_SIGNATURES . ' signatures.');
        }
        $text = (string) $request->header('webhook-timestamp');
        $sign = static function (string $secret, string $content) use ($id, $text): ?string {
            $key = base64_decode(preg_replace('/^whsec_/', '', trim($secret)), true);
            return $key === false || $key === '' ? null : base64_encode(hash_hmac('sha256', "$id.$text.$content", $key, true));
        };
        return [$timestamp, $found[1], $this->secrets, $sign, $request->isGet() ? $request->query : $request->body];
    }

    /** @return array{int, list<string>, list<string>, callable(string, string): ?string, string} */
    private function account(Request $request): array
    {
        // The signature does not cover the id. Without it, all events would be duplicates of one.
        foreach (['x-signature', 'x-timestamp', 'x-nonce', 'webhook-id'] as $name) {
            self::requireHeader($request, $name);
        }
        self::id($request);
        if ($this->url === null) {
            throw new InvalidRequest('header_invalid', 'The URL of the webhook is needed to verify x-signature.');
        }
        if ($request->isGet() && (parse_url($this->url, PHP_URL_QUERY) ?? '') !== $request->query) {
            throw new InvalidRequest('header_missing', 'x-signature does not cover the query of a GET, unless it was made for the complete URL.');
        }
        $timestamp = self::timestamp($request, 'x-timestamp');
        $lines = [(string) $request->header('x-timestamp'), (string) $request->header('x-nonce'), strtoupper($request->method), $this->url];
        $sign = static fn (string $key, string $content): string =>
            hash_hmac('sha256', implode("\n", [...$lines, md5($content)]), $key);
        $signatures = array_values(array_filter([$request->header('x-signature'), $request->header('x-hookline-next-signature')]));
        return [$timestamp, $signatures, $this->signingKeys, $sign, $request->isGet() ? '' : $request->body];
    }

    private static function requireHeader(Request $request, string $name): void
    {
        if (($request->header($name) ?? '') === '') {
            throw new InvalidRequest('header_missing', "The header $name is missing. A proxy may have removed it, or the request is not from Hookline.");
        }
    }

    /** Dots separate the signed parts. */
    private static function id(Request $request): string
    {
        $id = (string) $request->header('webhook-id');
        if (preg_match('/^[A-Za-z0-9_-]+$/D', $id) !== 1) {
            throw new InvalidRequest('header_invalid', 'The header webhook-id is not an id.');
        }
        return $id;
    }

    private static function timestamp(Request $request, string $name): int
    {
        $text = (string) $request->header($name);
        if (preg_match('/^[0-9]{1,12}$/D', $text) !== 1) {
            throw new InvalidRequest('header_invalid', "The header $name is not a Unix time.");
        }
        return (int) $text;
    }

    /**
     * @param list<string> $signatures
     * @param list<string> $keys
     * @param callable(string, string): ?string $sign
     */
    private static function matches(array $signatures, array $keys, callable $sign, string $content): bool
    {
        foreach ($keys as $key) {
            $expected = $sign($key, $content);
            foreach ($signatures as $signature) {
                if ($expected !== null && hash_equals($expected, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Only after no signature has matched: tells a changed body from a wrong secret, as far as that can be told.
     *
     * @param array{int, list<string>, list<string>, callable(string, string): ?string, string} $signed
     */
    private function explain(array $signed): InvalidRequest
    {
        [, $signatures, $keys, $sign, $content] = $signed;
        if ($this->secrets !== [] && $content === '') {
            return new InvalidRequest('body_changed', 'The body (of a GET: the query) is empty. Read php://input before a framework parses it.');
        }
        // Events are smaller. The values of a larger body could need much memory.
        $json = strlen($content) > 512 * 1024 ? null : json_decode($content, false, 512, JSON_BIGINT_AS_STRING);
        $changes = [
            'whitespace was added or removed at the end' => rtrim($content),
            'a line feed was removed at the end' => "$content\n",
            'line feeds were changed to CRLF' => str_replace("\r\n", "\n", $content),
            'it was parsed and serialized again' => $json === null ? $content : (string) json_encode($json, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION),
        ];
        foreach ($changes as $name => $undone) {
            if (self::matches($signatures, $keys, $sign, $undone)) {
                return new InvalidRequest('body_changed', "The body is not the one that was signed: $name. Read php://input before a framework parses it.");
            }
        }
        return new InvalidRequest('wrong_secret', 'No signature matches. The secret is that of another webhook or was rotated, or the body was changed beyond recognition.');
    }
}
