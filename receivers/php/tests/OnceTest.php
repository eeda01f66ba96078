<?php

declare(strict_types=1);

use Hookline\Receiver\EventInProgress;
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

    public function testAnAttemptWhileTheHandlerRunsIsAnError(): void
    {
        $store = new MemoryStore();
        $status = 0;
        $handle = static function () use ($store, &$status): void {
            try {
                once('1', $store, static fn () => null);
            } catch (EventInProgress $inProgress) {
                $status = $inProgress->status;
            }
        };
        $this->assertTrue(once('1', $store, $handle));
        $this->assertSame(409, $status);
        $this->assertFalse(once('1', $store, $handle));
    }

    public function testTheMemoryStoreKeepsTheNewestIds(): void
    {
        $store = new MemoryStore(2);
        foreach (['1', '01', '3'] as $id) {
            $store->start($id);
        }
        $this->assertSame('running', $store->start('3'));
        $this->assertSame('started', $store->start('1'));
    }

    public function testAStoreThatFailsDoesNotHideTheErrorOfTheHandler(): void
    {
        $store = new class () implements IdStore {
            public function start(string $id): string
            {
                return 'started';
            }

            public function finish(string $id): void
            {
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
