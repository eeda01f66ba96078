<?php

declare(strict_types=1);

use Hookline\Receiver\IdStore;
use Hookline\Receiver\MemoryStore;
use Hookline\Receiver\SqlStore;
use PHPUnit\Framework\TestCase;

use function Hookline\Receiver\once;

require_once __DIR__ . '/../autoload.php';

/** Handling an event once, in one process. Other tests use databases and several processes. */
final class OnceTest extends TestCase
{
    public function testAHandlerRunsOnceAndAgainAfterItFailed(): void
    {
        $store = new MemoryStore();
        $runs = [];
        $handle = static function (string $name) use (&$runs): callable {
            return static function () use ($name, &$runs): void {
                $runs[] = $name;
            };
        };
        $this->assertTrue(once('1', $store, $handle('first')));
        $this->assertFalse(once('1', $store, $handle('again')));
        $message = '';
        try {
            once('2', $store, static fn () => throw new RuntimeException('failed'));
        } catch (RuntimeException $error) {
            $message = $error->getMessage();
        }
        $this->assertSame('failed', $message);
        $this->assertTrue(once('2', $store, $handle('second')));
        $this->assertSame(['first', 'second'], $runs);
    }

    public function testTheMemoryStoreKeepsTheNewestIds(): void
    {
        $store = new MemoryStore(2);
        foreach (['1', '01', '3'] as $id) {
            $store->add($id);
        }
        $this->assertFalse($store->add('3'));
        $this->assertTrue($store->add('1'));
    }

    public function testAStoreThatFailsDoesNotHideTheErrorOfTheHandler(): void
    {
        $store = new class () implements IdStore {
            public function add(string $id): bool
            {
                return true;
            }

            public function remove(string $id): void
            {
                throw new LogicException('no connection');
            }
        };
        $this->expectExceptionMessage('failed');
        once('1', $store, static fn () => throw new RuntimeException('failed'));
    }

    public function testTheNameOfATableIsNotAWayToOtherStatements(): void
    {
        $this->expectExceptionMessage('not the name of a table');
        new SqlStore($this->createStub(PDO::class), 'ids; DROP TABLE x');
    }
}
