"""Lessons, explanations and reasons over HTTP."""

from __future__ import annotations

import re
from typing import Any

import pytest

from parlour.engine import registry
from parlour.protocol import STATUS
from serving import House, Place, bearer, refused


def ask(place: Place, path: str, body: object = None, token: str | None = None) -> dict[str, Any]:
    answer = place.http.request("GET" if body is None else "POST", path, json=body, headers=bearer(token))
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_lesson_step_by_step(shared_house: House) -> None:
    lesson = ask(shared_house, "/api/games/connect_four/lesson")
    assert (lesson["steps"], lesson["you"], lesson["seats"]) == (6, 0, 2)
    assert lesson["backdrop"]
    step = ask(shared_house, "/api/games/connect_four/lesson/0?language=de")
    assert "Spalte 4" in step["text"]
    assert step["right"] == [3]
    assert len(step["choices"]) == 7
    other = ask(shared_house, "/api/games/connect_four/lesson/0", {"action": 0})
    assert (other["right"], other["moves"]) == (False, [])
    right = ask(shared_house, "/api/games/connect_four/lesson/0", {"text": "4"})
    assert right["right"]
    assert [move["events"][0]["text"] for move in right["moves"]] == [
        "Red drops a disc into column 4",
        "Yellow drops a disc into column 4",
    ]
    assert (
        right["moves"][-1]["position"]["scene"]
        == ask(shared_house, "/api/games/connect_four/lesson/1")["position"]["scene"]
    )


@pytest.mark.parametrize("name", registry.names())
def test_lessons_speak_of_no_keyboard(name: str) -> None:
    """The page and the terminal share their texts: what is typed is said by the terminal itself."""
    lesson = registry.get(name).words.lesson
    assert lesson is not None
    for step in lesson.steps:
        for text in [text for words in step.texts for text in words.values()]:
            assert not re.search(r"\b(type|tippe)\b", text, re.IGNORECASE), text
            assert not any(f"({action})" in text for action in step.do), text


def test_the_page_says_how_a_step_is_done_there(shared_house: House) -> None:
    step = ask(shared_house, "/api/games/game17/lesson/0")
    assert step["text"].endswith("Send your four to the east, to D2. Pick C2, then D2, and say how many.")


def test_questions_in_a_lesson(shared_house: House) -> None:
    told = ask(shared_house, "/api/games/choccer/lesson/0/explain?name=H3")
    assert told["text"].startswith("Black's circle. A circle goes one square up, down, left or right.")
    assert told["clause"] == 6
    told = ask(shared_house, "/api/games/choccer/lesson/0/why-not?tried=H3&tried=F3&language=de")
    assert told == {"text": "Ein Kreis zieht ein Feld nach oben, unten, links oder rechts.", "clause": 6}
    assert ask(shared_house, "/api/games/choccer/lesson/0", {"text": "H3-F3"})["clause"] == 6


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/api/games/nothing/lesson", None, "not_found"),
        ("GET", "/api/games/goose/lesson/99", None, "not_found"),
        ("POST", "/api/games/goose/lesson/0", {}, "bad_request"),
        ("POST", "/api/games/goose/lesson/0", {"action": 7}, "illegal_action"),
        ("GET", "/api/games/goose/lesson/0/explain", None, "bad_request"),
    ],
)
def test_what_there_is_not(shared_house: House, method: str, path: str, body: object, code: str) -> None:
    refused(shared_house.http.request(method, path, json=body), code, STATUS[code])


def test_questions_at_a_table(shared_house: House) -> None:
    black, white = shared_house.table_of("Ada", "Bob", game="choccer")
    at = f"/api/tables/{black.table}"
    assert ask(shared_house, f"{at}/explain?name=F3")["text"].startswith("A red gem, worth 10 points")
    assert ask(shared_house, f"{at}/explain?name=nowhere")["text"] == "The rulebook says more about this."
    assert ask(shared_house, f"{at}/why-not?tried=H3&tried=F3", token=black.token)["clause"] == 6
    assert ask(shared_house, f"{at}/why-not?tried=D3&tried=E3", token=white.token)["text"] == "It is Ada's turn."


def test_what_is_typed_in_vain_is_refused_with_the_reason(shared_house: House) -> None:
    black, _ = shared_house.table_of("Ada", "Bob", game="choccer")
    words = "A circle goes one square up, down, left or right (clause 6)"
    refused(black.do("act", ply=0, text="H3-F3"), "illegal_action", 400, words)


def test_bots_by_the_names_that_people_know(shared_house: House) -> None:
    games = {game["name"]: game for game in shared_house.http.get("/api/games?language=de").json()}
    assert games["choccer"]["faces"][0]["title"] == "Leicht"
    assert len(games["goose"]["faces"]) == 1
    assert all(game["lesson"] for game in games.values())
    opened = shared_house.open("choccer", bots={"1": "easy"})
    assert opened["table"]["seats"][1]["name"] == "White (mcts:1)"


def test_the_match_after_the_lesson_has_as_many_seats_as_one_that_the_lobby_begins(shared_house: House) -> None:
    games = {game["name"]: game["usual_seats"] for game in shared_house.http.get("/api/games").json()}
    for name, seats in games.items():
        lesson = shared_house.http.get(f"/api/games/{name}/lesson").json()
        assert lesson["seats"] == seats, name
