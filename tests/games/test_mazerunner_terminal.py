"""mazerunner as people see it: the map, the table below it, the notation."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from mazerunner_positions import block, draw_maze, give, opened, play, put_monster, running, shopping
from parlour.bots import Decision
from parlour.engine import Chance, Event, Match
from parlour.engine.check import choose
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.bots import Level, Runner
from parlour.games.mazerunner.rules.maze import TRAVELLED
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.names import amounts, block_name, join
from parlour.games.mazerunner.terminal.map import HEAVY, LIGHT

PICTURE = """
?--+--T
   |  |
+--#--+--?
   |
   +
"""


def test_a_picture_goes_in_and_comes_out() -> None:
    state = running(PICTURE, at="N13")
    drawn = GAME.looks.board(state, ascii=True).plain.splitlines()
    first = next(number for number, line in enumerate(drawn) if line.startswith("12"))
    shown = [line[37:52].rstrip() for line in drawn[first : first + 5]]
    assert shown == [
        "?--+--T  .  .",
        "   |  |",
        "+--#--@--?  .",
        "   |",
        ".  +  .  .  .",
    ]


@pytest.mark.parametrize("glyphs", [HEAVY, LIGHT])
def test_every_crossing_has_a_glyph(glyphs: str) -> None:
    assert len(glyphs) == len(set(glyphs)) == 16


def test_pipes() -> None:
    state = running(PICTURE, at="L13")
    rows = {line[:2]: line[37:52].rstrip() for line in GAME.looks.board(state).plain.splitlines()}
    assert [rows["12"], rows["13"], rows["14"]] == ["╶─━┳━━T  ·  ·", "@━━⌂━━┻━─╴  ·", "·  ╹  ·  ·  ·"]


def rows_of(shown: str) -> list[str]:
    """The numbers of the rows that are drawn, and what is said instead of the others."""
    return [
        line[:2].strip() or line.strip() for line in shown.splitlines() if line[:2].strip().isdigit() or "fog" in line
    ]


@pytest.mark.parametrize("ascii", [False, True])
def test_rows_that_nobody_knows_are_not_drawn(ascii: bool) -> None:
    """Nine rows around the base, one more around whatever is known, and words for the rest."""
    state = opened()
    nine = [str(row) for row in range(9, 18)]
    assert rows_of(GAME.looks.board(state, ascii=ascii).plain) == ["8 rows of fog", *nine, "8 rows of fog"]
    draw_maze(state, "+\n|\n+\n|\n+\n|\n+\n|\n#")
    put_monster(state, "rat", block("C22"))
    state.maze[block("C22")] |= TRAVELLED
    assert rows_of(GAME.looks.board(state, ascii=ascii).plain) == [
        "7 rows of fog",
        *["8", *nine],
        "3 rows of fog",
        *["21", "22", "23"],
        "2 rows of fog",
    ]


def test_the_edge_of_the_maze_is_drawn() -> None:
    state = opened()
    for corner in ("A1", "Y25"):
        state.maze[block(corner)] |= TRAVELLED
    nine = [str(row) for row in range(9, 18)]
    assert rows_of(GAME.looks.board(state).plain) == ["1", "2", "6 rows of fog", *nine, "6 rows of fog", "24", "25"]


def test_the_table_tells_everything() -> None:
    state = running(PICTURE, at="N13", lantern_lit=1)
    give(state, "sword", "rope", "rope")
    state.resources[:3] = [12, 3, 0]
    state.maps[0], state.hp[1] = 4, 0
    state.monster_awake[0], state.awake = 1, 1
    for ascii in (False, True):
        shown = GAME.looks.board(state, ascii=ascii).plain
        for words in (
            "Red: which way, or back to the base?",
            "round 1 of 60",
            "50 hp",
            "4 map",
            "12 iron",
            "sword, 2 x rope",
            "at N13, attack power 5, resource roll 4, 10 half steps left, lantern lit",
            "T troll N12 {}/{}!".format(*MONSTERS[8][3:5]),
            "1 red die",
            amounts(ITEMS[0].iron, ITEMS[0].herbs, ITEMS[0].gold),
            "out",
        ):
            assert words in shown


def test_dice_are_numbered() -> None:
    state = opened()
    play(state, "move", 6, 1, 5, 3)
    lines = GAME.looks.board(state).plain.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Dice"))
    assert lines[at].split() == ["Dice", "attack", "movement", "resource", "rolls", "left:", "2"]
    assert lines[at + 1].split() == ["[2]", "[1]", "[3]", "[1]"]
    assert lines[at + 2].split() == ["1", "2", "3", "4"]
    for face, number in zip(["[2]", "[1]", "[3]"], "123", strict=True):
        assert lines[at + 1].index(face) + 1 == lines[at + 2].index(number)


def test_a_crowded_table_still_fits() -> None:
    state = running(seats=4)
    for place in range(1, 28):
        put_monster(state, "rat", block("A1") + 25 * (place % 24) + place // 24)
    for seat in range(4):
        give(state, *(["potion", "blue die", "hourglass", "felt shoes", "bandages", "satchel", "compass"]), seat=seat)
    for ascii in (False, True):
        assert max(map(len, GAME.looks.board(state, ascii=ascii).plain.splitlines())) <= 80


def test_descriptions() -> None:
    state = running(PICTURE, at="N13")
    told = {GAME.words.write(state, action): GAME.words.describe(state, action) for action in GAME.legal_actions(state)}
    assert told == {
        "north": "go north to N12 for 1 half step (troll: you lose 12 hp)",
        "east": "go east to O13 for 2 half steps",
        "back": "return to the base, and on to the shop",
    }
    price = (ITEMS[0].iron, ITEMS[0].herbs, ITEMS[0].gold)
    state = shopping(9, 9, 9)
    told = {GAME.words.write(state, action): GAME.words.describe(state, action) for action in GAME.legal_actions(state)}
    assert told["buy 1"] == f"buy card 1, red die (one more die, +1 attack), for {amounts(*price)}"
    assert told["trade gold herbs"] == "give 3 gold for 1 herb"
    state = opened()
    play(state, "heal", 1, 1, 1, 1)
    action = GAME.words.read(state, "Reroll 1 4")
    assert GAME.words.describe(state, action) == "roll dice 1 and 4 again, and keep the rest"


def test_every_legal_action_is_described() -> None:
    match = Match(GAME, 4, seed=11)
    policy = Chance.of_game(11, 0, 1)
    for _ in range(400):
        if match.over:
            break
        for action in match.legal():
            assert GAME.words.describe(match.state, action)
        match.play(choose(GAME, match.state, policy))


def test_names() -> None:
    assert [block_name(place) for place in (0, 24, 312, 624)] == ["A1", "Y1", "M13", "Y25"]
    assert [join(list(parts)) for parts in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]


def test_every_event_is_told_by_some_match() -> None:
    """Whatever can happen does happen, somewhere in a few dozen matches of any kind of runner."""
    known = {
        kind
        for _, kind in inspect.getmembers(events, inspect.isclass)
        if issubclass(kind, Event) and dataclasses.is_dataclass(kind)
    }
    rare = {events.NoCardLeft}
    seen: set[type] = set()
    for seed in range(60):
        match = Match(GAME, 1 + seed % 4, seed=seed, rounds=12 if seed % 3 else 60)
        match.state.maps[0] = 8 if seed % 5 == 0 else 0
        policy = Chance.of_game(seed, 0, 1)
        while not match.over:
            legal = match.legal()
            bold = [action for action in legal if match.text(action) not in ("heal", "back")]
            if seed % 6 == 5:
                match.play(Runner(Level(slips=3)).choose(Decision(GAME, match.state.copy(), legal, policy)))
            else:
                match.play(bold[policy.below(len(bold))] if bold and seed % 2 else legal[policy.below(len(legal))])
        for told in (*match.opening, *match.journal):
            seen.add(type(told))
            assert told.tell(match.name)
        if known - rare <= seen:
            break
    assert known - rare <= seen
