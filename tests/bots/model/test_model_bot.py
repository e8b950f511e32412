"""A language model in a seat: retries, budgets, faults, logs. All models here are scripted, on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.bots import make_bot
from parlour.bots.faults import CRASHED, ILLEGAL, OUTPUT, TIMEOUT, BadBot, BotFault
from parlour.bots.model import ModelBot, asking
from parlour.bots.referee import Referee
from parlour.engine import registry
from parlour.engine.bots import Decision, TimeLimit
from parlour.engine.chance import Chance
from parlour.engine.match import Match
from scripted_models import Asked, address, drip, program, refuse, say
from serving import until

GAME = registry.get("connect_four")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(asking, "PAUSES", (0.01,))
    monkeypatch.delenv("PARLOUR_MODEL_KEY", raising=False)
    monkeypatch.chdir(tmp_path)


def question(plies: int = 0, clock: TimeLimit | None = None) -> Decision:
    match = Match(GAME, 2, 1)
    for _ in range(plies):
        match.play(match.legal()[0])
    return match.seen_by(match.to_move).decision(Chance.at(1, 0), clock)


def settings(folder: Path, **given: Any) -> str:
    """A file of settings; returns what stands behind ``model:``."""
    file = folder / "model.toml"
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items()))
    return str(file)


def log_of(folder: Path) -> list[dict[str, Any]]:
    (file,) = (folder / "model-logs").glob("*.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def fault_of(bot: ModelBot, decision: Decision | None = None) -> BotFault:
    with pytest.raises(BotFault) as caught:
        bot.choose(decision or question())
    assert caught.value.detail.isprintable()
    return caught.value


def test_an_illegal_answer_is_told_why_and_asked_again(tmp_path: Path) -> None:
    with address(say("ACTION: 9"), say("Hmm."), Asked.play_first) as model:
        bot = ModelBot(GAME, f"{model.url}#small")
        assert bot.choose(question()) == 0
    first, second, third = model.asked
    assert first.body["model"] == "small"
    assert [each["role"] for each in first.body["messages"]] == ["system", "user"]
    assert "'9' is not a legal action here" in second.prompt
    assert second.body["messages"][2] == {"role": "assistant", "content": "ACTION: 9"}
    assert "there is no line that says ACTION" in third.prompt
    use = bot.use
    assert (use.choices, use.legal_first, use.strict_first, use.answers) == (1, 0, 0, 3)
    assert (use.tokens_in, use.tokens_out, use.guessed) == (300, 30, 0)
    header, *answers = log_of(tmp_path)
    assert header["event"] == "match"
    assert "four discs" in header["system"]
    assert [(each["number"], each["action"]) for each in answers] == [(1, None), (2, None), (3, 0)]
    assert "'9' is not a legal action" in answers[0]["problem"]


def test_it_stays_illegal(tmp_path: Path) -> None:
    with address(say("ACTION: 9")) as model:
        fault = fault_of(ModelBot(GAME, model.url))
    assert fault.status == ILLEGAL
    assert "none of its 3 answers can be played" in fault.detail
    assert len(model.asked) == 3
    assert log_of(tmp_path)[-1]["status"] == ILLEGAL


def test_the_tokens_of_a_match_are_spent_once(tmp_path: Path) -> None:
    """Then every question costs what being late costs, and the fifth costs the match."""
    with address(Asked.play_first) as model:
        name = settings(tmp_path, address=model.url, tokens=200, price_in=2.0, price_out=10.0)
        bot, referee = ModelBot(GAME, name), Referee(2)
        rulings = [referee.ask(0, bot, question(2 * number)) for number in range(7)]
    assert len(model.asked) == 2
    assert [ruling.fault.status if ruling.fault else "" for ruling in rulings] == ["", "", *[TIMEOUT] * 5]
    assert "its 200 tokens" in str(rulings[2].fault)
    assert rulings[-1].is_out
    assert bot.use.cost == pytest.approx(2 * (100 * 2 + 10 * 10) / 1e6)


def test_the_time_of_a_match_is_spent_once(tmp_path: Path) -> None:
    with address(Asked.play_first) as model:
        bot = ModelBot(GAME, settings(tmp_path, address=model.url, match_seconds=1e-9))
        assert fault_of(bot).status == TIMEOUT
        fault = fault_of(bot)
    assert "for a match" in fault.detail
    assert model.asked == []


@pytest.mark.parametrize("never", [drip, lambda asked: __import__("time").sleep(2)], ids=["drip", "silence"])
def test_one_that_never_answers_is_late(tmp_path: Path, never: Callable[[Asked], None]) -> None:
    with address(never) as model:
        assert fault_of(ModelBot(GAME, settings(tmp_path, address=model.url, seconds=0.4))).status == TIMEOUT
        bot = ModelBot(GAME, model.url)
        assert fault_of(bot, question(clock=TimeLimit(0.3, 0.1))).status == TIMEOUT  # the clock of a table


def test_an_address_that_is_away_is_asked_again() -> None:
    with address(refuse(503), refuse(429), Asked.play_first) as model:
        assert ModelBot(GAME, model.url).choose(question()) == 0
    assert len(model.asked) == 3


def test_an_address_that_has_gone_is_late_and_named(tmp_path: Path) -> None:
    with address(Asked.play_first) as model:
        bot = ModelBot(GAME, settings(tmp_path, address=model.url, seconds=0.5))
        bot.choose(question())
    fault = fault_of(bot)
    assert fault.status == TIMEOUT
    assert f"{model.url} does not answer" in fault.detail


@pytest.mark.parametrize("status", [301, 400, 401, 404])
def test_an_address_that_refuses_is_told_with_its_words(status: int) -> None:
    """A redirect is not followed: the key is for nobody else."""
    with address(Asked.play_first) as other, address(refuse(status, "bad\x1b[31m key", location=other.url)) as model:
        fault = fault_of(ModelBot(GAME, model.url))
    assert fault.status == CRASHED
    assert f"HTTP {status}: bad [31m key" in fault.detail
    assert other.asked == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 3}}], "usage": {"prompt_tokens": -5, "completion_tokens": 1e400}}',
        b'{"choices": "x", "usage": []}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_what_is_no_completion_is_no_choice(content: bytes) -> None:
    with address(lambda asked: asked.send(200, content)) as model:
        bot = ModelBot(GAME, model.url)
        assert fault_of(bot).status == ILLEGAL
    assert len(model.asked) == 3
    assert bot.use.guessed == 3


def test_parts_of_content_are_put_together() -> None:
    parts = [{"type": "text", "text": "ACT"}, {"type": "text", "text": "ION: 3"}, 7]
    body = json.dumps({"choices": [{"message": {"content": parts}}], "usage": {"prompt_tokens": True}}).encode()
    with address(lambda asked: asked.send(200, body)) as model:
        assert ModelBot(GAME, model.url).choose(question()) == 2


def test_megabytes_cost_the_match() -> None:
    with address(say("x" * (2 << 20))) as model:
        assert fault_of(ModelBot(GAME, model.url)).status == OUTPUT


def test_the_key_goes_to_the_address_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    with address(Asked.play_first) as model:
        ModelBot(GAME, settings(tmp_path, address=model.url, key="MY_KEY", extra={})).choose(question())
        assert model.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    assert "very-secret" not in "".join(file.read_text() for file in (tmp_path / "model-logs").iterdir())
    monkeypatch.setenv("PARLOUR_MODEL_KEY", "sk-very-secret")
    with pytest.raises(BadBot, match="is sent by https, or to this machine"):
        make_bot(GAME, "model:http://models.example/v1")
    make_bot(GAME, "model:https://models.example/v1")
    monkeypatch.setenv("PARLOUR_MODEL_KEY", "sk\nsecret")
    with pytest.raises(BadBot, match="a key that cannot be sent"):
        make_bot(GAME, "model:https://models.example/v1")


# Programs.


def test_a_program_reads_the_prompt_and_writes_its_answer(tmp_path: Path) -> None:
    name = program(tmp_path, "print('hm' if 'cannot be played' not in prompt else 'ACTION: 5')")
    bot = make_bot(GAME, f"model:{name} --flag 'two words'")
    assert bot.choose(question()) == 4


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("print('ACTION: 99')", ILLEGAL, "99"),
        ("sys.exit('no model\\x1b[2J here')", CRASHED, "exit code 1: no model [2J here"),
        ("os.kill(os.getpid(), 9)", CRASHED, "exit code -9"),
        ("time.sleep(60)", TIMEOUT, "in time"),
        ("sys.stdout.write('x' * (2 << 20))", OUTPUT, "1024 KiB"),
        ("sys.stderr.write('x' * (2 << 20)); time.sleep(60)", OUTPUT, "1024 KiB"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 100)", ILLEGAL, "ACTION"),
        ("if os.fork() == 0: time.sleep(60)\nprint('ACTION: 1')", TIMEOUT, "in time"),
    ],
)
def test_a_program_that_errs(tmp_path: Path, code: str, status: str, words: str) -> None:
    bot = ModelBot(GAME, settings(tmp_path, command=program(tmp_path, code), seconds=2, tries=2))
    fault = fault_of(bot)
    assert fault.status == status
    assert words in fault.detail


def test_nothing_of_a_program_is_left(tmp_path: Path) -> None:
    code = f"if os.fork() == 0:\n    open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n    time.sleep(60)\n"
    bot = ModelBot(GAME, settings(tmp_path, command=program(tmp_path, code + "time.sleep(60)"), seconds=1))
    assert fault_of(bot).status == TIMEOUT
    until(lambda: not is_running(int((tmp_path / "pid").read_text())))


def is_running(process: int) -> bool:
    """Whether it does anything: one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_reads_nothing_is_fine(tmp_path: Path) -> None:
    file = tmp_path / "deaf"
    file.write_text("#!/bin/sh\necho ACTION: 2\n")
    file.chmod(0o755)
    assert make_bot(GAME, f"model:{file}").choose(question(2)) == 1


# What cannot be used.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "needs a command or an address"),
        (" ", "needs a command or an address"),
        ("'open", "is not a command"),
        ("./nothing_here --flag", "there is no program './nothing_here'"),
        ("nothing.toml", "cannot be read"),
        ("http://", "an address of models is such as"),
        ("https://me:secret@models.example/v1", "an address of models is such as"),
        ("https://models.example/v1?key=secret", "an address of models is such as"),
        ("http://models.example:99999/v1", "an address of models is such as"),
    ],
)
def test_names_that_mean_nothing_are_refused(name: str, words: str) -> None:
    with pytest.raises(BadBot) as caught:
        make_bot(GAME, f"model:{name}")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "tries = 0",
        "seconds = -1",
        "seconds = nan",
        "colour = 3",
        "= =",
        "\x00",
        "address = 'https://x.example/v1'\ncommand = 'true'",
        "",
        "[" * 10_000,
        "x" * 100_000,
    ],
)
def test_settings_that_make_no_sense_are_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.toml").write_text(content)
    with pytest.raises(BadBot) as caught:
        make_bot(GAME, "model:bad.toml")
    assert "bad.toml" in str(caught.value)
    assert str(caught.value).count("\n") == 0
