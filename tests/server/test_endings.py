"""How a match ended: everybody is told the same, in their language."""

from __future__ import annotations

import parlour
from parlour.server.tables import endings


def test_a_tie_of_zombies_is_told_in_every_language() -> None:
    match = parlour.new("game17", seats=3, seed=19, edge=4, rounds=3)
    while not match.over:
        match.play("end")
    ending = endings.by_rules(match, match.name)
    assert (ending.winners, ending.text) == ([], "2 zombies win with 4 squares each")
    german = ending.told["de"]
    assert german.text == "2 Zombies gewinnen: je 4 Felder"
    assert [(rival.words, rival.count, rival.score) for rival in german.rivals] == [("2 Zombies", 2, 4)]


def test_where_seats_have_won_the_game_need_not_tell() -> None:
    match = parlour.new("goose", seats=2, seed=1)
    while not match.over:
        match.play(match.legal()[0])
    assert endings.by_rules(match, lambda seat: "Ada" if seat in match.winners else "Bob").text == "Ada wins"
    assert endings.by_rules(match, match.name).told == {}
