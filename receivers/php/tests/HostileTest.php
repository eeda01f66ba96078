<?php

declare(strict_types=1);

use Hookline\Receiver\InvalidRequest;
use Hookline\Receiver\Receiver;
use Hookline\Receiver\Request;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/../autoload.php';

/** Requests that Hookline never makes: unsigned ones, and signed ones with unusual content. */
final class HostileTest extends TestCase
{
    private const SECRET = 'whsec_YSBzZWNyZXQgb2YgdGhlIHdlYmhvb2thIHNlY3JldCA=';
    private const EVENT = '{"data":{"id":"1"},"webhook_event":"sms_mo","webhook_timestamp":"2026-11-15T09:30:00+00:00"}';

    /**
     * @param array<string, mixed> $headers
     * @return array<string, mixed>
     */
    private static function signed(string $content, array $headers = []): array
    {
        $key = base64_decode(substr(self::SECRET, 6));
        $headers += ['webhook-id' => 'id-1', 'webhook-timestamp' => (string) time()];
        $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$content";
        return $headers + ['webhook-signature' => 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true))];
    }

    /** @param list<string> $secrets */
    private static function reasonOf(Request $request, array $secrets = [self::SECRET]): string
    {
        try {
            (new Receiver($secrets))->receive($request);
            return 'accepted';
        } catch (InvalidRequest $invalid) {
            return $invalid->reason;
        }
    }

    /** @return iterable<string, array{string, array<string, mixed>}> */
    public static function headers(): iterable
    {
        $number = (string) time();
        yield 'accepted' => ['accepted', []];
        yield 'a number with an exponent' => ['header_invalid', ['webhook-timestamp' => '1e9']];
        yield 'a number of the base 16' => ['header_invalid', ['webhook-timestamp' => '0x6A']];
        yield 'a number with a sign' => ['header_invalid', ['webhook-timestamp' => "+$number"]];
        yield 'a number with a line feed' => ['header_invalid', ['webhook-timestamp' => "$number\n"]];
        yield 'a number with a space' => ['header_invalid', ['webhook-timestamp' => " $number"]];
        yield 'a number with a fraction' => ['header_invalid', ['webhook-timestamp' => "$number.0"]];
        yield 'digits of another script' => ['header_invalid', ['webhook-timestamp' => '١٧٦٣١٩٧٢٠٠']];
        yield 'a number that overflows' => ['header_invalid', ['webhook-timestamp' => '18446744073709551616']];
        yield 'twelve digits' => ['clock_off', ['webhook-timestamp' => '999999999999']];
        yield 'zero' => ['clock_off', ['webhook-timestamp' => '0']];
        yield 'leading zeros' => ['accepted', ['webhook-timestamp' => "00$number"]];
        yield 'an id with a dot' => ['header_invalid', ['webhook-id' => 'id.1']];
        yield 'an id with a byte that is a letter in other encodings' => ['header_invalid', ['webhook-id' => "id\xe4"]];
        yield 'two ids' => ['header_invalid', ['webhook-id' => ['id-1', 'id-2']]];
        yield 'a signature that is zero' => ['header_invalid', ['webhook-signature' => '0']];
        yield 'an empty signature of version 1' => ['header_invalid', ['webhook-signature' => 'v1,']];
        yield 'a signature with bytes that are no text' => ['wrong_secret', ['webhook-signature' => "v1,\xff\x00"]];
        yield 'a version that ends in 1' => ['header_invalid', ['webhook-signature' => 'vv1,AAAA']];
    }

    /**
     * @dataProvider headers
     * @param array<string, mixed> $headers
     */
    public function testHeaders(string $expected, array $headers): void
    {
        $signable = array_filter($headers, 'is_string');
        $request = new Request('POST', $headers + self::signed(self::EVENT, $signable), self::EVENT);
        $this->assertSame($expected, self::reasonOf($request));
    }

    /** @return iterable<string, array{string, string, string, string}> */
    public static function contents(): iterable
    {
        $form = 'application/x-www-form-urlencoded';
        $fields = 'webhook_event=sms_mo&webhook_timestamp=t';
        yield 'a form' => ['accepted', 'POST', $form, $fields];
        yield 'the type as a list' => ['unreadable', 'POST', $form, 'webhook_event[]=sms_mo&webhook_timestamp=t'];
        yield 'the type as an object' => ['unreadable', 'POST', 'application/json', '{"webhook_event":{"a":1},"webhook_timestamp":"t"}'];
        yield 'the type as a number' => ['unreadable', 'POST', 'application/json', '{"webhook_event":0,"webhook_timestamp":"t"}'];
        yield 'the type as true' => ['unreadable', 'POST', 'application/json', '{"webhook_event":true,"webhook_timestamp":"t"}'];
        yield 'a form that is said to be JSON' => ['unreadable', 'POST', 'application/json', $fields];
        yield 'JSON that is said to be a form' => ['unreadable', 'POST', $form, '{"text":"&webhook_event=dlr&webhook_timestamp=t&x="}'];
        yield 'JSON in a query' => ['unreadable', 'GET', '', '{"text":"&webhook_event=dlr&webhook_timestamp=t&x="}'];
        yield 'nothing' => ['unreadable', 'POST', 'application/json', ''];
        yield 'a list' => ['unreadable', 'POST', 'application/json', '[1]'];
        yield 'bytes that are no text' => ['unreadable', 'POST', 'application/json', "{\"webhook_event\":\"\xff\",\"webhook_timestamp\":\"t\"}"];
        yield 'deep JSON' => ['unreadable', 'POST', 'application/json', str_repeat('{"a":', 100_000) . '1' . str_repeat('}', 100_000)];
        yield 'deep fields' => ['unreadable', 'POST', $form, "$fields&data" . str_repeat('[a]', 100_000) . '=1'];
        yield 'many fields' => ['unreadable', 'POST', $form, "$fields&" . str_repeat('a&', 100_000)];
        yield 'many open brackets' => ['accepted', 'POST', $form, "$fields&a" . str_repeat('[', 1_000_000) . '=1'];
        yield 'empty fields' => ['accepted', 'POST', $form, "&&$fields&=&=1&[]=1&[a]=1&data[]&data[=2"];
    }

    /** @dataProvider contents */
    public function testContents(string $expected, string $method, string $type, string $content): void
    {
        [$body, $query] = $method === 'GET' ? ['', $content] : [$content, ''];
        $request = new Request($method, ['content-type' => $type] + self::signed($content), $body, $query);
        $startedAt = microtime(true);
        $this->assertSame($expected, self::reasonOf($request));
        $this->assertLessThan(2, microtime(true) - $startedAt);
    }

    public function testAFieldWithoutANameIsNoData(): void
    {
        $query = 'a=1&&webhook_event=sms_mo&webhook_timestamp=t&';
        $event = (new Receiver([self::SECRET]))->receive(new Request('GET', self::signed($query), '', $query));
        $this->assertSame(['a' => '1'], $event->data);
    }

    public function testAFieldOfTheOwnUrlDoesNotReplaceTheData(): void
    {
        $query = 'data[shop]=1&id=1&webhook_event=sms_mo&webhook_timestamp=t';
        $event = (new Receiver([self::SECRET]))->receive(new Request('GET', self::signed($query), '', $query));
        $this->assertSame(['data' => ['shop' => '1'], 'id' => '1'], $event->data);
    }

    public function testAnEventWithoutFieldsHasNoData(): void
    {
        $body = 'data=&webhook_event=ping&webhook_timestamp=t';
        $headers = self::signed($body) + ['content-type' => 'application/x-www-form-urlencoded'];
        $this->assertSame([], (new Receiver([self::SECRET]))->receive(new Request('POST', $headers, $body))->data);
    }

    /** @return iterable<string, array{string, string, 2?: string}> */
    public static function unsigned(): iterable
    {
        $signatures = implode(' ', array_fill(0, 100_000, 'v1,AAAA'));
        yield 'many signatures' => ['{}', $signatures, 'header_invalid'];
        yield 'many separators' => ['{}', 'v1,A' . str_repeat(' ,', 500_000)];
        yield 'many starts of signatures' => ['{}', str_repeat('v1', 500_000) . ',A v1,AAAA'];
        yield 'many empty objects' => ['[' . str_repeat('{},', 690_000) . '1]', 'v1,AAAA'];
        yield 'many open lists' => [str_repeat('[', 2_000_000), 'v1,AAAA'];
    }

    /**
     * @dataProvider unsigned
     */
    public function testTheCostOfRejectionIsSmall(string $body, string $signatures, string $reason = 'wrong_secret'): void
    {
        memory_reset_peak_usage();
        $before = memory_get_usage();
        $headers = ['webhook-id' => 'a', 'webhook-timestamp' => (string) time(), 'webhook-signature' => $signatures];
        $startedAt = microtime(true);
        $this->assertSame($reason, self::reasonOf(new Request('POST', $headers, $body)));
        $this->assertLessThan(2, microtime(true) - $startedAt);
        $this->assertLessThan(24 * 1024 * 1024, memory_get_peak_usage() - $before);
    }

    public function testALargeBodyIsRefusedFirst(): void
    {
        $this->expectExceptionObject(new InvalidRequest('too_large', 'The request has more than 2097152 bytes.'));
        new Request('POST', [], str_repeat('a', 2 * 1024 * 1024 + 1));
    }

    /** @return iterable<string, array{string}> */
    public static function emptySecrets(): iterable
    {
        foreach (['', ' ', 'whsec_', '===', '{', 'whsec_====', "\0"] as $secret) {
            yield json_encode($secret) => [$secret];
        }
    }

    /** @dataProvider emptySecrets */
    public function testASecretWithoutAKeyMatchesNothing(string $secret): void
    {
        $time = (string) time();
        $signature = base64_encode(hash_hmac('sha256', "a.$time." . self::EVENT, '', true));
        $headers = ['webhook-id' => 'a', 'webhook-timestamp' => $time, 'webhook-signature' => "v1,$signature"];
        $this->assertNotSame('accepted', self::reasonOf(new Request('POST', $headers, self::EVENT), [$secret]));
    }

    /** @return iterable<string, array{int, string}> */
    public static function attempts(): iterable
    {
        yield 'the third' => [3, '3'];
        yield 'no number' => [1, 'x'];
        yield 'negative' => [1, '-5'];
        yield 'missing' => [1, ''];
    }

    /** @dataProvider attempts */
    public function testAttempts(int $expected, string $header): void
    {
        $headers = self::signed(self::EVENT) + ['x-hookline-attempt' => $header];
        $event = (new Receiver([self::SECRET]))->receive(new Request('POST', $headers, self::EVENT));
        $this->assertSame($expected, $event->attempt);
    }
}
