"""Receives webhooks of Hookline: verifies and parses requests."""

from .receiver import Event, InvalidRequest, Receiver, Request, from_asgi, from_wsgi

__all__ = ["Event", "InvalidRequest", "Receiver", "Request", "from_asgi", "from_wsgi"]
