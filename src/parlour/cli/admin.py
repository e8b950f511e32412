"""``parlour admin``: what whoever runs a server can do. Works on the database, whether a server runs or not."""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from parlour.cli.console import print_plain
from parlour.cli.settings import load_config
from parlour.engine.errors import ParlourError
from parlour.server.admin import copying
from parlour.server.admin.operator import FOREVER, Operator
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.restrictions import Kind
from parlour.server.store import engine as engines

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
MOST_DIGITS = 9  # of a span of time: more than that is for ever


class Desk:
    """One command on one database, and how its outcome is told."""

    def __init__(self, flags: Mapping[str, Any], file: Path | None, *, as_json: bool) -> None:
        self.address = load_config(flags, file).database_url
        self.as_json = as_json

    @contextmanager
    def operator(self) -> Iterator[Operator]:
        engines.check_is_there(self.address)
        engine = engines.connect(self.address)
        try:
            engines.check_revision(engine)
            with engines.errors_in_one_line():
                yield Operator(engine, SteadyClock(), f"cli {_login()}")
        finally:
            engine.dispose()

    def tell(self, found: Any, lines: list[str]) -> None:
        if self.as_json:
            print(json.dumps(msgspec.to_builtins(found), ensure_ascii=False))
            return
        for line in lines:
            print_plain(line)

    # What there is.

    def who(self) -> None:
        with self.operator() as operator:
            found = operator.who()
        lines = [
            f"{one.name}  {one.game}  {one.table} seat {one.seat}  {', '.join(one.addresses)}".rstrip() for one in found
        ]
        self.tell(found, lines or ["Nobody is on."])

    def tables(self, phase: str | None, game: str | None, name: str | None, limit: int) -> None:
        with self.operator() as operator:
            found = operator.tables(phase, game, name, limit)
        lines = [f"{one.id}  {one.game:12} {one.phase:8} {_day(one.changed)}  {', '.join(one.names)}" for one in found]
        self.tell(found, lines or ["There is no such table."])

    def bans(self) -> None:
        with self.operator() as operator:
            found = operator.bans()
        lines = [f"{one.kind} {one.value}  until {_day(one.until)}  {one.why}" for one in found]
        self.tell(found, lines or ["Nobody is banned."])

    def audit(self, limit: int) -> None:
        with self.operator() as operator:
            found = operator.audit(limit=limit)
        lines = [f"{_day(one.at)}  {one.by}  {one.action}  {one.about}  {_brief(one.details)}" for one in found]
        self.tell(found, lines or ["Nothing was done."])

    # What is done.

    def close(self, table: str, text: str) -> None:
        with self.operator() as operator:
            operator.close(table, text)
        self.tell({"closed": table}, [f"{table} is closed; a server that runs tells its players within a second."])

    def delete(self, table: str) -> None:
        with self.operator() as operator:
            operator.delete(table)
        self.tell({"deleted": table}, [f"{table} is deleted."])

    def ban(self, kind: Kind, value: str, span: str | None, why: str) -> None:
        with self.operator() as operator:
            ban = operator.ban(kind, value, None if span is None else seconds(span), why)
        self.tell(ban, [f"The {ban.kind} {ban.value} is banned until {_day(ban.until)}."])

    def ban_who(self, name: str, span: str | None, why: str) -> None:
        """Ban the addresses from which somebody of that name is at a table now."""
        length = None if span is None else seconds(span)
        with self.operator() as operator:
            bans = [operator.ban("address", address, length, why) for address in operator.address_of(name)]
        self.tell(bans, [f"The address {ban.value}, of {name}, is banned until {_day(ban.until)}." for ban in bans])

    def unban(self, kind: Kind, value: str) -> None:
        with self.operator() as operator:
            operator.unban(kind, value)
        self.tell({"unbanned": value}, [f"The {kind} {value} is not banned any more."])

    def maintenance(self, message: str | None, *, off: bool) -> None:
        with self.operator() as operator:
            if message is not None or off:
                operator.set_maintenance(None if off else message)
            now = operator.maintenance()
        self.tell({"maintenance": now}, ["Matches begin." if now is None else f"No match begins: {now}"])

    def export(self, name: str, table: str | None) -> None:
        with self.operator() as operator:
            found = operator.export(name, table)
        print(json.dumps(found, ensure_ascii=False, indent=1))

    def forget(self, name: str, table: str | None) -> None:
        with self.operator() as operator:
            tables = operator.forget(name, table)
        self.tell({"tables": tables}, [f"Name, words and tokens are gone from {len(tables)} tables; matches stay."])

    def back_up(self, file: Path) -> None:
        counts = copying.back_up(self.address, file)
        self._note("backup", str(file))
        self.tell(counts, [f"{file} has everything: {_brief(counts)}"])

    def restore(self, file: Path) -> None:
        counts = copying.restore(file, self.address)
        self._note("restore", str(file))
        self.tell(counts, [f"Restored from {file}: {_brief(counts)}"])

    def move(self, target: str) -> None:
        counts = copying.move(self.address, target)
        self._note("move", target.partition("@")[2] or target)
        self.tell(counts, [f"Copied: {_brief(counts)}. Serve from there, and keep the old one until you are sure."])

    def _note(self, action: str, about: str) -> None:
        with self.operator() as operator:
            operator.note(action, about.encode(errors="backslashreplace").decode())  # names of files may be no text


def seconds(span: str) -> float:
    """A span of time: 30m, 12h, 7d."""
    number, unit = span[:-1], span[-1:]
    if unit not in UNITS or not number.isdecimal() or len(number) > MOST_DIGITS or not int(number):
        raise ParlourError(f"a time is a number with s, m, h or d behind it, such as 12h, not {span!r}")
    return float(int(number) * UNITS[unit])


def _day(at: float) -> str:
    return "for ever" if at >= FOREVER else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _brief(details: Mapping[str, Any]) -> str:
    told = {**details, "until": _day(details["until"])} if "until" in details else details
    return ", ".join(f"{name} {value}" for name, value in told.items() if value not in (None, "", []))


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user who has no name here
        return str(os.getuid())
