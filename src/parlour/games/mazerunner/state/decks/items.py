"""The item deck. What lies in the shop costs iron, herbs and gold; what is found costs nothing."""

from typing import NamedTuple

from parlour.games.mazerunner.state.decks.packing import pack


class Item(NamedTuple):
    name: str
    help: str
    cards: int  # how many of it are in the deck
    iron: int  # price, three columns
    herbs: int
    gold: int
    dice: int = 0  # extra dice
    attack: int = 0  # added to the attack power
    armour: int = 0  # taken from the damage of each blow
    half_steps: int = 0  # added to the movement
    healing: int = 0  # added when healing
    resources: int = 0  # added to the resource roll


# What a card can add; a runner's bonuses are the sums over the cards held.
DICE, ATTACK, ARMOUR, HALF_STEPS, HEALING, RESOURCES = range(6)
BONUSES = 6

ITEMS = (
    #     cards, then the price in iron, herbs and gold
    Item("red die", "one more die, +1 attack", 9, 5, 0, 5, dice=1, attack=1),
    Item("blue die", "one more die, +1 half step, +1 healing", 9, 0, 5, 5, dice=1, half_steps=1, healing=1),
    Item("gold die", "one more die, +1 resources", 9, 4, 4, 2, dice=1, resources=1),
    Item("hourglass", "a fourth roll", 6, 0, 4, 6),
    Item("dagger", "+1 attack", 9, 4, 0, 2, attack=1),
    Item("sword", "+3 attack", 9, 9, 0, 5, attack=3),
    Item("shield", "blows hurt 1 less", 9, 6, 0, 2, armour=1),
    Item("mail", "blows hurt 2 less", 6, 10, 0, 4, armour=2),
    Item("potion", "drink once: 20 hp", 30, 0, 5, 0),
    Item("rope", "once: retreat unhurt", 12, 1, 2, 0),
    Item("lantern", "first new block each turn at half", 6, 3, 0, 4),
    Item("compass", "two chance cards, keep one", 6, 0, 2, 6),
    Item("boots", "+2 half steps", 9, 0, 4, 4, half_steps=2),
    Item("satchel", "+2 resources", 6, 0, 3, 4, resources=2),
    Item("bandages", "+4 healing", 6, 0, 6, 1, healing=4),
    Item("felt shoes", "no monster follows you", 6, 0, 4, 2),
)

NAMES = tuple(item.name for item in ITEMS)
HOURGLASS = NAMES.index("hourglass")
POTION = NAMES.index("potion")
ROPE = NAMES.index("rope")
LANTERN = NAMES.index("lantern")
COMPASS = NAMES.index("compass")
FELT_SHOES = NAMES.index("felt shoes")

CARDS = tuple(item.cards for item in ITEMS)
PRICE = tuple(pack(item.iron, item.herbs, item.gold) for item in ITEMS)
WORTH = tuple(
    pack(item.dice, item.attack, item.armour, item.half_steps, item.healing, item.resources) for item in ITEMS
)
