"""Real databases for the tests: a PostgreSQL cluster and a Redis server, each in a folder and at a port of its own."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

from serving import PATIENCE, free_port, until


def _as_user(name: str) -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """A PostgreSQL cluster in a folder, with its own port. What is killed here leaves its files whole."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        assert found, "PostgreSQL is missing: run tools/services"
        self.bin = found[-1]
        self.folder = folder / "postgres"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        initdb = [str(self.bin / "initdb"), "-D", str(self.folder), "-A", "trust", "-U", "postgres", "-N", "-E", "UTF8"]
        subprocess.run(initdb, check=True, capture_output=True, cwd="/", **_as_user("postgres"))

    def start(self) -> Postgres:
        line = [str(self.bin / "postgres"), "-D", str(self.folder), "-p", str(self.port), "-k", str(self.folder)]
        line += ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=60"]
        with (self.folder.parent / "postgres.log").open("ab") as log:
            self.process = subprocess.Popen(line, stdout=log, stderr=log, cwd="/", **_as_user("postgres"))
        until(lambda: subprocess.run([str(self.bin / "pg_isready"), "-q", *self._where()]).returncode == 0)
        return self

    def _where(self) -> list[str]:
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]

    def new_database(self) -> str:
        """An empty database; returns its address."""
        name = f"parlour_{secrets.token_hex(4)}"
        subprocess.run([str(self.bin / "createdb"), *self._where(), name], check=True, cwd="/")
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        """At once, as when its machine fails."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)


class Redis:
    """A Redis server with its own port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> Redis:
        program = shutil.which("redis-server")
        assert program, "Redis is missing: run tools/services"
        line = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers)
        return self

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as probe:
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False

    def pause(self) -> None:
        """Say nothing any more, without closing anything."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)
