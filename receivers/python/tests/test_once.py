"""Handling an event once, in one process. Other tests use databases and several processes."""

import asyncio
import sqlite3
import sys
import threading
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hookline_receiver import EventInProgress, MemoryStore, SqlStore, once, once_async  # noqa: E402


def fail():
    raise RuntimeError("failed")


def test_a_handler_runs_once_and_again_after_it_failed():
    store, runs = MemoryStore(), []
    assert once("a", store, lambda: runs.append("a"))
    assert not once("a", store, lambda: runs.append("again"))
    with pytest.raises(RuntimeError, match="failed"):
        once("b", store, fail)
    assert once("b", store, lambda: runs.append("b"))
    assert runs == ["a", "b"]


def test_of_concurrent_threads_one_runs():
    store, runs, barrier = MemoryStore(), [], threading.Barrier(8)

    def attempt():
        barrier.wait()
        with suppress(EventInProgress):
            once("a", store, lambda: runs.append("a"))

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert runs == ["a"]


def test_the_memory_store_keeps_the_newest_ids():
    store = MemoryStore(2)
    for id in "abc":
        store.start(id)
    assert store.start("c") == "running"
    assert store.start("a") == "started"


def test_an_asynchronous_handler_is_an_error_in_once():
    store = MemoryStore()

    async def handle():
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(TypeError, match="once_async"):
            once("a", store, handle)
    assert store.start("a") == "started"


def test_an_attempt_while_the_handler_runs_is_an_error():
    store = MemoryStore()

    def handle():
        with pytest.raises(EventInProgress, match="Another attempt") as raised:
            once("a", store, fail)
        assert raised.value.status == 409
        fail()

    with pytest.raises(RuntimeError, match="failed"):
        once("a", store, handle)
    assert once("a", store, lambda: None)


def test_a_canceled_handler_runs_again():
    store, runs = MemoryStore(), []

    async def handle(seconds):
        await asyncio.sleep(seconds)
        runs.append(seconds)

    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(once_async("a", store, lambda: handle(60)), 0.01)
        assert await once_async("a", store, lambda: handle(0))
        assert not await once_async("a", store, lambda: handle(0))

    asyncio.run(main())
    assert runs == [0]


def test_a_store_that_fails_does_not_hide_the_error_of_the_handler():
    class Failing(MemoryStore):
        def remove(self, id):
            raise OSError("no connection")

    with pytest.raises(RuntimeError, match="failed"):
        once("a", Failing(), fail)


def test_a_table_that_is_missing_is_no_duplicate():
    with pytest.raises(sqlite3.OperationalError):
        once("a", SqlStore(sqlite3.connect(":memory:")), fail)


def test_the_name_of_a_table_is_not_a_way_to_other_statements():
    with pytest.raises(ValueError, match="not the name of a table"):
        SqlStore(sqlite3.connect(":memory:"), "ids; DROP TABLE x")


def test_an_unknown_connection_needs_a_dialect():
    with pytest.raises(ValueError, match="Name the dialect"):
        SqlStore(object())
    SqlStore(object(), dialect="postgresql")
