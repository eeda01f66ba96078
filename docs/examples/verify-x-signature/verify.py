import hashlib
import hmac
import time


def verify_x_signature(signing_key: str, headers, method: str, url: str, body: bytes) -> bool:
    """headers: a mapping with lowercase names. url: as registered. body: the raw body, empty for GET."""
    if not signing_key:  # anyone can sign with an empty key
        return False
    timestamp = headers.get("x-timestamp", "")
    lines = [timestamp, headers.get("x-nonce", ""), method, url, hashlib.md5(body).hexdigest()]
    expected = hmac.digest(signing_key.encode(), "\n".join(lines).encode(), "sha256").hex()
    is_genuine = hmac.compare_digest(headers.get("x-signature", "").encode(), expected.encode())
    return is_genuine and abs(time.time() - int(timestamp)) <= 300
