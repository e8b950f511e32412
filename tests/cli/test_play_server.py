"""``parlour play --server``, run as a person runs it: typed into a pipe, and typed into a terminal."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from pathlib import Path

import pytest

from hostile import Rude
from parlour.cli.online.screen import Screen
from parlour.cli.online.session import Session
from parlour.cli.online.table import RemoteTable
from parlour.cli.options import Play
from parlour.client import AsyncClient, Client
from parlour.engine import replay
from serving import Server
from terminals import Terminal, good, run

GAME = "connect_four"


def test_a_match_against_a_bot_from_a_pipe(server: Server, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    arguments = (GAME, "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada")
    typed = "nonsense\n99\n?\nlog\n" + "".join(f"{column}\n" for column in range(1, 8)) * 12
    said = good(*arguments, "--save", str(file), typed=typed)
    assert "you are Red" in said
    assert "'nonsense' is not a legal action here" in said
    assert "take your last choice back" in said
    assert "The dice are proved" in said
    assert replay.verify(file) == []
    assert replay.read(file).names[0] == "Ada"
    assert list(home.glob("*.json")) == [], "a seat is forgotten when the match is over"


def test_notation_numbers_lists_help_hints_and_undo(server: Server, home: Path) -> None:
    with Terminal("choccer", "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada") as ada:
        ada.sees("Ada> ")
        ada.type("list")
        move = re.search(r"\b2  (\S+)", ada.sees("Ada> "))
        assert move is not None
        ada.type(move[1].lower())
        ada.sees("Ada's")
        ada.sees("Ada> ")
        ada.type("undo")
        ada.sees("Ada takes the last choice back")
        ada.sees("Ada> ")
        ada.type("2")
        ada.sees("Ada> ")
        ada.type("?")
        ada.sees("take your last choice back")
        ada.sees("Ada> ")
    with Terminal(GAME, "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada") as ada:
        ada.sees("Ada> ")
        ada.type("hint")
        ada.sees("to win, after")
        ada.sees("Ada> ")
        ada.type("undo")
        ada.sees("you can take back only your own last choice")


def test_the_same_board_and_choices_as_at_home(server: Server, home: Path) -> None:
    """The opening of a game without chance looks the same, and is asked about in the same words."""
    there = good("choccer", "--server", server.url, "--seat", "you", "--seat", "random", typed="quit\n")
    here = good("choccer", "--seat", "you", "--seat", "random", typed="quit\n\n")
    board = here[here.index("Choccer   turn 1") : here.index("H6-G5")]
    assert board in there
    assert good("choccer", "--server", server.url, "--new", "--ascii", "--seat", "you", "--seat", "random").isascii()


def test_quit_keeps_the_seat_and_the_same_command_goes_on(server: Server, home: Path) -> None:
    command = ("choccer", "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada")
    said = good(*command, typed="1\nquit\n")
    link = re.search(r"http://\S+/table/[\w-]+", said)
    assert link is not None
    assert "Your seat is kept" in said
    (file,) = home.glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = good(*command, typed="quit\n")
    assert "going on with it" in again
    assert link[0] in again
    assert "turn 3 of 100" in again, "where it was left"
    assert link[0] in good("--table", link[0], "--name", "Ada", typed="quit\n")
    assert link[0] not in good(*command, "--new", typed="quit\n")
    file.write_bytes(b"\xff{")
    assert link[0] not in good(*command, typed="leave\nleave\n"), "a broken file is no seat"


def test_bots_alone_are_watched(server: Server, home: Path) -> None:
    said = good(GAME, "--server", server.url, "--seat", "random", "--seat", "random")
    assert "you watch" in said
    assert "The match begins" in said or "drops a disc" in said
    assert not home.exists()


def test_two_people_at_two_terminals(server: Server, home: Path) -> None:
    with Terminal(GAME, "--server", server.url, "--name", "Ada") as ada:
        link = re.search(r"http://\S+/table/[\w-]+", ada.sees("To join: parlour play --table"))
        assert link is not None
        ada.sees("> ")
        ada.type("1")
        ada.sees("the match has not begun")
        with Terminal("--table", link[0], "--name", "Bob") as bob, Terminal("--table", link[0], "--watch") as eve:
            ada.sees("Bob sits down")
            ada.sees("Ada> ")
            bob.sees("It is Ada's turn")
            eve.sees("you watch")
            ada.type("4")
            bob.sees("Ada drops a disc into column 4")
            bob.sees("Bob> ")
            eve.sees("Ada drops a disc into column 4")
            bob.type("say good luck")
            ada.sees("Bob: good luck")
            bob.type("draw")
            ada.sees("Bob offers a draw: type accept or decline")
            ada.type("decline")
            bob.sees("Ada declines the draw")
            eve.type("4")
            eve.sees("You only watch")
            bob.type("resign")
            bob.sees("type resign again")
            bob.type("resign")
            for terminal in (ada, bob):
                terminal.sees("Bob resigns: Ada wins")
                terminal.sees("The dice are proved")
            assert eve.ends() == 0
            ada.type("rematch")
            bob.sees("Ada asks for a rematch")
            bob.type("rematch")
            bob.sees("Bob> ")  # sides are swapped, so Bob begins
            ada.sees("It is Bob's turn")


def test_the_server_goes_and_comes_back(tmp_path: Path, home: Path) -> None:
    server = Server(tmp_path).start()
    try:
        with Terminal(GAME, "--server", server.url, "--seat", "you", "--seat", "random", "--name", "Ada") as ada:
            ada.sees("Ada> ")
            server.kill()
            ada.sees("trying again")
            ada.type("4")
            ada.type("5")
            ada.sees("Not yet: the server has not answered")
            server.start()
            ada.sees("Connected again.")
            ada.sees("Ada drops a disc into column 4")
            ada.sees("Ada> ")
            assert ada.seen.count("trying again") == 1
            ada.type("quit")
            ada.sees("Your seat is kept")
            assert ada.ends() == 0
    finally:
        server.close()


def test_a_seat_that_another_terminal_has_is_left_to_it(server: Server, home: Path) -> None:
    with Terminal("goose", "--server", server.url, "--name", "Ada") as first:
        shown = first.sees("Or type start")
        table = re.search(r"/table/([\w-]+)", shown)
        assert table is not None
        with Terminal("goose", "--server", server.url, "--name", "Ada") as second:
            assert table[1] not in second.sees("Or type start")
            second.type("start random")
            second.sees("Ada> ")


def test_names_and_talk_are_no_markup(server: Server, home: Path) -> None:
    with Client(server.url) as client:
        table = client.open_table(GAME).table.id
        client.sit(table, "[red Eve").chat("[bold]hi[/]")
        with Terminal("--table", f"{server.url}/table/{table}", "--name", "Ada") as ada:
            ada.sees("It is [red Eve's turn")


def test_a_match_is_proved_though_its_seat_was_left_for_a_while(server: Server, home: Path) -> None:
    command = (GAME, "--server", server.url, "--name", "Ada")
    with Terminal(*command) as ada:
        link = re.search(r"http://\S+/table/[\w-]+", ada.sees("Or type start"))
        assert link is not None
        with Client(server.url) as client:
            bob = client.sit(link[0].rpartition("/")[2], "Bob")
            ada.sees("Ada> ")
            ada.type("quit")
            ada.sees("Your seat is kept")
            with Terminal(*command) as again:
                again.sees("Ada> ")
                bob.resign()
                again.sees("The dice are proved")


def test_a_seat_by_its_link_alone_can_be_played_but_not_proved(server: Server, home: Path) -> None:
    with Client(server.url) as client:
        table = client.open_table(GAME, bots={1: "random"}).table.id
        token = client.sit(table, "Ada").ticket.token
    typed = "".join(f"{column}\n" for column in range(1, 8)) * 12
    said = good("--table", f"{server.url}/table/{table}#seat={token}", typed=typed)
    assert "you are Red" in said
    assert "The dice cannot be proved: this seat was taken by another program" in said


def test_a_link_is_for_its_own_server(server: Server, home: Path) -> None:
    with Rude(silence) as other:
        for part in ("seat=token", "invite=token"):
            done = run("--table", f"{server.url}/table/x#{part}", "--server", other.url)
            assert done.returncode == 2
            assert "leave --server out" in done.stderr
        assert other.heard == b""


async def silence(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


def test_nothing_that_a_server_sends_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(ascii=False)
    screen.say("clear\x1b[2J and\u202eback\nAda: forged")
    screen.prompt("Eve\x1b[31m> ")
    assert capsys.readouterr().out == "clear [2J and back Ada: forged\nEve [31m> "


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "which game?"),
        (("--server", "URL"), "which game?"),
        (("gose", "--server", "URL"), "did you mean 'goose'?"),
        (("goose", "--server", "http://127.0.0.1:9"), "does not answer"),
        (("goose", "--server", "localhost:9"), "a server's address is such as"),
        (("goose", "--server", "URL", "--watch"), "--watch needs --table"),
        (("--table", "nowhere"), "together with --server"),
        (("--table", "nowhere", "--server", "URL"), "no such table"),
        (("--table", "URL/nowhere"), "a link to a table is such as"),
        (("goose", "--server", "URL", "--name", " "), "1 to 24 characters"),
        (("goose", "--server", "URL", "--seat", "you", "--seat", "file:x.py"), "nobody called 'file:x.py'"),
        (("goose", "--server", "URL", "--seat", "you"), "2 to 4 seats, not 1"),
        (("goose", "--server", "URL", "--seat", "you", "--seat", "you"), "you take one seat"),
        (("goose", "--server", "URL", "--seed", "4"), "no --seed"),
        (("goose", "--server", "URL", "--set", "maze=40"), "39 or 30, not '40'"),
        (("goose", "--server", "URL", "--save", "."), "exists already"),
        (("goose", "--watch"), "goose takes 2 to 4 seats, not 0"),
    ],
)
def test_bad_input_gets_one_line(server: Server, home: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(*[argument.replace("URL", server.url) for argument in arguments])
    assert done.returncode == 2, done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert words in done.stderr


def test_a_full_table_and_a_table_of_another_game(server: Server, home: Path) -> None:
    with Client(server.url) as client:
        table = client.open_table("goose", seats=2, bots={0: "random", 1: "random"}).table.id
    link = f"{server.url}/table/{table}"
    assert "--watch looks on" in run("--table", link).stderr
    assert "goose is played, not choccer" in run("choccer", "--table", link).stderr
    assert "wins" in good("--table", link, "--watch")


def test_two_who_want_the_same_meet_and_another_comes_by_the_code(server: Server, home: Path) -> None:
    with Terminal("goose", "--server", server.url, "--anybody", "--clock", "10+5", "--name", "Ada") as ada:
        ada.sees("your seat will be drawn by lot")
        assert "10 minutes, and 5 seconds a turn" in ada.sees("Or type this code there: ")
        with Terminal("goose", "--server", server.url, "--anybody", "--clock", "10+5", "--name", "Bob"):
            ada.sees("Bob sits down")
            ada.sees("The seats are settled: you are ")
    seats = ("--seat", "you", "--seat", "anyone", "--seat", "anyone")
    with Terminal("goose", "--server", server.url, *seats, "--lot", "--new", "--name", "Ada") as ada:
        ada.sees("Or type this code there: ")
        code = ada.sees("\n").strip()
        with Terminal("--table", code.lower(), "--server", server.url, "--lot", "--name", "Cid") as cid:
            ada.sees("Cid sits down")
            cid.sees("Waiting for")
            cid.type("start random")
            cid.sees("The seats are settled: you are ")
            ada.sees("The seats are settled: you are ")
    refusal = run("goose", "--server", server.url, "--clock", "40d").stderr
    assert "from 1 second to 30 days" in refusal
    assert "no table has this code" in run("--table", "BCDFGH", "--server", server.url).stderr


def test_a_replay_that_cannot_be_kept_is_told_and_ends_nothing(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a rematch, where the first match has the file already; or on a full disk."""
    seats = server.place.table_of("Ann", "Bob")
    seats[0].must("resign")
    file, table = tmp_path / "match.json", seats[0].table

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    async def keep(words: str) -> None:
        async with AsyncClient(server.url) as client:
            remote = RemoteTable(client, await client.table(table), None, Screen(ascii=False))
            await Session(Play("connect_four", save=file), server.url, None)._keep_replay(remote, file)
        assert words in capsys.readouterr().out.replace("\n", " ")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        asyncio.run(keep(f"This match is not saved: {file} cannot be written: No space left on device."))
    assert list(tmp_path.iterdir()) == []
    asyncio.run(keep(f"Saved in {file}"))
    before = file.read_bytes()
    assert before == server.place.http.get(f"/api/tables/{table}/replay").content
    asyncio.run(keep(f"This match is not saved: {file} exists already"))
    assert file.read_bytes() == before
