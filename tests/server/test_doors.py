"""No door of the server tells anybody what they may not know of a match with secrets, and at the end all is shown.

In this game each seat holds a number that stands in everything that can be told (see ``telltale``). So whatever leaks,
by whatever door, has a number in it that nobody else may read.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient
from sqlalchemy import create_engine

import telltale
from installing import installed
from parlour.engine import fair, registry, replay
from parlour.engine.match import Match
from parlour.server.admin import people
from parlour.server.api.access import Watcher
from parlour.server.api.tables import _log
from parlour.server.app import make_app
from parlour.server.basics.config import Config
from parlour.server.bots import jobs as bot_jobs
from parlour.server.bots.pool import QueueFull
from parlour.server.previews import pictures
from parlour.server.push import messages
from parlour.server.rooms.proposals import being_away, resigning
from parlour.server.rooms.room import Room
from parlour.server.tables import snapshot
from parlour.server.telling import views
from serving import ROOMY, House, Live, Seat, bearer, new_cid, refused, until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("doors")
    settings: dict[str, Any] = {"database": f"sqlite:///{folder / 'doors.sqlite'}", "admin_token": "a" * 40, **ROOMY}
    with installed(folder, "telltale"), TestClient(make_app(Config(**settings))) as client:
        yield House(client)


@pytest.fixture(autouse=True)
def usual_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays on for somebody need not think, nor be compiled."""
    for proposals in (being_away, resigning):
        monkeypatch.setattr(proposals, "usual", lambda game: "random")


def room_of(house: House, table: str) -> Room:
    room: Room = house.run(house.services.rooms.get, table)
    return room


def numbers_of(match: Match) -> list[set[int]]:
    """All numbers that each seat has held."""
    held: list[set[int]] = [set() for _ in range(match.seats)]
    for state in match.positions():
        for seat in range(match.seats):
            held[seat].add(int(state.held[seat]))
    return held


def secret_from(match: Match, seat: int | None) -> set[int]:
    return {number for other, held in enumerate(numbers_of(match)) if other != seat for number in held}


@dataclass
class Game:
    """A match of Ann, Bob and a bot, that is being played."""

    house: House
    seats: list[Seat]
    told: dict[int | None, list[bytes]] = field(default_factory=lambda: {0: [], 1: [], None: []})

    @classmethod
    def begun(cls, house: House, *, rounds: int = 6, bots: int = 1, **wish: Any) -> Game:
        wish = {"bots": {str(2 + bot): "random" for bot in range(bots)}, "options": {"rounds": rounds}, **wish}
        return cls(house, house.table_of("Ann", "Bob", game="telltale", seats=2 + bots, **wish))

    @property
    def table(self) -> str:
        return self.seats[0].table

    @property
    def match(self) -> Match:
        match = room_of(self.house, self.table).table.match
        assert match is not None
        return match

    def await_person(self) -> int | None:
        """The seat whose turn it is, once no bot thinks; nobody's at the end."""

        def found() -> tuple[int | None] | None:
            table = room_of(self.house, self.table).table
            return None if table.player is not None else (table.to_move,)

        seats: tuple[int | None] = until(found)
        return seats[0]

    def play(self, plies: int = 1000) -> None:
        """So many actions of people, drawing, keeping, and keeping otherwise in turn."""
        for number in range(plies):
            if (seat := self.await_person()) is None:
                return
            view = self.seats[seat].view()
            choices = view["choices"]
            self.seats[seat].must(
                "act", ply=view["position"]["ply"], action=choices[(number + 1) % len(choices)]["action"]
            )
        self.await_person()

    def token(self, seat: int | None) -> str | None:
        return None if seat is None else self.seats[seat].token

    def get(self, seat: int | None, path: str, **query: Any) -> bytes:
        """The whole answer to a request, with its head."""
        answer = self.house.http.get(path, params=query, headers=bearer(self.token(seat)))
        return f"{answer.status_code} {dict(answer.headers)}\n".encode() + answer.content

    def post(self, seat: int | None, what: str, **body: Any) -> bytes:
        body = body if "cid" in body else {"cid": new_cid(), **body}
        answer = self.house.http.post(f"/api/tables/{self.table}/{what}", json=body, headers=bearer(self.token(seat)))
        return answer.content

    def check(self, seat: int | None, told: bytes) -> None:
        found = telltale.leaks(told, secret_from(self.match, seat))
        assert not found, f"{'a watcher' if seat is None else f'seat {seat}'} is told {found}"


@pytest.fixture(scope="module")
def game(house: House) -> Game:
    """In the middle of a match."""
    begun = Game.begun(house, rounds=20)
    begun.play(5)
    assert begun.await_person() is not None
    return begun


Door = Callable[[Game, int | None], bytes]


def of_table(path: str = "", **query: Any) -> Door:
    return lambda game, seat: game.get(seat, f"/api/tables/{game.table}{path}", **query)


def named(path: str, key: str) -> Door:
    """Asked about every number that there is, and about nonsense."""

    def ask(game: Game, seat: int | None) -> bytes:
        own = [] if seat is None else [f"n{number}" for number in numbers_of(game.match)[seat]]
        return b"".join(
            game.get(seat, f"/api/tables/{game.table}/{path}", **{key: name}) for name in [*own, "n-1", "n", "x", "0"]
        )

    return ask


def bad_commands(game: Game, seat: int | None) -> bytes:
    """What makes the server explain itself."""
    ply = game.match.state.ply
    bodies: list[dict[str, Any]] = [
        {"ply": ply, "action": 3},
        {"ply": ply, "action": 2 * 10**9 + 1},
        {"ply": ply, "action": -1},
        {"ply": ply + 1, "action": 0},
        {"ply": ply, "text": "keep"},
        {"ply": ply, "text": "keep--1"},
        {"ply": ply, "actions": [5, 6]},
        {"ply": ply},
    ]
    told = [game.post(seat, "act", **body) for body in bodies]
    return b"".join([*told, game.post(seat, "undo", ply=ply), game.post(seat, "undo", ply=ply, choices=7)])


def hint(game: Game, seat: int | None) -> bytes:
    """What the hint's bot is given, and the answer."""
    given: list[bytes] = []

    async def run(owner: str, key: Any, job: Any, *arguments: Any) -> Any:
        given.extend(argument if isinstance(argument, bytes) else repr(argument).encode() for argument in arguments)
        raise QueueFull("no")

    pool = game.house.services.bots.hints
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "run", run)
        told = [game.post(seat, "hint"), game.post(seat, "hint", turn=True)]
    assert bool(given) == (seat == game.match.to_move)
    return b"".join([*told, *given])


def card(game: Game, seat: int | None) -> bytes:
    """The picture for links, before it is made to dots."""
    drawn: list[bytes] = []

    async def rendered(svg: str) -> tuple[float, bytes]:
        drawn.append(svg.encode())
        return 0.0, b"png"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "_rendered", rendered)
        told = game.get(seat, f"/api/tables/{game.table}/preview.png", ply=0, changed=new_cid())
    assert drawn or b"png" in told
    return b"".join([told, *drawn])


def push(game: Game, seat: int | None) -> bytes:
    table = room_of(game.house, game.table).table
    return messages.in_words(table, seat or 0, "en") + messages.in_words(table, seat or 0, "de")


def personal_data(game: Game, seat: int | None) -> bytes:
    """The export of what is stored about somebody."""
    if seat is None:
        return b""
    engine = create_engine(game.house.services.config.database)
    with engine.connect() as connection:
        found = people.export(connection, "Ann" if seat == 0 else "Bob", game.table)
    engine.dispose()
    assert found["tables"]
    return json.dumps(found).encode()


def welcome(game: Game, seat: int | None) -> bytes:
    told = []
    for wish in (
        {"state": True, "pictures": True},
        {"pictures": True, "patches": True, "language": "de"},
        {"undoable": True, "chances": True},
    ):
        with game.house.live(game.table, game.token(seat), **wish) as live:
            live.say("hello", **({"token": game.token(seat)} if seat is not None else {}), **wish)
            live.hear("welcome")
            told += live.heard
    return json.dumps(told).encode()


def rest(game: Game, seat: int | None) -> bytes:
    """Every other request about a table that the server's own document lists, and that only looks."""
    schema = game.house.http.get("/api/schema/openapi.json").json()
    told = []
    for path, methods in schema["paths"].items():
        if "get" in methods and "{table_id}" in path:
            query = {
                one["name"]: ANYTHING[one["name"]]
                for one in methods["get"].get("parameters", [])
                if one["in"] == "query" and (one.get("required") or one["name"] in ("state", "pictures", "ply"))
            }
            told.append(game.get(seat, path.replace("{table_id}", game.table), **query))
    assert len(told) > 8
    return b"".join(told)


ANYTHING = {"state": True, "pictures": True, "ply": 1, "name": "n1", "tried": "n1"}
DOORS: dict[str, Door] = {
    "the position": of_table(),
    "the packed position": of_table(state=True),
    "the picture in the view": of_table(pictures=True),
    "the view in German": of_table(pictures=True, state=True, undoable=True, chances=True, language="de"),
    "the log": of_table("/log", since=0),
    "a long poll": of_table("/log", since=10**6, wait=0.05),
    "the picture": of_table("/picture"),
    "the opening": of_table("/picture", ply=0),
    "an earlier picture": of_table("/picture", ply=3),
    "what is this": named("explain", "name"),
    "why not": named("why-not", "tried"),
    "the replay": of_table("/replay"),
    "frames": of_table("/frames", first=0),
    "the summary": of_table("/summary"),
    "win chances": of_table("/chances"),
    "a picture for links": card,
    "words for links": lambda game, seat: game.get(seat, f"/table/{game.table}"),
    "the lobby": lambda game, seat: game.get(seat, "/api/tables"),
    "the games": lambda game, seat: game.get(seat, "/api/games"),
    "error bodies": bad_commands,
    "hints": hint,
    "push messages": push,
    "somebody's data": personal_data,
    "a welcome": welcome,
    "metrics": lambda game, seat: game.get(seat, "/metrics"),
    "the operator's list": lambda game, seat: (
        game.house.http.get("/api/admin/tables", headers=bearer("a" * 40)).content
    ),
    "every other request": rest,
}


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("door", DOORS)
def test_a_door_tells_nobody_what_they_may_not_know(game: Game, door: str, seat: int | None) -> None:
    game.check(seat, DOORS[door](game, seat))


def test_those_who_may_know_are_told(game: Game) -> None:
    """Otherwise, there would be nothing to find."""
    for seat in (0, 1):
        own = {int(game.match.state.held[seat])}
        for door in ("the packed position", "the picture in the view", "a welcome"):
            assert telltale.leaks(DOORS[door](game, seat), own) == sorted(own)
    assert telltale.leaks(DOORS["the log"](game, 0), numbers_of(game.match)[0])


def test_choices_and_their_number_are_for_the_seat_to_move_alone(game: Game) -> None:
    seats = {seat: json.loads(DOORS["the position"](game, seat).split(b"\n", 1)[1]) for seat in (0, 1, None)}
    to_move = game.match.to_move
    assert len(seats.pop(to_move)["choices"]) == len(game.match.legal())
    assert all((view["choices"], view["prompt"], view["may_undo"]) == ([], "", False) for view in seats.values())


def hear_out(live: Live) -> list[dict[str, Any]]:
    """All that was told before the end: the first message that tells the ending is told to all alike."""
    live.say("ping")
    live.hear("pong")
    told = []
    for message in live.heard:
        if message.get("ending"):
            break
        told.append(message)
    return told


WISHES: tuple[dict[str, Any], ...] = (
    {"pictures": True, "state": True},
    {"pictures": True, "patches": True, "language": "de"},
    {"undoable": True, "chances": True},
)


def test_a_match_as_sockets_hear_it(house: House) -> None:
    """Updates, patches, choices and events of a whole match, whatever a socket wishes to be told; then all is shown."""
    game = Game.begun(house, rounds=3)
    with contextlib.ExitStack() as stack:
        lives = [
            (seat, stack.enter_context(house.live(game.table, game.token(seat), **wish)))
            for seat in (0, 1, None)
            for wish in WISHES
        ]
        game.play()
        assert game.match.over
        for seat, live in lives:
            told = hear_out(live)
            assert sum(message["type"] == "update" for message in told) >= 7
            game.check(seat, json.dumps(told).encode())
            last = next(message for message in live.heard if message.get("ending"))
            assert last["secret"], "at the end it is told"
            if last["position"]["state"] or last["position"]["scene"]:
                final = {int(held) for held in game.match.state.held[:3]}
                assert set(telltale.leaks(json.dumps(last).encode(), final)) == final


def test_at_the_end_all_is_shown(house: House) -> None:
    game = Game.begun(house, rounds=2)
    game.play()
    everything = secret_from(game.match, None)
    shown = game.get(None, f"/api/tables/{game.table}/frames")
    assert set(telltale.leaks(shown, everything)) == everything
    chosen = {action // 2 for action in game.match.actions if action < telltale.AGAIN}
    assert set(telltale.leaks(DOORS["the log"](game, None), everything)) == chosen
    assert set(telltale.leaks(DOORS["the position"](game, None), everything)) == everything, "by the story"
    assert json.loads(DOORS["the replay"](game, None).split(b"\n", 1)[1])["seed"] == game.match.seed


def test_a_table_that_comes_back_tells_the_same(game: Game) -> None:
    """From a snapshot, whoever asks."""
    table = room_of(game.house, game.table).table
    back = snapshot.unpack(table.spec, table.number, snapshot.pack(table))
    for seat in (0, 1, None):
        told, again = (views.table_view(one, seat, [], pictures=True, state=True) for one in (table, back))
        assert told == again
        game.check(seat, msgspec.json.encode(again))


def test_whose_request_it_is_is_asked_when_it_is_answered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lots may be drawn while a request waits: its token then holds another seat, and the old one is somebody's."""
    monkeypatch.setattr(fair, "seating", lambda secret, nonces, claims: [1, 0])
    opened = house.open("telltale", seats=2)["table"]["id"]
    ann = house.sit(opened, "Ann", lot=True)
    room = room_of(house, opened)
    before, watcher = room.table, Watcher(room, ann.token)
    assert watcher.seat == ann.number == 0
    bob = house.sit(opened, "Bob", lot=True)
    assert watcher.seat == 1
    bob.must("act", ply=0, action=bob.view()["choices"][0]["action"])
    # What was known before the lots were drawn is no ground to tell what came after.
    kinds = [line.kind for line in _log(house.services.store, before, 0, 0).entries]
    assert kinds == ["sit"]
    told = [line.body["actions"] for line in _log(house.services.store, room.table, 1, 0).entries if line.kind == "act"]
    assert told == [[-1]]


def test_a_lesson_shows_what_the_learner_knows(house: House) -> None:
    path = "/api/games/telltale/lesson"
    told = [
        house.http.get(path).content,
        house.http.get(f"{path}/0").content,
        house.http.post(f"{path}/0", json={"text": "keep-123456788"}).content,
        house.http.post(f"{path}/0", json={"text": "draw-123456788"}).content,
        house.http.get(f"{path}/0/explain", params={"name": "n1"}).content,
        house.http.get(f"{path}/0/why-not", params={"tried": "n1"}).content,
    ]
    assert json.loads(told[2])["right"]
    assert telltale.leaks(b"".join(told), {123456788, 234567890}) == [123456788]


@pytest.mark.parametrize("way", ["resign", "draw"])
def test_a_match_that_ends_early_shows_all(house: House, way: str) -> None:
    """Also who sat there without a picture of the end."""
    game = Game.begun(house, bots=0)
    game.play(1)
    with house.live(game.table, pictures=True, state=True) as eve, game.seats[1].live(state=True) as bob:
        if way == "resign":
            game.seats[0].must("resign")
        else:
            game.seats[0].must("draw", answer="offer")
            game.seats[1].must("draw", answer="accept")
        final = {int(held) for held in game.match.state.held[:2]}
        for live in (eve, bob):
            while not (last := live.hear("update"))["ending"]:
                pass
            assert set(telltale.leaks(json.dumps(last).encode(), final)) == final
    room = room_of(house, game.table)
    back = snapshot.unpack(room.table.spec, room.table.number, snapshot.pack(room.table))
    assert back.match is not None
    assert not back.match.keeps_secrets, "nor does it once it has come back"


def test_somebody_who_has_resigned_sees_what_their_seat_knows(house: House) -> None:
    game = Game.begun(house)
    game.play(2)
    with game.seats[0].live(pictures=True, state=True) as ann:
        game.seats[0].must("resign")
        game.play(2)
        game.check(0, json.dumps(hear_out(ann)).encode())
    for door in ("the packed position", "the log", "why not", "error bodies", "a welcome", "every other request"):
        game.check(0, DOORS[door](game, 0))


def test_whoever_comes_late_is_told_no_more(house: House) -> None:
    game = Game.begun(house)
    game.play(4)
    for seat in (None, 0, 1):
        with house.live(game.table, game.token(seat), pictures=True, state=True) as live:
            game.play(1)
            game.check(seat, json.dumps(hear_out(live)).encode())


def test_a_seat_that_a_bot_plays_for_a_while(house: House) -> None:
    """The bot is given what the seat knows; who comes back is shown what happened to their seat, and nothing else."""
    game = Game.begun(house, grace=5)
    game.play(2)
    given: list[tuple[int, bytes]] = []
    choose = bot_jobs.choose
    pool, run = house.services.bots.turns, house.services.bots.turns.run

    async def noted(owner: str, key: Any, job: Any, *arguments: Any) -> Any:
        if job is choose:
            given.append((arguments[1], repr(arguments).encode() + arguments[4]))
        return await run(owner, key, job, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "run", noted)
        game.seats[0].must("leave")
        game.play(3)
    assert {seat for seat, _ in given} == {0, 2}
    for seat, told in given:
        game.check(seat, told)
        assert telltale.leaks(told, numbers_of(game.match)[seat])
    for door in ("the packed position", "the log", "a welcome"):
        game.check(0, DOORS[door](game, 0))


def test_a_rematch_is_another_deal(house: House) -> None:
    """The token of the last match opens nothing of the next one but its own seat, which is another."""
    game = Game.begun(house, rounds=1, bots=0)
    game.play()
    game.seats[0].must("rematch")
    table = house.view(game.table)["rematch"]
    seats = [house.sit(table, "again", token=seat.token) for seat in game.seats]
    again = Game(house, sorted(seats, key=lambda seat: seat.number))
    assert again.await_person() is not None
    assert [seat.number for seat in seats] == [1, 0]
    for seat in (0, 1, None):
        for door in ("the packed position", "the log", "a welcome", "every other request"):
            again.check(seat, DOORS[door](again, seat))


def test_whose_seat_a_bot_has_taken_after_a_rematch_sees_nothing_of_it(house: House) -> None:
    """A seat was kept for Bob, who did not come: his token holds it no more, and a socket that waited just watches."""
    game = Game.begun(house, rounds=1, bots=0)
    game.play()
    ann, bob = game.seats
    ann.must("rematch")
    table = house.view(game.table)["rematch"]
    with house.live(table, bob.token, state=True, pictures=True) as waiting:
        again = house.sit(table, "Ann", token=ann.token)
        again.must("start", fill="random")
        match = Game(house, [again]).match
        waiting.say("ping")
        waiting.hear("pong")
        assert telltale.leaks(json.dumps(waiting.heard).encode(), secret_from(match, None)) == []
    for path in ("", "/log", "/explain?name=n1"):
        answer = house.http.get(f"/api/tables/{table}{path}", headers=bearer(bob.token))
        refused(answer, "unauthorised", 401)


def test_of_several_actions_only_the_first_is_played(house: House) -> None:
    """Whether the next is legal would tell what the first has shown, before it counts."""
    game = Game.begun(house, bots=0)
    game.play(1)
    seat = game.await_person()
    assert seat is not None
    keep, *_ = game.match.legal()
    ack = game.seats[seat].must("act", ply=game.match.state.ply, actions=[keep, 7, 8])
    assert ack["unplayed"] == 2


def test_nothing_is_taken_back(house: House) -> None:
    game = Game.begun(house, bots=0)
    game.play(1)
    refused(game.seats[0].do("undo", ply=1), "no_undo", 409, "nobody can forget")


def test_an_album_of_a_running_match_is_shown_to_nobody(house: House) -> None:
    """It is drawn for the case that the rules change; then the match is over, and all is shown."""
    game = Game.begun(house)
    game.play(2)
    room, upgrades = room_of(house, game.table), house.services.upgrades
    upgrades.note([room])
    house.run(upgrades.draw, 30.0)
    assert house.services.store.albums.read(game.table)
    for door in ("the replay", "frames", "the summary", "the picture", "an earlier picture", "every other request"):
        for seat in (0, None):
            game.check(seat, DOORS[door](game, seat))
    assert DOORS["frames"](game, 0).startswith(b"409")


def test_logs_say_nothing_of_it(house: House, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        game = Game.begun(house)
        game.play(4)
        bad_commands(game, 0)
        bad_commands(game, 1)
        secrets = secret_from(game.match, None)
    assert caplog.text
    assert telltale.leaks(caplog.text.encode(), secrets) == []


def test_the_file_of_an_unfinished_match_is_shown_as_watchers_see_it(house: House) -> None:
    """Whoever has it could read the seed in it; but nobody is to see by accident what they do not want to know."""
    match = Match(registry.get("telltale"), 2, 5, rounds=3)
    for _ in range(3):
        match.play(match.legal()[0])
    for path in ("/api/replays", "/api/replays/summary"):
        answer = house.http.post(path, content=replay.dumps(match))
        assert answer.status_code in (200, 201), answer.text
        assert telltale.leaks(answer.content, secret_from(match, None)) == []


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the log": lambda patch: patch.setattr(views, "body", lambda table, entry, seat: entry.public_body),
    "the packed position": lambda patch: patch.setattr(Match, "keeps_secrets", False),
    "the picture in the view": lambda patch: patch.setattr(
        views, "seen_by", lambda table, seat: table.match and table.match.at(table.match.state).seen_by(0)
    ),
    "push messages": lambda patch: patch.setattr(
        messages, "in_words", lambda table, seat, language: str(table.match.scores).encode()
    ),
}


@pytest.mark.parametrize("door", PLANTED)
def test_a_door_left_open_is_found(game: Game, door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[door](monkeypatch)
    with pytest.raises(AssertionError, match="is told"):
        game.check(1, DOORS[door](game, 1))
