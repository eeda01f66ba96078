import logging
import os
import sqlite3

from flask import Flask, request
from hookline_receiver import InvalidRequest, Receiver, SqlStore, from_wsgi, once

app = Flask(__name__)
receiver = Receiver([os.environ["HOOKLINE_SECRET"]])


@app.route("/webhooks/hookline", methods=["GET", "POST"])
def hookline():
    try:
        event = receiver.receive(from_wsgi(request.environ))
    except InvalidRequest as invalid:
        return invalid.code, invalid.status

    def handle():
        if event.type == "sms_mo":
            logging.warning("Event %s: %s", event.id, event.data["text"])

    database = sqlite3.connect(os.environ["DATABASE"])
    try:
        once(event.id, SqlStore(database), handle)
    finally:
        database.close()
    return "", 204
