"""The rules of mazerunner, clause by clause: the shop and the items."""

from __future__ import annotations

import pytest

from clauses import clauses_of
from mazerunner_positions import (
    ALL_OPEN,
    BY_CHANCE,
    BY_MONSTER,
    BY_NOTHING,
    BY_RESOURCES,
    block,
    card,
    give,
    items_of,
    opened,
    play,
    put_monster,
    running,
    shopping,
    texts,
)
from parlour.engine import State
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.rules.actions import COMPASS, DICE, MAZE, ROPE, SHOP
from parlour.games.mazerunner.rules.maze import BASE
from parlour.games.mazerunner.state.decks import CHANCE_DECK, FIRST, ITEM_DECK, KINDS, MONSTER_DECK
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.names import RESOURCES

clause = clauses_of("mazerunner")

NAMES = [item.name for item in ITEMS]
TROLL = [monster.name for monster in MONSTERS].index("troll")
HEALTH, DAMAGE = MONSTERS[TROLL].health, MONSTERS[TROLL].damage


def put_up(state: State, *names: str) -> None:
    """These cards lie in the shop."""
    state.shop[:] = [NAMES.index(name) for name in names]


# The shop


def rich_enough_for(*names: str) -> State:
    """Red has just the price of these cards; a shield, a rope and a potion lie in the shop."""
    cards = [ITEMS[NAMES.index(name)] for name in names]
    state = shopping(*(sum(getattr(card, resource) for card in cards) for resource in RESOURCES))
    put_up(state, "shield", "rope", "potion")
    return state


@clause(34, "you may buy any number of the open item cards, as long as you can pay")
def test_buying() -> None:
    state = rich_enough_for("shield")
    assert [text for text in texts(state) if text.startswith("buy")] == ["buy 1"]
    journal = play(state, "buy 1", card(state, ITEM_DECK, "boots"))
    assert items_of(state) == ["shield"]
    assert state.resources[:3] == [0, 0, 0]
    assert journal[0] == events.Bought(0, NAMES.index("shield"))


@clause(34, "as long as you can pay")
@pytest.mark.parametrize("resource", range(3))
@pytest.mark.parametrize("kind", range(len(ITEMS)))
def test_one_too_few(kind: int, resource: int) -> None:
    price = [ITEMS[kind].iron, ITEMS[kind].herbs, ITEMS[kind].gold]
    state = shopping(*price)
    put_up(state, NAMES[kind], NAMES[kind], NAMES[kind])
    assert "buy 3" in texts(state)
    if price[resource]:
        state.resources[resource] -= 1
        assert "buy 3" not in texts(state)


@clause(34, "any number")
def test_buying_twice() -> None:
    state = rich_enough_for("shield", "rope")
    play(state, "buy 2", card(state, ITEM_DECK, "mail"))
    play(state, "buy 1", card(state, ITEM_DECK, "mail"))
    assert items_of(state) == ["shield", "rope"]
    assert state.resources[:3] == [0, 0, 0]


@clause(34, "Each card bought is replaced by the next one of the deck at once")
def test_the_shop_is_refilled() -> None:
    state = rich_enough_for("shield")
    journal = play(state, "buy 1", card(state, ITEM_DECK, "compass"))
    assert [ITEMS[kind].name for kind in state.shop] == ["compass", "rope", "potion"]
    assert journal[-1] == events.LaidOpen(0, NAMES.index("compass"))


@clause(34, "replaced by the next one of the deck")
def test_the_shop_can_run_out_of_cards() -> None:
    state = rich_enough_for("shield")
    state.deck[FIRST[ITEM_DECK] : FIRST[ITEM_DECK] + KINDS[ITEM_DECK]] = [0] * KINDS[ITEM_DECK]
    journal = play(state, "buy 1")
    assert state.shop[0] == -1
    assert journal[-1].tell(GAME.seat_name) == "the shop has no card to refill with"
    state.resources[:3] = [99, 99, 99]
    assert "buy 1" not in texts(state)


def emptied(*held: str) -> State:
    """A runner with these items, while no item card is left and the second place of the shop is empty."""
    state = opened()
    give(state, *held)
    for place in range(FIRST[ITEM_DECK], FIRST[ITEM_DECK] + KINDS[ITEM_DECK]):
        state.deck[place] = 0
    state.shop[1] = -1
    return state


@clause(34, "If there is none, the place stays empty until a card comes to the discards: then it is filled at once")
def test_an_empty_place_is_filled_as_soon_as_there_is_a_card() -> None:
    state = emptied("potion")
    state.hp[0] = 20
    open_before = state.shop[0], state.shop[2]
    journal = play(state, "drink", 0)
    assert NAMES[state.shop[1]] == "potion"
    assert (state.shop[0], state.shop[2]) == open_before
    assert journal[-2:] == [events.Reshuffled(ITEM_DECK), events.LaidOpen(1, NAMES.index("potion"))]


@clause(34, "the place stays empty until a card comes to the discards")
def test_an_empty_place_stays_empty_while_there_is_no_card() -> None:
    state = emptied()
    journal = play(state, "heal", 1, 1, 1, 1)
    assert state.shop[1] == -1
    assert not [event for event in journal if isinstance(event, events.LaidOpen | events.NoCardLeft)]


@clause(34, "as long as you can pay")
def test_the_shop_is_always_open() -> None:
    assert texts(shopping()) == ["end"]


@clause(35, "three of one resource for one of another")
@pytest.mark.parametrize(
    ("text", "after"),
    [("trade iron herbs", [0, 5, 4]), ("trade herbs gold", [3, 1, 5]), ("trade gold iron", [4, 4, 1])],
)
def test_trading(text: str, after: list[int]) -> None:
    state = shopping(iron=3, herbs=4, gold=4)
    play(state, text)
    assert state.resources[:3] == after
    assert state.phase == SHOP


@clause(35, "three of one resource")
def test_trading_needs_three() -> None:
    assert texts(shopping(iron=2, herbs=2, gold=2)) == ["end"]


@clause(35, "Then end your turn")
def test_end() -> None:
    state = shopping()
    assert play(state, "end") == [events.TurnEnded(0)]
    assert state.to_move == 1


# Items


@clause(36, "It gives you 20 hp, up to 50, and is used up")
@clause(36, "is drunk when you choose to heal or move, or when you choose your way")
def test_potion() -> None:
    state = opened()
    give(state, "potion")
    state.hp[0] = 7
    assert texts(state) == ["heal", "move", "drink"]
    journal = play(state, "drink")
    assert (state.hp[0], items_of(state), texts(state)) == (27, [], ["heal", "move"])
    assert journal == [events.Drank(0), events.Healed(0, 20, 27)]
    assert state.discards[FIRST[ITEM_DECK] + NAMES.index("potion")] == 1


@clause(36, "or when you choose your way")
def test_potion_on_the_way() -> None:
    state = running("#--+--+", at="N13")
    give(state, "potion")
    state.hp[0] = 40
    assert texts(state) == ["drink", "east", "back"]
    play(state, "drink")
    assert (state.hp[0], state.phase, state.at) == (50, MAZE, block("N13"))


@clause(36, "It cannot be drunk at 50 hp")
def test_no_potion_at_50_hp() -> None:
    state = opened()
    give(state, "potion")
    assert texts(state) == ["heal", "move"]


def meet_troll(state: State) -> None:
    """North of the base."""
    play(state, "north", ALL_OPEN, BY_MONSTER, card(state, MONSTER_DECK, "troll"))


@clause(
    37,
    "is used instead of a fight that you would not win unhurt: you retreat, and neither you nor the monster is harmed",
)
@clause(37, "It is used up")
@pytest.mark.parametrize("power", [HEALTH - 5, HEALTH])
def test_rope(power: int) -> None:
    state = running(power=power)
    give(state, "rope")
    meet_troll(state)
    assert (state.phase, texts(state)) == (ROPE, ["fight", "rope"])
    journal = play(state, "rope")
    assert journal == [events.UsedRope(0, TROLL), events.DrivenBack(0, BASE)]
    assert (state.hp[0], state.monster_health[0], state.phase, items_of(state)) == (50, HEALTH, MAZE, [])


@clause(37, "a fight that you would not win unhurt")
def test_no_rope_for_a_fight_that_is_won() -> None:
    state = running(power=HEALTH + 1)
    give(state, "rope")
    meet_troll(state)
    assert (state.phase, items_of(state), state.lurking) == (MAZE, ["rope"], 0)


@clause(37, "is used instead of a fight")
def test_the_rope_may_be_kept() -> None:
    state = running(power=5)
    give(state, "rope")
    meet_troll(state)
    journal = play(state, "fight")
    assert (state.hp[0], items_of(state), state.awake) == (50 - DAMAGE, ["rope"], 1)
    assert not any(isinstance(event, events.Met) for event in journal), "they have met already"


@clause(37, "is used instead of a fight")
def test_a_rope_refused_may_serve_against_the_next_monster() -> None:
    state = running("#--+--+--+--+", at="O13", came_from="N13", power=1)
    put_monster(state, "troll", block("Q13"), awake=2)
    put_monster(state, "troll", block("N13"), awake=2)
    give(state, "rope")
    play(state, "east")
    assert (state.phase, state.at) == (ROPE, block("P13"))
    play(state, "fight")
    assert (state.phase, state.at, state.hp[0]) == (ROPE, block("O13"), 50 - DAMAGE)


@clause(37, "A monster that slept sleeps on; one that was awake follows on")
def test_rope_and_sleep() -> None:
    state = running(power=5)
    give(state, "rope")
    meet_troll(state)
    play(state, "rope")
    assert state.awake == 0
    state = running("#--+--+--+--+", at="N13", power=5)
    give(state, "rope")
    put_monster(state, "troll", block("P13"), awake=2)
    play(state, "east")
    play(state, "rope")
    assert (state.at, state.awake) == (block("N13"), 1)


def worth(names: tuple[str, ...], bonus: str) -> int:
    return sum(getattr(ITEMS[NAMES.index(name)], bonus) for name in names)


@clause(38, "What they add counts for each card: extra dice, attack power, half steps, hp when healing, resource roll")
def test_what_items_add() -> None:
    state, cards = opened(), ("sword", "dagger", "boots", "boots", "satchel", "red die")
    give(state, *cards)
    play(state, "move")
    play(state, "mix 1-3-1", 1, 1, 1, 1, 1)
    play(state, "keep", 1, 1)
    assert state.power == 1 + worth(cards, "attack")
    assert state.half_steps == 6 + worth(cards, "half_steps")
    assert state.resource_roll == 1 + worth(cards, "resources")


@clause(38, "hp when healing")
def test_what_items_heal() -> None:
    state, cards = opened(), ("bandages", "blue die")
    state.hp[0] = 10
    give(state, *cards)
    play(state, "heal")
    play(state, "mix 1-2-2", 1, 1, 1, 1, 1)
    play(state, "keep")
    assert state.hp[0] == 10 + 2 + worth(cards, "healing")


@clause(38, "All other items work for the rest of the match")
def test_items_stay() -> None:
    state = opened(1)
    give(state, "sword", "felt shoes", "lantern")
    for _ in range(2):
        play(state, "move", 1, 1, 1, 1)
        play(state, "keep", 1, 1)
        assert (state.power, state.lantern_lit) == (1 + worth(("sword",), "attack"), 1)
        state.phase = SHOP
        play(state, "end")
    assert items_of(state) == ["sword", "lantern", "felt shoes"]


@clause(38, "Armour lessens the damage of every blow, but never below 1")
@pytest.mark.parametrize("armour", [(), ("shield",), ("shield", "mail"), ("mail", "mail")])
def test_armour(armour: tuple[str, ...]) -> None:
    state = running("#--+--+", at="N13", power=1)
    put_monster(state, "troll", block("O13"))
    give(state, *armour)
    play(state, "east")
    assert state.hp[0] == 50 - DAMAGE + sum(ITEMS[NAMES.index(name)].armour for name in armour)


@clause(38, "never below 1")
def test_more_armour_than_damage() -> None:
    state = running("#--+--r", at="N13", power=1)
    give(state, *["mail"] * 2, *["shield"] * 2)
    play(state, "east")
    assert state.hp[0] == 49


@clause(38, "The hourglass gives you a fourth roll")
@clause(38, "A second hourglass, lantern, compass or pair of felt shoes has no further use")
@pytest.mark.parametrize("hourglasses", [1, 2])
def test_hourglass(hourglasses: int) -> None:
    state = opened()
    give(state, *["hourglass"] * hourglasses)
    play(state, "heal", 1, 1, 1, 1)
    for _ in range(2):
        play(state, "reroll 1", 1)
        assert state.phase == DICE
    play(state, "reroll 1", 1)
    assert state.phase == SHOP


@clause(38, "The lantern makes the first untravelled block of each turn cost one half step")
def test_lantern() -> None:
    state = opened()
    give(state, "lantern")
    play(state, "move", 1, 1, 1, 1)
    play(state, "keep", 1, 1)
    left = []
    for _ in range(2):
        play(state, "north", ALL_OPEN, BY_NOTHING)
        left.append(state.half_steps)
    assert left == [3, 1]


@clause(38, "the first untravelled block of each turn")
def test_a_travelled_block_leaves_the_lantern_lit() -> None:
    state = running("#--+--?", lantern_lit=1)
    play(state, "east")
    assert (state.half_steps, state.lantern_lit) == (9, 1)
    play(state, "east", ALL_OPEN, BY_NOTHING)
    assert (state.half_steps, state.lantern_lit) == (8, 0)


def with_compass(*names: str) -> State:
    """North of the base the compass shows these two chance cards."""
    state = running(power=9)
    give(state, "compass")
    first = card(state, CHANCE_DECK, names[0])
    state.deck[FIRST[CHANCE_DECK] + [row.name for row in CHANCE_CARDS].index(names[0])] -= 1
    second = card(state, CHANCE_DECK, names[1])
    state.deck[FIRST[CHANCE_DECK] + [row.name for row in CHANCE_CARDS].index(names[0])] += 1
    play(state, "north", ALL_OPEN, BY_CHANCE, first, second)
    return state


@clause(38, "With the compass you draw two chance cards, keep one, and the other goes to the discards")
def test_compass() -> None:
    state = with_compass("resources", "map piece")
    assert (state.phase, texts(state)) == (COMPASS, ["take map piece", "take resources"])
    play(state, "take map piece")
    assert (state.maps[0], state.phase, state.resources[:3]) == (1, MAZE, [0, 0, 0])
    chance = FIRST[CHANCE_DECK]
    assert state.discards[chance : chance + 4] == [0, 1, 0, 1]
    assert state.deck[chance : chance + 4] == [
        row.cards - drawn for row, drawn in zip(CHANCE_CARDS, (0, 1, 0, 1), strict=True)
    ]


@clause(38, "keep one")
def test_two_of_a_kind_are_one_choice() -> None:
    assert texts(with_compass("map piece", "map piece")) == ["take map piece"]


@clause(38, "keep one")
def test_a_portal_or_a_monster_by_compass() -> None:
    state = with_compass("portal", "monster")
    other = state.copy()
    play(state, "take portal", 0, ALL_OPEN, BY_RESOURCES, 0)
    assert (state.at, state.phase) == (block("A1"), MAZE)
    journal = play(other, "take monster", card(other, MONSTER_DECK, "rat"))
    assert events.Killed(0, 0) in journal
    assert (other.at, other.phase) == (block("M12"), MAZE)


@clause(38, "In felt shoes you wake no monster")
def test_felt_shoes() -> None:
    state = running(power=1)
    give(state, "felt shoes")
    play(state, "north", ALL_OPEN, BY_MONSTER, card(state, MONSTER_DECK, "troll"))
    assert (state.monster_health[0], state.awake) == (HEALTH - 1, 0)


def test_two_cards_of_a_kind_are_told_apart() -> None:
    state = rich_enough_for("rope", "rope")
    put_up(state, "rope", "potion", "rope")
    told = [GAME.words.describe(state, GAME.words.read(state, text)) for text in texts(state) if text.startswith("buy")]
    assert told == [
        "buy card 1, rope (once: retreat unhurt), for 1 iron and 2 herbs",
        "buy card 3, rope (once: retreat unhurt), for 1 iron and 2 herbs",
    ]
