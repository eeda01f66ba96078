import base64
import hmac
import time


def verify_webhook(secret: str, headers, content: bytes) -> bool:
    """headers: a mapping with lowercase names. content: the raw body, for GET the raw query string."""
    timestamp = headers.get("webhook-timestamp", "")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:  # anyone can sign with an empty key
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + content
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    is_genuine = any(hmac.compare_digest(signature, expected) for signature in signatures)
    return is_genuine and abs(time.time() - int(timestamp)) <= 300
