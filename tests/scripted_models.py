"""Language models for tests: an address on this machine and programs, which answer, err and misbehave as they are told.

Nothing here is asked over a network but 127.0.0.1, and each server and program ends with its test.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


def choices_in(prompt: str) -> list[str]:
    """What the last question offers, in notation."""
    listed = prompt.rpartition("Your choices")[2]
    return re.findall(r"^\| ([^:\n]+?)(?::.*)?$", listed, re.M)


@dataclass
class Asked:
    """One request, as the script may answer it."""

    handler: BaseHTTPRequestHandler
    body: dict[str, Any]
    headers: dict[str, str]
    number: int

    @property
    def prompt(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def all_prompts(self) -> str:
        return "\n".join(str(each["content"]) for each in self.body["messages"])

    def send(self, status: int, content: bytes, **headers: str) -> None:
        self.handler.send_response(status)
        self.handler.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(content)

    def say(self, text: str, **more: Any) -> None:
        """A chat completion."""
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        content = {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage, **more}
        self.send(200, json.dumps(content).encode())

    def play_first(self) -> None:
        """Choose the first of what is offered, in whichever message that was."""
        self.say(f"I like that.\nACTION: {choices_in(self.all_prompts)[0]}")


@dataclass
class Address:
    """A server whose answers come one after the other from a script; the last one is given again and again."""

    script: list[Callable[[Asked], None]]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def answer(self, asked: Asked) -> None:
        self.asked.append(asked)
        self.script[min(asked.number, len(self.script) - 1)](asked)


@contextmanager
def address(*script: Callable[[Asked], None]) -> Iterator[Address]:
    """A scripted address on this machine."""
    serving = Address(list(script))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                serving.answer(Asked(self, body, headers, len(serving.asked)))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    serving.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield serving
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def drip(asked: Asked) -> None:
    """Begins an answer, and says a byte of it now and then for ever."""
    asked.handler.send_response(200)
    asked.handler.end_headers()
    for _ in range(600):
        asked.handler.wfile.write(b" ")
        asked.handler.wfile.flush()
        time.sleep(0.1)


def say(text: str) -> Callable[[Asked], None]:
    return lambda asked: asked.say(text)


def refuse(status: int, text: str = "no", **headers: str) -> Callable[[Asked], None]:
    return lambda asked: asked.send(status, text.encode(), **headers)


PROGRAM = """#!/usr/bin/env python3
import os, re, sys, time
prompt = sys.stdin.read()
def choices():
    return re.findall(r"^\\| ([^:\\n]+?)(?::.*)?$", prompt.rpartition("Your choices")[2], re.M)
"""


def program(folder: Path, code: str = "print('ACTION:', choices()[0])", name: str = "my_model") -> str:
    """A program that does this with ``prompt`` and ``choices()``; returns its name behind ``model:``."""
    file = folder / name
    file.write_text(PROGRAM + code + "\n")
    file.chmod(0o755)
    return str(file)
