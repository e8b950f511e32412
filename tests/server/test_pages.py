"""The pages, what they load, and the files that can be dropped on them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.engine import registry, replay
from parlour.server.api import pages
from serving import Build, House, refused

BROWSER = {"accept": "text/html,*/*"}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build of three files, and a secret beside it."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Parlour</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-abc_1.js").write_text("go()")
    (tmp_path / "secret.js").write_text("secret")
    monkeypatch.setattr(pages, "BUILT", folder)
    return folder


@pytest.mark.parametrize("path", ["/", "/tables", "/table/abc", "/replay", "/replay/abc", "/rules", "/rules/goose"])
def test_every_page_is_the_one_document(shared_house: House, built: Path, path: str) -> None:
    answer = shared_house.http.get(path)
    assert answer.status_code == 200
    assert answer.text == "<title>Parlour</title>"
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    ["/", "/tables", "/replay", "/rules/goose", "/favicon.svg", "/assets/index-abc_1.js", "/api/games", "/healthz"],
)
def test_the_head_of_everything_can_be_asked_for_alone(shared_house: House, built: Path, path: str) -> None:
    """As those do who only look whether it is there; it was answered with 405."""
    whole, head = shared_house.http.get(path), shared_house.http.head(path)
    assert (head.status_code, head.content) == (200, b"")
    own = {"x-request-id", "date"}
    assert {name: value for name, value in head.headers.items() if name not in own} == {
        name: value for name, value in whole.headers.items() if name not in own
    }


def test_the_head_of_what_is_not_there(shared_house: House, built: Path) -> None:
    assert shared_house.http.head("/nonsense").status_code == 404
    assert shared_house.http.head("/api/tables/none").status_code == 404


def test_what_a_page_loads_may_be_kept_forever(shared_house: House, built: Path) -> None:
    answer = shared_house.http.get("/assets/index-abc_1.js")
    assert (answer.text, answer.headers["content-type"]) == ("go()", "text/javascript; charset=utf-8")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["..%2f..%2fsecret.js", "%2e%2e", "..%5c..%5csecret.js", "none.js", "index-abc_1.txt"])
def test_no_name_leads_out_of_the_build(shared_house: House, built: Path, name: str) -> None:
    answer = shared_house.http.get(f"/assets/{name}")
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_a_browser_gets_a_page_that_says_what_is_not_there(shared_house: House, built: Path) -> None:
    assert shared_house.http.get("/nonsense", headers=BROWSER).text == "<title>Parlour</title>"
    assert shared_house.http.get("/nonsense", headers=BROWSER).status_code == 404
    assert shared_house.http.get("/api/nonsense", headers=BROWSER).json()["code"] == "not_found"
    assert shared_house.http.get("/nonsense").json()["code"] == "not_found"


def test_without_a_build_the_page_says_what_to_do(shared_house: House, built: Path) -> None:
    (built / "index.html").unlink()
    answer = shared_house.http.get("/")
    assert answer.status_code == 503
    assert "make setup" in answer.text


@pytest.mark.parametrize("game", [game.name for game in registry.all_games()])
def test_every_game_has_an_example(shared_house: House, game: str) -> None:
    answer = shared_house.http.get(f"/api/games/{game}/picture")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert answer.text == shared_house.http.get(f"/api/games/{game}/picture").text


def record() -> dict[str, Any]:
    """A game of the public game17 on a board of 2 by 2: owner 2 takes the square of owner 0, then nothing happens."""
    turns = [
        {"round": 0, "owner": 2, "owners": [[0, 0, 2]], "numbers": [[0, 0, 8], [1, 0, -1]]},
        {"round": 0, "owner": 1, "owners": [], "numbers": []},
    ]
    return {"owners": [[0, 1], [2, 3]], "numbers": [[4, 4], [4, 4]], "diffs": turns}


def test_a_game_of_the_public_game17_is_shown_turn_by_turn(shared_house: House) -> None:
    found = shared_house.http.post("/api/replays", json=record()).json()
    assert (found["game"], found["plies"], found["winners"]) == ("game17", 2, [2])
    assert [frame["scores"] for frame in found["frames"]] == [[1, 1, 1, 1], [0, 1, 2, 1], [0, 1, 2, 1]]
    assert found["frames"][1]["events"][0]["text"] == "round 1: Green takes 1 square"
    assert "A0" in found["frames"][1]["scene"]


def test_some_of_it_is_the_same_as_that_part_of_all(shared_house: House) -> None:
    whole = shared_house.http.post("/api/replays", json=record()).json()
    part = shared_house.http.post("/api/replays?first=1&count=1", json=record()).json()
    assert part["frames"] == whole["frames"][1:2]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"owners": [[0, 1], [2]]}, "length >= 2"),
        ({"numbers": [[4, 4], [4, 4], [4, 4]]}, "not squares of one size"),
        ({"owners": [[0, 1], [2, 99]]}, "owners are 0 to 3"),
        ({"diffs": [{"round": 0, "owner": 0, "owners": [[5, 0, 1]], "numbers": []}]}, "not on the board"),
        ({"diffs": "none"}, "Expected `array`"),
    ],
)
def test_what_is_wrong_with_such_a_file_is_said(shared_house: House, change: dict[str, Any], complaint: str) -> None:
    answer = shared_house.http.post("/api/replays", json={**record(), **change})
    assert answer.status_code == 400
    assert complaint in answer.json()["message"]


def test_a_replay_that_is_far_too_long_is_not_run(shared_house: House) -> None:
    content = json.loads(replay.dumps(parlour.new("goose", seats=2, seed=1))) | {"actions": [0] * 20_001}
    answer = shared_house.http.post("/api/replays", json=content)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_rulebooks_have_diagrams(shared_house: House) -> None:
    http = shared_house.http
    captions = http.get("/api/games/choccer/diagrams").json()
    assert captions[0] == "A circle goes one square, straight."
    german = http.get("/api/games/choccer/diagrams", params={"language": "de"}).json()
    assert len(german) == len(captions) == 5
    for number in range(5):
        drawn = http.get(f"/api/games/choccer/diagrams/{number}", params={"language": "de"})
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert f"<title>{german[number]}</title>" in drawn.text
    refused(http.get("/api/games/choccer/diagrams/5"), "not_found", 404, "5 diagrams")
    refused(http.get("/api/games/chess/diagrams"), "not_found", 404)
    assert http.get("/api/games/connect_four/diagrams").json() == []


@pytest.mark.parametrize(
    ("host", "found"),
    [("127.0.0.1", ""), ("::1", ""), ("localhost", ""), ("192.168.1.7", "192.168.1.7"), ("fd00::7", "[fd00::7]")],
)
def test_a_server_knows_where_other_devices_reach_it(build: Build, host: str, found: str) -> None:
    url = build(host=host).http.get("/api/reach").json()["url"]
    assert url == (f"http://{found}:8017" if found else "")


def test_the_pages_may_be_below_a_path_of_their_host(build: Build) -> None:
    house = build(base_path="/games/")
    page = {"accept": "text/html"}
    for path in ("/games/", "/games/rules/goose", "/rules/goose"):  # a proxy may have taken the path away
        answer = house.http.get(path, headers=page)
        assert answer.status_code == 200
        assert 'data-root="/games/"' in answer.text
        (script,) = re.findall(r'<script type="module"[^>]* src="([^"]+)"', answer.text)
        assert script.startswith("/games/assets/")
        assert house.http.get(script).headers["content-type"].startswith("text/javascript")
    assert house.http.get("/games", follow_redirects=False).headers["location"] == "/games/"
    assert house.http.get("/games/api/games").json() == house.http.get("/api/games").json()
    table = house.open()["table"]["id"]
    with house.http.websocket_connect(f"/games/api/tables/{table}/live") as session:
        session.send_text('{"type": "hello"}')
        assert '"welcome"' in session.receive_text()
    assert 'data-root="/"' in build().http.get("/", headers=page).text
