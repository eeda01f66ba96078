"""Handles an event once, although it can arrive several times."""

from __future__ import annotations

import inspect
import re
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Any, Literal, Protocol


# A claim without a result ends after this: its process may have been killed.
_MAX_RUNNING_SECONDS = 900

State = Literal["started", "running", "done"]


class IdStore(Protocol):
    """Ids of events, for `once`."""

    def start(self, id: str) -> State:
        """Claims an id for a handler. `running`: another attempt has claimed it and has not finished."""

    def finish(self, id: str) -> None:
        """Stores that the event was handled."""

    def remove(self, id: str) -> None:
        """Ends the claim, so that the event is handled again."""


class EventInProgress(Exception):
    """Another attempt handles the event, and could still fail. So this one needs another response than success: Hookline
    repeats it. An exception that is not caught gives a 500."""

    def __init__(self, id: str) -> None:
        super().__init__(f"Another attempt is handling the event {id}.")
        self.status = 409


def once(id: str, store: IdStore, handle: Callable[[], object]) -> bool:
    """Runs the handler unless the event was handled. Returns False for a duplicate, and raises EventInProgress while
    another attempt handles the event. If the handler fails, the next attempt runs it again."""
    if not _start(id, store):
        return False
    try:
        result = handle()
        if inspect.isawaitable(result):
            raise TypeError("The handler is asynchronous and did not run. Use once_async.")
    except BaseException:
        _release(id, store)
        raise
    store.finish(id)
    return True


async def once_async(id: str, store: IdStore, handle: Callable[[], Awaitable[object]]) -> bool:
    """`once` for an asynchronous handler. The calls of the store block."""
    if not _start(id, store):
        return False
    try:
        await handle()
    except BaseException:
        _release(id, store)
        raise
    store.finish(id)
    return True


def _start(id: str, store: IdStore) -> bool:
    state = store.start(id)
    if state == "running":
        raise EventInProgress(id)
    return state == "started"


def _release(id: str, store: IdStore) -> None:
    # Fails in an aborted transaction of PostgreSQL, whose rollback removes the id. The error of the handler counts.
    with suppress(Exception):
        store.remove(id)


class MemoryStore:
    """For tests and one process: keeps the newest ids."""

    def __init__(self, max_ids: int = 100_000) -> None:
        self._max_ids = max_ids
        self._ids: dict[str, State] = {}
        self._lock = threading.Lock()

    def start(self, id: str) -> State:
        with self._lock:
            if id in self._ids:
                return self._ids[id]
            self._ids[id] = "running"
            if len(self._ids) > self._max_ids:
                del self._ids[next(iter(self._ids))]
            return "started"

    def finish(self, id: str) -> None:
        with self._lock:
            self._ids[id] = "done"

    def remove(self, id: str) -> None:
        with self._lock:
            self._ids.pop(id, None)


_DIALECTS = {
    "sqlite3": "sqlite",
    "psycopg": "postgresql",
    "psycopg2": "postgresql",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "mysql": "mysql",
}


class SqlStore:
    """For PostgreSQL, MySQL, MariaDB and SQLite, with a connection of DB-API. The time until which a handler may run is 0 when it has
    finished:
    `CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`.

    Commits each change, so it needs a connection of its own. With `commit=False` and the connection of the handler, an
    event is handled exactly once: the caller commits, or rolls back if `once` raises an error."""

    def __init__(self, connection: Any, table: str = "webhook_ids", dialect: str | None = None, commit: bool = True) -> None:
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", table) is None:
            raise ValueError(f"not the name of a table: {table}")
        dialect = dialect or _DIALECTS.get(type(connection).__module__.partition(".")[0])
        if dialect not in _DIALECTS.values():
            raise ValueError("Name the dialect of the connection: sqlite, postgresql or mysql.")
        self._connection = connection
        self._table = table
        self._dialect = dialect
        self._commit = commit

    def start(self, id: str) -> State:
        until = int(time.time()) + _MAX_RUNNING_SECONDS
        columns = f"INTO {self._table} (id, running_until) VALUES (?, ?)"
        insert = f"INSERT IGNORE {columns}" if self._dialect == "mysql" else f"INSERT {columns} ON CONFLICT DO NOTHING"
        expired = f"UPDATE {self._table} SET running_until = ? WHERE id = ? AND running_until > 0 AND running_until < ?"
        if self._run(insert, id, until) > 0 or self._run(expired, until, id, int(time.time())) > 0:
            return "started"
        return "done" if self._is_done(id) else "running"

    def finish(self, id: str) -> None:
        self._run(f"UPDATE {self._table} SET running_until = 0 WHERE id = ?", id)

    def remove(self, id: str) -> None:
        if self._commit:
            self._connection.rollback()
        self._run(f"DELETE FROM {self._table} WHERE id = ?", id)

    def prune(self, days: int = 7) -> int:
        """Deletes the ids older than these days. To be called about daily. Returns the number of deleted ids."""
        since = {
            "sqlite": f"datetime('now', '-{int(days)} days')",
            "postgresql": f"now() - interval '{int(days)} days'",
            "mysql": f"NOW() - INTERVAL {int(days)} DAY",
        }[self._dialect]
        return self._run(f"DELETE FROM {self._table} WHERE received_at < {since}")

    def _is_done(self, id: str) -> bool:
        def read(cursor: Any) -> bool:
            row = cursor.fetchone()
            return row is not None and int(row[0]) == 0

        return self._execute(f"SELECT running_until FROM {self._table} WHERE id = ?", (id,), read)

    def _run(self, sql: str, *parameters: str | int) -> int:
        return self._execute(sql, parameters, lambda cursor: cursor.rowcount)

    def _execute(self, sql: str, parameters: tuple[str | int, ...], read: Callable[[Any], Any]) -> Any:
        placeholder = "?" if self._dialect == "sqlite" else "%s"
        try:
            with closing(self._connection.cursor()) as cursor:
                cursor.execute(sql.replace("?", placeholder), parameters)
                result = read(cursor)
            if self._commit:
                self._connection.commit()
        except Exception:
            if self._commit:
                self._connection.rollback()
            raise
        return result
