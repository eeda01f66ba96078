"""Handles an event once, although it can arrive several times."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Any, Protocol


class IdStore(Protocol):
    """Ids of handled events, for `once`."""

    def add(self, id: str) -> bool:
        """Stores an id. Returns False if it is stored already."""

    def remove(self, id: str) -> None:
        """Removes an id, so that the event is handled again."""


def once(id: str, store: IdStore, handle: Callable[[], object]) -> bool:
    """Runs the handler unless the id is stored. Returns False for a duplicate. If the handler fails, the id is removed:
    the next attempt runs it again."""
    if not store.add(id):
        return False
    try:
        result = handle()
        if inspect.isawaitable(result):
            raise TypeError("The handler is asynchronous and did not run. Use once_async.")
    except BaseException:
        _release(id, store)
        raise
    return True


async def once_async(id: str, store: IdStore, handle: Callable[[], Awaitable[object]]) -> bool:
    """`once` for an asynchronous handler. The calls of the store block."""
    if not store.add(id):
        return False
    try:
        await handle()
    except BaseException:
        _release(id, store)
        raise
    return True


def _release(id: str, store: IdStore) -> None:
    # Fails in an aborted transaction of PostgreSQL, whose rollback removes the id. The error of the handler counts.
    with suppress(Exception):
        store.remove(id)


class MemoryStore:
    """For tests and one process: keeps the newest ids."""

    def __init__(self, max_ids: int = 100_000) -> None:
        self._max_ids = max_ids
        self._ids: dict[str, None] = {}
        self._lock = threading.Lock()

    def add(self, id: str) -> bool:
        with self._lock:
            if id in self._ids:
                return False
            self._ids[id] = None
            if len(self._ids) > self._max_ids:
                del self._ids[next(iter(self._ids))]
            return True

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
    """For PostgreSQL, MySQL, MariaDB and SQLite, with a connection of DB-API. The table has a unique column:
    `CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`.

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

    def add(self, id: str) -> bool:
        if self._dialect == "mysql":
            return self._run(f"INSERT IGNORE INTO {self._table} (id) VALUES (?)", id) > 0
        return self._run(f"INSERT INTO {self._table} (id) VALUES (?) ON CONFLICT DO NOTHING", id) > 0

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

    def _run(self, sql: str, *parameters: str) -> int:
        placeholder = "?" if self._dialect == "sqlite" else "%s"
        try:
            with closing(self._connection.cursor()) as cursor:
                cursor.execute(sql.replace("?", placeholder), parameters)
                rows: int = cursor.rowcount
            if self._commit:
                self._connection.commit()
        except Exception:
            if self._commit:
                self._connection.rollback()
            raise
        return rows
