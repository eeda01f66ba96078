<?php

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;
use Hookline\Receiver\SqlStore;

use function Hookline\Receiver\once;

require __DIR__ . '/vendor/autoload.php';

$receiver = new Receiver([(string) getenv('HOOKLINE_SECRET')]);
try {
    $event = $receiver->receive(Request::fromGlobals());
} catch (InvalidRequest $invalid) {
    http_response_code($invalid->status);
    exit($invalid->reason);
}
$store = new SqlStore(new PDO((string) getenv('DATABASE_DSN')));
once($event->id, $store, static function () use ($event): void {
    if ($event->type === 'sms_mo') {
        error_log("Event {$event->id}: {$event->data['text']}");
    }
});
http_response_code(204);
