"""Bots in their boxes: what they are given, and how they may answer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import parlour
from boxes import GAME, QUICK, Make, decision
from parlour.bots import Decision, make_bot
from parlour.bots.box import BotLimits, BoxedBot, ForkServer, Launch, SandboxedProcess, bot_file
from parlour.engine import registry
from parlour.engine.chance import Chance


def test_a_bot_sees_the_decision_as_built_in_ones_do(make: Make) -> None:
    bot = make("""
        def choose(decision):
            print(decision.game.name, decision.seat, decision.state, list(decision.legal), decision.actions)
            print(decision.text(decision.legal[0]), decision.clock.seconds, decision.clock.bank)
            after = decision.state.copy()
            decision.game.play(after, decision.legal[0], decision.chance)
            print("then", after)
            return decision.legal[-1]
    """)
    asked = decision(plies=3)
    assert bot.choose(asked) == asked.legal[-1]
    after = asked.state.copy()
    GAME.play(after, asked.legal[0], Chance([1, 2, 3, 4]))
    assert bot.stderr.splitlines() == [
        f"choccer {asked.seat} {asked.state} {asked.legal} {asked.actions}",
        f"{asked.text(asked.legal[0])} 1.0 0.0",
        f"then {after}",
    ]


@pytest.mark.parametrize(
    "answer", ["decision.legal[2]", "decision.text(decision.legal[2])", "__import__('numpy').int16(decision.legal[2])"]
)
def test_an_answer_is_a_number_or_a_text(make: Make, answer: str) -> None:
    assert make(f"def choose(decision): return {answer}").choose(decision()) == decision().legal[2]


def test_a_class_is_made_once_for_the_match_and_keeps_what_it_knows(make: Make) -> None:
    bot = make("""
        class Bot:
            def __init__(self): self.asked = 0
            def choose(self, decision):
                self.asked += 1
                return decision.legal[self.asked]
    """)
    assert [bot.choose(decision()) for _ in range(3)] == decision().legal[1:4]


def test_actions_follow_the_match_through_an_undo(make: Make) -> None:
    bot = make("""
        def choose(decision):
            print(*decision.actions)
            return decision.legal[0]
    """)
    wanted = []
    for plies in (2, 4, 1, 5):
        bot.choose(decision(plies=plies))
        wanted.append(" ".join(map(str, decision(plies=plies).actions)))
    assert bot.stderr.splitlines() == wanted


def test_the_bot_s_generator_repeats_and_is_not_the_caller_s(make: Make) -> None:
    source = """
        def choose(decision):
            print(decision.chance.lanes)
            return decision.legal[0]
    """
    one, two = make(source), make(source)
    for bot in (one, two):
        bot.choose(decision(seed=1))
        bot.choose(decision(seed=2))
    first, second = one.stderr.splitlines()
    assert one.stderr == two.stderr
    assert first != second
    assert "[1, 2, 3, 4]" not in first


def test_a_folder_is_a_bot_that_can_read_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "clever"
    folder.mkdir()
    (folder / "weights.txt").write_text("3")
    (folder / "helper.py").write_text(
        "from pathlib import Path\nN = int((Path(__file__).parent / 'weights.txt').read_text())\n"
    )
    (folder / "bot.py").write_text("import helper\ndef choose(decision): return decision.legal[helper.N]\n")
    with BoxedBot(GAME, bot_file(str(folder)), QUICK) as bot:
        assert bot.choose(decision()) == decision().legal[3]


@pytest.mark.parametrize("name", registry.names())
def test_a_bot_file_plays_any_game(name: str, tmp_path: Path) -> None:
    file = tmp_path / "any.py"
    file.write_text("def choose(decision): return decision.legal[decision.chance.below(len(decision.legal))]")
    match = parlour.new(name, seed=3)
    with make_bot(match.game, f"file:{file}") as bot:  # type: ignore[attr-defined]
        while not match.over and len(match.plies) < 50:
            chance = Chance.at(1, match.state.ply)
            asked = Decision(match.game, match.state.copy(), match.legal(), chance, actions=match.actions)
            match.play(bot.choose(asked))
    assert match.plies


def test_the_compiled_search_can_be_used_inside(make: Make) -> None:
    """Whatever is compiled already is lent to the bot; the rest it compiles into its own folder."""
    bot = make(
        """
        from parlour.bots.mcts import Mcts
        from parlour.engine.advice import Advice
        def choose(decision):
            return Mcts(decision.game, Advice(), playouts=50).choose(decision)
        """,
        BotLimits(seconds=60),
    )
    assert bot.choose(decision()) in decision().legal


def test_any_python_function_can_be_put_in_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever speaks with bots in a way of their own, from a fork server with what those bots need."""
    (tmp_path / "echoing.py").write_text(
        "import os\ndef serve(arguments):\n"
        "    while question := os.read(3, 100): os.write(4, question.upper() + arguments['mark'].encode())\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    server = ForkServer(["echoing"])
    process = SandboxedProcess(Launch(QUICK.to_json(), entry="echoing:serve", arguments={"mark": "!"}), server)
    try:
        assert process.wait_for_report()
        assert Path(f"/proc/{process.pid}/comm").read_text() == "parlour-bot\n"
        for _ in range(2):
            os.write(process.questions, b"ping")
            process.go_on()
            assert os.read(process.answers, 100) == b"PING!"
            process.stop()
    finally:
        process.close()
        server.close()
