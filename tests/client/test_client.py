"""Everything that can be done at a table, by a program that does one thing at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from parlour import protocol
from parlour.client import Client, Refused, Seat, Ticket, Unreachable, calls, read_link, run_bot, state_of
from parlour.client.address import check_server, write_link
from parlour.engine import registry, replay


def pair(client: Client, game: str = "connect_four", **wish: object) -> tuple[Seat, Seat]:
    table = client.open_table(game, seats=2, **wish).table.id  # type: ignore[arg-type]
    return client.sit(table, "Ada"), client.sit(table, "Bob")


def first(view: protocol.TableView) -> int:
    return view.choices[0].action


def test_games_and_rulebooks(client: Client) -> None:
    assert {game.name for game in client.games()} == set(registry.names())
    assert client.rulebook("goose") == registry.get("goose").words.rulebook


@pytest.mark.parametrize("game", registry.names())
def test_a_match_against_a_bot_to_its_end_and_its_proof(client: Client, game: str) -> None:
    options = {"rounds": 2} if game == "game17" else {}
    seats = max(2, registry.get(game).seats[0])
    opened = client.open_table(game, seats=seats, options=options, bots={1: "random"})
    seat = client.sit(opened.table.id, "Ada")
    seen: list[int] = []

    def choose(view: protocol.TableView) -> int:
        state = state_of(view)
        assert state.to_move == seat.ticket.seat
        assert registry.get(game).legal_actions(state) == [choice.action for choice in view.choices]
        seen.append(state.ply)
        return view.choices[-1].action

    over = run_bot(seat, choose, state=True)
    assert over.phase == "over"
    assert seen == sorted(set(seen))
    assert seat.verify() == []


def test_the_log_has_every_entry_once_and_in_order(client: Client) -> None:
    ada, bob = pair(client)
    for ply, seat in enumerate([ada, bob, ada, bob]):
        seat.act(1, ply)
    events = ada.events()
    entries = [next(events) for _ in range(9)]
    assert [entry.number for entry in entries] == list(range(1, 10))
    assert [entry.kind for entry in entries] == ["sit"] * 2 + ["reveal"] * 2 + ["start"] + ["act"] * 4
    events = bob.events(since=8)
    assert next(events) == entries[8]


def test_actions_in_notation_by_number_and_in_a_row(client: Client) -> None:
    ada, bob = pair(client)
    ada.act(ada.look().choices[2].text, 0)
    bob.act(bob.look().choices[3].action, 1)
    with pytest.raises(Refused, match="your turn is over") as refused:
        ada.act([1, 1], 2)
    assert refused.value.code == "illegal_action"
    with pytest.raises(Refused, match="'nonsense' is not a legal action") as refused:
        ada.act("nonsense", 2)
    assert refused.value.code == "illegal_action"
    assert ada.act([4], 2).ply == 3


def test_every_refusal_has_a_code(client: Client) -> None:
    ada, bob = pair(client)
    for refuse, code in [
        (lambda: bob.act(1, 0), "not_your_turn"),
        (lambda: ada.act(1, 5), "stale"),
        (lambda: ada.undo(0), "no_undo"),
        (lambda: ada.back(), "forbidden"),
        (lambda: ada.rematch(), "not_over"),
        (lambda: client.replay(ada.ticket.table), "not_over"),
        (lambda: client.table("nowhere"), "not_found"),
        (lambda: client.rulebook("../../etc/passwd"), "not_found"),
        (lambda: client.open_table("nothing"), "bad_option"),
        (lambda: client.sit(ada.ticket.table, "Cid"), "not_open"),
        (lambda: client.seat(Ticket(ada.ticket.table, 0, "wrong")).resign(), "unauthorised"),
    ]:
        with pytest.raises(Refused) as refused:
            refuse()
        assert refused.value.code == code
        assert str(refused.value)


def test_undo_draw_chat_and_resign(client: Client) -> None:
    ada, bob = pair(client)
    ada.act(3, 0)
    with pytest.raises(Refused, match="before another person is to choose"):
        ada.undo(1)
    bob.chat("good luck")
    assert ada.look().chat[0].text == "good luck"
    ada.draw()
    assert bob.look().offer == 0
    bob.draw("decline")
    bob.draw()
    ada.draw("accept")
    ending = bob.look().ending
    assert ending is not None
    assert ending.reason == "agreed"
    assert ada.verify() == bob.verify() == []


def test_leave_start_and_bots_at_free_seats(client: Client) -> None:
    table = client.open_table("goose", seats=4).table.id
    ada, bob = client.sit(table, "Ada"), client.sit(table, "Bob")
    bob.leave()
    with pytest.raises(Refused, match="seats are still free"):
        ada.start()
    ada.put_bot(1, "random")
    ada.put_bot(1, None)
    ada.start(fill="random")
    assert [seat.kind for seat in ada.look().seats] == ["person", "bot", "bot", "bot"]


def test_a_private_table_needs_its_invitation(client: Client) -> None:
    opened = client.open_table("connect_four", public=False)
    table = opened.table.id
    assert all(line.id != table for line in client.tables())
    with pytest.raises(Refused, match="this table is private"):
        client.sit(table, "Ada")
    link = read_link(write_link(client.server, table, opened.invite))
    assert client.sit(link.table, "Ada", invite=link.invite).ticket.seat == 0


def test_a_rematch_is_the_same_for_whoever_asks_first_or_second(client: Client) -> None:
    ada, bob = pair(client)
    ada.resign()
    again = [bob.rematch(), ada.rematch()]
    assert [seat.ticket.seat for seat in again] == [0, 1], "sides are swapped"
    assert len({seat.ticket.table for seat in again}) == 1
    assert again[0].ticket.commitment != bob.ticket.commitment
    assert [seat.name for seat in again[0].look().seats] == ["Bob", "Ada"]
    run_bot(again[1].client.seat(again[0].ticket), lambda view: _resign(again[0]))
    assert again[0].verify() == again[1].verify() == []


def _resign(seat: Seat) -> int:
    """Ends the match in the middle of a choice, which is then too late."""
    seat.resign()
    return 1


def test_the_same_command_again_gets_the_first_answer_again(client: Client) -> None:
    table = client.open_table("goose", seats=4).table.id
    ada = client.sit(table, "Ada")
    put = calls.command(ada.ticket, protocol.PutBot(cid="same", seat=2, bot="random"))
    assert client.ask(put) == client.ask(put)
    fill = [calls.command(ada.ticket, protocol.PutBot(cid=f"b{seat}", seat=seat, bot="random")) for seat in (1, 3)]
    begun = [client.ask(call) for call in fill]
    assert [client.ask(call) for call in fill] == begun, "the last of them filled the table"
    ada.look()
    kinds = [entry.kind for entry in client.log(table).entries[:6]]
    assert kinds == ["sit", "bot", "bot", "bot", "reveal", "start"]
    ada, bob = pair(client)
    bob.resign()
    ask = calls.command(ada.ticket, protocol.Rematch(cid="again"))
    assert client.ask(ask) == client.ask(ask)


def test_hints(client: Client) -> None:
    ada, bob = pair(client)
    best = ada.hint().best
    assert {move.action for move in best} <= {choice.action for choice in ada.look().choices}
    with pytest.raises(Refused, match="only when it is your turn"):
        bob.hint()


def test_a_renewed_seat_is_held_by_its_new_token_alone(client: Client) -> None:
    ada, _ = pair(client)
    renewed = ada.renew()
    renewed.act(1, 0)
    with pytest.raises(Refused, match="holds no seat"):
        ada.look()
    assert renewed.ticket.commitment == ada.ticket.commitment


def test_finished_tables_can_be_searched_and_looked_at(client: Client, tmp_path: Path) -> None:
    table = client.open_table("connect_four", bots={1: "random"}).table.id
    seat = client.sit(table, "Zenobia")
    run_bot(seat, first)
    (line,) = client.tables("over", name="zenob", game="connect_four")
    assert line.id == table
    assert client.picture(table, 3).startswith("<svg")
    (tmp_path / "match.json").write_text(client.replay(table), "utf-8")
    assert replay.verify(tmp_path / "match.json") == []


def test_nobody_there(client: Client) -> None:
    with Client("http://127.0.0.1:9", patience=0) as nobody, pytest.raises(Unreachable, match="does not answer"):
        nobody.games()


@pytest.mark.parametrize(
    "address", ["", "localhost:8017", "ftp://x", "http://", "http://a b", "http://x:99999", "http://x?q"]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(Unreachable, match="a server's address is such as"):
        check_server(address)


def test_links() -> None:
    assert read_link("abc") == ("abc", None, None, None)
    assert read_link("https://games.example/p/table/abc/") == ("abc", "https://games.example/p", None, None)
    assert read_link("http://x:1/table/abc#invite=i%2B-_") == ("abc", "http://x:1", "i+-_", None)
    assert read_link("http://x:1/table/abc#seat=t") == ("abc", "http://x:1", None, "t")
    for wrong in ("http://x/tables/abc", "x/table/abc", "http://x/table/", "http://x/table/a/b"):
        with pytest.raises(Unreachable):
            read_link(wrong)


def test_the_client_brings_neither_the_server_nor_the_compiler_along() -> None:
    code = (
        "import sys, parlour.client;"
        "heavy = {'litestar', 'sqlalchemy', 'numba', 'numpy', 'uvicorn'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
