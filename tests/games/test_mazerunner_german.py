"""mazerunner in German: nothing told is missing from its file, and cards, monsters and resources are declined;
pictures speak, too."""

from __future__ import annotations

import re

import pytest

from german import without_gaps
from mazerunner_positions import give, opened, play, put_monster, running, shopping
from parlour.engine import Chance, Event, Match, State
from parlour.engine.check import choose
from parlour.engine.language import speaking
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.notation import purchase
from parlour.games.mazerunner.rules import actions
from parlour.games.mazerunner.state.decks import KINDS
from parlour.games.mazerunner.state.decks.items import ITEMS, ROPE
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS

RED = 0
IRON, HERBS, GOLD = range(3)
NAMES = [monster.name for monster in MONSTERS]
WOLF, ORC = NAMES.index("wolf"), NAMES.index("orc")


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    without_gaps(monkeypatch, GAME)


def told(event: Event) -> str:
    with speaking("de"):
        return event.tell(lambda seat: "Rot")


def described(state: State) -> dict[str, str]:
    with speaking("de"):
        return {
            GAME.words.write(state, action): GAME.words.describe(state, action) for action in GAME.legal_actions(state)
        }


def test_a_fight() -> None:
    met = "auf N12 begegnet Rot ein Wolf: Leben 13, gegen Angriffskraft 5"
    assert told(events.Met(RED, WOLF, 13, 288, 5)) == met
    assert told(events.Wounded(RED, WOLF, 5, 8)) == "Rot trifft: der Wolf verliert 5 Leben und hat noch 8"
    assert told(events.Hurt(RED, WOLF, 6, 44)) == "der Wolf verletzt Rot um 6: noch 44 LP"
    assert told(events.Follows(RED, WOLF, 288, 313)) == "der Wolf folgt Rot von N12 nach N13"
    assert told(events.UsedRope(RED, WOLF)) == "Rot entkommt mit einem Seil, der Wolf hat das Nachsehen"
    assert told(events.Killed(RED, WOLF)) == "Rot siegt, der Wolf ist tot: die Beute ist 2 Kräuter"


def test_resources_are_counted() -> None:
    assert told(events.FoundResources(RED, HERBS, 1)) == "Rot findet 1 Kraut"
    assert told(events.FoundResources(RED, HERBS, 7)) == "Rot findet 7 Kräuter"
    assert told(events.Traded(RED, GOLD, HERBS)) == "Rot tauscht 3 Gold gegen 1 Kraut"
    assert told(events.Waits(RED, 1)) == "Rot muss warten und bekommt dafür 1 Heiltrank"
    assert told(events.Waits(RED, 3)) == "Rot muss warten und bekommt dafür 3 Heiltränke"
    assert told(events.DrewResources(RED, 6)) == ("Rot stößt auf ein vergessenes Lager: 3 Eisen, 3 Kräuter und 3 Gold")


def test_rounds_are_counted() -> None:
    assert told(events.TimeUp(1)) == "nach 1 Runde ist Schluss: die meisten Kartenteile gewinnen"
    assert told(events.TimeUp(60)) == "nach 60 Runden ist Schluss: die meisten Kartenteile gewinnen"


def test_english_counts_and_has_its_articles() -> None:
    orc, wolf = events.Met(RED, ORC, 22, 288, 5), events.Met(RED, WOLF, 13, 288, 5)
    lines = [event.tell(lambda seat: "Red") for event in (orc, wolf, events.FoundResources(RED, HERBS, 1))]
    assert lines[0] == "at N12 Red meets an orc of health 22, with attack power 5"
    assert lines[1].startswith("at N12 Red meets a wolf of")
    assert lines[2] == "Red finds 1 herb"
    rounds = [events.TimeUp(count).tell(str) for count in (1, 2)]
    assert rounds == [f"{over}: the most map pieces win" for over in ("1 round is over", "2 rounds are over")]


def test_a_block_is_discovered() -> None:
    assert told(events.Discovered(288, 0b0111)) == "N12 ist entdeckt: offen nach Norden, Osten und Süden"
    assert told(events.Discovered(288, 0)) == "N12 ist entdeckt: eine Sackgasse"
    assert told(events.Stepped(RED, 1, 312, 313, 2)) == "Rot geht von M13 nach Osten auf N13: zwei halbe Schritte"


def test_the_shop() -> None:
    assert told(events.LaidOpen(0, ROPE)) == "neu im Laden: Seil"
    assert told(events.LaidOpen(0, -1)) == "für den Laden ist keine neue Karte da"
    assert told(events.Bought(RED, ROPE)) == "Rot kauft für 1 Eisen und 2 Kräuter: Seil"
    assert described(shopping(9, 9, 9))["trade gold herbs"] == "3 Gold gegen 1 Kraut tauschen"


def test_every_card_is_told() -> None:
    with speaking("de"):
        bought = [purchase(item) for item in ITEMS]
    assert bought[ROPE] == "kaufen: Seil (einmal: unverletzt zurückweichen) für 1 Eisen und 2 Kräuter"
    for kind in range(len(MONSTERS)):
        assert re.search(r"begegnet Rot eine? [A-Z]\w+: Leben 1", told(events.Met(RED, kind, 1, 0, 1)))
        assert re.match(r"Rot siegt, (der|die|das) [A-Z]\w+ ist tot: die Beute ist \d", told(events.Killed(RED, kind)))
    assert len({told(events.DrewResources(RED, card)) for card in range(len(RESOURCE_CARDS))}) == len(RESOURCE_CARDS)
    assert {told(events.NoCardLeft(deck)) for deck in range(len(KINDS))} == {
        f"vom Stapel „{deck}“ ist keine Karte mehr da, auch keine abgelegte"
        for deck in ("Gegenstände", "Monster", "Ereignisse", "Rohstoffe")
    }


def test_what_one_can_do() -> None:
    ways = described(running("+--#--?", at="L13"))
    assert ways == {"back": "in die Basis zurückkehren und weiter in den Laden"}
    state = opened()
    play(state, "heal", 1, 1, 1, 1)
    rerolls = described(state)
    assert rerolls["reroll 4"] == "Würfel 4 noch einmal werfen, den Rest behalten"
    assert rerolls["reroll 1 2 4"] == "Würfel 1, 2 und 4 noch einmal werfen, den Rest behalten"


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_whole_matches_are_told(seats: int) -> None:
    match, policy = Match(GAME, seats, seed=seats, rounds=15), Chance.of_game(seats, 0, 1)
    with speaking("de"):
        while not match.over:
            assert all(GAME.words.describe(match.state, action) for action in match.legal())
            match.play(choose(GAME, match.state, policy))
        assert all(match.story)


def german_scene(state: State) -> str:
    with speaking("de"):
        return GAME.looks.scene(state)


def labels(state: State) -> dict[str, str]:
    """What is read out of the German picture, by spot."""
    return dict(re.findall(r'data-spot="([^"]*)" aria-label="([^"]*)"', german_scene(state)))


def written(picture: str) -> list[str]:
    """What stands in a picture."""
    return re.findall(r"<text[^>]*>([^<]*)<", picture)


def test_the_maze_is_told() -> None:
    state = running("?--+--T\n   |  |\n+--#--+--?", at="N13")
    told = labels(state)
    assert told["N12"] == "N12: offen nach Süden und Westen; ein Troll, Leben 27, Schaden 12"
    assert told["N13"] == "N13: offen nach Norden, Osten und Westen; Rot ist hier"
    assert told["O13"] == "O13: unbegangen, offen nach Westen"
    assert told["M13"] == "M13: Basis"
    put_monster(state, "rat", state.at, awake=1)
    here = "N13: offen nach Norden, Osten und Westen; Rot ist hier, dazu eine Ratte, Leben 3, Schaden 2, wach"
    assert labels(state)["N13"] == here


def test_the_sheets_are_told() -> None:
    state = shopping(iron=1, herbs=1)
    give(state, "dagger", "dagger", "red die")
    state.hp[1] = 0
    told = labels(state)
    assert told["herbs-0"] == "Rot: 1 Kraut"
    assert told["map-0"] == "Rot: 0 von 10 Kartenteilen"
    assert told["potion-1"] == "Blau: Heiltränke: 1"
    assert told["hp-0"] == "Rot: 50 von 50 LP"
    assert told["hp-1"] == "Blau ist ausgeschieden"
    assert told["items-0"] == "Rot hat: roter Würfel, 2-mal Dolch"
    assert told["items-1"] == "Blau hat keine bleibenden Gegenstände"
    assert "raus" in written(german_scene(state))


def test_the_turn_is_told() -> None:
    state = opened()
    play(state, "move", 6, 1, 5, 3)
    told = labels(state)
    assert told["die-0"] == "Würfel 1, Angriff: 2"
    assert "die-4" not in told  # only dice that lie on the tray
    assert told["power"] == "Angriffskraft: noch nicht bekannt"
    assert {"noch 2 Würfe", "Runde 1/60"} <= set(written(german_scene(state)))
    state.rolls_left = 1
    assert "noch 1 Wurf" in written(german_scene(state))
    assert labels(running("#--+", at="N13", half_steps=1))["steps"] == "noch 1 halber Schritt"
    foe = running("#--M", at="N13", phase=actions.ROPE)
    assert labels(foe)["foe"] == "Minotaurus: Leben 48, Schaden 22"


def test_the_decks_are_told() -> None:
    state = opened()
    told = labels(state)
    chance = "4-mal Portal, 3-mal Kartenteil, 6-mal Monster, 6-mal Rohstoffe"
    assert told["deck-2"] == f"Stapel Ereignisse: noch {chance}"
    assert told["deck-3"].startswith("Stapel Rohstoffe: noch 3-mal Eisenader, 3-mal Kräutergarten")
    state.deck[:] = [0] * len(state.deck)
    assert labels(state)["deck-0"] == "Stapel Gegenstände: keine Karten mehr"


@pytest.mark.parametrize("kind", range(len(ITEMS)))
def test_cards_of_the_shop_have_room_for_their_words(kind: int) -> None:
    """Three lines below the price, and none of more letters than a card is wide."""
    state = shopping()
    state.shop[:] = [kind, -1, -1]
    card = re.findall(rf'<g id="mazerunner-card-{kind}-0".*?</g>', german_scene(state))[0]
    name, *rest = written(card)
    lines = [text for text in rest if not text.isdigit()]
    assert len(name) <= 15
    assert 1 <= len(lines) <= 3
    assert max(map(len, lines)) <= 17
    told = labels(state)
    assert told["shop-0"].startswith(f"Laden 1: {name}, ")
    assert told["shop-1"] == "Laden 2: ausverkauft"


def test_pictures_are_kept_in_narrow_characters() -> None:
    """A single wide one makes all of the picture wide, and slower to put together."""
    assert max(map(ord, german_scene(running("?--+--T\n   |  |\n+--#--+--?", at="N13")))) < 256


def test_each_reader_gets_a_picture_of_their_own() -> None:
    """Pictures are kept, but not from one language for the other."""
    state = shopping(9, 9, 9)
    english, german = GAME.looks.svg(state), german_scene(state)
    assert "roter Würfel" in german
    assert "roter Würfel" not in english
    assert GAME.looks.svg(state) == english


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_whole_matches_are_drawn(seats: int) -> None:
    match, policy = Match(GAME, seats, seed=seats, rounds=4), Chance.of_game(seats, 0, 1)
    with speaking("de"):
        while not match.over:
            assert GAME.looks.svg(match.state)
            match.play(choose(GAME, match.state, policy))
