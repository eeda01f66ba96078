import base64
import sys

from webhook import verify_webhook
from x_signature import verify_x_signature

for line in sys.stdin:
    secret, key, method, url, body, content, lines = map(base64.b64decode, line.rstrip("\n").split(" "))
    headers = dict(header.split(": ", 1) for header in lines.decode().split("\n") if header)
    is_valid = verify_webhook(secret.decode(), headers, content)
    is_x_valid = verify_x_signature(key.decode(), headers, method.decode(), url.decode(), body)
    print(str(is_valid).lower(), str(is_x_valid).lower())
