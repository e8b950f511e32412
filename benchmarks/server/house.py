"""What is measured: servers, and the databases they use, each in a process of its own on 127.0.0.1."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg

HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]
# Nothing here is to meet a limit that is meant for strangers.
UNLIMITED = {
    "PARLOUR_COMMANDS_PER_SECOND": "100000",
    "PARLOUR_REQUESTS_PER_SECOND": "100000",
    "PARLOUR_DRAWING_PER_SECOND": "100000",
    "PARLOUR_PLAYING_PER_SECOND": "100000",
    "PARLOUR_TABLES_PER_ADDRESS": "10000000",
    "PARLOUR_TABLES_PER_HOUR": "10000000",
    "PARLOUR_TABLES_IN_MEMORY": "100000",
    "PARLOUR_CONNECTIONS": "100000",
    "PARLOUR_CONNECTIONS_PER_ADDRESS": "100000",
    "PARLOUR_SOCKETS": "100000",
    "PARLOUR_SOCKETS_PER_ADDRESS": "100000",
    "PARLOUR_SOCKETS_PER_NETWORK": "100000",
    "PARLOUR_WARM": "false",
    "PARLOUR_LOG": "text",
}


@dataclass(frozen=True)
class Usage:
    """What a process has used: seconds of processor time, bytes of memory, open files."""

    cpu: float
    memory: int
    files: int


def usage(pid: int) -> Usage:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"), files)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def workers(pid: int) -> list[int]:
    """The workers that a server has started, where it serves with several."""
    return [child for child in children(pid) if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def usage_of_all(pid: int) -> Usage:
    """What a process and all that it has started use together."""
    parts = [usage(pid), *(usage_of_all(child) for child in children(pid))]
    return Usage(sum(part.cpu for part in parts), sum(part.memory for part in parts), sum(part.files for part in parts))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def wait_for(what: Callable[[], object], seconds: float = 30.0) -> None:
    """Until it no longer raises OSError or CalledProcessError."""
    end = time.monotonic() + seconds
    while True:
        try:
            what()
            return
        except (OSError, subprocess.CalledProcessError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Server:
    """``parlour serve`` in a process that can be killed and started again at the same address."""

    def __init__(
        self, database: str, *, redis: str = "", log: Path | None = None, clock: Path | None = None, **settings: object
    ) -> None:
        """``clock`` is a file that says by how many seconds the server's time of day is wrong."""
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        self._log = log
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = {**os.environ, **UNLIMITED, "PARLOUR_DATABASE": database, "PARLOUR_REDIS": redis}
        self._environment |= {f"PARLOUR_{name.upper()}": str(value) for name, value in settings.items()}
        self._has_workers = settings.get("workers", 1) != 1

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def serving(self) -> list[int]:
        """The processes that answer: its workers, or itself."""
        return workers(self.pid) if self._has_workers else [self.pid]

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def command(self) -> list[str]:
        program = [str(Path(sys.executable).with_name("parlour"))]
        if self._clock:
            program = [sys.executable, "-m", "benchmarks.server.jumpy", str(self._clock)]
        return [*program, "serve", "--port", str(self.port)]

    def start(self) -> Server:
        """Start it, and again if it ends at once, as whoever minds servers does; returns when it takes requests."""
        wait_for(self._look)
        return self

    def _look(self) -> None:
        if not self.is_running:
            self._spawn()
        urllib.request.urlopen(f"{self.url}/readyz", timeout=5).close()

    def _spawn(self) -> None:
        with Path(self._log or os.devnull).open("ab") as output:
            self._process = subprocess.Popen(
                self.command(),
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
                cwd=ROOT,
            )

    def kill(self) -> None:
        """End it as a power cut would: at once, with its bots."""
        if self.is_running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        if self.is_running and self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


class Redis:
    """A redis-server that keeps nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://{HOST}:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Redis:
        command = ["redis-server", "--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=tempfile.gettempdir())
        wait_for(lambda: socket.create_connection((HOST, self.port), 1).close())
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class PostgreSQL:
    """A cluster of its own in a temporary folder, with everything on that makes a commit durable."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgresql://postgres@{HOST}:{self.port}/postgres"
        self._folder = Path(tempfile.mkdtemp(prefix="parlour-postgresql-"))
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [Path(shutil.which("initdb") or "").parent]
        self._programs = found[-1]

    def _run(self, program: str, *arguments: str) -> None:
        # PostgreSQL refuses to run as root.
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*as_postgres, str(self._programs / program), *arguments],
            check=True,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> PostgreSQL:
        if os.getuid() == 0:
            shutil.chown(self._folder, "postgres")
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")
        settings = f"-p {self.port} -h {HOST} -k {self._folder} -c max_connections=200"
        self._run("pg_ctl", "-D", data, "-w", "-l", str(self._folder / "log"), "-o", settings, "start")
        return self

    @property
    def pid(self) -> int:
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def written(self) -> int:
        """Bytes of its log of changes so far."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute("select pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
            assert row is not None
            return int(row[0])

    def transactions(self) -> int:
        """How many have been committed or rolled back so far."""
        query = "select xact_commit + xact_rollback from pg_stat_database where datname = 'postgres'"
        with psycopg.connect(self.url) as connection:
            row = connection.execute(query).fetchone()
            assert row is not None
            return int(row[0])

    def stop(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)
