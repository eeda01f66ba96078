<?php
/** Plugin Name: Shows the test what other plugins got, and has a route for the account signature. */

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;

add_action('hookline_event', static function ($event): void {
    if (file_exists(ABSPATH . 'fail')) {
        unlink(ABSPATH . 'fail');
        throw new RuntimeException('failed');
    }
    file_put_contents(ABSPATH . 'event.json', json_encode($event));
});

add_action('rest_api_init', static function (): void {
    register_rest_route('hookline/v1', '/account', [
        'methods' => ['GET', 'POST'],
        'permission_callback' => '__return_true',
        'callback' => static function (WP_REST_Request $request): WP_REST_Response {
            // Not rest_url(): it adds index.php without pretty permalinks.
            $url = get_option('home') . wp_unslash($_SERVER['REQUEST_URI']);
            try {
                $receiver = new Receiver([], [HOOKLINE_SIGNING_KEY], $url);
                return new WP_REST_Response(['type' => $receiver->receive(Request::fromWordPress($request))->type]);
            } catch (InvalidRequest $invalid) {
                return new WP_REST_Response(['code' => $invalid->reason], 401);
            }
        },
    ]);
});
