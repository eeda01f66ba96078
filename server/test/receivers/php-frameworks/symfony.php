<?php
/** Runs the example for Symfony with the components that Debian packages. */

use App\Controller\WebhookController;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\SqlStore;
use Symfony\Component\HttpFoundation\Request;

require_once '/usr/share/php/Symfony/Component/HttpFoundation/autoload.php';
require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/example.php';

Request::enableHttpMethodParameterOverride();
$store = new SqlStore(new PDO(getenv('DATABASE_DSN')));
(new WebhookController(new Receiver([getenv('HOOKLINE_SECRET')]), $store))(Request::createFromGlobals())->send();
