"""Backups: nothing is lost by taking one, and one that is not whole is never taken for one that is."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from serving import Seat, Server

TOKEN = "a token of twenty signs"
READ = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT count(*) FROM entries').fetchone(); c.close()"


def locks(server: Server) -> set[tuple[str, ...]]:
    """The locks of the server's process on its database, as the system sees them."""
    assert server.process is not None
    folder = Path(server.database.removeprefix("sqlite:///")).parent
    files = {file.stat().st_ino: file.name for file in folder.iterdir()}
    found = set()
    for line in Path("/proc/locks").read_text().splitlines():
        _, kind, _, mode, pid, file, start, end = line.split()[:8]
        if int(pid) == server.process.pid and int(file.split(":")[2]) in files:
            found.add((kind, mode, files[int(file.split(":")[2])], start, end))
    return found


def ask(server: Server, what: str, **body: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {TOKEN}"}
    http = server.place.http
    answer = (
        http.post(f"/api/admin/{what}", json=body, headers=headers)
        if body
        else http.get(f"/api/admin/{what}", headers=headers)
    )
    assert answer.status_code == 200, answer.text
    return answer


def admin(server: Server, *words: str) -> None:
    """On the command line, as a program of its own."""
    command = [*server.program, "admin", "--database", server.database, *words]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def read_from_outside(server: Server) -> None:
    """Somebody looks into the database with another program, and is the last to close it, as far as it can tell."""
    subprocess.run([sys.executable, "-c", READ, server.database.removeprefix("sqlite:///")], check=True, timeout=60)


def test_no_deed_of_the_operator_lets_go_of_the_servers_locks(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Whoever else opens the database would take it for one that nobody uses, and remove its newest moves."""
    server = serve(admin_token=TOKEN)
    ann, _ = server.place.table_of("Ann", "Bob")
    other = server.place.open()["table"]["id"]
    held = locks(server)
    assert {name for _, _, name, _, _ in held} >= {"parlour.sqlite", "parlour.sqlite-shm"}, "SQLite holds locks on both"
    over_http: list[tuple[str, dict[str, Any]]] = [
        *((what, {}) for what in ("who", "tables", "bans", "audit", "maintenance", "backup")),
        ("ban", {"kind": "name", "value": "Max"}),
        ("unban", {"kind": "name", "value": "Max"}),
        ("maintenance", {"message": "Back soon."}),
        ("maintenance", {"message": None}),
        ("export", {"name": "Ann"}),
        ("forget", {"name": "Ann"}),
        ("close", {"table": ann.table}),
        ("delete", {"table": ann.table}),
    ]
    for what, body in over_http:
        ask(server, what, **body)
        assert locks(server) >= held, f"after {what} over HTTP"
    file = str(tmp_path / "copy.sqlite")
    server.place.sit(other, "Ann")
    on_command_line = [
        *([what] for what in ("who", "tables", "bans", "audit", "maintenance")),
        ["backup", file],
        ["ban", "--name", "Max"],
        ["unban", "--name", "Max"],
        ["maintenance", "Back soon."],
        ["maintenance", "--off"],
        ["export", "Ann"],
        ["forget", "Ann"],
        ["close", other],
        ["delete", other],
    ]
    for words in on_command_line:
        admin(server, *words)
        assert locks(server) >= held, f"after parlour admin {words[0]}"


def play(seat: Seat, ply: int) -> int:
    """A disc in the first column that takes one; returns the ply after it."""
    return int(seat.must("act", ply=ply, action=seat.view()["choices"][0]["action"])["ply"])


def test_what_was_acknowledged_outlives_backups_readers_from_outside_and_a_power_cut(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(admin_token=TOKEN)
    seats = server.place.table_of("Ann", "Bob")
    ply = 0
    for number in range(12):
        if number % 4 == 1:
            ask(server, "backup")
        if number % 4 == 2:
            read_from_outside(server)
        if number == 7:
            admin(server, "who")
        ply = play(seats[ply % 2], ply)
    late = server.place.table_of("Cid", "Dan")
    server.kill()
    server.start()
    assert server.place.view(seats[0].table)["position"]["ply"] == ply
    assert server.place.view(late[0].table)["phase"] == "playing"
