<?php

// routes/api.php, whose routes have no CSRF check.

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request as HooklineRequest;
use Hookline\Receiver\SqlStore;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;

use function Hookline\Receiver\once;

Route::match(['GET', 'POST'], '/webhooks/hookline', static function (Request $request): Response {
    $receiver = new Receiver([config('services.hookline.secret')]);
    try {
        $event = $receiver->receive(HooklineRequest::fromSymfony($request));
    } catch (InvalidRequest $invalid) {
        return new Response($invalid->reason, $invalid->status);
    }
    once($event->id, new SqlStore(DB::connection()->getPdo()), static function () use ($event): void {
        if ($event->type === 'sms_mo') {
            error_log("Event {$event->id}: {$event->data['text']}");
        }
    });
    return new Response('', 204);
});
