"""The chance deck."""

from typing import NamedTuple


class ChanceCard(NamedTuple):
    name: str
    cards: int  # how many of it are in the deck
    help: str


PORTAL, MAP_PIECE, MONSTER_CARD, RESOURCE_CARD = range(4)

CHANCE_CARDS = (
    ChanceCard("portal", 4, "it takes you to any block, for nothing"),
    ChanceCard("map piece", 3, "a piece of the map, one of the ten that win"),
    ChanceCard("monster", 6, "you fight it at once"),
    ChanceCard("resources", 6, "draw a card of iron, herbs and gold"),
)

CARDS = tuple(card.cards for card in CHANCE_CARDS)
