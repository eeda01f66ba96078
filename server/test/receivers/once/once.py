"""Handles an event. Arguments: the database, the id, and how the handler ends."""

import json
import os
import signal
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "receivers" / "python"))

from hookline_receiver import SqlStore, once  # noqa: E402

database, id, mode = sys.argv[1:]
kind, _, address = database.partition(" ")
if kind == "sqlite":
    connection = sqlite3.connect(address, timeout=20)
elif kind == "psycopg":
    import psycopg

    connection = psycopg.connect(address)
else:
    import pymysql

    connection = pymysql.connect(**json.loads(address))

is_in_transaction = mode.endswith("in a transaction")
how = mode.partition(",")[0]
store = SqlStore(connection, commit=not is_in_transaction)


def handle():
    cursor = connection.cursor()
    if is_in_transaction:
        cursor.execute(f"INSERT INTO handled (name) VALUES ('{mode}')")
    if how == "exception":
        raise RuntimeError("failed")
    if how == "SQL error":
        cursor.execute("SELECT no_such_column FROM handled")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "exit":
        sys.exit()


if mode == "prune":
    print(store.prune(7), end="")
    sys.exit()
try:
    print("handled" if once(id, store, handle) else "duplicate", end="")
    if is_in_transaction:
        connection.commit()
except Exception as error:
    if is_in_transaction:
        connection.rollback()
    print("SQL error" if "no_such_column" in str(error) else str(error), end="")
