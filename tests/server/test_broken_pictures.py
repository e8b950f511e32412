"""A picture that raises: at tables of a server a plain one is shown, and ``parlour check`` says so all the same."""

from __future__ import annotations

import logging

import pytest

from parlour.engine import State, registry
from parlour.engine.check import CHECKS, Failed
from parlour.engine.game import Game
from parlour.engine.picture import Picture
from serving import Build, mover


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Connect Four with a picture that raises, now and for whoever loads it anew."""

    def raising(state: State) -> str:
        raise ZeroDivisionError("planted")

    game = registry.get("connect_four")
    picture = Picture(size=(100, 50), backdrop=lambda state: "", scene=raising, picks=lambda state, action: ())
    monkeypatch.setitem(game.looks.__dict__, "picture", picture)
    monkeypatch.setattr(game.looks, "_is_told", False)
    return game


def test_check_finds_it_while_a_server_runs_and_afterwards(build: Build, broken: Game) -> None:
    house = build()
    assert house.http.get("/healthz").status_code == 200
    with pytest.raises(Failed, match="planted"):
        CHECKS["picture"].run(broken)
    house.http.__exit__()
    with pytest.raises(Failed, match="planted"):
        CHECKS["picture"].run(broken)


def test_at_a_table_a_plain_picture_is_shown_everywhere(
    build: Build, broken: Game, caplog: pytest.LogCaptureFixture
) -> None:
    house = build()
    seats = house.table_of("Ada", "Bo", game="connect_four")
    table = seats[0].table
    plain = '<svg width="100" height="50"'
    with caplog.at_level(logging.ERROR), seats[0].live(pictures=True) as live:
        welcome = next(message for message in live.heard if message["type"] == "welcome")
        assert plain in str(welcome["table"]).replace("\\", "")
        mover(seats).must("act", action=3, ply=0)
        live.hear("update")
        assert plain in house.http.get(f"/api/tables/{table}", params={"pictures": True}).text.replace("\\", "")
    told = [
        record.message for record in caplog.records if "the picture of connect_four cannot be drawn" in record.message
    ]
    assert len(told) == 1, "once"
    assert not [record.message for record in caplog.records if record.exc_info]
