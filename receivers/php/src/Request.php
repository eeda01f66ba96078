<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** A request as it arrived: before a framework has parsed its body. */
final class Request
{
    /** Larger than every event. */
    public const MAX_BYTES = 2 * 1024 * 1024;

    /** @var array<string, string> Header values by lowercase name with hyphens. */
    private array $headers = [];

    /**
     * @param iterable<string, string|list<string>> $headers In any casing, with hyphens or underscores.
     * @param string $query The raw query string, without the question mark.
     */
    public function __construct(
        public readonly string $method,
        iterable $headers,
        public readonly string $body,
        public readonly string $query = '',
    ) {
        if (strlen($body) > self::MAX_BYTES) {
            throw new InvalidRequest('too_large', 'The request has more than ' . self::MAX_BYTES . ' bytes.');
        }
        foreach ($headers as $name => $value) {
            $this->headers[str_replace('_', '-', strtolower((string) $name))] = is_array($value) ? implode(', ', $value) : (string) $value;
        }
    }

    /** Reads the current request: FPM, Apache, the built-in server and CGI. */
    public static function fromGlobals(): self
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (!is_string($value)) {
                continue;
            }
            if (str_starts_with($name, 'HTTP_')) {
                $headers[substr($name, 5)] = $value;
            } elseif ($name === 'CONTENT_TYPE') {
                $headers['content-type'] = $value;
            }
        }
        return new self(
            $_SERVER['REQUEST_METHOD'] ?? 'POST',
            $headers,
            (string) file_get_contents('php://input', length: self::MAX_BYTES + 1),
            self::rawQuery($_SERVER),
        );
    }

    /**
     * Reads a request of PSR-7.
     *
     * @param \Psr\Http\Message\ServerRequestInterface $request
     */
    public static function fromPsr7(object $request): self
    {
        $server = $request->getServerParams();
        // A library may encode the query of the URI again.
        $query = isset($server['REQUEST_URI']) ? self::rawQuery($server) : $request->getUri()->getQuery();
        return new self($request->getMethod(), $request->getHeaders(), (string) $request->getBody(), $query);
    }

    /**
     * Reads a request of HttpFoundation, which Symfony, Laravel and Drupal have. It sorts and encodes the query again, and
     * `getMethod` can return the parameter `_method`.
     *
     * @param \Symfony\Component\HttpFoundation\Request $request
     */
    public static function fromSymfony(object $request): self
    {
        $query = self::rawQuery($request->server->all());
        return new self($request->getRealMethod(), $request->headers->all(), $request->getContent(), $query);
    }

    /**
     * Reads a request of a WordPress REST route. WordPress adds backslashes to `$_SERVER`, and `get_method` returns the
     * parameter `_method` of the query if there is one.
     *
     * @param \WP_REST_Request $request
     */
    public static function fromWordPress(object $request): self
    {
        $server = wp_unslash($_SERVER);
        $method = $server['REQUEST_METHOD'] ?? $request->get_method();
        return new self($method, $request->get_headers(), (string) $request->get_body(), self::rawQuery($server));
    }

    /**
     * Returns the query as it was sent. Rewriting to a script, such as to `index.php?route=webhooks`, changes
     * QUERY_STRING, but not REQUEST_URI.
     *
     * @param array<array-key, mixed> $server
     */
    private static function rawQuery(array $server): string
    {
        $query = strstr((string) ($server['REQUEST_URI'] ?? ''), '?');
        return $query === false ? (string) ($server['QUERY_STRING'] ?? '') : substr($query, 1);
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    public function isGet(): bool
    {
        return strtoupper($this->method) === 'GET';
    }
}
