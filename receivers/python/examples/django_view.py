import logging

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from hookline_receiver import InvalidRequest, Receiver, Request, SqlStore, once


@csrf_exempt
def hookline(request: HttpRequest) -> HttpResponse:
    read = Request(request.method, request.headers, request.body, request.META["QUERY_STRING"])
    try:
        event = Receiver([settings.HOOKLINE_SECRET]).receive(read)
    except InvalidRequest as invalid:
        return HttpResponse(invalid.code, status=invalid.status)

    def handle():
        if event.type == "sms_mo":
            logging.warning("Event %s: %s", event.id, event.data["text"])

    # The connection of the driver: its placeholders depend on the database.
    connection.ensure_connection()
    once(event.id, SqlStore(connection.connection), handle)
    return HttpResponse(status=204)
