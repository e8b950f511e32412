"""Positions of a finished match: they are those that were played, wherever its dice came from."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.engine import diagram, registry, replay
from parlour.engine.language import speaking
from parlour.engine.match import Match
from parlour.server.tables import album, frames
from parlour.server.tables.table import Table
from serving import House, play_out


@pytest.mark.parametrize("stream", [None, 3])
def test_frames_are_the_positions_of_the_match(stream: int | None) -> None:
    """Also of a match that was a row of a batch, whose dice come from one stream."""
    match = Match(registry.get("verfuchst"), 2, 5, stream=stream)
    scenes, picks = [match.game.looks.scene(match.state)], [list[str]()]
    for _ in range(12):
        picks.append(list(match.game.looks.picks(match.state, match.legal()[0])))
        match.play(match.legal()[0])
        scenes.append(match.game.looks.scene(match.state))
    assert [frame.scene for frame in frames.all_frames(match)] == scenes
    some = frames.cut(match, 5, 3).frames
    assert [frame.ply for frame in some] == [5, 6, 7]
    assert [(frame.scene, frame.picks) for frame in some] == list(zip(scenes, picks, strict=True))[5:8]
    assert frames.state_at(match, 12) == match.state


@pytest.mark.parametrize("name", registry.names())
def test_an_album_shows_what_the_match_itself_would(name: str) -> None:
    """All of it, ply by ply; also where it is drawn while somebody is spoken to in another language."""
    game = registry.get(name)
    match = diagram.played(game, max(2, game.seats[0]), 3, 60)
    with speaking("de"):
        found = album.read(album.draw(match))
    assert found.ply == len(match.plies)
    for first in (0, found.ply // 2, found.ply):
        assert found.cut(name, first, 20, match.winners) == frames.cut(match, first, 20)
    assert [found.picture(ply) for ply in (0, found.ply)] == [frames.picture(match, ply) for ply in (0, found.ply)]
    assert found.story(30) == match.story[-30:]
    assert found.cover(30).last == found.frame(found.ply)


# Finished matches at a server.


def asked(house: House, table: str, **query: Any) -> list[Any]:
    """All that can be looked at afterwards."""
    get = house.http.get
    return [
        get(f"/api/tables/{table}/frames", params={"first": 3, "count": 9, **query}).json(),
        get(f"/api/tables/{table}/summary", params=query).json(),
        get(f"/api/tables/{table}/picture", params={"ply": 4, **query}).text,
        get(f"/api/tables/{table}/replay").text,
    ]


def draw(house: House) -> None:
    """Have the albums drawn of what is in memory."""
    house.run(house.services.upgrades.note, list(house.services.rooms.in_memory.values()))
    house.run(house.services.upgrades.draw, 60.0)


@pytest.fixture
def finished(house: House) -> str:
    """A table whose match is over, and has an album."""
    seats = house.table_of("Ann", "Bob", game="verfuchst")
    play_out(seats)
    return seats[0].table


def test_a_finished_match_is_shown_from_its_album(house: House, finished: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same as without one, and nothing is played again; chat and a rematch do not make it old."""
    before = asked(house, finished)
    draw(house)
    house.view(finished)

    def plays(*_: Any) -> Any:
        raise AssertionError("nothing need be played again")

    frames.whole.cache_clear()
    for name in ("whole", "positions", "repeat"):
        monkeypatch.setattr(Match, name, plays)
    assert asked(house, finished) == before
    assert house.http.get(f"/api/tables/{finished}/preview.png", params={"ply": 3}).status_code in (200, 404)


def test_who_reads_another_language_is_told_in_it(house: House, finished: str) -> None:
    before = asked(house, finished, language="de")
    draw(house)
    assert asked(house, finished, language="de") == before
    assert before != asked(house, finished)


def test_an_album_of_another_course_is_not_shown(house: House) -> None:
    """It was drawn before something was taken back, and something else was played."""
    ann, bob = house.table_of("Ann", "Bob", game="game17", options={"edge": 4})
    first = ann if ann.view()["choices"] else bob
    actions = [choice["action"] for choice in first.view()["choices"]]
    first.must("act", ply=0, action=actions[1])
    draw(house)
    first.must("undo", ply=1)
    first.must("act", ply=0, action=actions[2])
    ann.must("resign")
    shown = house.http.get(f"/api/tables/{ann.table}/frames").json()
    match: Table = house.services.rooms.in_memory[ann.table].table
    assert match.match is not None
    assert [frame["text"] for frame in shown["frames"][1:]] == [match.match.plies[0].text]
    assert len(shown["frames"]) == 2


def test_its_replay_is_exact_however_the_table_has_come_back(house: House, finished: str) -> None:
    text = house.http.get(f"/api/tables/{finished}/replay").text
    draw(house)
    house.services.rooms.in_memory.clear()
    assert house.http.get(f"/api/tables/{finished}/replay").text == text
    assert replay.doubts(replay.loads(text)) == []


@pytest.mark.parametrize("what", ["frames", "summary"])
def test_a_large_answer_is_packed_for_who_can_unpack_it(house: House, finished: str, what: str) -> None:
    path = f"/api/tables/{finished}/{what}"
    plain = house.http.get(path, headers={"accept-encoding": "identity"})
    packed = house.http.get(path, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json() == plain.json()
    assert len(plain.content) == int(plain.headers["content-length"]) > 2 * int(packed.headers["content-length"])
    assert plain.headers["content-type"] == packed.headers["content-type"] == "application/json"
