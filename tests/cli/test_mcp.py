"""``parlour mcp``: language models at tables, asked by the protocol's own client: in process, over stdio, over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import kuhn
import liars_dice
import pytest
from mcp import Client, StdioServerParameters

from commands import PARLOUR, refused
from parlour.cli.new_game import new_game
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.secrets import hidden, imagined
from parlour.mcp.here import Here
from parlour.mcp.there import There
from parlour.mcp.tools import make_server
from scripted_models import choices_in
from serving import Server

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass
class Model:
    """A client that calls tools."""

    client: Any
    seats: list[str] = field(default_factory=list)

    async def tries(self, tool: str, **given: Any) -> tuple[str, bool]:
        """What a tool says, and whether that is an error."""
        result = await self.client.call_tool(tool, given)
        return "\n".join(part.text for part in result.content), bool(result.is_error)

    async def call(self, tool: str, **given: Any) -> str:
        """What a tool says that does as it is asked."""
        text, is_error = await self.tries(tool, **given)
        assert not is_error, text
        return text

    async def refused(self, tool: str, **given: Any) -> str:
        """The one line of an error."""
        text, is_error = await self.tries(tool, **given)
        assert is_error, text
        assert text
        assert text.isprintable()
        assert len(text) <= 400
        return text

    async def opens(self, game: str, **wish: Any) -> str:
        """Opens a table; what is told of it. The seat's secret is the last of ``seats``."""
        return self._sits(await self.call("open_table", game=game, **wish))

    async def joins(self, table: str, **wish: Any) -> str:
        return self._sits(await self.call("join_table", table=table, **wish))

    def _sits(self, text: str) -> str:
        found = re.match(r"Your seat's secret: (\S+)\n", text)
        assert found is not None
        self.seats.append(found[1])
        return text


Play = Callable[[Model], Coroutine[Any, Any, None]]


@contextlib.asynccontextmanager
async def here() -> AsyncIterator[Model]:
    place = Here()
    try:
        async with Client(make_server(place)) as client:
            yield Model(client)
    finally:
        await place.close()


def plays(play: Play) -> None:
    """Let a model play at tables of this process."""

    async def run() -> None:
        async with here() as model:
            await play(model)

    asyncio.run(run())


async def play_to_the_end(model: Model, seat: str, text: str) -> str:
    """Play the first choice until the match is over; what is told then."""
    for _ in range(1000):
        if "The match is over" in text:
            return text
        choices = choices_in(text) if "Your choices" in text else []
        text = await (
            model.call("act", seat=seat, choice=choices[0]) if choices else model.call("look", seat=seat, wait=5)
        )
    raise AssertionError("the match has no end")


async def a_match(model: Model) -> None:
    """What a model does that has just been given the tools."""
    assert "connect_four: Connect Four" in await model.call("list_games")
    assert await model.call("read_rules", game="connect_four", number=2) in await model.call(
        "read_rules", game="connect_four"
    )
    text = await model.opens("connect_four", others=["random"], name="Ada")
    assert "You are Red (Ada)" in text
    told = await play_to_the_end(model, model.seats[0], text)
    assert re.search(r"The match is over: .*(wins|draw|nobody)", told)
    assert "the match is over: " in await model.refused("act", seat=model.seats[0], choice="1")


def test_a_match_in_this_process() -> None:
    plays(a_match)


def test_a_match_over_stdio(tmp_path: Path) -> None:
    async def run() -> None:
        parameters = StdioServerParameters(command=PARLOUR[0], args=[*PARLOUR[1:], "mcp"], cwd=str(tmp_path))
        async with Client(parameters) as client:
            await a_match(Model(client))

    asyncio.run(run())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where ``parlour mcp --port 0`` listens."""
    process = subprocess.Popen(
        [*PARLOUR, "mcp", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_a_match_over_http(address: str) -> None:
    async def run() -> None:
        async with Client(address) as client:
            await a_match(Model(client))

    asyncio.run(run())


def test_two_models_meet_over_http_and_cannot_take_each_others_seats(address: str) -> None:
    async def run() -> None:
        async with Client(address) as one, Client(address) as other:
            ada, bob = Model(one), Model(other)
            told = await ada.opens("connect_four", others=["anyone"], name="Ada")
            assert "has not begun" in await ada.refused("act", seat=ada.seats[0], choice="4")
            code = re.search(r"join_table with table '(\S+)'", told)
            assert code is not None
            await bob.joins(code[1], name="Bob")
            assert "all seats at that table are taken" in await bob.refused("join_table", table=code[1])
            assert "it is not your turn" in await bob.refused("act", seat=bob.seats[0], choice="4")
            assert "nobody holds that seat" in await bob.refused("act", seat=ada.seats[0][:-1], choice="4")
            await ada.call("say", seat=ada.seats[0], text="good\nluck\x1b[2J")
            assert "| Red (Ada): good luck" in await bob.call("look", seat=bob.seats[0])
            waiting = asyncio.create_task(bob.call("look", seat=bob.seats[0], wait=30))
            await ada.call("act", seat=ada.seats[0], choice="4", wait=0)
            assert "| Red (Ada) drops a disc into column 4" in await waiting
            assert "wins" in await bob.call("resign", seat=bob.seats[0])
            assert "The match is over" in await ada.call("look", seat=ada.seats[0])
            assert "you play no more" in await bob.refused("resign", seat=bob.seats[0])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:80"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_no_page_of_elsewhere_reaches_it(address: str, headers: dict[str, str], status: int) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    more = {"accept": "application/json, text/event-stream", **headers}
    assert httpx.post(address, json=asked, headers=more).status_code == status


def test_nonsense_over_http_ends_nothing(address: str) -> None:
    accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    for body in (b"", b"{", b"[]", b"[" * 100_000, b"null", b'{"jsonrpc": "2.0"}', b"\xff", b"x" * (2 << 20)):
        assert 400 <= httpx.post(address, content=body, headers=accept).status_code < 500
    test_a_match_over_http(address)


def test_errors_are_one_line_each() -> None:
    async def play(model: Model) -> None:
        await model.opens("connect_four", others=["random"])
        seat = model.seats[0]
        for tool, given, words in (
            ("open_table", {"game": "conect_four"}, "did you mean 'connect_four'?"),
            ("open_table", {"game": "connect_four", "others": ["file:bot.py"]}, "nobody called 'file:bot.py'"),
            ("open_table", {"game": "connect_four", "others": ["process:sh"]}, "nobody called 'process:sh'"),
            ("open_table", {"game": "connect_four", "others": ["model:sh"]}, "nobody called 'model:sh'"),
            ("open_table", {"game": "connect_four", "others": ["mcts:3600s"]}, "nobody called 'mcts:3600s'"),
            ("open_table", {"game": "connect_four", "others": ["judge:/etc/passwd"]}, "nobody called 'judge:/etc"),
            ("open_table", {"game": "connect_four", "others": ["random"] * 9}, "seats"),
            ("open_table", {"game": "connect_four", "seat": 7}, "there is no seat 7"),
            ("open_table", {"game": "connect_four", "seats": 10**9}, "seats"),
            ("open_table", {"game": "goose", "options": {"colour": 3}}, "colour"),
            ("open_table", {"game": "goose", "options": {"maze": [1]}}, "options"),
            ("join_table", {"table": "nowhere"}, "there is no table 'nowhere' here"),
            ("join_table", {"table": "x\x1b]0;title\x07\n" * 50}, "there is no table"),
            ("read_rules", {"game": "connect_four", "number": 99}, "it has clauses 1 to 6"),
            ("read_rules", {"game": "../../etc/passwd"}, "there is no game"),
            ("act", {"seat": seat, "choice": "9"}, "(clause 2)"),
            ("act", {"seat": seat, "choice": "x" * 10_000}, "at most 100 characters"),
            ("act", {"seat": seat, "choice": "\x00\x1b[2J"}, "is not a legal action here"),
            ("act", {"seat": seat}, "choice: Field required"),
            ("look", {"seat": seat, "wait": 1e9}, "wait: "),
            ("look", {"seat": "' OR 1=1"}, "nobody holds that seat"),
            ("say", {"seat": seat, "text": " \n"}, "from 1 to 500 characters"),
            ("dance", {}, "dance"),
        ):
            assert words in await model.refused(tool, **given), (tool, given)
        assert "0 actions have been played" in await model.call("look", seat=seat)

    plays(play)


def test_why_not_tells_the_clause() -> None:
    async def play(model: Model) -> None:
        await model.opens("connect_four", others=["random"])
        told = await model.call("why_not", seat=model.seats[0], tried="column 12")
        assert "(clause 2)" in told
        assert "can be played now" in await model.call("why_not", seat=model.seats[0], tried="4")
        for nonsense in ("", "\x00", "☃" * 100, "9" * 200):
            await model.call("why_not", seat=model.seats[0], tried=nonsense)

    plays(play)


def test_among_more_than_two_a_bot_plays_on() -> None:
    async def play(model: Model) -> None:
        await model.opens("goose", others=["random", "anyone"])
        assert "has not begun" in await model.refused("resign", seat=model.seats[0])
        (code,) = model_tables
        await model.joins(code, name="second seat of the same client")
        assert "bot plays on" in await model.call("resign", seat=model.seats[0])
        await play_to_the_end(model, model.seats[1], await model.call("look", seat=model.seats[1], wait=20))

    place = Here()
    model_tables = place.tables

    async def run() -> None:
        async with Client(make_server(place)) as client:
            await play(Model(client))
        await place.close()

    asyncio.run(run())


@pytest.fixture
def with_secrets() -> None:
    """Games with secrets, which are not installed."""
    registry.add_folder(EXAMPLES / "kuhn" / "kuhn")
    registry.add_folder(EXAMPLES / "liars_dice" / "liars_dice")
    registry.add_folder(EXAMPLES / "goofspiel" / "goofspiel")


@pytest.mark.usefixtures("with_secrets")
def test_models_choose_at_the_same_time() -> None:
    """In any order, each once or again until all have; nobody is told what another has chosen."""

    async def run() -> None:
        place = Here()
        async with Client(make_server(place)) as client:
            model = Model(client)
            await model.opens("goofspiel", others=["anyone", "random"])
            await model.joins(next(iter(place.tables)))
            one, other = model.seats
            text = await model.call("look", seat=other, wait=5)
            cards = choices_in(text)
            told = await model.call("act", seat=other, choice=cards[-1], wait=0)
            assert f"You have chosen {cards[-1]}, and may choose again" in told
            assert "You have chosen" not in await model.call("look", seat=one)
            assert f"bids {cards[-1]}" not in await model.call("look", seat=one)
            await model.call("act", seat=other, choice=cards[0], wait=0)
            told = await model.call("act", seat=one, choice=cards[1], wait=20)
            assert f"bids {cards[0]}" in told
            assert f"bids {cards[1]}" in told
        await place.close()

    asyncio.run(run())


@pytest.mark.usefixtures("with_secrets")
@pytest.mark.parametrize("game", [kuhn.GAME, liars_dice.GAME], ids=lambda game: game.name)
def test_nothing_hidden_leaves_a_seat(game: Game) -> None:
    """Two seats of one client see what each of them may know: whatever the other holds, the words are the same."""

    async def told(model: Model, secret: str) -> tuple[str, ...]:
        look = await model.call("look", seat=secret)
        return look.partition("The board:")[2], *(
            [(await model.tries("why_not", seat=secret, tried=tried))[0] for tried in ("☃", "9 9", "call")]
        )

    async def run() -> None:
        place = Here()
        varied = 0
        async with Client(make_server(place)) as client:
            model = Model(client)
            await model.opens(game.name, others=["anyone"])
            code, table = next(iter(place.tables.items()))
            await model.joins(code)
            for seat, secret in enumerate(model.seats):
                true, before = table.match, await told(model, secret)
                for number in range(8):
                    known = hidden(game, true.state, seat)
                    table.match = true.at(imagined(game, known, seat, Chance.at(number, 7)))
                    varied += table.match.state != true.state
                    assert await told(model, secret) == before
                table.match = true
        await place.close()
        assert varied

    asyncio.run(run())


def test_a_game_of_a_folder_and_one_that_breaks(tmp_path: Path) -> None:
    """Plug-ins and folders are games like all others. One whose rules fail is told in one line, and ends nothing."""
    new_game("breaking_game", tmp_path / "breaking_game")
    rules = tmp_path / "breaking_game" / "breaking_game" / "rules.py"
    text = rules.read_text()
    head, mark, rest = text.partition("def apply(")
    body = re.sub(r'("""[^"]*"""\n)', r"\1    if state.ply > 2: return 1 // (state.ply - state.ply)\n", rest, count=1)
    rules.write_text(head + mark + body)

    async def run() -> None:
        parameters = StdioServerParameters(
            command=PARLOUR[0], args=[*PARLOUR[1:], "mcp", str(tmp_path / "breaking_game")], cwd=str(tmp_path)
        )
        async with Client(parameters) as client:
            model = Model(client)
            assert "breaking_game" in await model.call("list_games")
            text = await model.opens("breaking_game", others=["random"])
            for _ in range(6):
                choices = choices_in(text)
                text, is_error = await model.tries("act", seat=model.seats[0], choice=choices[0])
                if is_error or "cannot go on" in text:
                    break
            assert "ZeroDivisionError" in text
            await model.opens("connect_four", others=["random"])

    asyncio.run(run())


def test_what_cannot_be_served_is_one_line() -> None:
    assert "give --port, too" in refused("mcp", "--host", "0.0.0.0")
    assert "nothing can listen at" in refused("mcp", "--port", "70000")
    assert "nothing can listen at" in refused("mcp", "--port", "0", "--host", "203.0.113.1")
    assert "a server's address is such as" in refused("mcp", "--server", "nowhere")


def test_without_the_package_one_line_says_what_to_install() -> None:
    lines = (
        "import sys; sys.modules['mcp'] = None",
        "from parlour.cli import run",
        "sys.exit(0 if run(['mcp']) == 2 else 1)",
    )
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == "parlour: this needs mcp, which is not installed: pip install 'parlour[mcp]'\n"


# At a server.


async def at_server(server: Server, play: Callable[[Model, There], Awaitable[None]]) -> None:
    place = There(server.url)
    try:
        async with Client(make_server(place)) as client:
            await play(Model(client), place)
    finally:
        await place.close()


def test_a_match_at_a_server(server: Server) -> None:
    async def play(model: Model, place: There) -> None:
        assert "connect_four: Connect Four" in await model.call("list_games")
        assert "clause 99" in await model.refused("read_rules", game="connect_four", number=99)
        text = await model.opens("connect_four", others=["random"], name="Ada")
        assert "You are Ada" in text
        assert "(clause 2)" in await model.call("why_not", seat=model.seats[0], tried="12")
        assert "'99'" in await model.refused("act", seat=model.seats[0], choice="99")
        told = await play_to_the_end(model, model.seats[0], text)
        assert "| Ada drops a disc into column 1" in told or "wins" in told
        assert "the match is over" in await model.refused("act", seat=model.seats[0], choice="1")

    asyncio.run(at_server(server, play))


def test_a_model_joins_people_by_link_by_code_and_by_token(server: Server) -> None:
    opened = server.place.open("connect_four", public=False)
    table, invite = opened["table"]["id"], opened["invite"]
    ada = server.place.sit(table, "Ada", invite=invite)

    async def play(model: Model, place: There) -> None:
        await model.joins(f"{server.url}/table/{table}#invite={invite}", name="gpt")
        view = ada.view()
        if view["choices"]:
            await asyncio.to_thread(ada.do, "act", ply=0, text="3")
            assert "| Ada drops a disc into column 3" in await model.call("look", seat=model.seats[0], wait=20)
        ada.do("chat", text="hello there")
        assert "| Ada: hello there" in await model.call("look", seat=model.seats[0])
        other = server.place.open("connect_four")
        bob = server.place.sit(other["table"]["id"], "Bob")
        await model.joins(other["table"]["id"], token=bob.token)
        assert "You are Bob" in await model.call("look", seat=model.seats[1])
        assert "holds no seat" in await model.refused("join_table", table=other["table"]["id"], token="wrong")
        third = server.place.open("connect_four")
        await model.joins(third["table"]["code"], name="by code")
        wrong = "http://127.0.0.1:1/table/abc"
        assert "plays at" in await model.refused("join_table", table=wrong)
        assert "table" in await model.refused("join_table", table="nowhere")

    asyncio.run(at_server(server, play))


def test_a_server_that_goes_away_is_told_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.mcp.there.PATIENCE", 0.5)
    server = Server(tmp_path).start()

    async def play(model: Model, place: There) -> None:
        await model.opens("connect_four", others=["random"], name="Ada")
        server.kill()
        assert f"{server.url} does not answer" in await model.refused("look", seat=model.seats[0])
        assert f"{server.url} does not answer" in await model.refused("act", seat=model.seats[0], choice="1")
        await asyncio.to_thread(server.start)
        assert "You are Ada" in await model.call("look", seat=model.seats[0], wait=10)

    try:
        asyncio.run(at_server(server, play))
    finally:
        server.close()


def test_a_game_that_is_not_installed_here_can_be_played(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a board, as only the rules can draw it in letters; the choices come from the server."""
    monkeypatch.setattr("parlour.mcp.there.registry.names", list)

    async def play(model: Model, place: There) -> None:
        text = await model.opens("connect_four", others=["random"])
        assert "The board:" not in text
        assert choices_in(text)
        assert "where the game is installed here" in await model.refused("why_not", seat=model.seats[0], tried="9")

    asyncio.run(at_server(server, play))
