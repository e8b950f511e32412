"""A table comes back from a snapshot and the entries after it: exactly as from all its entries, however long it is."""

from __future__ import annotations

import random
import sqlite3
import time
import zlib
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, func, insert, select, update

from databases import Postgres
from parlour import protocol
from parlour.engine import registry
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.protocol import Acted, AnyEntry, ClockSpec, Resigned
from parlour.server.rooms import answers, keeper, proposals
from parlour.server.store import Kept
from parlour.server.store.schema import ENTRIES, SNAPSHOTS, TABLES
from parlour.server.tables import album, fold, frames, snapshot
from parlour.server.tables.fold import fold_all
from parlour.server.tables.snapshot import Snapshot, Unfit, pack, unpack
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling import views
from serving import Build, House, Seat, Server, mover, play_out, refused, until

OPTIONS = {"game17": {"edge": 5, "rounds": 40}}
BANK = ClockSpec("bank", 10_000, 3)


class Played:
    """A match by chance, with undos and talk; bots may sit at all seats but the first."""

    def __init__(self, name: str, seed: int = 1, plies: int = 400, *, bots: bool = False) -> None:
        game, self.dice = registry.get(name), random.Random(seed)
        options = game.resolve_options(OPTIONS.get(name, {}))
        seats = max(2, game.resolve_seats(None, options))
        spec = TableSpec(name, name, game.version, options, seats, True, True, BANK, 90.0, "5e" * 32, time.time())
        self.table, self.log = Table(spec), list[AnyEntry]()
        if bots:
            self.write(
                proposals.Proposal(proposals.open_table(self.table, dict.fromkeys(range(1, seats), "random"), 0.0))
            )
        for seat in range(1 if bots else seats):
            place, wish = proposals.ChosenSeat(seat), protocol.Sit(name="-", nonce=f"{seed}{seat}")
            self.write(proposals.sit(self.table, place, f"Person {seat}", wish, time.time()))
        while self.table.to_move is not None and self.table.ply < plies:
            self.act()

    def write(self, proposal: proposals.Proposal) -> None:
        for entry in proposal.entries:
            fold.fold(self.table, entry, proposal.played if isinstance(entry, Acted) else None)
        self.log.extend(proposal.entries)

    def command(self, command: proposals.Asked, seat: int, spent: float = 0.0) -> None:
        self.write(proposals.propose(self.table, command, seat, time.time(), spent))

    def act(self) -> None:
        table, dice = self.table, self.dice
        assert table.match is not None
        seat, action = table.match.to_move, dice.choice(table.match.legal())
        if table.player is not None:
            return self.write(proposals.bot_acts(table, action, time.time()))
        self.command(protocol.Act(cid=f"a{table.number}", ply=table.ply, action=action), seat, dice.random())
        if dice.random() < 0.2 and table.may_undo(seat):
            self.undo(seat)
        if dice.random() < 0.05:
            self.command(protocol.Chat(cid=f"c{table.number}", text="well"), 0)
        return None

    def undo(self, seat: int) -> None:
        self.command(protocol.Undo(cid=f"u{self.table.number}", ply=self.table.ply), seat, 0.5)


def folded(spec: TableSpec, log: list[AnyEntry]) -> Table:
    table = Table(spec)
    list(fold_all(table, log))
    return table


def come_back(spec: TableSpec, log: list[AnyEntry], number: int) -> Table:
    """The table after this log, from a snapshot of how it stood after so many entries."""
    table = unpack(spec, number, pack(folded(spec, log[:number])))
    list(fold_all(table, log[number:]))
    return table


def assert_same(one: Table, other: Table) -> None:
    for name in (
        "number",
        "chairs",
        "offer",
        "rematch",
        "chat",
        "event_count",
        "gains",
        "picks",
        "ending",
        "turn_began",
    ):
        assert getattr(one, name) == getattr(other, name), name
    assert one.clocks.left == other.clocks.left
    assert (one.match is None) == (other.match is None)
    if one.match is None or other.match is None:
        return
    assert one.match.state == other.match.state
    assert one.match.seed == other.match.seed
    assert one.match.names == other.match.names
    assert [(ply.seat, ply.action) for ply in one.match.plies] == [(ply.seat, ply.action) for ply in other.match.plies]
    assert views.story(one, one.match.seen_by(0)) == views.story(other, other.match.seen_by(0)), (
        "people see what they saw before"
    )
    seats = range(one.spec.seats)
    assert [one.undo_plies(seat) for seat in seats] == [other.undo_plies(seat) for seat in seats]
    assert views.table_view(one, 0, [], pictures=True, state=True) == views.table_view(
        other, 0, [], pictures=True, state=True
    )


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seed", range(2))
def test_a_table_comes_back_as_it_was(name: str, seed: int) -> None:
    """From a snapshot after any of its entries."""
    played = Played(name, seed)
    numbers = sorted({1, 2, 3, len(played.log), *(played.dice.randrange(len(played.log)) + 1 for _ in range(12))})
    for number in numbers:
        assert_same(come_back(played.table.spec, played.log, number), played.table)


@pytest.mark.parametrize("name", registry.names())
def test_play_goes_on_from_there(name: str) -> None:
    """What comes next is the same; a match that is looked at afterwards is told from its beginning."""
    played = Played(name, 2, plies=350)
    back = unpack(played.table.spec, played.table.number, pack(played.table))
    number = len(played.log)
    while played.table.to_move is not None and played.table.ply < 380:
        played.act()
    list(fold_all(back, played.log[number:]))
    assert_same(back, played.table)
    assert back.match is not None
    assert played.table.match is not None
    assert frames.cut(back.match, 0, 20) == frames.cut(played.table.match, 0, 20)
    assert back.match.whole().story == played.table.match.story
    assert album.draw(back.match) == album.draw(played.table.match)


def test_what_is_played_again_does_not_grow_with_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[int] = []
    original = Match.repeat

    def counted(match: Match, action: int) -> list[Event]:
        again.append(action)
        return original(match, action)

    played = Played("mazerunner", 1, plies=900)
    counts = []
    for number in (300, 600, len(played.log)):
        packed = pack(folded(played.table.spec, played.log[:number]))
        with monkeypatch.context() as counting:
            counting.setattr(Match, "repeat", counted)
            unpack(played.table.spec, number, packed)
        counts.append(len(again))
        again.clear()
    assert all(0 < count < 250 for count in counts), counts
    assert len(played.log) > 900


@pytest.fixture
def short_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """People are told so little that a match is taken up a few plies before its last."""
    monkeypatch.setattr(fold, "STORY_LINES", 4)
    monkeypatch.setattr(snapshot, "STORY_LINES", 4)
    monkeypatch.setattr(fold, "MILESTONE_EVERY", 2)


@pytest.mark.usefixtures("short_story")
@pytest.mark.parametrize("name", ["connect_four", "choccer", "game17"])
def test_undo_goes_as_far_back_as_ever(name: str) -> None:
    """Also to before the position from which the match was taken up: alone against bots, there may be no end to it."""
    played = Played(name, 1, plies=16, bots=True)
    assert played.table.ending is None
    back = unpack(played.table.spec, played.table.number, pack(played.table))
    assert back.match is not None
    skipped = back.match.skipped
    assert 0 < skipped < 16
    undone = 0
    while played.table.undo_plies(0):
        number = len(played.log)
        played.undo(0)
        undone += 1
        list(fold_all(back, played.log[number:]))
        assert back.match.state == played.table.match.state  # type: ignore[union-attr]
        assert (back.event_count, back.gains, back.clocks.left) == (
            played.table.event_count,
            played.table.gains,
            played.table.clocks.left,
        )
        assert [back.undo_plies(seat) for seat in range(2)] == [played.table.undo_plies(seat) for seat in range(2)]
        if not back.match.skipped:
            assert_same(unpack(back.spec, back.number, pack(back)), played.table)
    if name != "game17":  # where dice fall, nothing leads back past them
        assert back.ply < skipped, "it went further back than to where it was taken up"
        assert undone > 4
    else:
        assert back.ply >= skipped


def spoilt(packed: bytes, **changes: Any) -> bytes:
    """The snapshot with other values in its match."""
    found = msgspec.msgpack.decode(zlib.decompress(packed), type=Snapshot)
    match = msgspec.structs.replace(found.match, **changes)  # type: ignore[type-var]
    return zlib.compress(msgspec.msgpack.encode(msgspec.structs.replace(found, match=match)))


def test_a_snapshot_that_is_wrong_is_known() -> None:
    played = Played("mazerunner", 1, plies=300)
    packed = pack(played.table)
    actions = msgspec.msgpack.decode(zlib.decompress(packed), type=Snapshot).match.actions  # type: ignore[union-attr]
    wrong = {
        "nothing": b"",
        "cut off": packed[: len(packed) // 2],
        "another thing": zlib.compress(msgspec.msgpack.encode({"a": 1})),
        "other fields": spoilt(packed, layout="other"),
        "another end": spoilt(packed, last=b"0" * 32),
        "fewer actions": spoilt(packed, actions=actions[:-8]),
        "no position": spoilt(packed, state=b"1"),
        "another position": spoilt(packed, ply=100),
    }
    for what, bad in wrong.items():
        assert not is_fit(played.table, bad), what
    assert not is_fit(played.table, packed, played.table.number - 1), "of another entry"
    assert is_fit(played.table, packed)


def is_fit(table: Table, packed: bytes, number: int | None = None) -> bool:
    try:
        unpack(table.spec, table.number if number is None else number, packed)
    except Unfit:
        return False
    return True


def test_a_match_that_ended_early_stands_as_it_ended() -> None:
    played = Played("choccer", 4, plies=20)
    seat = played.table.to_move
    assert seat is not None
    played.command(protocol.Resign(cid="r"), seat)
    assert isinstance(played.log[-1], Resigned)
    assert_same(come_back(played.table.spec, played.log, len(played.log)), played.table)


# At a server.


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot is stored after every entry; only when the test says so."""
    monkeypatch.setattr(keeper, "ENTRIES", 1)
    monkeypatch.setattr(keeper, "EVERY", 1e6)


def keep(house: House) -> None:
    """Have snapshots stored of what is in memory, then forget all of that."""
    house.run(house.services.keeper.keep)
    house.services.rooms.in_memory.clear()


def numbers(house: House) -> dict[str, int]:
    """The snapshots that are stored."""
    with house.services.store.engine.begin() as connection:
        return {row.table_id: row.number for row in connection.execute(select(SNAPSHOTS))}


@pytest.mark.parametrize("what", ["act", "undo", "chat", "draw", "resign", "bots", "start", "rematch"])
@pytest.mark.parametrize("later", [0, 2])
def test_a_command_of_before_the_snapshot_is_answered_as_it_was(house: House, what: str, later: int) -> None:
    """It happens once, whatever has happened since."""
    ann, bob, body = prepared(house, what)
    first = ann.must(what, cid="one", **body)
    for number in range(later):
        bob.must("chat", text=f"{number}")
    length = len(house.log(ann.table))
    keep(house)
    assert ann.must(what, cid="one", **body) == first
    assert house.services.rooms.in_memory[ann.table].answers.is_cut
    keep(house)
    with ann.live() as live:
        told = live.ask(protocol_name(what), cid="one", **body)
        assert {name: told[name] for name in first} == first
    assert len(house.log(ann.table)) == length
    assert bob.must("chat", cid="one", text="another's command of the same name")["number"] == length + 1


@pytest.mark.parametrize("what", ["act", "undo", "chat", "draw", "resign", "bots", "start", "rematch"])
def test_so_many_answers_are_kept_in_memory_and_the_store_knows_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(answers, "KNOWN_ANSWERS", 2)
    ann, bob, body = prepared(house, what)
    first = ann.must(what, cid="one", **body)
    for number in range(3):
        bob.must("chat", text=f"{number}")
    length = len(house.log(ann.table))
    assert len(house.services.rooms.in_memory[ann.table].answers._acks) == 2
    assert ann.must(what, cid="one", **body) == first
    assert len(house.log(ann.table)) == length


def protocol_name(what: str) -> str:
    """What is called so in a path, in messages."""
    return "put_bot" if what == "bots" else what


def prepared(house: House, what: str) -> tuple[Seat, Seat, dict[str, Any]]:
    """Somebody who can do this, somebody else, and how it is done."""
    if what in ("bots", "start"):
        ann, bob = house.table_of("Ann", "Bob", game="goose", seats=3)
        return ann, bob, {"seat": 2, "bot": "random"} if what == "bots" else {"fill": "random"}
    seats = house.table_of("Ann", "Bob", game="game17", options={"edge": 4})
    if what == "rematch":
        seats[0].must("resign")
        return seats[0], seats[1], {}
    ann = mover(seats)
    bob = next(seat for seat in seats if seat is not ann)
    order = ann.view()["choices"][1]["action"]
    if what == "undo":
        ann.must("act", ply=0, action=order)
    return ann, bob, {"act": {"ply": 0, "action": order}, "undo": {"ply": 1}, "chat": {"text": "hello"}}.get(what, {})


def test_who_left_before_the_snapshot_is_answered_as_they_were(house: House) -> None:
    ann, bob, cid = house.table_of("Ann", "Bob", "Cid", game="goose", seats=3 + 1)
    first = ann.must("leave", cid="bye")
    bob.must("start", fill="random")
    keep(house)
    assert ann.must("leave", cid="bye") == first
    refused(ann.do("leave", cid="another"), "unauthorised", 401)
    refused(ann.do("chat", cid="bye", text="still here"), "unauthorised", 401)
    refused(Seat(house, ann.table, ann.number, "x" * 30).do("leave", cid="bye"), "unauthorised", 401)
    assert cid.must("chat", cid="bye", text="hello")["number"] > first["number"]


def test_a_refusal_stays_a_refusal(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    keep(house)
    refused(ann.do("act", cid="late", ply=0, action=3), "stale", 409)
    refused(ann.do("act", cid="turn", ply=1, action=3), "not_your_turn", 409)


def test_people_see_a_table_as_it_was(house: House) -> None:
    """All of it, whichever way it has come back: from all entries, or from a snapshot."""
    seats = house.table_of("Ann", "Bob", game="verfuchst")
    play_out(seats)
    table = seats[0].table
    seats[0].must("chat", text="well played")
    seats[1].must("rematch")
    first = shown(house, table)
    replay = house.http.get(f"/api/tables/{table}/replay").text
    house.services.rooms.in_memory.clear()
    assert shown(house, table) == first
    assert not house.services.rooms.in_memory[table].answers.is_cut
    keep(house)
    assert shown(house, table) == first
    assert house.services.rooms.in_memory[table].answers.is_cut
    assert house.http.get(f"/api/tables/{table}/replay").text == replay


def shown(house: House, table: str) -> dict[str, Any]:
    """All of a table, but for who is there."""
    view = house.view(table, pictures=True, state=True)
    for seat in view["seats"]:
        del seat["here"]
    return view


@pytest.mark.parametrize("column", [{"packed": b"nothing"}, {"number": 3}, {"format": 1000}])
def test_a_snapshot_of_no_use_is_passed_over_and_replaced(house: House, column: dict[str, Any]) -> None:
    """Damaged, told to be of another entry, or of a version to come: the log has it all."""
    ann, bob = house.table_of("Ann", "Bob")
    for ply, seat in enumerate((ann, bob, ann)):
        seat.must("act", cid=f"{ply}", ply=ply, action=3)
    before = shown(house, ann.table)
    keep(house)
    with house.services.store._writing() as connection:
        connection.execute(update(SNAPSHOTS).values(column))
    assert shown(house, ann.table) == before
    keep(house)
    assert numbers(house) == {ann.table: 6}
    assert ann.must("act", cid="2", ply=2, action=3)["number"] == 6
    bob.must("act", ply=3, action=3)
    keep(house)
    assert house.view(ann.table)["position"]["ply"] == 4
    assert house.services.rooms.in_memory[ann.table].answers.is_cut


def test_one_is_stored_after_so_many_entries(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "ENTRIES", 4)
    ann, bob = house.table_of("Ann", "Bob")  # two sit down, the match begins
    house.run(house.services.keeper.keep)
    assert numbers(house) == {}
    ann.must("act", ply=0, action=3)
    bob.must("act", ply=1, action=3)
    house.run(house.services.keeper.keep)
    assert numbers(house) == {ann.table: 5}
    for number in range(3):
        ann.must("chat", text=f"{number}")
        house.run(house.services.keeper.keep)
        assert numbers(house) == {ann.table: 5}
    ann.must("chat", text="one more")
    house.run(house.services.keeper.keep)
    assert numbers(house) == {ann.table: 9}


def test_a_table_of_which_none_can_be_made_keeps_no_other_from_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (house.table_of("Ann", "Bob")[0].table for _ in range(2))

    def fails(table: Table) -> bytes:
        if table.id == bad:
            raise OverflowError("field 'x' holds 300")
        return pack(table)

    monkeypatch.setattr(keeper, "pack", fails)
    house.run(house.services.keeper.keep)
    assert list(numbers(house)) == [good]


def test_what_was_acknowledged_is_there_after_kill(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed right after an acknowledgement, with a snapshot of some entries before."""
    server: Server = serve()
    ann, bob = server.place.table_of("Ann", "Bob")
    for number in range(35):
        ann.must("draw", cid=f"{number}", answer="offer")
        bob.must("draw", cid=f"{number}", answer="decline")
    until(lambda: stored_number(server, ann.table) >= 64)
    first = ann.must("act", cid="last", ply=0, action=3)
    server.kill()
    server.start()
    assert ann.must("act", cid="last", ply=0, action=3) == first
    assert ann.must("draw", cid="3", answer="offer")["number"] == 10, "of before the snapshot"
    bob.must("act", ply=1, action=3)
    assert [entry["number"] for entry in server.place.log(ann.table)] == list(range(1, 76))


def stored_number(server: Server, table: str) -> int:
    with sqlite3.connect(f"file:{server.folder / 'parlour.sqlite'}?mode=ro", uri=True) as connection:
        found = connection.execute("SELECT number FROM snapshots WHERE table_id = ?", (table,)).fetchone()
    connection.close()
    return found[0] if found else 0


# What must not stay in one.


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgres"))])
def either(request: pytest.FixtureRequest, build: Build) -> House:
    """A server with either database."""
    if request.param == "sqlite":
        return build()
    postgres: Postgres = request.getfixturevalue("postgres")
    return build(database=postgres.new_database())


def test_whoever_is_forgotten_is_in_no_snapshot(either: House) -> None:
    ann, bob = either.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    keep(either)
    assert either.view(ann.table)["seats"][0]["name"] == "Ann"
    room = either.services.rooms.in_memory[ann.table]
    late = Kept(room.table.number, pack(room.table))
    either.run(either.services.housekeeping.operator.forget, "Ann")
    assert numbers(either) == {}
    either.services.store.snapshots.write({ann.table: late})
    assert numbers(either) == {}, "packed before, and written only now"
    either.run(either.services.housekeeping.follow_operator)
    bob.must("act", ply=1, action=3)
    keep(either)
    assert either.view(ann.table)["seats"][0]["name"] == "Somebody"
    assert list(numbers(either)) == [ann.table]


def test_one_that_should_not_be_there_is_not_used(house: House) -> None:
    """Stored by a version that knows nothing of snapshots when it forgets somebody."""
    ann, _ = house.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    house.run(house.services.keeper.keep)
    with house.services.store._writing() as connection:
        row = connection.execute(select(SNAPSHOTS)).mappings().one()
    house.run(house.services.housekeeping.operator.forget, "Ann")
    with house.services.store._writing() as connection:
        connection.execute(insert(SNAPSHOTS).values(row))
    house.services.rooms.in_memory.clear()
    assert house.view(ann.table)["seats"][0]["name"] == "Somebody"
    house.run(house.services.keeper.keep)
    assert numbers(house) == {ann.table: 5}, "it is replaced"


def test_an_older_one_takes_no_newer_one_s_place(either: House) -> None:
    ann, bob = either.table_of("Ann", "Bob")
    store = either.services.store
    old = pack(either.services.rooms.in_memory[ann.table].table)
    ann.must("act", ply=0, action=3)
    either.run(either.services.keeper.keep)
    store.snapshots.write({ann.table: Kept(3, old), "x" * 22: Kept(1, old)})
    assert numbers(either) == {ann.table: 4}
    with store._writing() as connection:
        connection.execute(delete(TABLES).where(TABLES.c.id == ann.table))
    assert numbers(either) == {}, "it goes with its table"
    store.snapshots.write({ann.table: Kept(5, old)})
    assert numbers(either) == {}
    assert bob


def test_commands_of_an_old_version_are_answered_from_before_a_snapshot(house: House) -> None:
    """Versions of before sittings have not stored them."""
    ann, bob = house.table_of("Ann", "Bob")
    first = ann.must("act", cid="one", ply=0, action=3)
    with house.services.store._writing() as connection:
        connection.execute(update(ENTRIES).values(sitting=None))
    keep(house)
    assert ann.must("act", cid="one", ply=0, action=3) == first
    assert bob.must("act", cid="one", ply=1, action=3)["number"] == first["number"] + 1
    with house.services.store.engine.begin() as connection:
        assert connection.scalar(select(func.count()).select_from(ENTRIES)) == 5
