<?php

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/../autoload.php';

/** The requests that the worker makes, and their traps. */
final class VectorsTest extends TestCase
{
    /** @return iterable<string, array{array<string, mixed>}> */
    public static function vectors(): iterable
    {
        $file = json_decode((string) file_get_contents(__DIR__ . '/../../../receiver/vectors.json'), true);
        foreach ($file['vectors'] as $vector) {
            yield $vector['name'] => [$vector];
        }
    }

    /**
     * @dataProvider vectors
     * @param array<string, mixed> $vector
     */
    public function testVector(array $vector): void
    {
        ['request' => $request, 'expected' => $expected] = $vector;
        $read = new Request(
            $request['method'],
            array_column($request['headers'], 1, 0),
            $request['body'],
            explode('?', $request['url'], 2)[1] ?? '',
        );
        $receiver = new Receiver($vector['secrets'], [$vector['signing_key']], $vector['url']);
        if (!$expected['is_valid']) {
            try {
                $receiver->verify($read, $vector['now']);
                $receiver->parse($read);
                $this->fail('accepted');
            } catch (InvalidRequest $invalid) {
                $this->assertSame($expected['code'], $invalid->reason);
            }
            return;
        }
        $receiver->verify($read, $vector['now']);
        $event = $receiver->parse($read);
        $this->assertSame($expected['event']['id'], $event->id);
        $this->assertSame($expected['event']['webhook_event'], $event->type);
        foreach ($expected['event']['data'] as $name => $value) {
            $this->assertEquals($value, $event->data[$name], (string) $name);
        }
    }

    public function testPsr7(): void
    {
        require_once '/usr/share/php/GuzzleHttp/Psr7/autoload.php';
        $vectors = array_filter([...self::vectors()], static fn (array $row): bool => $row[0]['expected']['is_valid'] && $row[0]['secrets'] !== []);
        $this->assertGreaterThan(30, count($vectors));
        foreach ($vectors as $name => [$vector]) {
            ['request' => $request] = $vector;
            $server = ['REQUEST_URI' => substr($request['url'], strlen('https://shop.example'))];
            $message = new \GuzzleHttp\Psr7\ServerRequest($request['method'], $request['url'], array_column($request['headers'], 1, 0), $request['body'], '1.1', $server);
            $receiver = new Receiver($vector['secrets']);
            $read = Request::fromPsr7($message);
            $receiver->verify($read, $vector['now']);
            $this->assertSame($vector['expected']['event']['webhook_event'], $receiver->parse($read)->type, (string) $name);
        }
    }

    public function testEmptyKeysMatchNothing(): void
    {
        $body = '{}';
        $time = (string) time();
        $text = implode("\n", [$time, 'n', 'POST', 'https://x.example/', md5($body)]);
        $headers = ['x-signature' => hash_hmac('sha256', $text, ''), 'x-timestamp' => $time, 'x-nonce' => 'n'];
        $this->expectException(InvalidRequest::class);
        (new Receiver([''], ['', ' '], 'https://x.example/'))->verify(new Request('POST', $headers, $body));
    }
}
