<?php

require __DIR__ . '/webhook.php';
require __DIR__ . '/x-signature.php';

foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$secret, $key, $method, $url, $body, $content, $lines] = array_map('base64_decode', explode(' ', $line));
    $headers = [];
    foreach (array_filter(explode("\n", $lines)) as $header) {
        [$name, $value] = explode(': ', $header, 2);
        $headers[$name] = $value;
    }
    echo json_encode(verify_webhook($secret, $headers, $content)), ' ';
    echo json_encode(verify_x_signature($key, $headers, $method, $url, $body)), "\n";
}
