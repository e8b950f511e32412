"""The chance deck."""

from typing import NamedTuple


class ChanceCard(NamedTuple):
    name: str
    cards: int  # how many of it are in the deck


PORTAL, MAP_PIECE, MONSTER_CARD, RESOURCE_CARD = range(4)

CHANCE_CARDS = (
    ChanceCard("portal", 4),
    ChanceCard("map piece", 3),
    ChanceCard("monster", 6),
    ChanceCard("resources", 6),
)

CARDS = tuple(card.cards for card in CHANCE_CARDS)
