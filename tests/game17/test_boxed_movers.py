"""Bot files that have the package's own T800 play are known by it, and play the same games as in their boxes."""

from __future__ import annotations

import random
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxes import assert_idle
from game17 import T800, get_mover_factory, harness, zombie
from game17.boxed_movers import BoxedMover, MoverSet, body_of, orders_in
from game17.games import GameJob, GameSetting, Outcome
from game17.live_game import LiveGame
from game17.messages import LOST, ORDERS, to_line
from parlour.bots.box import own_numbers
from parlour.bots.box.process.forkserver import ForkServer
from parlour.bots.faults import BotFault

OWN = "from game17.T800 import make_moves"
KNOWN = {
    "imported": OWN,
    "assigned": "import game17.T800\nprint('unheard')\nmake_moves = game17.T800.make_moves",
    "made": "from game17 import T800, get_mover_factory\nget_mover = get_mover_factory(T800.make_moves)",
}
UNKNOWN = {
    "wrapped": "from game17 import T800\ndef make_moves(*arguments):\n    return T800.make_moves(*arguments)",
    "tuned": "from game17 import T800\nT800.SURE = 7\nmake_moves = T800.make_moves",
    "replaced": "from game17 import T800 as t, zombie\nt.make_moves = zombie.make_moves\nmake_moves = t.make_moves",
    "another": "from game17.zombie import make_moves",
}


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where bots have their folders, so that their processes can be told from all others on the machine."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def server() -> Iterator[ForkServer]:
    started = ForkServer(("game17.harness",))
    yield started
    started.close()


def movers(server: ForkServer, folder: Path, texts: dict[str, str]) -> MoverSet:
    files = {}
    for player, (name, text) in enumerate(texts.items(), 1):
        files[player] = folder / f"{name}.py"
        files[player].write_text(text)
    made = MoverSet(server, {**files, len(files) + 1: None})
    assert made.failures() == {}
    return made


def test_files_are_known_by_the_function_that_plays(server: ForkServer, tmp_path: Path) -> None:
    bots = movers(server, tmp_path, KNOWN | UNKNOWN)
    try:
        assert bots.known == [1, 2, 3]
    finally:
        bots.close()


@pytest.mark.parametrize(("size", "rounds"), [(14, 50), (5, 200), (24, 40), (2, 1)])
def test_the_games_are_those_of_the_box_to_the_byte(size: int, rounds: int, server: ForkServer, tmp_path: Path) -> None:
    def play(text: str) -> Outcome:
        bots = movers(server, tmp_path, {"one": text, "two": text})
        try:
            assert bots.known == ([1, 2] if text == OWN else [])
            return bots.play(GameJob.of("game", (1, 2, 3)), GameSetting(size, rounds, seed=size))
        finally:
            bots.close()

    here, boxed = play(OWN), play(UNKNOWN["wrapped"])
    assert here.record == boxed.record
    assert here.scores == boxed.scores
    assert here.lost == boxed.lost == {}
    assert all(0 <= seconds < 1 or seconds == -1 for seconds in here.times.values())


def test_whoever_is_known_needs_no_process(tmp_path: Path) -> None:
    bots = MoverSet(None, {1: tmp_path / "one.py"}, known=[1])  # type: ignore[arg-type]
    assert bots.play(GameJob.of("game", (1,)), GameSetting(6, 9, seed=1)).lost == {}


def test_a_changed_t800_is_not_the_t800(monkeypatch: pytest.MonkeyPatch) -> None:
    get_mover = get_mover_factory(T800.make_moves)
    assert harness.is_t800(get_mover)
    assert not harness.is_t800(get_mover_factory(zombie.make_moves))
    assert not harness.is_t800(lambda **_: get_mover())
    monkeypatch.setattr(T800, "SURE", 7)
    assert not harness.is_t800(get_mover)


BURNING = """
import os, signal, threading
from game17.messages import ORDERS, to_line
def burn(*_):
    while True: pass
def think(): pass
def make_moves(*_):
    think()
    return []
"""
AT_WORK = {
    "threads from the beginning": "threading.Thread(target=burn, daemon=True).start()",
    "a thread that it starts later": "def think(): threading.Thread(target=burn, daemon=True).start()",
    "a clock": "def think(): threading.Timer(0.05, burn).start()",
    "an alarm": "def think(): signal.signal(signal.SIGALRM, burn); signal.setitimer(signal.ITIMER_REAL, 0.05)",
    "an answer by hand, and thinking on": "def think(): os.write(4, to_line(ORDERS)); burn()",
    "a thread of its mover": """
del make_moves
def get_mover(**_):
    threading.Thread(target=burn, daemon=True).start()
    return lambda *_: []
""",
}


def test_bots_are_paused_while_others_think(server: ForkServer, tmp_path: Path, temp: Path) -> None:
    """Whatever they have begun before; all of them at the same time."""
    game = LiveGame(4, 9, seed=1, asked=[1])
    bots = []
    for number, deed in enumerate(AT_WORK.values()):
        file = tmp_path / f"bot{number}.py"
        file.write_text(BURNING + deed)
        bots.append(BoxedMover(server, file))
    try:
        for bot in bots:
            bot.begin(game, 1, 7)
        assert_idle(temp, at_least=len(bots))
        for bot in bots:
            assert len(bot.ask(game)) == 0
        assert_idle(temp, at_least=len(bots))
    finally:
        for bot in bots:
            bot.close()


def test_whoever_hangs_when_it_is_begun_anew_has_used_up_its_time(server: ForkServer, tmp_path: Path) -> None:
    """As whoever hangs when it is asked: the turn is lost to the deadline."""
    game, file = LiveGame(4, 9, seed=1, asked=[1]), tmp_path / "bot.py"
    file.write_text("def make_moves(*_):\n    while True: pass")
    bot = BoxedMover(server, file, deadline=1.0)
    try:
        bot.begin(game, 1, 7)
        for what in ("answer", "begin a game"):
            with pytest.raises(BotFault, match=f"it did not {what} within 1 s"):
                bot.ask(game)
            assert bot.taken == 1.0
            file.write_text("def get_mover(**_):\n    while True: pass")
    finally:
        bot.close()


WRITTEN = [
    struct.pack("=2h", 30000, 1),
    struct.pack("=2h", -1, 1),
    struct.pack("=2h", 196 * 4, 1),
    struct.pack("=2h", 1, -1),
    struct.pack("=2h", 1, 0),
    b"odd",
]


@pytest.mark.parametrize("body", WRITTEN)
def test_what_a_bot_writes_by_hand_costs_nobody_else_anything(body: bytes, server: ForkServer, tmp_path: Path) -> None:
    by_hand = f"import os\ndef make_moves(*_): os.write(4, {to_line(ORDERS, body)!r})"
    bots = movers(server, tmp_path, {"by_hand": by_hand, "wrapped": UNKNOWN["wrapped"]})
    try:
        found = bots.play(GameJob.of("game", (1, 2, 3)), GameSetting(14, 4, seed=1))
        assert found.lost[1][0] == "round 0: its answer makes no sense"
        assert found.lost.keys() == {1}
    finally:
        bots.close()


def test_any_line_is_an_answer_or_its_bot_s_fault() -> None:
    drawn = random.Random(1)
    refused = 0
    for _ in range(2000):
        size = drawn.choice((2, 5, 14))
        game = LiveGame(size, 3, seed=1, asked=[0])
        body = struct.pack("=6h", *(drawn.choice((-1, 0, 1, 3, drawn.randrange(-(2**15), 2**15))) for _ in range(6)))
        kind = drawn.choice((ORDERS, LOST, b"X", b""))
        line = drawn.choice((to_line(kind, body[: drawn.randrange(13)]), drawn.randbytes(drawn.randrange(60))))
        try:
            orders = orders_in(body_of(line), size)
        except BotFault:
            refused += 1
        else:
            game.take(orders)
    assert 200 < refused < 2000


def test_the_seed_of_a_bot_s_numbers_does_not_follow_from_the_game_s_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that finds the seed by trying knows all dice."""
    setting = GameSetting(seed=7)
    monkeypatch.setattr(own_numbers, "_secret", lambda: b"of one machine")
    game, bot = setting.seed_of("game"), setting.seed_for_bot("game", 1)
    assert bot == setting.seed_for_bot("game", 1) != setting.seed_for_bot("game", 2)
    monkeypatch.setattr(own_numbers, "_secret", lambda: b"of another")
    assert (setting.seed_of("game"), setting.seed_for_bot("game", 1) == bot) == (game, False)
