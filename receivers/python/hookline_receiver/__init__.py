"""Receives webhooks of Hookline: verifies and parses requests, and handles each event once."""

from .handle_once import EventInProgress, IdStore, MemoryStore, SqlStore, once, once_async
from .receiver import Event, InvalidRequest, Receiver, Request, from_asgi, from_wsgi

__all__ = [
    "Event",
    "EventInProgress",
    "IdStore",
    "InvalidRequest",
    "MemoryStore",
    "Receiver",
    "Request",
    "SqlStore",
    "from_asgi",
    "from_wsgi",
    "once",
    "once_async",
]
