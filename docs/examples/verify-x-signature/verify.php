<?php

/**
 * $headers: array_change_key_case(getallheaders())
 * $url: the URL as registered. $body: file_get_contents('php://input'), empty for GET
 */
function verify_x_signature(string $signing_key, array $headers, string $method, string $url, string $body): bool
{
    if ($signing_key === '') {
        return false; // anyone can sign with an empty key
    }
    $timestamp = $headers['x-timestamp'] ?? '';
    $lines = [$timestamp, $headers['x-nonce'] ?? '', $method, $url, md5($body)];
    $expected = hash_hmac('sha256', implode("\n", $lines), $signing_key);
    return hash_equals($expected, $headers['x-signature'] ?? '') && abs(time() - (int) $timestamp) <= 300;
}
