<?php

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;

require_once __DIR__ . '/../autoload.php';

$receiver = new Receiver([(string) getenv('HOOKLINE_SECRET')], toleranceSeconds: PHP_INT_MAX);
try {
    $event = $receiver->receive(Request::fromGlobals());
    echo $event->type;
} catch (InvalidRequest $invalid) {
    http_response_code(401);
    echo $invalid->reason;
}
