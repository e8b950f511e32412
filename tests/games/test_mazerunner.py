"""The rules of mazerunner, clause by clause: the beginning, the turn, the dice and healing."""

from __future__ import annotations

import itertools

import pytest

from clauses import clauses_of
from mazerunner_positions import (
    ALL_OPEN,
    BY_CHANCE,
    BY_MONSTER,
    BY_NOTHING,
    all_cards,
    block,
    card,
    give,
    items_of,
    opened,
    play,
    running,
    texts,
)
from parlour.engine import Script, State
from parlour.engine.picture import Dice
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.rules.actions import CHOOSE, DICE, ENTRANCE, MAZE, MIX, SHOP
from parlour.games.mazerunner.rules.maze import BASE, TRAVELLED
from parlour.games.mazerunner.state.decks import (
    CARDS,
    CHANCE_DECK,
    FIRST,
    ITEM_DECK,
    KINDS,
    MONSTER_DECK,
    RESOURCE_DECK,
)
from parlour.games.mazerunner.state.decks.items import ITEMS

clause = clauses_of("mazerunner")


# To begin


@clause(1, "Everyone begins in the base with 50 hit points (hp)")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_everyone_begins_alike(seats: int) -> None:
    state = opened(seats)
    assert state.hp[:seats] == [50] * seats
    assert state.maps == [0, 0, 0, 0]
    assert state.resources == [0] * 12
    assert state.at == BASE


@clause(4, "the second to play takes one, the third two, the fourth three")
@clause(4, "Nobody begins with any other item")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_who_waits_begins_with_potions(seats: int, first: int) -> None:
    first %= seats
    state = opened(seats, to_move=first)
    for place in range(seats):
        assert items_of(state, (first + place) % seats) == ["potion"] * place
    potion = FIRST[ITEM_DECK] + [item.name for item in ITEMS].index("potion")
    assert state.deck[potion] == CARDS[potion] - sum(range(seats))


def test_there_are_potions_enough() -> None:
    """Even with three of them in the shop, those who wait get theirs."""
    potions = next(item.cards for item in ITEMS if item.name == "potion")
    assert potions >= 3 + 1 + 2 + 3


@clause(1, "Nobody can hold more than 99 of a resource; what is more is lost")
def test_at_most_99_of_a_resource() -> None:
    state = running(resource_roll=20)
    state.resources[1] = 90
    play(state, "north", ALL_OPEN, 1, 1)
    assert state.resources[:3] == [0, 99, 0]


@clause(2, "Chance decides who begins")
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_chance_decides_who_begins(seat: int) -> None:
    state = opened(4, to_move=seat)
    assert state.to_move == state.first == seat


@clause(2, "Play goes clockwise, past those who are out")
def test_clockwise_past_those_who_are_out() -> None:
    state = opened(4, to_move=2)
    state.phase = SHOP
    state.hp[3] = 0
    play(state, "end")
    assert state.to_move == 0
    assert state.phase == CHOOSE


@clause(3, "The maze is a square of 25 by 25 blocks")
@clause(3, "The base is the block in the middle, M13, with an entrance on each of its four sides")
@clause(3, "Nobody has travelled any other block yet")
def test_the_maze_at_the_beginning() -> None:
    state = opened()
    assert len(state.maze) == 25 * 25
    assert block("M13") == BASE == 312
    assert [place for place, bits in enumerate(state.maze) if bits & TRAVELLED] == [BASE]
    assert texts(running()) == ["north", "east", "south", "west"]


@clause(4, "Lay three item cards open: they are the shop")
def test_three_cards_are_laid_open() -> None:
    state = GAME.blank(2)
    cards = all_cards(ITEM_DECK)
    sword = sum(cards[: [item.name for item in ITEMS].index("sword")])
    GAME.open(state, Script([0, sword - 1, sum(cards) - 3, 0]))
    assert [ITEMS[kind].name for kind in state.shop] == ["red die", "sword", "felt shoes"]
    left = sum(state.deck[FIRST[ITEM_DECK] : FIRST[ITEM_DECK] + KINDS[ITEM_DECK]])
    assert left == sum(all_cards(ITEM_DECK)) - 3 - 1, "three in the shop, and a potion for the seat that waits"


@clause(4, "Shuffle the four decks: monsters, items, chance and resources")
@pytest.mark.parametrize("deck", [MONSTER_DECK, CHANCE_DECK, RESOURCE_DECK])
def test_the_other_decks_are_full(deck: int) -> None:
    assert opened().deck[FIRST[deck] : FIRST[deck] + KINDS[deck]] == all_cards(deck)


@clause(5, "When a card is needed and the deck is empty, shuffle its discards and draw from them")
def test_an_empty_deck_is_reshuffled() -> None:
    state = running()
    first, end = FIRST[CHANCE_DECK], FIRST[CHANCE_DECK] + KINDS[CHANCE_DECK]
    state.discards[first:end], state.deck[first:end] = state.deck[first:end], [0] * KINDS[CHANCE_DECK]
    journal = play(state, "north", ALL_OPEN, BY_CHANCE, card(opened(), CHANCE_DECK, "map piece"))
    assert state.maps[0] == 1
    assert events.Reshuffled(CHANCE_DECK) in journal
    assert [full - left for full, left in zip(all_cards(CHANCE_DECK), state.deck[first:end], strict=True)] == [
        0,
        1,
        0,
        0,
    ]
    assert state.discards[first:end] == [0, 1, 0, 0]


@clause(5, "If there are none either, nothing is drawn and nothing happens")
@pytest.mark.parametrize(("deck", "face"), [(MONSTER_DECK, BY_MONSTER), (ITEM_DECK, 2)])
def test_no_card_is_left(deck: int, face: int) -> None:
    state = running()
    state.deck[FIRST[deck] : FIRST[deck] + KINDS[deck]] = [0] * KINDS[deck]
    journal = play(state, "north", ALL_OPEN, face)
    assert journal[-1] == events.NoCardLeft(deck)
    assert (state.lurking, items_of(state), state.hp[0], state.phase) == (0, [], 50, MAZE)


# A turn


@clause(6, "choose to heal or to move, pick and roll your dice, then heal or run through the maze, then visit the shop")
def test_the_steps_of_a_turn() -> None:
    state = opened()
    phases = []
    for text, *chance in (("move", 1, 1, 1, 1), ("keep", 1, 1), ("north", ALL_OPEN, BY_NOTHING), ("back",), ("end",)):
        phases.append(state.phase)
        play(state, text, *chance)
    assert phases == [CHOOSE, DICE, ENTRANCE, MAZE, SHOP]
    assert (state.to_move, state.phase, state.turns) == (1, CHOOSE, 1)


@clause(6, "then end the turn")
def test_at_the_end_of_the_turn_all_is_put_away() -> None:
    state = opened(1)
    give(state, "lantern")
    play(state, "move", 6, 6, 6, 6)
    play(state, "keep", *[6] * 6)
    play(state, "north", ALL_OPEN, BY_NOTHING)
    play(state, "back")
    play(state, "end")
    assert state.dice == [0] * 6
    assert (state.power, state.resource_roll, state.half_steps, state.lantern_lit, state.rolls_left) == (0, 0, 0, 0, 0)
    assert (state.attack_dice, state.movement_dice, state.resource_dice) == (0, 0, 0)


@clause(7, "Choose before you roll")
def test_heal_or_move() -> None:
    state = opened()
    assert texts(state) == ["heal", "move"]
    play(state, "heal", 1, 1, 1, 1)
    assert state.healing
    assert state.phase == DICE


# Dice


def dice_of(*items: str) -> State:
    state = opened()
    give(state, *items)
    return state


@clause(8, "You roll four dice of your own")
def test_four_dice() -> None:
    state = opened()
    play(state, "move", 1, 3, 5, 6)
    assert state.dice == [0, 2, 3, 2, 0, 0]


@clause(8, "one more for each extra die among your items; but never more than two extra dice")
@pytest.mark.parametrize(
    ("items", "dice"),
    [
        (("red die",), 5),
        (("blue die", "gold die"), 6),
        (("gold die", "gold die", "gold die"), 6),
    ],
)
def test_extra_dice(items: tuple[str, ...], dice: int) -> None:
    state = opened()
    state.deck[FIRST[ITEM_DECK]] = 3
    give(state, *items)
    play(state, "move")
    play(state, texts(state)[0], *[1] * dice)
    assert len(texts(state)) == 2**dice


@clause(9, "one or two attack dice, one or two resource dice, and two to four movement dice")
@clause(9, "with five there are three mixes, with six there are four")
@pytest.mark.parametrize(("items", "dice"), [(("blue die",), 5), (("blue die", "gold die"), 6)])
def test_the_mixes(items: tuple[str, ...], dice: int) -> None:
    state = dice_of(*items)
    assert play(state, "heal") == [events.ChoseToHeal(0)]
    assert state.phase == MIX
    possible = itertools.product((1, 2), (2, 3, 4), (1, 2))
    assert sorted(texts(state)) == sorted("mix {}-{}-{}".format(*mix) for mix in possible if sum(mix) == dice)


@clause(9, "Four dice are always one attack, two movement and one resource die")
def test_four_dice_have_one_mix() -> None:
    state = opened()
    play(state, "move", 1, 1, 1, 1)
    assert (state.phase, state.attack_dice, state.movement_dice, state.resource_dice) == (DICE, 1, 2, 1)


@clause(10, "An attack die shows 0 0 1 1 1 2, a movement die 1 1 2 2 3 3, a resource die 0 0 1 1 1 2")
def test_the_faces() -> None:
    rows = []
    for side in range(1, 7):
        state = dice_of("blue die", "gold die")
        play(state, "move")
        play(state, "mix 2-2-2", *[side] * 6)
        rows.append(tuple(state.dice))
    attack, movement, resource = (0, 0, 1, 1, 1, 2), (1, 1, 2, 2, 3, 3), (0, 0, 1, 1, 1, 2)
    assert list(zip(*rows, strict=True)) == [attack, attack, movement, movement, resource, resource]


@clause(11, "Then you may roll any of them again, and once more after that: three rolls at most")
def test_three_rolls() -> None:
    state = opened()
    play(state, "heal", 1, 1, 1, 1)
    play(state, "reroll 1 3", 6, 6)
    assert state.dice[:4] == [2, 1, 3, 0], "the other dice stay as they lie"
    assert state.phase == DICE
    play(state, "reroll 2", 6)
    assert state.dice[:4] == [2, 3, 3, 0]
    assert state.phase == SHOP


@clause(11, "A die that you kept may be rolled again later")
def test_a_kept_die_goes_back_into_the_pool() -> None:
    state = opened()
    play(state, "move", 6, 6, 6, 6)
    play(state, "reroll 4", 1)
    assert "reroll 1 2 3" in texts(state)
    play(state, "reroll 1 2 3", 1, 1, 1, 2, 2)
    assert state.dice[:4] == [0, 1, 1, 0]


@clause(11, "Once you keep all dice, or have no roll left, the dice stay as they lie")
def test_keeping_all_ends_the_dice() -> None:
    state = opened()
    play(state, "move", 1, 1, 1, 1)
    play(state, "keep", 4, 5)
    assert state.phase == ENTRANCE


@clause(12, "one, and one more for each point on your attack dice. Their sum is your attack power")
@clause(12, "one, and one more for each point on your resource dice: their sum is your resource roll")
def test_attack_power_and_resource_roll() -> None:
    state = opened()
    play(state, "move", 6, 1, 1, 3)
    journal = play(state, "keep", 6, 5, 4, 2, 3)
    assert (state.power, state.resource_roll) == (15, 5)
    assert journal[-3:] == [
        events.RolledAttack(0, (6, 5, 4)),
        events.RolledResources(0, (2, 3)),
        events.Ready(0, 15, 5, 4),
    ]


@clause(12, "Then roll one, and one more for each point on your resource dice")
def test_every_die_is_told() -> None:
    state = opened()
    give(state, "dagger", "satchel")
    play(state, "move", 6, 1, 1, 1)
    journal = play(state, "keep", 4, 6, 1, 2)
    assert [event.tell(GAME.seat_name) for event in journal[-3:]] == [
        "Red rolls 4 6 1 for the attack",
        "Red rolls 2 for resources",
        "Red has attack power 12, resource roll 4 and 4 half steps",
    ]
    assert [GAME.looks.motion(event) for event in journal[-3:-1]] == [[Dice((4, 6, 1))], [Dice((2,))]]


# Healing


@clause(13, "you recover as many hp as your movement dice show. The other dice count nothing")
def test_healing() -> None:
    state = opened()
    state.hp[0] = 20
    play(state, "heal", 6, 6, 4, 6)
    journal = play(state, "keep")
    assert (state.hp[0], state.phase) == (25, SHOP)
    assert journal[-1] == events.Healed(0, 5, 25)


@clause(1, "50 hit points (hp), which is also the most that anyone can have")
def test_healing_stops_at_50() -> None:
    state = opened()
    state.hp[0] = 48
    play(state, "heal", 1, 6, 6, 1)
    play(state, "keep")
    assert state.hp[0] == 50
