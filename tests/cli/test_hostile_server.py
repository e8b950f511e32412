"""The terminal at the table of a server that lies: nothing steers it, and nothing breaks it."""

from __future__ import annotations

import asyncio
import base64
import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hostile import Liar, Rude
from parlour import protocol
from parlour.bots.box import BotLimits
from parlour.bots.simple import Random
from parlour.cli.boundary import run as run_command
from parlour.cli.online.bot_table import BotSpec, BotTable
from parlour.cli.online.commands import TypedCommands
from parlour.cli.online.inbox import Answered, Inbox
from parlour.cli.online.screen import Screen
from parlour.cli.online.session import Session
from parlour.cli.online.table import RemoteTable
from parlour.cli.options import Play
from parlour.client import AsyncClient, Client, Refused, Ticket
from parlour.client.answers import reader
from parlour.client.stream import Busy, Stream
from parlour.engine import registry
from parlour.engine.bots import TimeLimit
from parlour.engine.errors import ParlourError
from serving import Server
from terminals import run

EVIL = "x\x1b]0;owned\x07\x1b[2J\x9b31m\r\n\x7f\u202e\u2028\nforged"
GAMES = ["goose", "mazerunner", "connect_four"]
NOBODY = AsyncClient("http://127.0.0.1:9")
Heard = list[dict[str, Any]]


def assert_harmless(text: str) -> None:
    assert all(line.isprintable() for line in text.split("\n")), ascii(text)
    assert not any(line.startswith("forged") for line in text.split("\n")), "a forged line"


# What servers say.

ENTRIES: dict[str, dict[str, Any]] = {
    "sit": {"name": "Ada", "nonce": "n"},
    "bot": {"bot": "random"},
    "leave": {},
    "start": {},
    "undo": {"ply": 1, "spent": 0.5},
    "resign": {"bot": "random"},
    "offer": {},
    "decline": {},
    "agree": {},
    "chat": {"text": "good luck"},
    "away": {"bot": "random", "reason": "absent"},
    "back": {},
    "rematch": {"table": "id"},
    "renew": {},
}


@pytest.fixture(scope="module", params=GAMES)
def heard(server: Server, request: pytest.FixtureRequest) -> Heard:
    """All that the socket of a seat says in a real match against a bot, which the seat gives up."""
    while (heard := _resigned(server, request.param)) is None:
        pass
    return heard


def _resigned(server: Server, game: str) -> Heard | None:
    """The same, unless lucky dice end the match too soon."""
    ada = server.place.sit(server.place.open(game, seats=2, bots={"1": "random"})["table"]["id"], "Ada")
    with ada.live(state=True) as live:
        ada.must("chat", text="good luck")
        for _ in range(3):
            while not (view := ada.view())["choices"]:
                if view["phase"] == "over":
                    return None
                live.hear()
            ada.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])
        if not ada.do("resign").is_success:
            return None
        while live.heard[-1].get("kind") != "resign":
            live.hear()
    return live.heard


def of_every_kind(heard: Heard) -> Heard:
    """Those, and an update for every other kind of entry."""
    update = next(message for message in heard if message.get("kind") == "act")
    others = [update | {"kind": kind, "body": body, "seat": 1} for kind, body in ENTRIES.items()]
    return [*heard, *others, {"type": "presence", "here": [0], "watching": 1, "grace": {"1": 5.0}}]


def one_of_each(messages: Heard) -> Heard:
    return list({(message["type"], message.get("kind")): message for message in messages}.values())


# Who hears them.


class Ear:
    """Somebody at a table who has been welcomed, hears a message, and then types all that can be typed."""

    def __init__(self, welcome: dict[str, Any]) -> None:
        table = reader(protocol.Welcome)(json.dumps(welcome).encode()).table
        self.stream = Stream("token", pictures=False, state=True)
        ticket = Ticket(table.id, 0, "token")
        self.table = RemoteTable(NOBODY, table, ticket, Screen(ascii=False))
        self.hear(welcome)

    def hear(self, message: Any) -> None:
        """As it comes from the socket. What a person would be told as the last word is raised."""
        self.stream._number = self.stream._number if self.stream._number is None else message_number(message)
        told = self.stream.hear(json.dumps(message).encode())
        if told is not None:
            self.table.hear(told)

    def last_words(self, message: Any) -> str:
        """Hear it and type everything; what is said where that is the end of it, else nothing."""
        try:
            self.hear(message)
            self.type_everything()
        except (ParlourError, Busy) as error:
            return str(error) or "nothing is said"
        return ""

    def type_everything(self) -> None:
        commands = TypedCommands(self.table, Inbox.__new__(Inbox))
        for word in ("?", "list", "board", "log"):
            commands.obey(word)
        self.table.screen.prompt(self.table.prompt)
        self.table.screen.entered()


def message_number(message: Any) -> int:
    number = message.get("number") if isinstance(message, dict) else None
    return number - 1 if isinstance(number, int) else 0


def strings_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every text in it, those of keys left out."""
    if isinstance(value, str):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from strings_in(inner, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The same with something else at that place."""
    if not path:
        return new
    twin = copy.copy(value)
    twin[path[0]] = changed(value[path[0]], path[1:], new)
    return twin


# No text steers the terminal.


def test_no_text_of_any_message_steers_the_terminal(heard: Heard, capfd: pytest.CaptureFixture[str]) -> None:
    welcome, tried, shown = heard[0], 0, 0
    for message in one_of_each(of_every_kind(heard)):
        for path in strings_in(message):
            ear = Ear(welcome)
            ear.table.screen.say(ear.last_words(changed(message, path, EVIL)))
            raw = capfd.readouterr().out
            assert_harmless(raw)
            tried += 1
            shown += "owned" in raw
    assert tried > 100
    assert shown > 20, "some of them are shown, or this test would see nothing"


def test_no_refusal_goodbye_or_hint_steers_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    stream = Stream("token", pictures=False, state=True)
    said = [Refused(EVIL, EVIL)]
    for code in ("busy", "not_found", EVIL):
        with pytest.raises((Refused, Busy)) as bye:
            stream.hear(msgspec.json.encode(protocol.Bye(code, EVIL)))
        said.append(bye.value)  # type: ignore[arg-type]
    session = Session(Play("goose", name="Ada"), "http://127.0.0.1:9", None)
    for trouble in said:
        session._answered(None, Answered("act", trouble=trouble))  # type: ignore[arg-type]
    hint = protocol.HintAnswer("cid", 0, [protocol.HintLine(1, EVIL, 10**400, 0.5)], EVIL)
    session._answered(None, Answered("hint", hint))  # type: ignore[arg-type]
    shown = capfd.readouterr().out
    assert shown.count("owned") == 6
    assert_harmless(shown)


@pytest.mark.parametrize("answer", [b'{"code": "%s", "message": "%s"}', b'{"code": "%s"}', b"%s%s", b"[%s, %s]"])
def test_no_answer_to_the_first_request_steers_the_terminal(answer: bytes, home: Path) -> None:
    words = json.dumps(EVIL)[1:-1].encode()
    body = answer.replace(b"%s", words)

    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 400 \x1b[2J\r\ncontent-length: %d\r\n\r\n" % len(body)
        writer.write(head.replace(b"\x1b", b"") + body)
        await writer.drain()

    with Rude(refuse) as rude:
        done = run("goose", "--server", rude.url)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert_harmless(done.stdout + done.stderr)


FREE_TEXTS = {"name", "text", "label", "way", "title", "message", "story", "names", "bot", "reason"}


def with_evil(value: Any, key: str = "") -> Any:
    """Every text that is for people, with escapes in it."""
    if isinstance(value, dict):
        return {inner: with_evil(item, inner) for inner, item in value.items()}
    if isinstance(value, list):
        return [with_evil(item, key) for item in value]
    return f"{value}{EVIL}" if isinstance(value, str) and key in FREE_TEXTS else value


def test_a_whole_match_at_a_server_that_tries(server: Server, home: Path, tmp_path: Path) -> None:
    def alter(path: str, said: Any) -> Any:
        return said if path.endswith("/replay") else with_evil(said)

    typed = "?\nlist\nlog\nhint\nnonsense\n" + "1\n2\n3\n4\n5\n6\n7\n" * 7
    with Liar(server.url, alter) as liar:
        done = run("connect_four", "--server", liar.url, "--seat", "you", "--seat", "random", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "owned" in done.stdout
    assert "The dice cannot be proved: " in done.stdout
    assert_harmless(done.stdout + done.stderr)


# Nothing breaks it.

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**31,
    10**30,
    1.5,
    1e300,
    "",
    "x",
    "\u0000",
    [],
    {},
    [None],
    [[]],
    {"a": 1},
    "9" * 5000,
]


def mutated(message: Any, dice: random.Random) -> Any:
    """The message with something in it missing, doubled, or of another kind."""
    places = list(places_in(message))
    for _ in range(dice.randint(1, 3)):
        place = dice.choice(places)
        try:
            message = changed(message, place, dice.choice(ODD)) if dice.random() < 0.8 else without(message, place)
        except (KeyError, IndexError, TypeError):
            continue  # it has gone with the one before
    return message


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places_in(inner, (*path, key))


def without(value: Any, path: tuple[Any, ...]) -> Any:
    if len(path) < 2:
        return value
    twin = copy.deepcopy(value)
    inner = twin
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return twin


def test_nothing_that_a_server_says_breaks_the_terminal(heard: Heard, capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(17)
    messages, said = of_every_kind(heard), []
    for _ in range(600):
        said.append(Ear(heard[0]).last_words(mutated(dice.choice(messages), dice)))
        capfd.readouterr()
    assert 50 < said.count("") < 550, "some of them make sense, some do not"
    assert "nothing is said" not in said


def test_no_position_breaks_the_terminal(heard: Heard, capfd: pytest.CaptureFixture[str]) -> None:
    """States of the right size, with anything in them."""
    dice = random.Random(18)
    size = len(base64.b64decode(heard[0]["table"]["position"]["state"]))
    for _ in range(50):
        state = base64.b64encode(dice.randbytes(size)).decode()
        said = Ear(heard[0]).last_words(changed(heard[0], ("table", "position", "state"), state))
        assert said == "" or "the server shows a position that" in said
        capfd.readouterr()


class SilentClient(AsyncClient):
    """One that learns nothing from the log."""

    async def log(self, table: str, since: int = 0, wait: float = 0.0) -> protocol.Log:
        return protocol.Log(since, "playing", 0, 0, [])


SILENT = SilentClient("http://127.0.0.1:9")


class BotEar(Ear):
    """A bot at a table, which is then asked for its choice if it seems to be its turn."""

    def __init__(self, welcome: dict[str, Any]) -> None:
        self.stream = Stream("token", pictures=False, state=True)
        view = reader(protocol.Welcome)(json.dumps(welcome).encode()).table
        plan = BotSpec(registry.get(view.game), "random", "four", BotLimits())
        seat = SILENT.seat(Ticket(view.id, 0, "token"))
        self.bot = BotTable(plan, Random(), seat, lambda *_: None)
        self.hear(welcome)

    def hear(self, message: Any) -> None:
        self.stream._number = self.stream._number if self.stream._number is None else message_number(message)
        told = self.stream.hear(json.dumps(message).encode())
        if told is not None:
            self.bot._hear(told)
            assert self.bot.others is not None

    def type_everything(self) -> None:
        if self.bot._is_asked:
            decision = asyncio.run(self.bot._decision(TimeLimit()))
            assert self.bot._rule(decision, decision.state.ply).action in decision.legal


def test_nothing_that_a_server_says_breaks_a_bot(heard: Heard) -> None:
    dice = random.Random(19)
    messages, said = of_every_kind(heard), []
    for _ in range(600):
        said.append(BotEar(heard[0]).last_words(mutated(dice.choice(messages), dice)))
    assert 50 < said.count("") < 550, "some of them make sense, some do not"


def test_no_position_breaks_a_bot(heard: Heard) -> None:
    dice = random.Random(20)
    view = next(message["table"] for message in heard if message["type"] == "welcome")
    size = len(base64.b64decode(view["position"]["state"]))
    for _ in range(50):
        state = base64.b64encode(dice.randbytes(size)).decode()
        asked = {"to_move": view["you"], "ply": 0, "state": state}
        message = changed(heard[0], ("table", "position"), view["position"] | asked)
        choices = [{"action": 0, "text": "x"}]
        said = BotEar(heard[0]).last_words(changed(message, ("table", "choices"), choices))
        assert said == "" or "the server" in said


@pytest.mark.parametrize(
    "text", [b"", b"\xff\xfe", b"nul", b"[" * 100_000, b'{"type": "welcome"}', b'{"type": 1}', b"9" * 9999]
)
def test_what_is_no_message_gets_one_line(text: bytes) -> None:
    stream = Stream("token", pictures=False, state=True)
    with pytest.raises(ParlourError, match="does not understand") as error:
        stream.hear(text)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (("position", "state"), "no state"),
        (("position",), "does not answer as a Parlour server does"),
        (("seats",), "does not answer as a Parlour server does"),
        (("game",), "does not answer as a Parlour server does"),
    ],
)
def test_null_for_something_gets_one_line(server: Server, home: Path, lie: tuple[str, ...], words: str) -> None:
    def alter(path: str, said: Any) -> Any:
        for place in (("table", *lie), lie):
            try:
                said = changed(said, place, None)
            except (KeyError, TypeError):
                continue
        return said

    with Client(server.url) as client:
        table = client.open_table("goose", seats=2, bots={1: "random"}).table.id
        token = client.sit(table, "Ada").ticket.token
    with Liar(server.url, alter) as liar:
        done = run("--table", f"{liar.url}/table/{table}#seat={token}")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert words in done.stderr


def test_errors_have_an_end(capfd: pytest.CaptureFixture[str]) -> None:
    def command(*_: Any, **__: Any) -> None:
        raise Refused("x" * 10**6, "y" * 10**6)

    assert run_command(command, "parlour", []) == 2
    assert len(capfd.readouterr().err) < 1000
