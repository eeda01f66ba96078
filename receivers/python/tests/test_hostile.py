"""Requests that Hookline never makes: unsigned ones, and signed ones with unusual content."""

import asyncio
import base64
import hashlib
import hmac
import io
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hookline_receiver import InvalidRequest, Receiver, Request, from_asgi, from_wsgi  # noqa: E402

SECRET = "whsec_YSBzZWNyZXQgb2YgdGhlIHdlYmhvb2thIHNlY3JldCA="
EVENT = b'{"data":{"id":"1"},"webhook_event":"sms_mo","webhook_timestamp":"2026-11-15T09:30:00+00:00"}'
NOW = str(int(time.time()))
FORM = "application/x-www-form-urlencoded"


def signed(content, headers=None):
    headers = {"webhook-id": "id-1", "webhook-timestamp": NOW} | (headers or {})
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode("utf-8", "surrogatepass") + content
    digest = hmac.new(base64.b64decode(SECRET[6:]), text, hashlib.sha256).digest()
    return {"webhook-signature": f"v1,{base64.b64encode(digest).decode()}"} | headers


def code_of(request, secrets=(SECRET,)):
    try:
        Receiver(list(secrets)).receive(request)
    except InvalidRequest as invalid:
        return invalid.code
    return "accepted"


@pytest.mark.parametrize(
    ("expected", "headers"),
    [
        ("accepted", {}),
        ("header_invalid", {"webhook-timestamp": "1e9"}),
        ("header_invalid", {"webhook-timestamp": f"+{NOW}"}),
        ("header_invalid", {"webhook-timestamp": f"{NOW}\n"}),
        ("header_invalid", {"webhook-timestamp": f" {NOW}"}),
        ("header_invalid", {"webhook-timestamp": f"{NOW[:1]}_{NOW[1:]}"}),
        ("header_invalid", {"webhook-timestamp": "١٧٦٣١٩٧٢٠٠"}),
        ("header_invalid", {"webhook-timestamp": "9" * 5_000}),
        ("clock_off", {"webhook-timestamp": "999999999999"}),
        ("clock_off", {"webhook-timestamp": "0"}),
        ("accepted", {"webhook-timestamp": f"00{NOW}"}),
        ("header_invalid", {"webhook-id": "id.1"}),
        ("header_invalid", {"webhook-id": "idä"}),
        ("header_invalid", {"webhook-id": "id\udcff"}),
        ("header_invalid", {"webhook-signature": "v1,"}),
        ("header_invalid", {"webhook-signature": "vv1,AAAA"}),
        ("wrong_secret", {"webhook-signature": "v1,\udcff\ud800"}),
        ("wrong_secret", {"webhook-signature": "v1,\x00ÿ"}),
    ],
)
def test_headers(expected, headers):
    assert code_of(Request("POST", signed(EVENT, headers), EVENT)) == expected


def test_of_two_headers_with_signatures_one_is_enough():
    headers = [("webhook-signature", "v1,AAAA"), *signed(EVENT).items()]
    assert code_of(Request("POST", headers, EVENT)) == "accepted"
    assert code_of(Request("POST", [("webhook-id", "id-2"), *signed(EVENT).items()], EVENT)) == "header_invalid"


FIELDS = b"webhook_event=sms_mo&webhook_timestamp=t"


@pytest.mark.parametrize(
    ("expected", "method", "content_type", "content"),
    [
        ("accepted", "POST", FORM, FIELDS),
        ("unreadable", "POST", FORM, b"webhook_event[]=sms_mo&webhook_timestamp=t"),
        ("unreadable", "POST", "application/json", b'{"webhook_event":0,"webhook_timestamp":"t"}'),
        ("unreadable", "POST", "application/json", FIELDS),
        ("unreadable", "POST", FORM, b'{"text":"&webhook_event=dlr&webhook_timestamp=t&x="}'),
        ("unreadable", "GET", "", b'{"text":"&webhook_event=dlr&webhook_timestamp=t&x="}'),
        ("unreadable", "POST", "application/json", b""),
        ("unreadable", "POST", "application/json", b"[1]"),
        ("unreadable", "POST", "application/json", b'{"webhook_event":"\xff","webhook_timestamp":"t"}'),
        ("unreadable", "POST", "application/json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        ("unreadable", "POST", "application/json", b'{"a":' + b"9" * 100_000 + b"}"),
        ("unreadable", "POST", FORM, FIELDS + b"&data" + b"[a]" * 100_000 + b"=1"),
        ("unreadable", "POST", FORM, FIELDS + b"&a" * 100_000),
        ("accepted", "POST", FORM, FIELDS + b"&a" + b"[" * 1_000_000 + b"=1"),
        ("accepted", "POST", FORM, b"&&" + FIELDS + b"&=&=1&[]=1&[a]=1&data[]&data[=2&a=\xff"),
    ],
)
def test_contents(expected, method, content_type, content):
    headers = {"content-type": content_type} | signed(content)
    body, query = (b"", content.decode()) if method == "GET" else (content, "")
    started_at = time.monotonic()
    assert code_of(Request(method, headers, body, query)) == expected
    assert time.monotonic() - started_at < 2


def test_a_query_that_is_no_text_is_rejected():
    for query in ("a=\udcff", "a=\ud800", "a=ÿ"):
        assert code_of(Request("GET", signed(b"a=?"), b"", query)) == "wrong_secret"


def test_a_field_without_a_name_is_no_data():
    query = "a=1&&webhook_event=sms_mo&webhook_timestamp=t&"
    event = Receiver([SECRET]).receive(Request("GET", signed(query.encode()), b"", query))
    assert event.data == {"a": "1"}


def test_a_field_of_the_own_url_does_not_replace_the_data():
    query = "data[shop]=1&id=1&webhook_event=sms_mo&webhook_timestamp=t"
    event = Receiver([SECRET]).receive(Request("GET", signed(query.encode()), b"", query))
    assert event.data == {"data": {"shop": "1"}, "id": "1"}


def test_an_event_without_fields_has_no_data():
    body = b"data=&webhook_event=ping&webhook_timestamp=t"
    headers = {**signed(body), "content-type": "application/x-www-form-urlencoded"}
    assert Receiver([SECRET]).receive(Request("POST", headers, body)).data == {}


@pytest.mark.parametrize(
    ("body", "signatures", "code"),
    [
        (b"{}", "v1,AAAA " * 100_000, "header_invalid"),
        (b"{}", "v1,A" + " ," * 500_000, "wrong_secret"),
        (b"{}", "v1" * 500_000 + ",A v1,AAAA", "wrong_secret"),
        (b"[" + b"{}," * 690_000 + b"1]", "v1,AAAA", "wrong_secret"),
        (b"[" * 2_000_000, "v1,AAAA", "wrong_secret"),
    ],
    ids=["many signatures", "many separators", "many starts of signatures", "many empty objects", "many open lists"],
)
def test_the_cost_of_rejection_is_small(body, signatures, code):
    request = Request("POST", {"webhook-id": "a", "webhook-timestamp": NOW, "webhook-signature": signatures}, body)
    tracemalloc.start()
    started_at = time.monotonic()
    assert code_of(request) == code
    took = time.monotonic() - started_at
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 4
    assert peak < 24 * 1024 * 1024


@pytest.mark.parametrize("secret", ["", " ", "whsec_", "===", "{", "whsec_====", "schlüssel", "\udcff"])
def test_a_secret_without_a_key_matches_nothing(secret):
    signature = base64.b64encode(hmac.new(b"", f"a.{NOW}.".encode() + EVENT, hashlib.sha256).digest()).decode()
    headers = {"webhook-id": "a", "webhook-timestamp": NOW, "webhook-signature": f"v1,{signature}"}
    assert code_of(Request("POST", headers, EVENT), [secret]) != "accepted"


@pytest.mark.parametrize("keys", [{"secrets": SECRET}, {"secrets": [], "signing_keys": "5f1c"}])
def test_a_text_in_place_of_a_list_is_an_error(keys):
    with pytest.raises(TypeError, match="Pass a list"):
        Receiver(**keys)


def test_a_secret_without_padding_is_valid():
    assert code_of(Request("POST", signed(EVENT), EVENT), [SECRET.rstrip("=")]) == "accepted"


@pytest.mark.parametrize(("expected", "header"), [(3, "3"), (1, "x"), (1, "-5"), (1, ""), (1, "9" * 5_000), (1, "٣")])
def test_attempts(expected, header):
    headers = signed(EVENT) | {"x-hookline-attempt": header}
    assert Receiver([SECRET]).receive(Request("POST", headers, EVENT)).attempt == expected


def environ_of(body, **others):
    return {"REQUEST_METHOD": "POST", "QUERY_STRING": "", "wsgi.input": io.BytesIO(body)} | others


@pytest.mark.parametrize(
    ("code", "environ"),
    [
        ("unreadable", environ_of(EVENT, CONTENT_LENGTH="-1")),
        ("unreadable", environ_of(EVENT, CONTENT_LENGTH="x")),
        ("unreadable", environ_of(EVENT, CONTENT_LENGTH="9" * 5_000)),
        ("too_large", environ_of(EVENT, CONTENT_LENGTH="2097153")),
        ("too_large", environ_of(b"a" * 2_097_153, **{"wsgi.input_terminated": True})),
        ("already_parsed", environ_of(b"", CONTENT_LENGTH="100")),
    ],
)
def test_lengths_in_wsgi(code, environ):
    with pytest.raises(InvalidRequest) as raised:
        from_wsgi(environ)
    assert raised.value.code == code


def test_a_body_without_a_length_in_wsgi():
    assert from_wsgi(environ_of(EVENT, **{"wsgi.input_terminated": True})).body == EVENT
    assert from_wsgi(environ_of(EVENT)).body == b""


def test_a_body_in_small_parts_is_not_slow():
    messages = iter([{"type": "http.request", "body": b"a", "more_body": True}] * 1_000_000)

    async def receive():
        return next(messages, {"type": "http.request", "body": b"", "more_body": False})

    started_at = time.monotonic()
    read = asyncio.run(from_asgi({"method": "POST", "headers": [], "query_string": b""}, receive))
    assert len(read.body) == 1_000_000
    assert time.monotonic() - started_at < 4


def test_status_to_respond_with():
    statuses = [InvalidRequest(code, "").status for code in ("wrong_secret", "unreadable", "too_large", "already_parsed")]
    assert statuses == [401, 400, 413, 500]
