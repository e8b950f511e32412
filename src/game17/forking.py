"""The caller's side of the nursery. It imports little: the nursery is on its way before the heavy imports here."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from parlour.bots.box.process.forkserver import clean_environment
from parlour.bots.box.sandbox import is_too_wide
from parlour.engine.errors import ParlourError


class Nursery:
    """The caller's side of the process that bots come from."""

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        self._control = control
        self._process = process

    @classmethod
    def start(cls) -> Nursery:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "game17.nursery", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=clean_environment(),
            )
        return cls(ours, process)

    def branch(self) -> Nursery:
        """Another nursery of the same kind, for another process to use."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._request({"branch": True}, theirs)
        return Nursery(ours)

    def bear(self, path: Path, end: socket.socket, *, loud: bool) -> int:
        """A bot of that file at the end of a channel; its process id."""
        folders = [str(path), *(str(folder) for folder in (path.parent, Path.cwd()) if not is_too_wide(folder))]
        return int(self._request({"bot": str(path), "readable": folders, "loud": loud}, end)["pid"])

    def end(self, pid: int) -> None:
        self._request({"end": pid})

    def _request(self, words: dict[str, Any], handle: socket.socket | None = None) -> dict[str, Any]:
        handles = [handle.fileno()] if handle else []
        try:
            socket.send_fds(self._control, [json.dumps(words).encode()], handles)
            answer = self._control.recv(1 << 12)
        except OSError:
            answer = b""
        if not answer:
            raise ParlourError("the process that bots come from has ended; what it printed says why")
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        self._control.close()
        if self._process is not None:
            self._process.wait()
