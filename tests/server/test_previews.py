"""What messengers show of links: title, sentence and a picture; of a private table no more than its game."""

from __future__ import annotations

import asyncio
import io
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from parlour.server.previews import pictures, words
from parlour.server.telling.examples import example_of
from serving import Build, House, Seat, refused


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("web")
    (folder / "index.html").write_text('<html lang="en"><head><title>Parlour</title></head></html>')
    monkeypatch.setattr("parlour.server.api.pages.BUILT", folder)


def tags(house: House, path: str, **headers: str) -> dict[str, str]:
    text = house.http.get(path, headers=headers).text
    return {
        name: unescape(value) for name, value in re.findall(r'(?:property|name)="([\w:]+)" content="([^"]*)"', text)
    }


def picture(house: House, address: str) -> bytes:
    """The picture at an absolute address, as whoever shows the link loads it."""
    parts = urlsplit(address)
    answer = house.http.get(f"{parts.path}?{parts.query}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), answer.text
    assert "content-encoding" not in answer.headers
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.size == (1200, 630)
    return answer.content


def begun(house: House, **wish: Any) -> Seat:
    opened = house.open(**wish)
    ann = house.sit(opened["table"]["id"], "Ann <b>", invite=opened["invite"])
    house.sit(ann.table, "Bob", invite=opened["invite"])
    return ann


def test_a_table_and_its_replay_are_shown_with_their_board(shared_house: House) -> None:
    ann = begun(shared_house)
    shown = tags(shared_house, f"/table/{ann.table}")
    assert (shown["og:title"], shown["og:description"]) == ("Connect Four", "Ann <b> and Bob play. Watch them.")
    assert shown["og:url"] == f"http://testserver.local/table/{ann.table}"
    assert shown["twitter:card"] == "summary_large_image"
    assert shown["og:image"].startswith(f"http://testserver.local/api/tables/{ann.table}/preview.png?")
    empty = picture(shared_house, shown["og:image"])
    ann.must("act", ply=0, action=3)
    ann.must("resign")
    over = tags(shared_house, f"/replay/{ann.table}?ply=0", **{"accept-language": "de-DE,de;q=0.9"})
    assert over["og:description"] == "Ann <b> und Bob haben gespielt. Sieh dir die Partie an."
    assert "&ply=0" in over["og:image"]
    assert picture(shared_house, over["og:image"]) != empty, "other words"
    assert picture(shared_house, over["og:image"].replace("&ply=0", "")) != picture(shared_house, over["og:image"])


def test_a_private_table_shows_no_more_than_its_game(shared_house: House) -> None:
    ann = begun(shared_house, public=False)
    shown = tags(shared_house, f"/table/{ann.table}")
    assert "Ann" not in str(shown) + shown["og:description"]
    general = picture(shared_house, "/api/games/connect_four/preview.png")
    assert picture(shared_house, shown["og:image"]) == general
    ann.must("resign")
    assert picture(shared_house, tags(shared_house, f"/replay/{ann.table}?ply=0")["og:image"]) == general


def test_games_have_previews_and_other_pages_none(shared_house: House) -> None:
    assert tags(shared_house, "/rules/goose")["og:title"] == "Game of the Goose"
    assert tags(shared_house, "/learn/goose", **{"accept-language": "fr, de;q=0.5"})["og:title"].endswith(" lernen")
    open_table = shared_house.open()["table"]["id"]
    assert tags(shared_house, f"/table/{open_table}")["og:description"] == "Sit down and play."
    for path in ("/", "/tables"):
        home = tags(shared_house, path)
        assert home["og:title"] == "Parlour"
        assert "Game of the Goose" in home["og:description"]
        assert home["og:image"].endswith("/icons/icon-512.png")
    for path in ("/rules", "/rules/none", "/table/none", "/replay", "/table/%22%3E%3Cscript%3E"):
        assert "og:title" not in tags(shared_house, path), path
    refused(shared_house.http.get("/api/games/none/preview.png"), "not_found", 404)
    refused(shared_house.http.get("/api/tables/none/preview.png"), "not_found", 404)


def test_addresses_are_those_of_the_site(build: Build) -> None:
    """Below a path, at the host that was asked for; a host that is none is not repeated."""
    house = build(base_path="/games/", hosts=["*"])
    ann = begun(house)
    shown = tags(house, f"/games/table/{ann.table}", host="games.example:8443")
    assert shown["og:url"] == f"http://games.example:8443/games/table/{ann.table}"
    assert shown["og:image"].startswith(f"http://games.example:8443/games/api/tables/{ann.table}/preview.png")


def test_pictures_are_drawn_once_and_within_limits(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    house = build(drawing_per_second=0.001)
    example_of("connect_four")  # what it costs to draw the board is not counted here
    first = house.http.get("/api/games/connect_four/preview.png")
    assert first.status_code == 200
    assert house.http.get("/api/games/connect_four/preview.png").content == first.content, "it is kept"
    refused(house.http.get("/api/games/goose/preview.png"), "too_fast", 429)
    monkeypatch.setattr(pictures, "LIBRARY", "a_library_that_is_not_installed")
    shown = tags(house, "/rules/goose")
    assert (shown["twitter:card"], shown["og:image"]) == ("summary", "http://testserver.local/icons/icon-512.png")


def test_others_wait_for_one_picture_of_an_address_and_not_for_all(
    shared_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, done = list[str](), asyncio.Event()

    async def rendered(svg: str) -> tuple[float, bytes]:
        drawn.append(svg)
        await done.wait()
        return 0.0, b"png"

    monkeypatch.setattr(pictures, "_rendered", rendered)

    async def draw() -> None:
        wished = [("eve", "eve 1"), ("eve", "eve 2"), ("ann", "ann")]
        tasks = [asyncio.ensure_future(shared_house.services.previews.draw(who, what, what)) for who, what in wished]
        await asyncio.sleep(0)
        done.set()
        await asyncio.gather(*tasks)

    shared_house.run(draw)
    assert drawn == ["eve 1", "ann", "eve 2"]


def test_words_beside_the_board_fit() -> None:
    lines = pictures.wrapped("Somebody with a very long name indeed and others play here for ever " * 3, 300, 30)
    assert len(lines) == pictures.LINES
    assert all(len(line) <= 300 / (pictures.LETTER * 30) for line in lines)
    assert pictures.wrapped("Donaudampfschifffahrtsgesellschaft", 200, 30) == ["Donaudampf…"]
    assert words.language_of("") == "en"
