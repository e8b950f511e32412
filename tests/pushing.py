"""A push service on this machine, and browsers that can read what it is sent."""

from __future__ import annotations

import base64
import json
import secrets
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@dataclass
class Pushed:
    """A message as the push service got it."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Takes messages, and answers 201, or what ``answers`` says first. While it is not open, it says nothing."""

    def __init__(self) -> None:
        self.got: list[Pushed] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.is_open = threading.Event()
        self.is_open.set()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.got.append(
                    Pushed(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                )
                service.is_open.wait()
                status, headers = service.answers.pop(0) if service.answers else (201, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.is_open.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@dataclass
class Browser:
    """A browser that has subscribed at a push service."""

    service: PushService
    path: str = field(default_factory=lambda: f"/{secrets.token_hex(8)}")
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    _auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def subscription(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.service.url + self.path, "p256dh": _text(point), "auth": _text(self._auth)}

    @property
    def raw(self) -> list[Pushed]:
        """What came for it, as it came."""
        return [pushed for pushed in self.service.got if pushed.path == self.path]

    @property
    def read(self) -> list[dict[str, Any]]:
        """What came for it, decrypted."""
        return [
            json.loads(http_ece.decrypt(one.body, private_key=self._key, auth_secret=self._auth)) for one in self.raw
        ]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
