import logging
import os
import sqlite3

from fastapi import FastAPI, Request, Response
from hookline_receiver import InvalidRequest, Receiver, SqlStore, from_asgi, once_async

app = FastAPI()
receiver = Receiver([os.environ["HOOKLINE_SECRET"]])


@app.api_route("/webhooks/hookline", methods=["GET", "POST"])
async def hookline(request: Request) -> Response:
    try:
        event = receiver.receive(await from_asgi(request.scope, request.receive))
    except InvalidRequest as invalid:
        return Response(invalid.code, invalid.status)

    async def handle() -> None:
        if event.type == "sms_mo":
            logging.warning("Event %s: %s", event.id, event.data["text"])

    database = sqlite3.connect(os.environ["DATABASE"])
    try:
        await once_async(event.id, SqlStore(database), handle)
    finally:
        database.close()
    return Response(status_code=204)
