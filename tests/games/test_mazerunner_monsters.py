"""The rules of mazerunner, clause by clause: monsters."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauses import clauses_of
from mazerunner_positions import (
    ALL_OPEN,
    BY_CHANCE,
    BY_MONSTER,
    BY_NOTHING,
    block,
    card,
    monster_places,
    opened,
    play,
    put_monster,
    running,
    texts,
)
from parlour.engine import Chance, State
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.rules.actions import MAZE, ROPE, SHOP
from parlour.games.mazerunner.rules.maze import BASE, OFFSET, discover, has_monster, is_open, is_travelled
from parlour.games.mazerunner.rules.scent import next_block
from parlour.games.mazerunner.state import BLOCKS
from parlour.games.mazerunner.state.decks import CHANCE_DECK, FIRST, MONSTER_DECK
from parlour.games.mazerunner.state.decks.monsters import MONSTERS

clause = clauses_of("mazerunner")

NAMES = [monster.name for monster in MONSTERS]
GOBLIN, TROLL = NAMES.index("goblin"), NAMES.index("troll")
HEALTH, DAMAGE = MONSTERS[TROLL].health, MONSTERS[TROLL].damage


def meet(state: State, name: str) -> list[object]:
    """North of the base a monster of that name is drawn."""
    return play(state, "north", ALL_OPEN, BY_MONSTER, card(state, MONSTER_DECK, name))


# Fights


@clause(26, "Draw a monster card, lay it on your block and fight it at once")
def test_a_monster_is_drawn_and_fought() -> None:
    goblin = MONSTERS[GOBLIN]
    state = running(power=goblin.health - 1)
    journal = meet(state, "goblin")
    assert journal[2:] == [
        events.Met(0, GOBLIN, goblin.health, block("M12"), goblin.health - 1),
        events.Wounded(0, GOBLIN, goblin.health - 1, 1),
        events.Hurt(0, GOBLIN, goblin.damage, 50 - goblin.damage),
        events.DrivenBack(0, BASE),
    ]
    assert monster_places(state) == [block("M12")]
    assert state.deck[FIRST[MONSTER_DECK] + GOBLIN] == MONSTERS[GOBLIN].cards - 1


@clause(26, "Whoever later enters a block with a monster on it fights that monster")
def test_entering_a_block_with_a_monster() -> None:
    state = running("+--T\n   |\n#--+", at="N13", power=HEALTH + 1)
    journal = play(state, "north")
    assert events.Killed(0, TROLL) in journal
    assert state.at == block("N12")
    assert texts(state) == ["south", "west", "back"]


@clause(27, "If your attack power is higher than its health, you kill it")
@clause(27, "Its card goes to the discards, and its loot is yours. You stay on the block")
@pytest.mark.parametrize("kind", range(len(MONSTERS)))
def test_killing(kind: int) -> None:
    state = running(power=MONSTERS[kind].health + 1)
    journal = meet(state, MONSTERS[kind].name)
    assert events.Killed(0, kind) in journal
    assert (state.hp[0], state.at, state.lurking) == (50, block("M12"), 0)
    assert (*state.resources[:3], state.maps[0]) == MONSTERS[kind][5:]
    assert state.discards[FIRST[MONSTER_DECK] + kind] == 1
    assert not has_monster(state, block("M12"))


@clause(27, "Your attack power is not used up: it counts in full in every fight of this turn")
def test_attack_power_counts_in_every_fight() -> None:
    state = running("g\n|\ng\n|\n#", power=MONSTERS[GOBLIN].health + 1)
    play(state, "north")
    play(state, "north")
    assert (state.lurking, state.hp[0], state.power) == (0, 50, MONSTERS[GOBLIN].health + 1)


@clause(28, "the monster loses that much health, and you lose its damage from your hp. Then you must retreat")
def test_losing_a_fight() -> None:
    state = running(power=5)
    meet(state, "troll")
    assert (state.monster_health[0], state.hp[0], state.at, state.phase) == (HEALTH - 5, 50 - DAMAGE, BASE, MAZE)


@clause(28, "The monster stays, and keeps its wounds until somebody kills it")
def test_wounds_stay() -> None:
    state = running(power=HEALTH - 10)
    meet(state, "troll")
    play(state, "back")
    play(state, "end")
    play(state, "move", 6, 6, 6, 6)
    play(state, "keep", 6, 4, 1, 1, 1, 1)
    assert (state.to_move, state.power) == (1, 11)
    journal = play(state, "north")
    assert events.Met(1, TROLL, 10, block("M12"), 11) in journal
    assert events.Killed(1, TROLL) in journal


@clause(29, "If both are equal, you kill it and its loot is yours; then its damage hits you. You stay on the block")
def test_an_equal_fight() -> None:
    state = running(power=HEALTH)
    journal = meet(state, "troll")
    assert (state.hp[0], state.lurking, state.at) == (50 - DAMAGE, 0, block("M12"))
    assert state.maps[0] == MONSTERS[TROLL].maps
    killed, hurt = journal.index(events.Killed(0, TROLL)), journal.index(events.Hurt(0, TROLL, DAMAGE, 50 - DAMAGE))
    assert killed < hurt


@clause(29, "then its damage hits you")
def test_an_equal_fight_can_be_the_last() -> None:
    state = running(power=HEALTH, seats=3)
    state.hp[0] = DAMAGE
    meet(state, "troll")
    assert (state.hp[0], state.maps[0], state.to_move) == (0, MONSTERS[TROLL].maps, 1)


# Retreat


@clause(30, "You go back to the block you came from. That costs nothing, and you meet nothing there")
def test_retreat() -> None:
    state = running("T--+--#", at="L13", came_from="M13", half_steps=6)
    journal = play(state, "west")
    assert (state.at, state.half_steps) == (block("L13"), 5)
    assert events.DrivenBack(0, block("L13")) in journal


@clause(30, "If a portal brought you, go back to the block with the portal")
def test_retreat_through_a_portal() -> None:
    state = running()
    portal, troll = card(state, CHANCE_DECK, "portal"), card(state, MONSTER_DECK, "troll")
    play(state, "north", ALL_OPEN, BY_CHANCE, portal, 0, ALL_OPEN, BY_MONSTER, troll)
    assert monster_places(state) == [block("A1")]
    assert state.at == block("M12")


@clause(30, "If you came from the base, you are there again and may choose an entrance")
def test_retreat_to_the_base() -> None:
    state = running()
    meet(state, "troll")
    assert texts(state) == ["north", "east", "south", "west", "back"]
    play(state, "west", ALL_OPEN, BY_NOTHING)
    assert state.at == block("L13")


@clause(30, "If a monster has meanwhile come to the block you came from, return to the base instead")
@pytest.mark.parametrize(("first", "second", "blows"), [("N13", "Q13", 1), ("Q13", "N13", 2)])
def test_between_two_monsters(first: str, second: str, blows: int) -> None:
    """From O13 to P13, with one monster behind and one ahead.

    If the one behind comes first, the other finds the retreat closed; if the one ahead does, it drives the runner back
    into the arms of the other.
    """
    state = running("#--+--+--+--+", at="O13", came_from="N13", power=1)
    put_monster(state, "troll", block(first), awake=2)
    put_monster(state, "troll", block(second), awake=2)
    journal = play(state, "east")
    assert journal[-1] == events.DrivenBack(0, BASE)
    assert (state.at, state.phase, state.hp[0]) == (BASE, SHOP, 50 - DAMAGE * blows)
    assert sorted(monster_places(state)) == [block("O13"), block("P13")]


# Following


@clause(31, "Whenever you have stepped onto two more blocks, it moves one block")
def test_one_block_for_every_two() -> None:
    state = running("#--T--+--+--+--+--+", at="O13", came_from="N13", power=1)
    play(state, "west")
    assert (state.at, monster_places(state)) == (block("O13"), [block("N13")])
    walked = []
    for _ in range(4):
        play(state, "east")
        walked.append(monster_places(state)[0])
    assert walked == [block("N13"), block("O13"), block("O13"), block("P13")]


@clause(31, "A monster that you have wounded is awake")
def test_a_monster_that_was_not_wounded_sleeps() -> None:
    state = running("#--T--+--+--+--+", at="O13", came_from="N13", power=1)
    play(state, "east")
    play(state, "east")
    assert monster_places(state) == [block("N13")]
    assert state.awake == 0


@clause(31, "A retreat or a portal is no step")
def test_retreat_is_no_step() -> None:
    state = running("#--T--+--+--g", at="O13", came_from="N13", power=1)
    play(state, "west")
    play(state, "east")
    assert state.monster_awake[0] == 2
    play(state, "east")
    assert state.at == block("P13"), "driven back by the goblin, after two steps and a retreat"
    assert monster_places(state) == [block("O13"), block("Q13")]


@clause(31, "If several monsters follow, the one that has been in the maze longest moves first")
@clause(32, "It also stays if another monster is on its next block: two monsters are never on one block")
def test_two_monsters_follow() -> None:
    state = running("#--+--+--+--+--+--+", at="R13", came_from="Q13", half_steps=9)
    put_monster(state, "troll", block("N13"), awake=2)
    put_monster(state, "troll", block("O13"), awake=2)
    play(state, "east")
    assert monster_places(state) == [block("N13"), block("P13")], "the first was blocked when it was its turn"
    swapped = running("#--+--+--+--+--+--+", at="R13", came_from="Q13", half_steps=9)
    put_monster(swapped, "troll", block("O13"), awake=2)
    put_monster(swapped, "troll", block("N13"), awake=2)
    play(swapped, "east")
    assert monster_places(swapped) == [block("P13"), block("O13")]


@clause(31, "It moves after you have met what is on your block")
def test_monsters_move_after_the_encounter() -> None:
    state = running("#--+--+--?", at="O13", came_from="N13", power=3)
    put_monster(state, "troll", block("N13"), awake=2)
    journal = play(state, "east", ALL_OPEN, BY_MONSTER, card(state, MONSTER_DECK, "rat"))
    assert journal.index(events.Killed(0, 0)) < journal.index(events.Follows(0, TROLL, block("N13"), block("O13")))


@clause(32, "takes the shortest way to you, over travelled blocks and through open sides")
def test_the_shortest_way() -> None:
    state = running("   +--+--+\n   |     |\n#  +--+--+")
    assert next_block(state, block("N13"), block("P13")) == block("O13")
    walled = running("   +--+--+\n   |     |\n#  +  +--+")
    assert next_block(walled, block("N13"), block("P13")) == block("N12"), "a wall is in the way"
    unknown = running("   +--+--+\n   |     |\n#  +--?--+")
    assert next_block(unknown, block("N13"), block("P13")) == block("N12"), "nobody has travelled O13"


@clause(32, "If several ways are equally short, it goes north if it can, else east, else south, else west")
def test_ways_equally_short() -> None:
    picture = "#  +--+--+\n   |     |\n   +--+--+"
    state = running(picture)
    assert next_block(state, block("N13"), block("P14")) == block("O13"), "east before south"
    assert next_block(state, block("N14"), block("P13")) == block("N13"), "north before east"
    assert next_block(state, block("P13"), block("N14")) == block("P14"), "south before west"


@clause(32, "If there is no way, it stays where it is")
def test_no_travelled_way() -> None:
    state = running("g--?--+--#")
    assert next_block(state, block("J13"), block("L13")) == block("J13")


@clause(32, "Monsters do not enter the base")
def test_monsters_do_not_enter_the_base() -> None:
    state = running("+--#--T", power=1)
    play(state, "east")
    assert state.at == BASE
    play(state, "south", ALL_OPEN, BY_NOTHING)
    play(state, "south", ALL_OPEN, BY_NOTHING)
    assert monster_places(state) == [block("N13")], "no travelled way leads from there to M15 but through the base"


def distances(state: State, goal: int) -> dict[int, int]:
    """How far every block is from the goal over travelled blocks: an independent search."""
    found, ahead = {goal: 0}, deque([goal])
    while ahead:
        place = ahead.popleft()
        for side in range(4):
            beyond = place + OFFSET[side]
            if is_open(state, place, side) and is_travelled(state, beyond) and beyond not in found:
                found[beyond] = found[place] + 1
                ahead.append(beyond)
    return found


@clause(32, "the shortest way to you, over travelled blocks")
@given(seed=st.integers(0, 2**32), blocks=st.integers(20, 500))
@settings(max_examples=25, deadline=None)
def test_the_way_is_the_shortest_in_any_maze(seed: int, blocks: int) -> None:
    state, chance = opened(), Chance([seed, 5, 6, 7])
    for _ in range(blocks):
        place = chance.below(BLOCKS)
        if not is_travelled(state, place):
            discover(state, place, chance, None)
    travelled = [place for place in range(BLOCKS) if is_travelled(state, place) and place != BASE]
    for _ in range(8):
        start, goal = (travelled[chance.below(len(travelled))] for _ in range(2))
        before = list(state.maze)
        to = next_block(state, start, goal)
        far = distances(state, goal)
        assert state.maze == before, "no scent is left behind"
        if start == goal or start not in far:
            assert to == start
            continue
        ways = [start + OFFSET[side] for side in range(4) if is_open(state, start, side)]
        assert to == next(way for way in ways if far.get(way) == far[start] - 1)


@clause(33, "When it comes to your block, you fight it again")
def test_contact() -> None:
    state = running("#--+--+--+", at="N13", power=5)
    put_monster(state, "troll", block("P13"), awake=2)
    journal = play(state, "east")
    assert events.Follows(0, TROLL, block("P13"), block("O13")) in journal
    assert (state.monster_health[0], state.hp[0], state.at) == (HEALTH - 5, 50 - DAMAGE, block("N13"))
    assert monster_places(state) == [block("O13")]


@clause(33, "When it comes to your block, you fight it again")
def test_contact_can_kill() -> None:
    state = running("#--+--+--+", at="N13", power=5)
    put_monster(state, "troll", block("P13"), health=4, awake=2)
    play(state, "east")
    assert (state.lurking, state.awake, state.hp[0], state.at) == (0, 0, 50, block("O13"))


@clause(33, "When your turn ends, all monsters forget you and stay where they are")
def test_monsters_forget() -> None:
    state = running(power=5)
    meet(state, "troll")
    assert state.awake == 1
    play(state, "back")
    journal = play(state, "end")
    assert events.Forgot(0) in journal
    assert (state.awake, state.monster_awake[0], monster_places(state)) == (0, 0, [block("M12")])


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_lists_and_the_maze_agree(seed: int) -> None:
    """Through any match: one monster a block, on travelled blocks only, as the maze says; bonuses are the items'."""
    state, chance = GAME.blank(3), Chance([seed, 1, 1, 1])
    GAME.open(state, chance)
    for _ in range(300):
        if state.over:
            break
        legal = GAME.legal_actions(state)
        GAME.play(state, legal[chance.below(len(legal))], chance)
        places = monster_places(state)
        assert sorted(places) == [place for place in range(BLOCKS) if has_monster(state, place)]
        assert all(is_travelled(state, place) and place != BASE for place in places)
        assert all(health > 0 for health in state.monster_health[: state.lurking])
        assert state.awake == sum(awake > 0 for awake in state.monster_awake)
        assert not has_monster(state, state.at) or state.phase == ROPE
