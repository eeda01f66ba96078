<?php

/**
 * Plugin Name: Hookline receiver
 * Description: Receives webhooks of Hookline and does the action hookline_event. wp-config.php defines HOOKLINE_SECRET.
 */

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;
use Hookline\Receiver\WordPressStore;

use function Hookline\Receiver\once;

require __DIR__ . '/vendor/autoload.php';

// The endpoint URL is /wp-json/hookline/v1/events, or /?rest_route=/hookline/v1/events with plain permalinks.
add_action('rest_api_init', static function (): void {
    register_rest_route('hookline/v1', '/events', [
        'methods' => ['GET', 'POST'],
        'callback' => 'hookline_receive',
        // The signature is the permission.
        'permission_callback' => '__return_true',
    ]);
});

function hookline_receive(WP_REST_Request $request): WP_REST_Response
{
    global $wpdb;
    $receiver = new Receiver([HOOKLINE_SECRET]);
    try {
        $event = $receiver->receive(Request::fromWordPress($request));
    } catch (InvalidRequest $invalid) {
        return new WP_REST_Response(['code' => $invalid->reason], $invalid->status);
    }
    once($event->id, new WordPressStore($wpdb), static fn () => do_action('hookline_event', $event));
    return new WP_REST_Response(null, 204);
}

add_action('init', static function (): void {
    if (!wp_next_scheduled('hookline_prune')) {
        wp_schedule_event(time(), 'daily', 'hookline_prune');
    }
});

add_action('hookline_prune', static function (): void {
    global $wpdb;
    (new WordPressStore($wpdb))->prune(7);
});
