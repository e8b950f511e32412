"""The resource deck: what a chance card can lead to."""

from typing import NamedTuple

from parlour.games.mazerunner.state.decks.packing import pack


class ResourceCard(NamedTuple):
    name: str
    cards: int  # how many of it are in the deck
    iron: int
    herbs: int
    gold: int


# fmt: off
RESOURCE_CARDS = (
    #                              cards iron herbs gold
    ResourceCard("a vein of iron",     3,   6,    0,   0),
    ResourceCard("a herb garden",      3,   0,    6,   0),
    ResourceCard("a hoard of gold",    3,   0,    0,   6),
    ResourceCard("a broken cart",      2,   4,    0,   4),
    ResourceCard("a healer's chest",   2,   0,    4,   4),
    ResourceCard("a forester's hut",   2,   4,    4,   0),
    ResourceCard("a forgotten camp",   3,   3,    3,   3),
)
# fmt: on

CARDS = tuple(card.cards for card in RESOURCE_CARDS)
FOUND = tuple(pack(card.iron, card.herbs, card.gold) for card in RESOURCE_CARDS)
