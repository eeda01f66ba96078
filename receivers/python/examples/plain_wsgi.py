import logging
import os
import sqlite3

from hookline_receiver import InvalidRequest, Receiver, SqlStore, from_wsgi, once

receiver = Receiver([os.environ["HOOKLINE_SECRET"]])


def app(environ, start_response):
    try:
        event = receiver.receive(from_wsgi(environ))
    except InvalidRequest as invalid:
        start_response(f"{invalid.status} Rejected", [])
        return [invalid.code.encode()]

    def handle():
        if event.type == "sms_mo":
            logging.warning("Event %s: %s", event.id, event.data["text"])

    database = sqlite3.connect(os.environ["DATABASE"])
    try:
        once(event.id, SqlStore(database), handle)
    finally:
        database.close()
    start_response("204 No Content", [])
    return []
