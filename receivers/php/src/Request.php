<?php

declare(strict_types=1);

namespace Hookline\Receiver;

/** A request as it arrived: before a framework has parsed its body. */
final class Request
{
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
            (string) file_get_contents('php://input'),
            $_SERVER['QUERY_STRING'] ?? '',
        );
    }

    /**
     * Reads a request of PSR-7.
     *
     * @param \Psr\Http\Message\ServerRequestInterface $request
     */
    public static function fromPsr7(object $request): self
    {
        return new self($request->getMethod(), $request->getHeaders(), (string) $request->getBody(), $request->getUri()->getQuery());
    }

    /**
     * Reads a request of a WordPress REST route.
     *
     * @param \WP_REST_Request $request
     */
    public static function fromWordPress(object $request): self
    {
        return new self($request->get_method(), $request->get_headers(), (string) $request->get_body(), $_SERVER['QUERY_STRING'] ?? '');
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
