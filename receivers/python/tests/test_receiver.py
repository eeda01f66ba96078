"""The requests that the worker makes, and their traps; real servers for WSGI."""

import asyncio
import hashlib
import hmac
import json
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent))

from hookline_receiver import InvalidRequest, Receiver, Request, from_asgi, from_wsgi  # noqa: E402

vectors = json.loads((folder.parents[2] / "receiver" / "vectors.json").read_text())["vectors"]


def request_of(vector):
    request = vector["request"]
    query = request["url"].partition("?")[2]
    return Request(request["method"], dict(request["headers"]), request["body"].encode(), query)


@pytest.mark.parametrize("vector", vectors, ids=lambda vector: vector["name"])
def test_vector(vector):
    receiver = Receiver(vector["secrets"], [vector["signing_key"]], vector["url"])
    expected = vector["expected"]
    if not expected["is_valid"]:
        with pytest.raises(InvalidRequest) as raised:
            receiver.verify(request_of(vector), vector["now"])
            receiver.parse(request_of(vector))
        assert raised.value.code == expected["code"]
        return
    receiver.verify(request_of(vector), vector["now"])
    event = receiver.parse(request_of(vector))
    assert (event.id, event.type) == (expected["event"]["id"], expected["event"]["webhook_event"])
    for name, value in expected["event"]["data"].items():
        assert event.data[name] == value, name


def test_empty_keys_match_nothing():
    now = str(int(time.time()))
    text = "\n".join([now, "n", "POST", "https://x.example/", hashlib.md5(b"{}").hexdigest()])
    signature = hmac.new(b"", text.encode(), hashlib.sha256).hexdigest()
    headers = {"x-signature": signature, "x-timestamp": now, "x-nonce": "n"}
    with pytest.raises(InvalidRequest):
        Receiver([""], ["", " "], "https://x.example/").verify(Request("POST", headers, b"{}"))


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def test_wsgi_in_a_real_server():
    receiver = Receiver(vectors[0]["secrets"], tolerance_seconds=float("inf"))

    def app(environ, start_response):
        try:
            event = receiver.receive(from_wsgi(environ))
        except InvalidRequest as invalid:
            start_response("401 Unauthorized", [])
            return [invalid.code.encode()]
        start_response("200 OK", [])
        return [event.type.encode()]

    server = make_server("127.0.0.1", 0, app, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sent = 0
    try:
        for vector in vectors:
            if not vector["name"].startswith(("JSON: ", "form: ", "flat form: ", "query: ", "tampered", "line feed")):
                continue
            sent += 1
            request = vector["request"]
            url = f"http://127.0.0.1:{server.server_port}/webhooks?{request['url'].partition('?')[2]}"
            body = request["body"].encode() if request["method"] == "POST" else None
            outgoing = urllib.request.Request(url, body, dict(request["headers"]), method=request["method"])
            try:
                answer = urllib.request.urlopen(outgoing).read().decode()
            except urllib.error.HTTPError as error:
                answer = error.read().decode()
            expected = vector["expected"]
            assert answer == ("sms_mo" if expected["is_valid"] else expected["code"]), vector["name"]
    finally:
        server.shutdown()
        server.server_close()
    assert sent > 25


def test_asgi_reads_the_body_in_parts():
    vector = vectors[0]
    request = vector["request"]
    body = request["body"].encode()
    messages = [
        {"type": "http.request", "body": body[:10], "more_body": True},
        {"type": "http.request", "body": body[10:], "more_body": False},
    ]

    async def receive():
        return messages.pop(0)

    scope = {
        "method": request["method"],
        "query_string": b"shop=1",
        "headers": [(name.encode(), value.encode()) for name, value in request["headers"]],
    }
    read = asyncio.run(from_asgi(scope, receive))
    Receiver(vector["secrets"]).verify(read, vector["now"])
    assert read.body == body
