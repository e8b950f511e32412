"""The cards, one table per deck. A number here is the number on the printed card.

In a position all four decks lie side by side in one field, ``deck``, as how many cards of each kind are left; so do
their discards. ``FIRST[MONSTER_DECK]`` is where the monsters begin, ``KINDS[MONSTER_DECK]`` how many kinds there are.
"""

from parlour.games.mazerunner.state.decks import chance, items, monsters, resources

ITEM_DECK, MONSTER_DECK, CHANCE_DECK, RESOURCE_DECK = range(4)
DECK_NAMES = ("item", "monster", "chance", "resource")

_TABLES = (items.CARDS, monsters.CARDS, chance.CARDS, resources.CARDS)
KINDS = tuple(len(table) for table in _TABLES)
FIRST = tuple(sum(KINDS[:deck]) for deck in range(4))
CARDS = items.CARDS + monsters.CARDS + chance.CARDS + resources.CARDS
