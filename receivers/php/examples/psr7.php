<?php

/** A handler for Slim: `$app->map(['GET', 'POST'], '/webhooks/hookline', require 'psr7.php')`. */

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;
use Hookline\Receiver\SqlStore;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

use function Hookline\Receiver\once;

return static function (ServerRequestInterface $request, ResponseInterface $response): ResponseInterface {
    $receiver = new Receiver([(string) getenv('HOOKLINE_SECRET')]);
    try {
        $event = $receiver->receive(Request::fromPsr7($request));
    } catch (InvalidRequest $invalid) {
        $response->getBody()->write($invalid->reason);
        return $response->withStatus($invalid->status);
    }
    $store = new SqlStore(new PDO((string) getenv('DATABASE_DSN')));
    once($event->id, $store, static function () use ($event): void {
        if ($event->type === 'sms_mo') {
            error_log("Event {$event->id}: {$event->data['text']}");
        }
    });
    return $response->withStatus(204);
};
