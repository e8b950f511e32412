"""Playing at a table: acting, taking back, resigning, drawing, talking, asking for hints."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.engine import registry
from parlour.server.rooms import commands
from serving import Build, House, Seat, mover, play_out, refused, until

DROP = [3, 3, 4, 4, 5, 5]  # connect four: the next 6 wins


def state(house: House, table: str) -> tuple[Any, ...]:
    """All that playing can change."""
    view = house.view(table)
    return view["number"], view["phase"], view["position"], view["story"], view["offer"], view["ending"]


@pytest.fixture
def house(shared_house: House) -> House:
    """One for all: every test has tables of its own."""
    return shared_house


@pytest.fixture
def pair(house: House) -> list[Seat]:
    return house.table_of("Ann", "Bob")


def test_an_action_is_a_number_or_a_text_or_several(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    assert ann.must("act", ply=0, action=3)["ply"] == 1
    assert bob.must("act", ply=1, text="4")["ply"] == 2
    assert ann.must("act", ply=2, actions=[0])["ply"] == 3
    assert [entry["body"]["actions"] for entry in house.log(ann.table)[3:]] == [[3], [3], [0]]


@pytest.mark.parametrize("body", [{}, {"action": 1, "text": "1"}, {"action": 1, "actions": [1]}, {"actions": []}])
def test_an_action_is_given_in_one_way(pair: list[Seat], body: dict[str, Any]) -> None:
    refused(pair[0].do("act", ply=0, **body), "bad_request", 400)


@pytest.mark.parametrize(
    "body", [{"action": 7}, {"action": 2**31 - 1}, {"text": "8"}, {"text": "nonsense"}, {"actions": [3, 3]}]
)
def test_what_is_not_legal_is_refused_and_changes_nothing(pair: list[Seat], body: dict[str, Any]) -> None:
    before = state(pair[0].at, pair[0].table)  # type: ignore[arg-type]
    refused(pair[0].do("act", ply=0, **body), "illegal_action", 400)
    assert state(pair[0].at, pair[0].table) == before  # type: ignore[arg-type]


def test_of_several_actions_all_are_played_or_none(house: House) -> None:
    seat = mover(house.table_of("Ann", "Bob", game="game17", options={"edge": 6, "rounds": 3}))
    order = next(choice["action"] for choice in seat.view()["choices"] if choice["action"])
    before = state(house, seat.table)
    refused(seat.do("act", ply=0, actions=[order, order]), "illegal_action", 400)
    assert state(house, seat.table) == before
    assert seat.must("act", ply=0, actions=[order, 0])["ply"] == 2
    assert house.log(seat.table)[-1]["body"]["actions"] == [order, 0]


def test_an_action_belongs_to_its_ply(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    refused(ann.do("act", ply=1, action=3), "stale", 409, "ply 0")
    ann.must("act", ply=0, action=3)
    refused(bob.do("act", ply=0, action=3), "stale", 409, "ply 1")
    refused(ann.do("act", ply=1, action=3), "not_your_turn", 409, "Bob")


def test_nothing_is_played_before_and_after_the_match(house: House, pair: list[Seat]) -> None:
    (alone,) = house.table_of("Ann")
    play: dict[str, dict[str, Any]] = {"act": {"ply": 0, "action": 3}, "undo": {"ply": 0}, "resign": {}}
    for what, body in {**play, "draw": {}, "back": {}}.items():
        refused(alone.do(what, **body), "not_playing", 409, "not begun")
    pair[0].must("resign")
    for what, body in {**play, "leave": {}}.items():
        refused(pair[1].do(what, **body), "not_playing", 409, "over")
    pair[1].must("chat", text="well played")


def test_the_rules_end_the_match(house: House, pair: list[Seat]) -> None:
    with house.live(pair[0].table) as eve:
        for ply, action in enumerate([*DROP, 6]):
            pair[ply % 2].must("act", ply=ply, action=action)
        while (update := eve.hear("update"))["body"].get("ply") != 6:
            assert update["secret"] is None
    assert update["ending"] == {"reason": "rules", "winners": [0], "text": "Ann wins"}
    view = house.view(pair[0].table)
    assert (view["phase"], view["ending"], view["secret"]) == ("over", update["ending"], update["secret"])
    assert len(view["secret"]) == 64


@pytest.mark.parametrize("game", [game.name for game in registry.all_games()])
def test_every_game_is_played_to_its_end_over_http(house: House, game: str) -> None:
    options = {"game17": {"edge": 4, "rounds": 3}, "mazerunner": {"rounds": 2}}.get(game, {})
    seats = house.table_of("Ann", "Bob", game=game, options=options)
    assert play_out(seats)["ending"]["reason"] == "rules"


# Taking back.


def ordering(house: House) -> tuple[Seat, Seat]:
    """Two at a table of game17, where a turn has many choices: whose turn it is, and the other."""
    seats = house.table_of("Ann", "Bob", game="game17", options={"edge": 4})
    first = mover(seats)
    return first, seats[1 - first.number]


def test_your_own_choice_can_be_taken_back_in_your_turn(house: House) -> None:
    ann, bob = ordering(house)
    order = ann.view()["choices"][1]["action"]
    ann.must("act", ply=0, action=order)
    assert (ann.view()["may_undo"], bob.view()["may_undo"]) == (True, False)
    refused(bob.do("undo", ply=1), "no_undo", 409)
    ann.must("undo", ply=1)
    assert house.view(ann.table)["position"]["ply"] == 0
    assert ann.view()["may_undo"] is False
    refused(ann.do("undo", ply=0), "no_undo", 409)
    ann.must("act", ply=0, action=order)
    refused(ann.do("undo", ply=0), "stale", 409)


def test_many_orders_are_taken_back_at_once(house: House) -> None:
    ann, bob = ordering(house)
    before = house.view(ann.table, state=True)["position"]
    orders = {choice["way"]: choice["action"] for choice in ann.view()["choices"][1:] if choice["text"].endswith("1")}
    ann.must("act", ply=0, actions=list(orders.values())[:3])
    refused(ann.do("undo", ply=3, choices=4), "no_undo", 409)
    refused(bob.do("undo", ply=3, choices=3), "no_undo", 409)
    refused(ann.do("undo", ply=3, choices=0), "bad_request", 400)
    ann.must("undo", ply=3, choices=2)
    assert house.view(ann.table)["position"]["ply"] == 1
    ann.must("act", ply=1, actions=list(orders.values())[1:3])
    ann.must("undo", ply=3, choices=3)
    assert house.view(ann.table, state=True)["position"] == before


def test_nothing_is_taken_back_once_another_person_is_to_choose(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    ann.must("act", ply=0, action=3)
    assert (ann.view()["may_undo"], bob.view()["may_undo"]) == (False, False)
    refused(ann.do("undo", ply=1), "no_undo", 409, "another person is to choose")


def test_choices_say_whether_they_could_be_taken_back_if_asked(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob", game="game17", options={"edge": 4})
    mine = mover([ann, bob])
    with mine.live(undoable=True) as asks, mine.live() as does_not:
        choices = asks.heard[0]["table"]["choices"]
        assert {choice["text"] for choice in choices if not choice.get("undoable")} == {"end"}
        assert not any("undoable" in choice for choice in does_not.heard[0]["table"]["choices"])
        asks.ask("act", ply=0, action=choices[1]["action"])
        assert any(choice.get("undoable") for choice in asks.hear("choices")["choices"])
        assert not any("undoable" in choice for choice in does_not.hear("choices")["choices"])


def test_every_seat_has_a_mark(house: House) -> None:
    marks = house.view(house.table_of("Ann", "Bob")[0].table)["marks"]
    assert [mark["letter"] for mark in marks] == ["R", "Y"]
    assert marks[0]["colour"] != marks[1]["colour"]


def test_what_was_taken_back_is_as_if_it_had_not_been(house: House) -> None:
    ann, bob = ordering(house)
    before = house.view(ann.table, state=True)["position"]
    _, first, second = (choice["action"] for choice in ann.view()["choices"][:3])
    ann.must("act", ply=0, action=first)
    ann.must("undo", ply=1)
    assert house.view(ann.table, state=True)["position"] == before
    ann.must("act", ply=0, action=second)
    bob.must("resign")
    replay = house.http.get(f"/api/tables/{ann.table}/replay").json()
    assert replay["actions"] == [second]


def test_no_roll_is_taken_back(house: House) -> None:
    seats = house.table_of("Ann", "Bob", game="goose")
    mover(seats).must("act", ply=0, action=0)
    for seat in seats:
        refused(seat.do("undo", ply=1), "no_undo", 409, "roll")


# Resigning.


def test_of_two_the_other_wins_when_one_resigns(house: House, pair: list[Seat]) -> None:
    pair[0].must("act", ply=0, action=3)
    pair[0].must("resign")
    view = house.view(pair[0].table)
    assert view["ending"] == {"reason": "resigned", "winners": [1], "text": "Ann resigns: Bob wins"}
    assert view["position"]["to_move"] is None


def test_who_looks_at_it_afterwards_sees_who_won(house: House, pair: list[Seat]) -> None:
    pair[0].must("resign")
    table = pair[0].table
    assert house.http.get(f"/api/tables/{table}/frames").json()["winners"] == [1]
    saved = house.http.get(f"/api/tables/{table}/replay").json()
    assert house.http.post("/api/replays", json=saved).json()["winners"] == [1]


def test_of_more_a_bot_plays_on_for_who_resigns(house: House) -> None:
    seats = house.table_of("Ann", "Bob", "Carl", game="goose")
    seats[0].must("resign")
    view = house.view(seats[0].table)
    assert view["phase"] == "playing"
    assert (view["seats"][0]["resigned"], view["seats"][0]["stand_in"]) == (True, "random")
    for what in ("resign", "back", "leave"):
        refused(seats[0].do(what), "forbidden", 403, "resigned")
    assert play_out(seats[1:])["ending"]["reason"] == "rules"
    assert any(entry["seat"] == 0 for entry in house.log(seats[0].table) if entry["kind"] == "act")


def test_when_all_resign_bots_end_the_match(house: House) -> None:
    seats = house.table_of("Ann", "Bob", "Carl", game="goose")
    for seat in seats:
        seat.must("resign")
    until(lambda: house.view(seats[0].table)["phase"] == "over")


def test_who_leaves_during_the_match_leaves_it_to_a_bot(house: House) -> None:
    seats = house.table_of("Ann", "Bob", game="goose")
    seats[0].must("leave")
    assert house.view(seats[0].table)["seats"][0]["away"] == "left"
    refused(seats[0].do("back"), "forbidden", 403, "left")
    assert play_out(seats[1:])["ending"]["reason"] == "rules"


# Drawing.


def test_a_draw_is_offered_and_accepted(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    bob.must("draw")
    assert house.view(ann.table)["offer"] == 1
    refused(bob.do("draw"), "forbidden", 403, "already")
    refused(bob.do("draw", answer="accept"), "forbidden", 403)
    ann.must("draw", answer="accept")
    assert house.view(ann.table)["ending"] == {"reason": "agreed", "winners": [], "text": "a draw, as both agree"}


def test_two_offers_are_an_agreement(house: House, pair: list[Seat]) -> None:
    pair[0].must("draw", answer="offer")
    pair[1].must("draw", answer="offer")
    assert house.view(pair[0].table)["ending"]["reason"] == "agreed"


def test_a_draw_is_declined(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    refused(ann.do("draw", answer="accept"), "forbidden", 403, "nobody")
    refused(ann.do("draw", answer="decline"), "forbidden", 403, "nobody")
    ann.must("draw")
    bob.must("draw", answer="decline")
    assert house.view(ann.table)["offer"] is None
    refused(bob.do("draw", answer="accept"), "forbidden", 403)


def test_who_plays_on_declines(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    ann.must("draw")
    ann.must("act", ply=0, action=3)
    assert house.view(ann.table)["offer"] == 0, "one's own offer stands"
    bob.must("act", ply=1, action=3)
    assert house.view(ann.table)["offer"] is None
    refused(bob.do("draw", answer="accept"), "forbidden", 403)


def test_draws_are_for_two_people(house: House) -> None:
    three = house.table_of("Ann", "Bob", "Carl", game="goose")
    refused(three[0].do("draw"), "forbidden", 403, "two")
    (ann,) = [house.sit(house.open(bots={"1": "random"})["table"]["id"], "Ann")]
    refused(ann.do("draw"), "forbidden", 403, "bot")


# Talking.


def test_chat_is_told_to_everybody_and_stays(house: House, pair: list[Seat]) -> None:
    with pair[1].live() as bob, house.live(pair[0].table) as eve:
        pair[0].must("chat", text="hello")
        for live in (bob, eve):
            assert live.hear("update")["body"] == {"text": "hello"}
    (line,) = house.view(pair[0].table)["chat"]
    assert (line["seat"], line["name"], line["text"]) == (0, "Ann", "hello")


def test_chat_has_a_rate(build: Build) -> None:
    ann, _ = build().table_of("Ann", "Bob")
    answers = [ann.do("chat", text=f"line {number}").status_code for number in range(8)]
    assert answers == [200] * 5 + [429] * 3


def test_a_reaction_is_told_and_not_kept(house: House, pair: list[Seat]) -> None:
    with pair[1].live() as live:
        pair[0].must("chat", reaction="nice")
        update = live.hear("update")
    assert (update["kind"], update["seat"]) == ("chat", 0)
    assert update["body"] == {"text": "Well played!", "reaction": "nice"}
    assert house.view(pair[0].table)["chat"] == []


@pytest.mark.parametrize("said", [{"reaction": "rude"}, {"reaction": ""}, {"reaction": "nice", "text": "hm"}, {}])
def test_what_is_no_reaction_is_refused(pair: list[Seat], said: dict[str, str]) -> None:
    refused(pair[0].do("chat", **said), "bad_request", 400)


def test_reactions_count_as_chat(build: Build) -> None:
    ann, _ = build().table_of("Ann", "Bob")
    answers = [ann.do("chat", reaction="wow").status_code for _ in range(8)]
    assert answers == [200] * 5 + [429] * 3


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b", "x" * 301, "x" * 2001])
def test_chat_that_says_nothing_or_too_much_is_refused(pair: list[Seat], text: str) -> None:
    refused(pair[0].do("chat", text=text), "bad_request", 400)


# Hints.


def test_a_hint_names_legal_actions(house: House, pair: list[Seat]) -> None:
    ann, bob = pair
    for ply, action in enumerate(DROP):
        pair[ply % 2].must("act", ply=ply, action=action)
    answer = ann.do("hint", cid="h").json()
    assert (answer["cid"], answer["ply"]) == ("h", 6)
    assert answer["best"][0]["action"] in (2, 6), "four in a row are there to be had"
    assert len(answer["best"]) <= commands.HINTS_SHOWN
    assert house.view(ann.table)["number"] == 9, "asking changes nothing"
    refused(bob.do("hint"), "not_your_turn", 409)
    with ann.live() as live:
        assert live.ask("hint")["best"][0]["action"] in (2, 6)


def test_the_rest_of_a_turn_is_suggested(house: House) -> None:
    """Whoever follows it has given the orders of the game's strongest bot, and may change them or end the turn."""
    ann, bob = ordering(house)
    answer = ann.do("hint", cid="h", turn=True).json()
    assert (answer["cid"], answer["ply"], answer["best"]) == ("h", 0, [])
    legal = {choice["action"] for choice in ann.view()["choices"] if choice["text"] != "end"}
    assert set(answer["turn"]) <= legal
    refused(bob.do("hint", turn=True), "not_your_turn", 409)
    if answer["turn"]:
        ann.must("act", ply=0, actions=answer["turn"])
        assert ann.do("hint", turn=True).json()["turn"] == [], "all is ordered"


def test_no_turn_is_suggested_at_a_table_without_hints(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob", game="game17", hints=False)
    refused(ann.do("hint", turn=True), "forbidden", 403, "without hints")


def test_a_table_may_be_without_hints(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob", hints=False)
    refused(ann.do("hint"), "forbidden", 403, "without hints")


def test_hints_have_a_rate(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(match: object, owner: str) -> list[Any]:
        return []

    ann, _ = house.table_of("Ann", "Bob")
    monkeypatch.setattr(house.services.bots, "hint", none)
    assert [ann.do("hint").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
