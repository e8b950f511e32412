"""Backups: nothing is lost by taking one, and one that is not whole is never taken for one that is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from databases import Postgres
from ordinary_user import USER
from parlour.cli import run
from parlour.engine.errors import NotWritten
from parlour.server.admin import copying, mark
from parlour.server.basics.config import Config
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.system import sqlite_address
from parlour.server.store import engine as engines
from serving import Build, House, Seat, Server, play_out, refused

OLD = Path(__file__).parents[1] / "data" / "database-0001.sql"
TOKEN = "a token of twenty signs"
READ = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM entries').fetchall(); c.close()"


IN_USE = "128"  # the byte of the -shm file on which every process that uses the database has a lock


def locks(server: Server) -> set[tuple[str, str]]:
    """The locks of the server's process that say that it uses its database; those for a moment's work come and go."""
    assert server.process is not None
    folder = Path(server.database.removeprefix("sqlite:///")).parent
    files = {file.stat().st_ino: file.name for file in folder.iterdir()}
    found = set()
    held = [line for line in Path("/proc/locks").read_text().splitlines() if "->" not in line]  # the others wait
    for line in held:
        _, _, _, mode, pid, file, start, _ = line.split()[:8]
        name = files.get(int(file.split(":")[2]))
        is_for_good = name == "parlour.sqlite" or (name == "parlour.sqlite-shm" and start == IN_USE)
        if int(pid) == server.process.pid and name and is_for_good:
            found.add((name, mode))
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
    assert held == {("parlour.sqlite", "READ"), ("parlour.sqlite-shm", "READ")}
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
        assert locks(server) == held, f"after {what} over HTTP"
    file = str(tmp_path / "copy.sqlite")
    server.place.sit(other, "Ann")
    # Each is a program of its own: a few stand for all.
    on_command_line = [["who"], ["backup", file], ["ban", "--name", "Max"], ["export", "Ann"], ["forget", "Ann"]]
    for words in on_command_line:
        admin(server, *words)
        assert locks(server) == held, f"after parlour admin {words[0]}"


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


def sqlite(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
def house(build: Build) -> House:
    return build(admin_token=TOKEN)


def over_http(house: House) -> httpx.Response:
    return house.http.get("/api/admin/backup", headers={"authorization": f"Bearer {TOKEN}"})


def test_a_backup_is_taken_while_the_server_runs_and_restored(
    house: House, tmp_path: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = house.table_of("Ann", "Bob")
    play_out(seats)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    answer = over_http(house)
    assert (answer.status_code, answer.headers["content-length"]) == (200, str(len(answer.content)))
    assert list((tmp_path / "temporary").iterdir()) == []
    (tmp_path / "over-http.sqlite").write_bytes(answer.content)
    file, served = tmp_path / "backup.sqlite", house.services.config.database_url
    assert copying.back_up(served, file)["tables"] == 1
    assert file.stat().st_mode & 0o777 == 0o600, "it has secrets in it"
    with pytest.raises(NotWritten, match="exists already"):
        copying.back_up(served, file)
    for number, source in enumerate((file, tmp_path / "over-http.sqlite")):
        again = sqlite(tmp_path / f"restored{number}.sqlite")
        before = source.read_bytes()
        copying.restore(source, again)
        assert source.read_bytes() == before
        assert {part.name for part in tmp_path.glob(f"*{source.name}*")} == {source.name}
        before_view, now = house.view(seats[0].table), build(database=again).view(seats[0].table)
        assert {**now, "seats": None} == {**before_view, "seats": None}
    with pytest.raises(BadConfiguration, match="not empty"):
        copying.restore(file, again)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_one_backup_is_made_over_http_at_a_time(house: House) -> None:
    async def at_once() -> list[int]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(house.http.app), base_url="http://localhost"
        ) as http:
            asked = [http.get("/api/admin/backup", headers={"authorization": f"Bearer {TOKEN}"}) for _ in range(2)]
            return sorted([answer.status_code for answer in await asyncio.gather(*asked)])

    assert house.run(at_once) == [200, 503]


def test_a_backup_that_cannot_be_made_over_http_says_why(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Config, "database_url", "sqlite:////nowhere/at/all.sqlite")
    refused(over_http(house), "not_saved", 503, "there is no database /nowhere/at/all.sqlite")


def broken(kind: str, whole: Path, broken: Path) -> None:
    """A backup to which something has happened."""
    content = whole.read_bytes()
    if kind == "cut off":
        broken.write_bytes(content[: len(content) // 2])
    elif kind == "damaged":
        place = content.index(b"Annabel")
        broken.write_bytes(content[:place] + b"Xnnabel" + content[place + 7 :])
    else:
        shutil.copyfile(whole, broken)
        change = {"without its mark": "DROP TABLE backup_end", "changed": "DELETE FROM entries WHERE number = 1"}[kind]
        with contextlib.closing(sqlite3.connect(broken)) as connection, connection:
            connection.execute(change)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("cut off", "is damaged"),
        ("damaged", "does not have the rows that its end mark tells"),
        ("without its mark", "has no end mark"),
        ("changed", "does not have the rows that its end mark tells"),
    ],
)
def test_a_backup_that_is_not_whole_is_refused_and_nothing_is_made(
    house: House, tmp_path: Path, kind: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house.table_of("Annabel", "Bob")
    copying.back_up(house.services.config.database_url, tmp_path / "whole.sqlite")
    broken(kind, tmp_path / "whole.sqlite", tmp_path / "broken.sqlite")
    before = set(tmp_path.iterdir())
    target = sqlite(tmp_path / "target.sqlite")
    assert run(["admin", "--database", target, "restore", str(tmp_path / "broken.sqlite")]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert set(tmp_path.iterdir()) == before


# What stands in an address of a database between other things, or for another character.
NAMES = ["back?up.sqlite", "back%20up.sqlite", "of 100%/#1.sqlite", "what?/backup.sqlite"]


@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_backup_is_called_everything_is_in_it(house: House, tmp_path: Path, name: str, build: Build) -> None:
    """It was made in another file, and the one that was named had the mark of a whole backup with nothing in it."""
    seats = house.table_of("Ann", "Bob")
    file, again = tmp_path / "backups" / name, tmp_path / "restored" / name
    file.parent.mkdir(parents=True)
    made = copying.back_up(house.services.config.database_url, file)
    assert made["tables"] == 1
    assert list(file.parent.iterdir()) == [file]
    address = sqlite_address(again)
    assert copying.restore(file, address) == made
    assert [part.name for part in again.parent.iterdir()] == [again.name]
    assert build(database=address).view(seats[0].table)["phase"] == "playing"
    assert copying.back_up(address, tmp_path / "of-that.sqlite")["tables"] == 1


def test_what_is_not_all_there_gets_no_mark(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house.table_of("Ann", "Bob")
    copy = copying._copy_all
    monkeypatch.setattr(copying, "_copy_all", lambda *where: copy(*where) | {"entries": 99})
    with pytest.raises(BadConfiguration, match="not everything of entries"):
        copying.back_up(house.services.config.database_url, tmp_path / "backup.sqlite")
    assert not (tmp_path / "backup.sqlite").exists()


def test_a_disk_that_is_full_at_the_mark_is_said_in_one_line(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(mark, "_summed", fails)
    database, file = house.services.config.database_url, tmp_path / "backup.sqlite"
    assert run(["admin", "--database", database, "backup", str(file)]) == 2
    assert capsys.readouterr().err == "parlour: the backup could not be finished: database or disk is full\n"
    assert not [one.name for one in tmp_path.iterdir() if file.name in one.name]


def test_what_stands_beside_a_backup_is_not_left_out(
    serve: Callable[..., Server], tmp_path: Path, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever serves from a backup and is killed leaves moves beside it; its mark knows nothing of them."""
    house.table_of("Ann", "Bob")
    file = tmp_path / "backup.sqlite"
    copying.back_up(house.services.config.database_url, file)
    server = serve(database=sqlite(file))
    server.place.table_of("Cid", "Dan")
    server.kill()
    assert run(["admin", "--database", sqlite(tmp_path / "restored.sqlite"), "restore", str(file)]) == 2
    assert "the changes stand in backup.sqlite-wal" in capsys.readouterr().err
    assert not (tmp_path / "restored.sqlite").exists()


@pytest.mark.parametrize("how", ["DROP TABLE alembic_version", "DELETE FROM alembic_version"])
def test_a_marked_file_of_something_else_is_refused_in_one_line(tmp_path: Path, house: House, how: str) -> None:
    file = tmp_path / "backup.sqlite"
    copying.back_up(house.services.config.database_url, file)
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE backup_end")
        connection.execute(how)
    mark.set_on(file, {})
    with pytest.raises(BadConfiguration, match="is no backup of a server"):
        copying.restore(file, sqlite(tmp_path / "restored.sqlite"))


def test_a_restore_that_fails_leaves_what_was_there(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.table_of("Ann", "Bob")
    copying.back_up(house.services.config.database_url, tmp_path / "whole.sqlite")
    there = tmp_path / "there.sqlite"
    engines.migrate(engine := engines.connect(sqlite(there)))
    engine.dispose()

    def fails(*_: object) -> dict[str, int]:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(copying, "_copy_all", fails)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    for target in (there, tmp_path / "new.sqlite"):
        with pytest.raises(BadConfiguration, match="disk is full"):
            copying.restore(tmp_path / "whole.sqlite", sqlite(target))
    after = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    assert after.keys() == before.keys()
    assert after["there.sqlite"] == before["there.sqlite"]


@pytest.mark.parametrize("what", ["backup", "restore"])
def test_nothing_is_made_of_what_stays_beside_the_file(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """As on a disk that is full when all is copied: SQLite says nothing, and the newest stays in a file beside it.

    That one was removed, and what was left, which could not be read, had the name of the database.
    """
    house.table_of("Ann", "Bob")
    served, whole, file = house.services.config.database_url, tmp_path / "whole.sqlite", tmp_path / "made.sqlite"
    copying.back_up(served, whole)
    copy = copying._copy_rows
    with contextlib.ExitStack() as stack:

        def held(old: Engine, new: Engine) -> dict[str, int]:
            counts = copy(old, new)
            reader = stack.enter_context(contextlib.closing(sqlite3.connect(str(new.url.database))))
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM tables").fetchall()
            return counts

        monkeypatch.setattr(copying, "_copy_rows", held)
        with pytest.raises(BadConfiguration, match="could not be brought into one file"):
            copying.back_up(served, file) if what == "backup" else copying.restore(whole, sqlite(file))
    assert not [one.name for one in tmp_path.iterdir() if file.name in one.name]


def test_a_backup_that_is_killed_has_no_name(serve: Callable[..., Server], tmp_path: Path) -> None:
    """However far it has got: the file is there whole, or not at all."""
    server = serve()
    server.place.table_of("Ann", "Bob")
    for number, after in enumerate((0.3, 0.6, 0.9, 1.2)):
        file = tmp_path / f"copy{number}.sqlite"
        command = [*server.program, "admin", "--database", server.database, "backup", str(file)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(after)
        process.kill()
        process.wait()
        if file.exists():
            mark.check(file)
        assert not (tmp_path / f"copy{number}.sqlite-wal").exists()


def test_a_backup_of_an_older_parlour_is_restored(tmp_path: Path, build: Build) -> None:
    """A backup is made before an upgrade, and needed after it."""
    old = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.executescript(OLD.read_text("utf-8"))
    mark.set_on(old, {})
    revision = mark.revision_of(old)
    assert revision != engines.newest_revision()
    before = old.read_bytes()
    counts = copying.restore(old, sqlite(tmp_path / "new.sqlite"))
    assert counts["tables"] > 0
    assert old.read_bytes() == before
    assert build(database=sqlite(tmp_path / "new.sqlite")).http.get("/api/tables").status_code == 200


@pytest.mark.xdist_group("postgres")
def test_a_backup_goes_to_postgresql_and_back(house: House, tmp_path: Path, postgres: Postgres, build: Build) -> None:
    seats = house.table_of("Ann", "Bob")
    play_out(seats)
    copying.back_up(house.services.config.database_url, tmp_path / "one.sqlite")
    there, back = postgres.new_database(), sqlite(tmp_path / "back.sqlite")
    copying.restore(tmp_path / "one.sqlite", there)
    copying.back_up(there, tmp_path / "two.sqlite")
    copying.restore(tmp_path / "two.sqlite", back)
    before, now = house.view(seats[0].table), build(database=back).view(seats[0].table)
    assert {**now, "seats": None} == {**before, "seats": None}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files that others cannot read")
def test_what_root_restores_or_serves_can_be_used_by_the_service(tmp_path: Path, serve: Callable[..., Server]) -> None:
    """The database, what SQLite puts beside it, and the file whose lock says that it is in use."""
    folder, file = Path(tempfile.mkdtemp(prefix="parlour-service-")), tmp_path / "backup.sqlite"
    try:
        os.chown(folder, USER, USER)
        served, restored = sqlite(tmp_path / "served.sqlite"), sqlite(folder / "parlour.sqlite")
        for words in (
            ["migrate", "--database", served],
            ["admin", "--database", served, "backup", str(file)],
            ["admin", "--database", restored, "restore", str(file)],
        ):
            assert run(words) == 0
        server = serve(database=restored)  # by hand, as with --drain
        server.place.table_of("Ann")
        server.kill()
        assert {part.name for part in folder.iterdir()} >= {
            f"parlour.sqlite{end}" for end in ("", "-wal", "-shm", ".lock")
        }
        assert {part.stat().st_uid for part in folder.iterdir()} == {USER}
        python = [sys.executable, str(OLD.parents[1] / "ordinary_user.py"), sys.executable]
        admin = ["-c", "from parlour.cli import main; main()", "admin", "--database", restored, "--json", "tables"]
        told = subprocess.run([*python, *admin], capture_output=True, text=True, timeout=60, cwd=folder)
        assert (told.returncode, len(json.loads(told.stdout or "[]"))) == (0, 1), told.stderr
    finally:
        shutil.rmtree(folder)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_is_made_tried_and_kept_for_a_month(tmp_path: Path, request: pytest.FixtureRequest, kind: str) -> None:
    database = sqlite(tmp_path / "served.sqlite")
    if kind == "postgresql":
        database = request.getfixturevalue("postgres").new_database()
    assert run(["migrate", "--database", database]) == 0
    folder = tmp_path / "backups"
    folder.mkdir()
    old, young, other = (folder / name for name in ("parlour-1.sqlite", "parlour-2.sqlite", "mine.sqlite"))
    killed = folder / ".parlour-3.sqlite.1234abcd-wal"
    for file, days in ((old, 32), (young, 29), (other, 99), (killed, 2)):
        file.touch()
        os.utime(file, (time.time() - days * 86400,) * 2)
    path = {"PATH": f"{Path(sys.executable).parent}:{os.defpath}", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    line = ["sh", str(OLD.parents[2] / "deploy" / "parlour-backup"), str(folder), "--database", database]
    ran = subprocess.run(line, env=path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "has everything" in ran.stdout
    assert "Restored from" in ran.stdout
    (made,) = set(folder.iterdir()) - {young, other}
    assert re.fullmatch(r"parlour-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite", made.name)
    assert made.stat().st_mode & 0o777 == 0o600
    assert run(["admin", "--database", sqlite(tmp_path / "again.sqlite"), "restore", str(made)]) == 0
