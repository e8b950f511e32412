"""A message for somebody's browser: in words, encrypted for it alone, and signed with the key of this server.

The library comes with an extra, so it is imported only where something is sent.
"""

from __future__ import annotations

import base64
import binascii
import importlib.util
import json
import re
import time
from urllib.parse import urlsplit

from parlour.engine.language import speaking
from parlour.server.store.pushes import Subscription
from parlour.server.tables.table import Table

LIBRARY = "pywebpush"
SIGNED_FOR = 12 * 3600  # seconds
NAMED = 3  # others at the table
WORDS = {
    "en": {"turn": "Your turn", "with": "{title} with {names}", "and": " and "},
    "de": {"turn": "Du bist dran", "with": "{title} mit {names}", "and": " und "},
}


def is_installed() -> bool:
    return importlib.util.find_spec(LIBRARY) is not None


def new_key() -> bytes:
    """A private key, as it is stored."""
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    return bytes(vapid.private_pem())


def public_key(key: bytes) -> str:
    """What browsers are told: they accept messages only from whoever has the private key."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    raw = Vapid02.from_pem(key).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def contact(origin: str) -> str:
    """Whom push services may ask about messages for a page from there; nothing if that is no site of the internet."""
    found = re.fullmatch(r"https://([\w-]+(?:\.[\w-]+)+)(?::\d+)?", origin)
    return f"https://{found[1]}" if found and len(found[1]) < 190 else ""


def in_words(table: Table, seat: int, language: str) -> bytes:
    """That it is the seat's turn, and where."""
    words = WORDS[language]
    with speaking(language):
        people = [table.name(other) for other in table.people if other != seat][:NAMED]
        title = table.said_title
    names = words["and"].join(filter(None, [", ".join(people[:-1]), *people[-1:]]))
    body = words["with"].format(title=title, names=names) if names else title
    return json.dumps({"title": words["turn"], "body": body, "table": table.id}, ensure_ascii=False).encode()


def encrypt(subscription: Subscription, data: bytes) -> bytes:
    """For the one browser that can read it. Raises ValueError if its keys are none."""
    from pywebpush import WebPusher, WebPushException

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    try:
        encoded = WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(data)
    except (WebPushException, binascii.Error, IndexError) as error:
        raise ValueError(str(error)) from error
    return bytes(encoded["body"])


def headers(key: bytes, subscription: Subscription, *, contact: str, topic: str, seconds: int) -> dict[str, str]:
    """Who sends it, and for how long it is worth delivering. A newer message of the topic replaces an older one."""
    from py_vapid import Vapid02

    parts = urlsplit(subscription.endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_FOR, "sub": contact}
    signed: dict[str, str] = Vapid02.from_pem(key).sign(claims)
    return {
        **signed,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(seconds),
        "Topic": topic,
        "Urgency": "high",
    }
