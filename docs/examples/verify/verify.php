<?php

/**
 * $headers: array_change_key_case(getallheaders())
 * $content: file_get_contents('php://input'), for GET $_SERVER['QUERY_STRING']
 */
function verify_webhook(string $secret, array $headers, string $content): bool
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signed = ($headers['webhook-id'] ?? '') . '.' . $timestamp . '.' . $content;
    $key = base64_decode(str_replace('whsec_', '', $secret));
    if ($key === '') {
        return false; // anyone can sign with an empty key
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return abs(time() - (int) $timestamp) <= 300;
        }
    }
    return false;
}
