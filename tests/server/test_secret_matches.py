"""Whole matches with secrets on real servers: everything that is sent to a seat or to a watcher is what they may know.

What is sent is compared with what ``seen_by`` makes of the truth, which the replay tells when the match is over; and it
is searched, byte for byte, for the numbers of others, in a game where each secret is a number like no other.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import telltale
from databases import Postgres
from installing import installed
from parlour import protocol
from parlour.bots.box import BotLimits
from parlour.cli.online.bot_table import BotSpec, BotTable
from parlour.client import AsyncClient, Client, Message, run_bot
from parlour.engine import UNKNOWN, registry, replay
from parlour.engine.bots import Decision
from parlour.engine.match import Match
from parlour.engine.seen import Seen
from serving import Live, Place, Seat, Server, until
from terminals import good

GAMES: dict[str, dict[str, Any]] = {
    "liars_dice": {"options": {"dice": 2}, "bots": {"2": "random"}},
    "leduc": {},
    "goofspiel": {"options": {"cards": 4}, "bots": {"2": "random"}},
    "telltale": {"bots": {"2": "random"}},
}
DOUBTS = 0.4  # how often somebody doubts a bid, so that matches end


@pytest.fixture(autouse=True)
def games(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path / "games", *GAMES):
        yield


@dataclass
class Viewer:
    """Somebody at a table, by two sockets and by requests; the seat is None for who only watches."""

    place: Place
    table: str
    seat: Seat | None
    lives: list[Live] = field(default_factory=list)
    answers: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # with what was asked for

    @property
    def number(self) -> int | None:
        return None if self.seat is None else self.seat.number

    def come(self, stack: ExitStack) -> None:
        """A program that knows the rules, and a page."""
        token = self.seat.token if self.seat else None
        for wish in ({"state": True, "pictures": True, "undoable": True}, {"pictures": True, "patches": True}):
            self.lives.append(stack.enter_context(self.place.live(self.table, token, **wish)))

    def look(self) -> dict[str, Any]:
        """By plain HTTP, as far as the match is not over."""
        headers = {"authorization": f"Bearer {self.seat.token}"} if self.seat else {}
        for path, query in (("", {"state": True, "pictures": True}), ("/log", {"since": 0})):
            answer = self.place.http.get(f"/api/tables/{self.table}{path}", params=query, headers=headers).json()
            if answer["phase"] == "playing":
                self.answers.append((path, answer))
        for path in ("/picture", "/replay", "/frames", "/summary", "/explain?name=1", "/why-not?tried=1"):
            text = self.place.http.get(f"/api/tables/{self.table}{path}", headers=headers).text
            self.answers.append((path, {"text": text}))
        return self.answers[-8][1]

    def hear_out(self) -> None:
        """All that was told, to the end of the match."""
        for live in self.lives:
            while not any(one.get("ending") for one in live.heard):
                live.hear()


def play(viewers: list[Viewer], dice: random.Random) -> None:
    """Play the match to its end; everybody looks on all the while."""
    by_seat = {viewer.number: viewer for viewer in viewers if viewer.seat is not None}

    def awaited() -> dict[str, Any] | None:
        view = viewers[0].place.view(viewers[0].table)
        is_told = view["position"] is not None  # by a server that may not have heard yet that the match has begun
        is_awaited = is_told and view["position"]["to_move"] in by_seat
        return view if view["phase"] == "over" or is_awaited else None

    while (view := until(awaited))["phase"] != "over":
        seat = by_seat[view["position"]["to_move"]].seat
        assert seat is not None
        mine = seat.view()  # of a server that may be behind
        if mine["position"] is None or not (choices := mine["choices"]):
            continue
        doubt = [choice for choice in choices if choice["text"] == "liar"]
        chosen = doubt[0] if doubt and dice.random() < DOUBTS else dice.choice(choices[:8])
        if dice.random() < 0.4:
            dice.choice(viewers).look()
        seat.do("act", ply=mine["position"]["ply"], action=chosen["action"])


class Truth:
    """The match as it was, ply by ply."""

    def __init__(self, text: str) -> None:
        content = replay.loads(text)
        match = replay.start(content)
        self.matches: list[Match] = [match]
        for action in content.actions:
            match = match.twin()
            match.play(action)
            self.matches.append(match)

    def known(self, ply: int, seat: int | None) -> Seen:
        return self.matches[ply].seen_by(seat)

    def secret_from(self, seat: int | None) -> set[int]:
        """Of ``telltale``: the numbers that others have held."""
        states = [match.state for match in self.matches]
        return {int(state.held[other]) for state in states for other in range(state.seats) if other != seat}


def check_at_once(told: dict[str, Any], truth: Truth, viewer: int | None) -> None:
    """Where several choose at the same time: who has chosen, and of what has been chosen only one's own."""
    start, at_once = truth.matches[told["ply"]], told["at_once"]
    assert at_once["asked"] == start.asked
    assert viewer in at_once["chosen"] or at_once["yours"] is None
    if viewer is not None and at_once["yours"] is not None:
        ply = next(ply for ply in truth.matches[-1].plies[told["ply"] :] if ply.seat == viewer)
        assert at_once["yours"] == ply.action
    game = start.game
    if told["state"] is None or game.name != "goofspiel":
        return
    bids = game.layout.unpack(base64.b64decode(told["state"])).bid
    assert all(bid in (0, UNKNOWN) for seat, bid in enumerate(bids) if seat != viewer)


def check_position(told: dict[str, Any], seen: Seen) -> None:
    assert told["scores"] == seen.scores
    if "at_once" in told:
        return
    if told["state"] is not None:
        assert base64.b64decode(told["state"]) == seen.shown.pack()
    if told["scene"] is not None:
        assert told["scene"] == seen.scene
    assert told["picks"] == [] or seen.over or seen._plies[-1].seat == seen.seat


def check_choices(told: list[dict[str, Any]], seen: Seen) -> None:
    assert [(one["action"], one["text"]) for one in told] == [(one.action, one.text) for one in seen.choices]


def check_body(told: dict[str, Any], truth: Truth, viewer: int | None, *, is_over: bool = False) -> int:
    """The actions that an entry tells; returns the ply after them."""
    ply = int(told["ply"])
    for number, action in enumerate(told["actions"], ply):
        played = truth.matches[-1].plies[number]
        assert action == (played.action if is_over or played.seat == viewer else UNKNOWN)
    return ply + len(told["actions"])


def check_message(told: dict[str, Any], truth: Truth, viewer: int | None) -> None:
    kind = told["type"]
    if kind == "welcome":
        check_view(told["table"], truth, viewer)
    elif kind == "choices":
        check_choices(told["choices"], truth.known(told["ply"], viewer))
    elif kind == "update" and told["kind"] in ("start", "act"):
        # Where another process has caught up with several entries at once, the position is that of the last one.
        is_over = bool(told["ending"])
        ply = check_body(told["body"], truth, viewer, is_over=is_over) if told["kind"] == "act" else 0
        seen = truth.known(ply, viewer)
        if truth.matches[ply - 1].choosing is not None and truth.matches[ply - 1].seen_by(None).asked:
            ply = told["position"]["ply"]
            assert told["events"] == [] or told["body"]["actions"] == [UNKNOWN] or told["seat"] == viewer or is_over
        elif not is_over or seen.over:
            assert [event["text"] for event in told["events"]] == [event.tell(seen.name) for event in seen.news]
        check_position(told["position"], truth.known(told["position"]["ply"], viewer))
        if "at_once" in told["position"]:
            check_at_once(told["position"], truth, viewer)


def check_view(view: dict[str, Any], truth: Truth, viewer: int | None) -> None:
    if view["position"] is None:
        return
    seen = truth.known(view["position"]["ply"], viewer)
    check_position(view["position"], seen)
    check_choices(view["choices"], seen)
    assert view["story"] == seen.story
    assert [seat["score"] for seat in view["seats"]] == truth.known(seen.ply, None).scores


def check(viewer: Viewer, truth: Truth) -> int:
    """Whether this viewer was told what they may know, and nothing else; returns how much that was."""
    told, seat = 0, viewer.number
    for live in viewer.lives:
        before = [one for one in live.heard if not one.get("ending")]
        for message in live.heard:
            check_message(message, truth, seat)
        check_bytes(json.dumps(before).encode(), truth, seat)
        told += len(live.heard)
    for path, answer in viewer.answers:
        if path == "":
            check_view(answer, truth, seat)
        for line in answer.get("entries", []):
            if line["kind"] == "act":
                check_body(line["body"], truth, seat)
        check_bytes(json.dumps(answer).encode(), truth, seat)
        told += 1
    return told


def check_bytes(told: bytes, truth: Truth, seat: int | None) -> None:
    if truth.matches[0].game.name == "telltale":
        assert telltale.leaks(told, truth.secret_from(seat)) == []


def try_all(places: list[Place]) -> None:
    """A match of each game: seats at one place and at another, and a watcher at each."""
    for number, (game, wish) in enumerate(GAMES.items()):
        table = places[0].open(game, seats=2 + len(wish.get("bots", {})), **wish)["table"]["id"]
        seats = [place.sit(table, name) for place, name in zip((places[0], places[-1]), ("Ann", "Bob"), strict=True)]
        with ExitStack() as stack:
            viewers = [Viewer(seat.at, table, seat) for seat in seats]
            viewers += [Viewer(place, table, None) for place in places]
            for viewer in viewers:
                viewer.come(stack)
            play(viewers, random.Random(number))
            for viewer in viewers:
                viewer.hear_out()
        truth = Truth(places[-1].http.get(f"/api/tables/{table}/replay").text)
        assert sum(check(viewer, truth) for viewer in viewers) > 30
        final = next(one for one in viewers[-1].lives[0].heard if one.get("ending"))
        assert base64.b64decode(final["position"]["state"]) == truth.matches[-1].state.pack(), "at the end all is shown"


def test_on_a_server(serve: Callable[..., Server]) -> None:
    server = serve("--log-level", "debug")
    try_all([server.place])


def test_on_two_workers_and_another_server(serve: Callable[..., Server], postgres: Postgres) -> None:
    """Whoever is at a process that does not run the table is told by what it reads in the database."""
    database = postgres.new_database()
    servers = [serve("--workers", workers, database=database) for workers in ("2", "1")]
    try_all([server.place for server in servers])


def what_to_do(message: Message, ply: int) -> tuple[str, int, list[protocol.ChoiceView]]:
    """The phase where it is told, the ply, and what can be chosen there."""
    match message:
        case protocol.Welcome():
            table = message.table
            return table.phase, table.position.ply if table.position else 0, table.choices
        case protocol.Update():
            return message.phase, message.position.ply if message.position else ply, []
        case protocol.Choices():
            return "", message.ply, message.choices
    return "", ply, []


@pytest.mark.parametrize("game", ["leduc", "liars_dice"])
def test_the_python_client_plays_and_proves_such_a_match(serve: Callable[..., Server], game: str) -> None:
    """By requests, and by a socket with everything that it tells."""
    server = serve()
    with Client(server.url) as client:
        seat = client.sit(client.open_table(game, seats=2, bots={1: "random"}).table.id, "Ann")
        run_bot(seat, lambda view: view.choices[-1].action, state=True)
        assert seat.verify() == []

    async def by_socket(*, resigns: bool) -> list[str]:
        async with AsyncClient(server.url) as client:
            table = (await client.open_table(game, seats=2, bots={0: "random"})).table
            seat, ply = await client.sit(table.id, "Bob"), 0
            async with aclosing(seat.events(state=True)) as told:
                async for message in told:
                    phase, ply, choices = what_to_do(message, ply)
                    if phase == "over":
                        break
                    if choices and resigns:
                        await seat.resign()
                    elif choices:
                        await seat.act(choices[-1].action, ply)
            return await seat.verify()

    assert asyncio.run(by_socket(resigns=False)) == []
    assert asyncio.run(by_socket(resigns=True)) == []


class Recorder:
    """A bot that plays the last action, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Decision] = []

    def choose(self, decision: Decision) -> int:
        self.asked.append(decision)
        return decision.legal[-1]


def test_a_bot_with_a_token_is_asked_by_what_its_seat_knows(serve: Callable[..., Server]) -> None:
    """``parlour bot``: the position, its own actions, and nothing of others."""
    server, recorder = serve(), Recorder()

    async def play() -> str:
        async with AsyncClient(server.url) as client:
            table = (await client.open_table("telltale", seats=2, bots={0: "random"})).table
            seat = await client.sit(table.id, "Ann")
            plan = BotSpec(registry.get("telltale"), "", "Ann", BotLimits())
            await BotTable(plan, recorder, seat, lambda *_: None).play(lambda message: None)
            assert await seat.verify() == []
            return await client.replay(table.id)

    truth = Truth(asyncio.run(play()))
    assert recorder.asked
    for asked in recorder.asked:
        known = truth.known(asked.state.ply, 1)
        assert (asked.state, asked.legal, asked.actions) == (known.state, known.legal, known.actions)
        assert telltale.leaks(repr(asked.state).encode(), truth.secret_from(1)) == []


def test_in_the_terminal(serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One's own dice are on the board, and of the bot's only how many there are."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    server = serve()
    typed = "log\nundo\n" + "1x1\n1\n" * 200
    said = good("leduc", "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada", typed=typed)
    assert "Ada is dealt the " in said
    assert "Second (random) is dealt a card" in said
    assert "Second: ?" in said
    assert "The dice are proved" in said
