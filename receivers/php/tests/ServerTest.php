<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

/** Receives requests by the globals of a real server: that of PHP. */
final class ServerTest extends TestCase
{
    /** @var resource */
    private $server;
    private int $port;

    protected function setUp(): void
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $this->port = (int) substr(strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
        fclose($socket);
        $command = [PHP_BINARY, '-S', "127.0.0.1:$this->port", __DIR__ . '/router.php'];
        $env = ['HOOKLINE_SECRET' => self::vectors()[0]['secrets'][0]];
        $this->server = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes, null, $env);
        $endsAt = microtime(true) + 10;
        while (@fsockopen('127.0.0.1', $this->port) === false && microtime(true) < $endsAt) {
            usleep(20_000);
        }
    }

    protected function tearDown(): void
    {
        proc_terminate($this->server);
        proc_close($this->server);
    }

    /** @return list<array<string, mixed>> */
    private static function vectors(): array
    {
        return json_decode((string) file_get_contents(__DIR__ . '/../../../receiver/vectors.json'), true)['vectors'];
    }

    public function testEveryFormat(): void
    {
        $sent = 0;
        foreach (self::vectors() as $vector) {
            if (!preg_match('/^(JSON|form|flat form|query): |^tampered|^line feed/', $vector['name'])) {
                continue;
            }
            $sent++;
            $this->assertSame($vector['expected']['is_valid'] ? 'sms_mo' : $vector['expected']['code'], $this->send($vector['request']), $vector['name']);
        }
        $this->assertGreaterThan(25, $sent);
    }

    /** @param array<string, mixed> $request */
    private function send(array $request): string
    {
        $headers = implode('', array_map(static fn (array $header): string => "$header[0]: $header[1]\r\n", $request['headers']));
        $context = stream_context_create(['http' => [
            'method' => $request['method'],
            'header' => $headers,
            'content' => $request['body'],
            'ignore_errors' => true,
        ]]);
        $query = explode('?', $request['url'], 2)[1] ?? '';
        return (string) file_get_contents("http://127.0.0.1:$this->port/webhooks?$query", false, $context);
    }
}
