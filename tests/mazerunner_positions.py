"""Positions of mazerunner for tests: runners, items, monsters, and mazes as pictures.

A picture of a maze has a block every third column and every second row, as in the game's ASCII map::

    g--+  ?         + travelled, ? untravelled, # the base, a letter a monster on a travelled block,
    |     |         -- and | open sides; a travelled block has walls on its other sides
    +--#--+
"""

from __future__ import annotations

from typing import Any

from parlour.engine import Script, State
from parlour.games.mazerunner import GAME
from parlour.games.mazerunner.rules.actions import ENTRANCE, MAZE, SHOP
from parlour.games.mazerunner.rules.maze import BASE, MONSTER, OFFSET, OPEN, TRAVELLED, WALL, has_beyond
from parlour.games.mazerunner.rules.runner import take_item
from parlour.games.mazerunner.state import EDGE
from parlour.games.mazerunner.state.decks import CARDS, FIRST, ITEM_DECK, KINDS, MONSTER_DECK
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS

ALL_OPEN, ALL_WALLS = 0, 80  # what chance says of the sides of a new block
BY_MONSTER, BY_RESOURCES, BY_ITEM, BY_CHANCE, BY_NOTHING = range(5)  # the faces of the encounter die
KINDS_OF = (ITEMS, MONSTERS, CHANCE_CARDS, RESOURCE_CARDS)


def opened(seats: int = 2, to_move: int = 0, **options: int) -> State:
    """An opening in which all three cards of the shop are red dice."""
    state = GAME.blank(seats, **options)
    GAME.open(state, Script([0, 0, 0, to_move]))
    return state


def play(state: State, text: str, *chance: int) -> list[Any]:
    """Play one action; chance says exactly these values. Returns the journal."""
    script = Script(chance)
    journal: list[Any] = []
    GAME.play(state, GAME.words.read(state, text), script, journal)
    assert script.left == [], "not all of chance was asked for"
    return journal


def texts(state: State) -> list[str]:
    """The legal actions in notation."""
    return [GAME.words.write(state, action) for action in GAME.legal_actions(state)]


def block(name: str) -> int:
    return (int(name[1:]) - 1) * EDGE + ord(name[0]) - ord("A")


def running(
    picture: str = "#", at: str = "M13", *, seats: int = 2, came_from: str | None = None, **fields: int
) -> State:
    """Seat 0 on a run, with power 5, resource roll 4 and 10 half steps unless told otherwise."""
    state = opened(seats)
    draw_maze(state, picture)
    state.at = block(at)
    state.came_from = block(came_from or at)
    state.phase = ENTRANCE if state.at == BASE else MAZE
    state.power, state.resource_roll, state.half_steps = 5, 4, 10
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def shopping(iron: int = 0, herbs: int = 0, gold: int = 0) -> State:
    state = opened()
    state.resources[:3] = [iron, herbs, gold]
    state.phase = SHOP
    return state


def draw_maze(state: State, picture: str) -> None:
    lines = [line for line in picture.splitlines() if line.strip()]
    row, column = next((y, line.index("#")) for y, line in enumerate(lines) if "#" in line)
    marks = {(y - row, x - column): mark for y, line in enumerate(lines) for x, mark in enumerate(line) if mark != " "}
    blocks = {BASE + y // 2 * EDGE + x // 3: mark for (y, x), mark in marks.items() if y % 2 == 0 and x % 3 == 0}
    assert all(mark in "-|" for (y, x), mark in marks.items() if y % 2 or x % 3), "a block out of line"
    for place, mark in blocks.items():
        y, x = (place // EDGE - BASE // EDGE) * 2, (place % EDGE - BASE % EDGE) * 3
        if mark != "?" and place != BASE:
            draw_sides(state, place, [marks.get(at) for at in ((y - 1, x), (y, x + 1), (y + 1, x), (y, x - 1))])
        if mark.isalpha():
            put_monster(state, next(kind.name for kind in MONSTERS if kind.letter == mark), place)


def draw_sides(state: State, place: int, sides: list[str | None]) -> None:
    state.maze[place] |= TRAVELLED
    for side, mark in enumerate(sides):
        beyond = place + OFFSET[side]
        if beyond == BASE:
            continue
        state.maze[place] |= (OPEN if mark else WALL) << side
        if has_beyond(place, side):
            state.maze[beyond] |= (OPEN if mark else WALL) << (side + 2) % 4


def put_monster(state: State, name: str, place: int, health: int | None = None, awake: int = 0) -> None:
    """A card of the deck is laid on the block."""
    kind = next(number for number, monster in enumerate(MONSTERS) if monster.name == name)
    state.deck[FIRST[MONSTER_DECK] + kind] -= 1
    state.monster_at[state.lurking] = place
    state.monster_kind[state.lurking] = kind
    state.monster_health[state.lurking] = MONSTERS[kind].health if health is None else health
    state.monster_awake[state.lurking] = awake
    state.awake += awake > 0
    state.lurking += 1
    state.maze[place] |= MONSTER


def monster_places(state: State) -> list[int]:
    return list(state.monster_at[: state.lurking])


def give(state: State, *names: str, seat: int = 0) -> None:
    """Item cards of the deck for a seat."""
    for name in names:
        kind = [item.name for item in ITEMS].index(name)
        state.deck[FIRST[ITEM_DECK] + kind] -= 1
        take_item(state, seat, kind)


def items_of(state: State, seat: int = 0) -> list[str]:
    held = state.items[seat * len(ITEMS) : (seat + 1) * len(ITEMS)]
    return [item.name for item, count in zip(ITEMS, held, strict=True) for _ in range(count)]


def card(state: State, deck: int, name: str) -> int:
    """What chance must say for a card of that name to be drawn."""
    kind = [row.name for row in KINDS_OF[deck]].index(name)
    return sum(state.deck[FIRST[deck] : FIRST[deck] + kind])


def all_cards(deck: int) -> list[int]:
    return list(CARDS[FIRST[deck] : FIRST[deck] + KINDS[deck]])
