<?php

declare(strict_types=1);

namespace App\Controller;

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request as HooklineRequest;
use Hookline\Receiver\SqlStore;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Routing\Annotation\Route;

use function Hookline\Receiver\once;

final class WebhookController
{
    public function __construct(private Receiver $receiver, private SqlStore $store)
    {
    }

    #[Route('/webhooks/hookline', methods: ['GET', 'POST'])]
    public function __invoke(Request $request): Response
    {
        try {
            $event = $this->receiver->receive(HooklineRequest::fromSymfony($request));
        } catch (InvalidRequest $invalid) {
            return new Response($invalid->reason, $invalid->status);
        }
        once($event->id, $this->store, static function () use ($event): void {
            if ($event->type === 'sms_mo') {
                error_log("Event {$event->id}: {$event->data['text']}");
            }
        });
        return new Response('', Response::HTTP_NO_CONTENT);
    }
}
