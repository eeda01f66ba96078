"""Verifies the signatures of a request and parses its event. Needs the request as it arrived."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import unquote_plus, urlsplit

MAX_BYTES = 2 * 1024 * 1024
"""Larger than every event."""

# Far more than an event has.
_MAX_FIELDS = 20_000
_MAX_LEVELS = 70

# Far more than a rotation has.
_MAX_SIGNATURES = 20


_SECRET = re.compile(r"(whsec_)?[A-Za-z0-9+/_-]{2,}={0,2}")


class InvalidRequest(Exception):
    """The request is not genuine, or cannot be read. `code` is one of those in the documentation, `status` is what to
    respond with."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = {"unreadable": 400, "too_large": 413, "already_parsed": 500, "no_secret": 500}.get(code, 401)


class Request:
    """A request before a framework has parsed its body. Header names in any casing, with hyphens or underscores."""

    def __init__(
        self, method: str, headers: Mapping[str, str] | Iterable[tuple[str, str]], body: bytes, query: str = ""
    ) -> None:
        items = headers.items() if isinstance(headers, Mapping) else headers
        if len(body) > MAX_BYTES:
            raise _too_large()
        self.method = method.upper()
        self.headers: dict[str, str] = {}
        for name, value in items:
            key = name.lower().replace("_", "-")
            self.headers[key] = f"{self.headers[key]}, {value}" if key in self.headers else value
        self.body = body
        self.query = query

    def header(self, name: str) -> str:
        return self.headers.get(name, "")


@dataclass(frozen=True)
class Event:
    """In a form and a query all values of `data` are text."""

    id: str
    """The same on every attempt and replay: recognizes duplicates."""
    type: str
    timestamp: str
    """When the event was accepted."""
    data: dict[str, Any]
    attempt: int
    """From 1."""
    is_test: bool


@dataclass(frozen=True)
class _Signed:
    timestamp: int
    signatures: list[str]
    keys: list[str]
    sign: Callable[[str, bytes], str | None]
    content: bytes

    def matches(self, content: bytes) -> bool:
        for key in self.keys:
            expected = self.sign(key, content)
            if expected is None:
                continue
            for signature in self.signatures:
                if hmac.compare_digest(expected.encode(), _encode(signature)):
                    return True
        return False


@dataclass
class Receiver:
    """`signing_keys` and `url` are for `x-signature`, which counts only without secrets."""

    secrets: list[str]
    signing_keys: list[str] = field(default_factory=list)
    url: str | None = None
    tolerance_seconds: float = 300

    def __post_init__(self) -> None:
        if isinstance(self.secrets, str) or isinstance(self.signing_keys, str):
            # Each of its characters would be a key.
            raise TypeError("Pass a list of secrets or signing keys, not a text.")
        # An empty key, such as that of a missing variable, would make signatures that anyone can make.
        self.secrets = [text for text in self.secrets if _SECRET.fullmatch(text.strip())]
        self.signing_keys = [text for text in self.signing_keys if text.strip()]

    def receive(self, request: Request) -> Event:
        self.verify(request)
        return self.parse(request)

    def verify(self, request: Request, now: float | None = None) -> None:
        if self.secrets:
            signed = self._standard(request)
        elif self.signing_keys:
            signed = self._account(request)
        else:
            raise InvalidRequest("no_secret", "There is no secret to verify with, or none of the right form: whsec_ and Base64. Is its variable set?")
        if not signed.matches(signed.content):
            if self.secrets and not signed.content:
                raise InvalidRequest(
                    "body_changed",
                    "The body (of a GET: the query) is empty. Verify the raw body, "
                    "before a framework parses it.",
                )
            raise _explain(signed)
        off = (time.time() if now is None else now) - signed.timestamp
        if not abs(off) <= self.tolerance_seconds:
            when = (
                f"made {off:.0f} s ago. The clock of this machine is wrong, or an old request was sent again."
                if off > 0
                else f"dated {-off:.0f} s in the future. The clock of this machine is wrong."
            )
            raise InvalidRequest("clock_off", f"The signature is valid, but it was {when}")

    def parse(self, request: Request) -> Event:
        """Parses a verified request, in all three formats."""
        fields = _fields(request)
        event_type, timestamp = fields.pop("webhook_event", None), fields.pop("webhook_timestamp", None)
        if not isinstance(event_type, str) or not isinstance(timestamp, str):
            raise InvalidRequest("unreadable", "The request has no webhook_event and webhook_timestamp.")
        attempt = request.header("x-hookline-attempt")
        return Event(
            id=request.header("webhook-id"),
            type=event_type,
            timestamp=timestamp,
            data=fields if request.method == "GET" else _data(fields, _is_form(request)),
            attempt=int(attempt) if re.fullmatch(r"[1-9][0-9]{0,8}", attempt) else 1,
            is_test=request.header("x-hookline-test") == "1",
        )

    def _standard(self, request: Request) -> _Signed:
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            _require(request, name)
        event_id = _id(request)
        text = request.header("webhook-timestamp")
        timestamp = _timestamp(text, "webhook-timestamp")
        found = re.finditer(r"(?:^|(?<=[ ,]))v1,([^ ,]+)", request.header("webhook-signature"))
        signatures = [match[1] for match in islice(found, _MAX_SIGNATURES + 1)]
        if not signatures:
            raise InvalidRequest("header_invalid", "The header webhook-signature has no signature of version 1.")
        if len(signatures) > _MAX_SIGNATURES:
            raise InvalidRequest(
                "header_invalid", f"The header webhook-signature has more than {_MAX_SIGNATURES} signatures."
            )

        def sign(secret: str, content: bytes) -> str | None:
            try:
                text_of_key = secret.strip().removeprefix("whsec_")
                # Padding that was cut off is added.
                key = base64.b64decode(text_of_key + "=" * (-len(text_of_key) % 4), validate=True)
            except ValueError:
                return None
            if not key:
                return None
            signed = f"{event_id}.{text}.".encode() + content
            return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()

        content = _encode(request.query) if request.method == "GET" else request.body
        return _Signed(timestamp, signatures, self.secrets, sign, content)

    def _account(self, request: Request) -> _Signed:
        # The signature does not cover the id. Without it, all events would be duplicates of one.
        for name in ("x-signature", "x-timestamp", "x-nonce", "webhook-id"):
            _require(request, name)
        _id(request)
        url = self.url
        if url is None:
            raise InvalidRequest("header_invalid", "The URL of the webhook is needed to verify x-signature.")
        is_get = request.method == "GET"
        if is_get and urlsplit(url).query != request.query:
            raise InvalidRequest(
                "header_missing", "x-signature does not cover the query of a GET, unless it was made for the complete URL."
            )
        text, nonce = request.header("x-timestamp"), request.header("x-nonce")
        timestamp = _timestamp(text, "x-timestamp")

        def sign(key: str, content: bytes) -> str:
            digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
            signed = "\n".join([text, nonce, request.method, url, digest])
            return hmac.new(key.encode(), _encode(signed), hashlib.sha256).hexdigest()

        signatures = [request.header("x-signature"), request.header("x-hookline-next-signature")]
        content = b"" if is_get else request.body
        return _Signed(timestamp, [text for text in signatures if text], self.signing_keys, sign, content)


def _encode(text: str) -> bytes:
    """Servers pass bytes that are not text as lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def _too_large() -> InvalidRequest:
    return InvalidRequest("too_large", f"The request has more than {MAX_BYTES} bytes.")


def _require(request: Request, name: str) -> None:
    if not request.header(name):
        raise InvalidRequest(
            "header_missing",
            f"The header {name} is missing. A proxy may have removed it, or the request is not from Hookline.",
        )


def _id(request: Request) -> str:
    """Dots separate the signed parts."""
    event_id = request.header("webhook-id")
    if re.fullmatch(r"[A-Za-z0-9_-]+", event_id) is None:
        raise InvalidRequest("header_invalid", "The header webhook-id is not an id.")
    return event_id


def _timestamp(text: str, name: str) -> int:
    if re.fullmatch(r"[0-9]{1,12}", text) is None:
        raise InvalidRequest("header_invalid", f"The header {name} is not a Unix time.")
    return int(text)


def _reserialized(content: bytes) -> bytes:
    if len(content) > 512 * 1024:
        raise ValueError("Events are smaller. The values of a larger body could need much memory.")
    return json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":")).encode()


_CHANGES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("whitespace was added or removed at the end", bytes.rstrip),
    ("a line feed was removed at the end", lambda content: content + b"\n"),
    ("line feeds were changed to CRLF", lambda content: content.replace(b"\r\n", b"\n")),
    ("it was parsed and serialized again", _reserialized),
]


def _explain(signed: _Signed) -> InvalidRequest:
    """Only after no signature has matched: tells a changed body from a wrong secret, as far as that can be told."""
    for name, undo in _CHANGES:
        try:
            content = undo(signed.content)
        except (ValueError, RecursionError):
            continue
        if signed.matches(content):
            return InvalidRequest(
                "body_changed",
                f"The body is not the one that was signed: {name}. Verify the raw body, before a framework parses it.",
            )
    return InvalidRequest(
        "wrong_secret",
        "No signature matches. The secret is that of another webhook or was rotated, or the body was changed beyond "
        "recognition.",
    )


def _is_form(request: Request) -> bool:
    return request.header("content-type").lower().startswith("application/x-www-form-urlencoded")


def _data(fields: dict[str, Any], is_form: bool) -> dict[str, Any]:
    """A form with flat fields has the data beside. So has a GET, where `data` is a field of the event or of the URL."""
    data = fields.get("data")
    if is_form and len(fields) > 1:
        return fields
    if isinstance(data, dict):
        return data
    # An event without fields.
    return {} if data == "" else fields


def _fields(request: Request) -> dict[str, Any]:
    if request.method == "GET":
        return _form(request.query)
    if _is_form(request):
        return _form(request.body.decode("utf-8", "replace"))
    try:
        fields = json.loads(_without_lone_surrogates(request.body), parse_int=_integer)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InvalidRequest("unreadable", "The body is neither a JSON object nor a form.")
    return fields


_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)


def _without_lone_surrogates(content: bytes) -> bytes:
    """The text of an SMS can end in half of a character, which databases reject."""
    return _ESCAPE.sub(lambda match: rb"\ufffd" if match[1] else match[0], content)


def _integer(text: str) -> int | str:
    """Python rejects integers of more than 4,300 digits."""
    return int(text) if len(text) <= 1_000 else text


def _form(text: str) -> dict[str, Any]:
    """Reads fields with brackets as PHP does: `data[list][0]=a`."""
    # JSON with the content type of a form. The text of an SMS in it could look like other fields.
    if '"' in text:
        raise InvalidRequest("unreadable", "The content type is that of a form, but the content is not a form.")
    pairs = text.split("&", _MAX_FIELDS)
    if len(pairs) > _MAX_FIELDS:
        raise InvalidRequest("unreadable", "The form has too many fields.")
    root: dict[str, Any] = {}
    for pair in filter(None, pairs):
        name, _, value = (unquote_plus(part) for part in pair.partition("="))
        keys = _keys(name)
        node = root
        for key in keys[:-1]:
            inner = node.get(key)
            if not isinstance(inner, dict):
                inner = node[key] = {}
            node = inner
        node[keys[-1]] = value
    return {name: _lists(value) for name, value in root.items()}


def _keys(name: str) -> list[str]:
    start = name.find("[")
    if start < 1:
        return [name]
    keys = [name[:start]]
    while start >= 0 and (end := name.find("]", start)) >= 0:
        keys.append(name[start + 1 : end])
        if len(keys) > _MAX_LEVELS:
            raise InvalidRequest("unreadable", "A field of the form has too many levels.")
        start = name.find("[", end)
    return keys


def _lists(value: Any) -> Any:
    """Keys from 0 on are a list."""
    if not isinstance(value, dict):
        return value
    inner = {key: _lists(item) for key, item in value.items()}
    if inner and list(inner) == [str(index) for index in range(len(inner))]:
        return list(inner.values())
    return inner


def from_wsgi(environ: Mapping[str, Any]) -> Request:
    """Reads a request of WSGI (Flask, Bottle, Django)."""
    headers = {name[5:]: value for name, value in environ.items() if name.startswith("HTTP_")}
    headers["content-type"] = environ.get("CONTENT_TYPE") or ""
    body = _read_wsgi(environ)
    return Request(environ["REQUEST_METHOD"], headers, body, environ.get("QUERY_STRING") or "")


def _read_wsgi(environ: Mapping[str, Any]) -> bytes:
    length = environ.get("CONTENT_LENGTH") or ""
    if length == "":
        # Without a length, only some servers end the body by themselves.
        return environ["wsgi.input"].read(MAX_BYTES + 1) if environ.get("wsgi.input_terminated") else b""
    if re.fullmatch(r"[0-9]{1,12}", length) is None:
        raise InvalidRequest("unreadable", "The header content-length is not a number.")
    if int(length) > MAX_BYTES:
        raise _too_large()
    body = environ["wsgi.input"].read(int(length))
    if not body and int(length) > 0:
        raise InvalidRequest("already_parsed", "The body was already read. Verify the request before a framework parses it.")
    return body


async def from_asgi(scope: Mapping[str, Any], receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> Request:
    """Reads a request of ASGI (FastAPI, Starlette, Quart)."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidRequest("unreadable", "The connection was lost.")
        body += message.get("body", b"")
        if len(body) > MAX_BYTES:
            raise _too_large()
        if not message.get("more_body", False):
            break
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    return Request(scope["method"], headers, bytes(body), scope["query_string"].decode("latin-1"))
