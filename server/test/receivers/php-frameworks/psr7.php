<?php
/** Runs the example for PSR-7 with the package of Guzzle that Debian packages. */

use GuzzleHttp\Psr7\Response;
use GuzzleHttp\Psr7\ServerRequest;

require_once '/usr/share/php/GuzzleHttp/Psr7/autoload.php';
require __DIR__ . '/vendor/autoload.php';

$response = (require __DIR__ . '/example.php')(ServerRequest::fromGlobals(), new Response());
http_response_code($response->getStatusCode());
echo $response->getBody();
