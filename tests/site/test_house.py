"""What a browser plays by: tables, lessons and replays as at a server, without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
import pytest

from parlour.engine import fair, replay
from parlour.protocol import Opened, Seated
from parlour.site.house import House
from parlour.site.keeping import InMemory
from parlour.site.visit import Visit

TOKEN, NONCE = "mine-" * 7, "n" * 32


@pytest.fixture(autouse=True)
def as_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be compiled there."""
    for module in ("parlour.bots.roster", "parlour.engine.players"):
        monkeypatch.setattr(f"{module}.can_compile", lambda: False)


class Page:
    """A page at a table: says hello, reveals its nonce, and plays the first choice that it has."""

    def __init__(self, house: House, table: str, token: str | None = TOKEN, pace: str = "off") -> None:
        self.heard: list[dict[str, Any]] = []
        self.told = asyncio.Event()
        self.visit = Visit(house, table, self._hear, lambda code: None)
        self.hello = {"type": "hello", "version": 2, "pictures": True, "patches": True, "pace": pace}
        self.hello |= {"token": token} if token else {}
        self.sent = 0

    def _hear(self, text: str) -> None:
        self.heard.append(msgspec.json.decode(text))
        self.told.set()

    async def say(self, message: dict[str, Any]) -> None:
        await self.visit.hear(msgspec.json.encode(message).decode())

    async def send(self, message: dict[str, Any]) -> dict[str, Any]:
        """Have a command carried out; what it is answered."""
        self.sent += 1
        cid = f"{id(self)}-{self.sent}"
        await self.say({**message, "cid": cid})
        answer: dict[str, Any] = await self.until(
            lambda: next((one for one in self.heard if one.get("cid") == cid), None)
        )
        return answer

    async def until(self, find: Callable[[], Any]) -> Any:
        async with asyncio.timeout(60):
            while not (found := find()):
                self.told.clear()
                await self.told.wait()
        return found

    def last(self, *kinds: str) -> dict[str, Any] | None:
        return next((one for one in reversed(self.heard) if one["type"] in kinds), None)

    @property
    def over(self) -> bool:
        return any(one["type"] == "update" and one["phase"] == "over" for one in self.heard)

    async def play_to_the_end(self) -> None:
        ply = -1
        while not self.over:
            found = await self.until(partial(self._next, ply))
            if found is True:
                return
            ply = found["ply"]
            await self.send({"type": "act", "ply": ply, "action": found["choices"][0]["action"]})

    def _next(self, ply: int) -> dict[str, Any] | bool | None:
        return self.over or self._choices(ply)

    def _choices(self, after: int) -> dict[str, Any] | None:
        return next(
            (c for c in reversed(self.heard) if c["type"] == "choices" and c["choices"] and c["ply"] > after), None
        )


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


async def ask(house: House, method: str, path: str, body: object = None, token: str | None = None) -> Any:
    answer = await house.ask(method, path, b"" if body is None else msgspec.json.encode(body), token)
    assert answer.status == 200, answer.text
    return msgspec.json.decode(answer.text) if answer.kind == "application/json" else answer.text


async def opened(house: House, game: str, bots: dict[str, str], **wish: object) -> str:
    """A table with somebody at its first seat."""
    table = await ask(house, "POST", "/api/tables/", {"game": game, "bots": bots, "seats": len(bots) + 1, **wish})
    found = msgspec.convert(table, Opened)
    sit = {"name": "Ada", "seal": fair.seal(NONCE), "token": TOKEN, "invite": found.invite}
    seated = msgspec.convert(await ask(house, "POST", f"/api/tables/{found.table.id}/sit", sit), Seated)
    assert seated.seat == 0
    return found.table.id


@pytest.mark.parametrize(("game", "bot"), [("goose", "random"), ("connect_four", "mcts:1"), ("choccer", "random")])
def test_a_match_to_its_end_is_a_replay_that_verifies(game: str, bot: str) -> None:
    async def scene() -> None:
        house = House(InMemory())
        table = await opened(house, game, {"1": bot})
        page = Page(house, table)
        await page.say(page.hello)
        await page.send({"type": "reveal", "nonce": NONCE})
        await page.play_to_the_end()
        text = await house.ask("GET", f"/api/tables/{table}/replay")
        content = replay.loads(text.text.encode(), "the replay")
        match = replay.run(content, "the replay")
        assert match.over
        assert content.dice is not None
        assert replay.doubts(content, played=match) == []
        frames = await ask(house, "GET", f"/api/tables/{table}/frames?first=0&count=3")
        assert len(frames["frames"]) == 3
        assert len((await ask(house, "GET", f"/api/tables/{table}/summary"))["plies"]) == len(match.plies)
        assert [line["id"] for line in await ask(house, "GET", "/api/tables/?phase=over&name=ada")] == [table]

    run(scene())


def test_a_page_that_is_loaded_anew_finds_its_match() -> None:
    async def scene() -> None:
        keeper = InMemory()
        house = House(keeper)
        table = await opened(house, "connect_four", {"1": "random"})
        page = Page(house, table)
        await page.say(page.hello)
        await page.send({"type": "reveal", "nonce": NONCE})
        await page.send({"type": "act", "ply": 0, "text": "4"})
        await page.until(lambda: page._choices(1))
        page.visit.part()
        again = Page(House(keeper), table)
        await again.say(again.hello)
        welcome = (await again.until(lambda: again.last("welcome")))["table"]
        assert (welcome["you"], welcome["position"]["ply"], len(welcome["choices"])) == (0, 2, 7)

    run(scene())


def test_two_pages_of_one_browser_are_of_one_mind() -> None:
    """Each has an engine of its own: whoever is slower catches up, and nothing happens twice."""

    async def scene() -> None:
        keeper = InMemory()
        one, other = House(keeper), House(keeper)
        table = await opened(one, "connect_four", {"1": "random"})
        first, second = Page(one, table), Page(other, table)
        await first.say(first.hello)
        await first.send({"type": "reveal", "nonce": NONCE})
        await second.say(second.hello)
        assert (await first.send({"type": "act", "ply": 0, "text": "4"}))["type"] == "ack"
        late = await second.send({"type": "act", "ply": 0, "text": "3"})
        assert (late["type"], late["code"]) == ("reject", "stale")
        await second.say({"type": "ping"})
        await second.until(lambda: second._choices(1))
        plies = [entry for entry in keeper.entries[table] if entry.kind == "act"]
        assert [entry.ply for entry in plies] == [0, 1]  # type: ignore[union-attr]

    run(scene())


def test_undo_hint_rematch_and_resigning() -> None:
    async def scene() -> None:
        house = House(InMemory())
        table = await opened(house, "connect_four", {"1": "random"})
        page = Page(house, table)
        await page.say(page.hello)
        await page.send({"type": "reveal", "nonce": NONCE})
        hint = await page.send({"type": "hint"})
        assert hint["best"][0]["text"]
        await page.send({"type": "act", "ply": 0, "text": "4"})
        await page.until(lambda: page._choices(1))
        assert (await page.send({"type": "undo", "ply": 2}))["type"] == "ack"
        again = await page.send({"type": "act", "ply": 0, "text": "4"})
        assert again["type"] == "ack"
        await page.send({"type": "resign"})
        await page.until(lambda: page.over)
        assert (await page.send({"type": "rematch"}))["type"] == "ack"
        rematch = (await ask(house, "GET", f"/api/tables/{table}"))["rematch"]
        looked = await ask(house, "GET", f"/api/tables/{rematch}", token=TOKEN)
        assert (looked["you"], looked["seats"][0]["kind"]) == (1, "bot")

    run(scene())


def test_lessons_rulebooks_and_pictures() -> None:
    async def scene() -> None:
        house = House(InMemory())
        names = [game["name"] for game in await ask(house, "GET", "/api/games?language=de")]
        assert {"goose", "choccer", "game17"} <= set(names)
        lesson = await ask(house, "GET", "/api/games/connect_four/lesson")
        step = await ask(house, "GET", "/api/games/connect_four/lesson/0?language=de")
        assert lesson["steps"] == 6
        assert "Spalte 4" in step["text"]
        answer = await ask(house, "POST", "/api/games/connect_four/lesson/0", {"action": step["right"][0]})
        assert answer["right"]
        assert "<svg" in await ask(house, "GET", "/api/games/goose/picture")
        assert "Gans" in await ask(house, "GET", "/api/games/goose/rulebook?language=de")
        why = await ask(house, "GET", "/api/games/connect_four/lesson/0/why-not?tried=99")
        assert why["text"]

    run(scene())


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/api/reach", None, "not_found"),
        ("GET", "/api/games/nothing/rulebook", None, "not_found"),
        ("GET", "/api/tables/nothing", None, "not_found"),
        ("POST", "/api/tables/", {"game": "goose", "seats": 99}, "bad_option"),
        ("POST", "/api/tables/", {"game": "goose", "clock": {"kind": "turn", "seconds": 10}}, "bad_option"),
        ("POST", "/api/tables/", {"gone": 1}, "bad_request"),
        ("POST", "/api/replays", {"no": "replay"}, "bad_request"),
        ("GET", "/api/tables/?limit=many", None, "bad_request"),
    ],
)
def test_what_cannot_be_had_is_refused_in_words(method: str, path: str, body: object, code: str) -> None:
    async def scene() -> None:
        answer = await House(InMemory()).ask(method, path, b"" if body is None else msgspec.json.encode(body))
        problem = msgspec.json.decode(answer.text)
        assert (problem["code"], bool(problem["message"])) == (code, True)

    run(scene())
