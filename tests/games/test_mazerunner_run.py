"""The rules of mazerunner, clause by clause: the run through the maze, and what is met there."""

from __future__ import annotations

import random
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauses import clauses_of
from mazerunner_positions import (
    ALL_OPEN,
    ALL_WALLS,
    BY_CHANCE,
    BY_ITEM,
    BY_NOTHING,
    BY_RESOURCES,
    block,
    card,
    items_of,
    opened,
    play,
    running,
    texts,
)
from parlour.engine import Chance, Script, State
from parlour.games.mazerunner import events
from parlour.games.mazerunner.rules.actions import MAZE, SHOP
from parlour.games.mazerunner.rules.maze import (
    BASE,
    OFFSET,
    discover,
    has_beyond,
    is_open,
    is_travelled,
    is_wall,
)
from parlour.games.mazerunner.state import BLOCKS
from parlour.games.mazerunner.state.decks import CHANCE_DECK, FIRST, ITEM_DECK, MONSTER_DECK, RESOURCE_DECK
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import SIDES

clause = clauses_of("mazerunner")

HALLS = """
      +
      |
+--+--#--+--+
      |
      +
"""


def sides(state: State, name: str) -> dict[str, str]:
    """What is known of the sides of a block."""
    place = block(name)
    known = {side: "open" for side in range(4) if is_open(state, place, side)}
    known |= {side: "wall" for side in range(4) if is_wall(state, place, side)}
    return {SIDES[side]: known[side] for side in sorted(known)}


# Steps


@clause(14, "choose one of the four entrances and step onto the block behind it")
@pytest.mark.parametrize(("text", "name"), [("north", "M12"), ("east", "N13"), ("south", "M14"), ("west", "L13")])
def test_the_four_entrances(text: str, name: str) -> None:
    state = running()
    journal = play(state, text, ALL_OPEN, BY_NOTHING)
    assert state.at == block(name)
    assert journal[0] == events.Stepped(0, SIDES.index(text), BASE, block(name), 2)


@clause(14, "Your movement dice are your steps for this turn, and each step is two half steps")
def test_movement_dice_are_steps() -> None:
    state = opened()
    play(state, "move", 1, 6, 3, 1)
    play(state, "keep", 1, 1)
    assert state.half_steps == 10


@clause(14, "You must enter the maze")
def test_there_is_no_way_back_before_the_first_step() -> None:
    assert texts(running()) == ["north", "east", "south", "west"]


@clause(15, "An untravelled block costs two half steps, a travelled one costs one")
def test_half_steps() -> None:
    state = running(HALLS)
    play(state, "west")
    assert state.half_steps == 9
    play(state, "west")
    assert state.half_steps == 8
    other = running()
    play(other, "west", ALL_OPEN, BY_NOTHING)
    assert other.half_steps == 8


@clause(15, "through open sides only")
def test_walls_stop_a_runner() -> None:
    state = running("?  +\n   |\n#--+--?", at="N13")
    assert texts(state) == ["north", "east", "back"]


@clause(15, "It does not matter who travelled it, or when")
def test_a_path_found_by_another() -> None:
    state = running()
    play(state, "east", ALL_OPEN, BY_NOTHING)
    play(state, "back")
    play(state, "end")
    play(state, "move", 1, 1, 1, 1)
    play(state, "keep", 1, 1)
    before = state.half_steps
    play(state, "east")
    assert (state.to_move, before - state.half_steps) == (1, 1)


@clause(15, "You cannot step onto a block that you cannot pay for")
def test_the_last_half_step_buys_no_untravelled_block() -> None:
    state = running("?--+\n   |\n#--+--?", at="N13", half_steps=1)
    assert texts(state) == ["north", "back"]


@clause(18, "After each step you may go on or return to the base")
def test_return_at_any_time() -> None:
    state = running(HALLS, at="K13")
    journal = play(state, "back")
    assert (state.at, state.phase) == (BASE, SHOP)
    assert journal == [events.Returned(0)]


@clause(18, "The only way into the base is to return to it")
def test_nobody_walks_into_the_base() -> None:
    assert texts(running(HALLS, at="L13")) == ["west", "back"]


@clause(19, "When there is no step that you can pay for, you must return to the base")
def test_no_step_left() -> None:
    state = running(HALLS, half_steps=2)
    play(state, "west")
    journal = play(state, "west")
    assert (state.at, state.phase) == (BASE, SHOP)
    assert journal[1:] == [events.NoStepLeft(0), events.Returned(0)]


@clause(19, "no step that you can pay for")
def test_a_dead_end_with_half_steps_left() -> None:
    state = running("+--#")
    journal = play(state, "west")
    assert state.phase == SHOP, "there are nine half steps left, but no side is open"
    assert events.NoStepLeft(0) in journal


# Discovering


@clause(16, "one in three is open, the others are walls")
@pytest.mark.parametrize(
    ("draw", "north", "east"),
    [(0, "open", "open"), (1, "wall", "open"), (2, "wall", "open"), (3, "open", "wall"), (7, "wall", "wall")],
)
def test_chance_decides_the_sides(draw: int, north: str, east: str) -> None:
    state = opened()
    discover(state, block("N11"), Script([draw]), None)
    known = sides(state, "N11")
    assert (known["north"], known["east"]) == (north, east)


@clause(16, "What is decided stays so, from both sides, and for everybody")
def test_a_side_is_the_same_from_both_blocks() -> None:
    state = running()
    play(state, "east", 3 + 2 * 9, BY_NOTHING)
    assert sides(state, "N13") == {"north": "open", "east": "open", "south": "wall"}
    assert sides(state, "N12") == {"south": "open"}
    assert sides(state, "N14") == {"north": "wall"}
    play(state, "north", ALL_WALLS, BY_NOTHING)
    assert sides(state, "N12")["south"] == "open"
    assert is_travelled(state, block("N12"))


@clause(16, "The edge of the maze is all walls")
@pytest.mark.parametrize(("name", "walls"), [("A1", ["north", "west"]), ("Y25", ["east", "south"])])
def test_the_edge(name: str, walls: list[str]) -> None:
    state = opened()
    discover(state, block(name), Script([ALL_OPEN]), None)
    assert [side for side, known in sides(state, name).items() if known == "wall"] == walls


@clause(17, "If the other such side of that block is a wall, or if it has no other, then this side is open")
def test_a_wall_that_would_cut_off_a_block() -> None:
    state = opened()
    discover(state, block("N12"), Script([ALL_WALLS]), None)
    known = sides(state, "N12")
    assert sorted(known[side] for side in ("south", "west")) == ["open", "wall"], "its two sides nearer to the base"
    assert known["north"] == known["east"] == "wall", "N11 and O12 have another side each"
    discover(state, block("M11"), Script([ALL_WALLS]), None)
    assert sides(state, "N11") == {"south": "wall", "west": "open"}


@clause(17, "So straight halls run from the four entrances to the edge")
def test_the_halls() -> None:
    state = opened()
    for name in ("M12", "M11", "M10", "N13", "O13", "P13"):
        discover(state, block(name), Script([ALL_WALLS]), None)
    for name, way in (("M12", "north"), ("M10", "north"), ("N13", "east"), ("P13", "east")):
        assert sides(state, name)[way] == "open"


def reachable(state: State) -> set[int]:
    """All blocks that an open way leads to from the base, over travelled blocks: an independent search."""
    found, ahead = {BASE}, deque([BASE])
    while ahead:
        place = ahead.popleft()
        for side in range(4):
            beyond = place + OFFSET[side]
            if is_open(state, place, side) and beyond not in found:
                assert has_beyond(place, side)
                found.add(beyond)
                if is_travelled(state, beyond):
                    ahead.append(beyond)
    return found


class Walls(Chance):
    """Chance at its worst: a wall wherever there may be one."""

    def below(self, n: int) -> int:
        return ALL_WALLS if n == 81 else super().below(n)


@clause(17, "as long as any block is untravelled, some open way leads from the base to one")
@given(seed=st.integers(0, 2**32), walls=st.booleans(), portals=st.booleans())
@settings(max_examples=12, deadline=None)
def test_the_frontier_never_closes(seed: int, walls: bool, portals: bool) -> None:
    """Blocks are discovered in any order: next to what is known, or anywhere, as by portals."""
    state, order = opened(), random.Random(seed)
    chance = Walls([seed, 1, 2, 3]) if walls else Chance([seed, 1, 2, 3])
    untravelled = set(range(BLOCKS)) - {BASE}
    while untravelled:
        open_now = reachable(state) & untravelled
        assert open_now, "no untravelled block can be reached"
        for _ in range(12):
            choice = untravelled if portals and order.random() < 0.5 else reachable(state) & untravelled
            if choice:
                place = order.choice(sorted(choice))
                discover(state, place, chance, None)
                untravelled.remove(place)
    assert reachable(state) == set(range(BLOCKS)), "and in the end no block was walled off"


# What is met


@clause(20, "It has five faces, all equally likely: monster, resources, item, chance, nothing")
def test_the_encounter_die() -> None:
    found: list[type] = []
    map_piece = card(opened(), CHANCE_DECK, "map piece")
    for face, *more in ((0, 0), (1, 0), (2, 0), (3, map_piece), (4,)):
        journal = play(running(power=9), "north", ALL_OPEN, face, *more)
        found.append(type(journal[2]))
    assert found == [events.Met, events.FoundResources, events.FoundItem, events.DrewChance, events.FoundNothing]


@clause(20, "A travelled block holds nothing new")
def test_no_encounter_on_a_travelled_block() -> None:
    state = running(HALLS)
    assert play(state, "north") == [
        events.Stepped(0, 0, BASE, block("M12"), 1),
        events.NoStepLeft(0),
        events.Returned(0),
    ]


@clause(21, "You get as many as your resource roll")
@pytest.mark.parametrize("resource", [0, 1, 2])
def test_resources(resource: int) -> None:
    state = running(resource_roll=7)
    journal = play(state, "north", ALL_OPEN, BY_RESOURCES, resource)
    assert state.resources[resource] == sum(state.resources) == 7
    assert journal[-1] == events.FoundResources(0, resource, 7)


@clause(22, "Draw an item card. It is yours for nothing")
def test_item() -> None:
    state = running()
    play(state, "north", ALL_OPEN, BY_ITEM, card(state, ITEM_DECK, "hourglass"))
    assert items_of(state) == ["hourglass"]


@clause(23, "a map piece is yours")
def test_map_piece() -> None:
    state = running()
    journal = play(state, "north", ALL_OPEN, BY_CHANCE, card(state, CHANCE_DECK, "map piece"))
    assert state.maps[0] == 1
    assert journal[-2:] == [events.DrewChance(0, 1), events.FoundMap(0, 1, 1)]
    assert state.discards[FIRST[CHANCE_DECK] + 1] == 1


@clause(23, "a monster must be fought")
def test_chance_monster() -> None:
    state = running()
    rat = card(state, MONSTER_DECK, "rat")
    journal = play(state, "north", ALL_OPEN, BY_CHANCE, card(state, CHANCE_DECK, "monster"), rat)
    assert events.Killed(0, 0) in journal


@clause(23, "for resources you draw a resource card")
@clause(25, "You get what the card says")
@pytest.mark.parametrize("kind", range(len(RESOURCE_CARDS)))
def test_resource_cards(kind: int) -> None:
    state = running()
    drawn = card(state, RESOURCE_DECK, RESOURCE_CARDS[kind].name)
    journal = play(state, "north", ALL_OPEN, BY_CHANCE, card(state, CHANCE_DECK, "resources"), drawn)
    assert tuple(state.resources[:3]) == RESOURCE_CARDS[kind][2:]
    assert journal[-1] == events.DrewResources(0, kind)
    assert state.discards[FIRST[RESOURCE_DECK] + kind] == 1


def through_portal(state: State, to: str, *chance: int) -> list[object]:
    """North of the base a portal takes the runner to that block."""
    number = block(to) - (block(to) > BASE)
    return play(state, "north", ALL_OPEN, BY_CHANCE, card(state, CHANCE_DECK, "portal"), number, *chance)


@clause(24, "It takes you to any block but the base, all equally likely, for no half steps")
@pytest.mark.parametrize("name", ["A1", "L13", "N13", "Y25"])
def test_portal(name: str) -> None:
    state = running()
    journal = through_portal(state, name, ALL_OPEN, BY_NOTHING)
    assert (state.at, state.half_steps, state.phase) == (block(name), 8, MAZE)
    assert events.Teleported(0, block(name)) in journal


@clause(24, "if it is untravelled, it is discovered and you roll the encounter die there")
def test_what_lies_beyond_the_portal() -> None:
    state = running()
    through_portal(state, "C3", ALL_OPEN, BY_RESOURCES, 2)
    assert is_travelled(state, block("C3"))
    assert state.resources[2] == 4


@clause(24, "That counts as entering the block")
def test_a_portal_to_a_travelled_block() -> None:
    state = running(HALLS.replace("      +\n      |\n", "", 1))
    through_portal(state, "K13")
    assert (state.at, state.half_steps) == (block("K13"), 8)


@clause(24, "if a monster is on it, you fight")
def test_a_monster_beyond_the_portal() -> None:
    state = running("+--T--#")
    journal = through_portal(state, "L13")
    assert any(isinstance(event, events.Met) and event.block == block("L13") for event in journal)
    assert state.at == block("M12"), "back through the portal"


@clause(24, "you roll the encounter die there")
def test_a_portal_beyond_the_portal() -> None:
    state = running()
    number = block("X24") - 1
    through_portal(state, "C3", ALL_OPEN, BY_CHANCE, 0, number, ALL_OPEN, BY_NOTHING)
    assert (state.at, state.came_from) == (block("X24"), block("C3"))
