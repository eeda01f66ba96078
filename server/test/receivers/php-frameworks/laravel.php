<?php
/** Runs the example for Laravel with its router, its requests and its database connection. */

use Illuminate\Config\Repository;
use Illuminate\Container\Container;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Routing\Router;
use Illuminate\Support\Facades\Facade;

// Of Laravel 8, which is older than this version of PHP.
error_reporting(E_ALL & ~E_DEPRECATED);
foreach (['Routing', 'Http', 'Database', 'Events'] as $component) {
    require_once "/usr/share/php/Illuminate/$component/autoload.php";
}
require __DIR__ . '/vendor/autoload.php';

function config(string $name): mixed
{
    return ['services.hookline.secret' => getenv('HOOKLINE_SECRET')][$name];
}

$container = new Container();
Facade::setFacadeApplication($container);
$database = new Manager($container);
$database->addConnection(['driver' => 'sqlite', 'database' => substr(getenv('DATABASE_DSN'), strlen('sqlite:'))]);
$container->instance('db', $database->getDatabaseManager());
$router = new Router(new Dispatcher($container), $container);
$container->instance('router', $router);
require __DIR__ . '/example.php';

$request = Request::capture();
$container->instance(Request::class, $request);
$router->dispatch($request)->send();
