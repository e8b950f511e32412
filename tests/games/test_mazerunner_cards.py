"""The cards of mazerunner are as the rulebook prints them."""

from __future__ import annotations

import re

from clauses import clauses_of
from parlour.games.mazerunner import GAME
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import amounts

clause = clauses_of("mazerunner")


def rows(number: int) -> list[list[str]]:
    """The table that follows the words of a clause in the rulebook."""
    text = re.split(r"^\d+\. ", GAME.words.rulebook, flags=re.M)[number]
    lines = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


@clause(23, "chance card")
@clause(25, "resource card")
@clause(26, "monster")
@clause(38, "item")
def test_the_rulebook_prints_the_cards() -> None:
    assert rows(23) == [[row.name, str(row.cards)] for row in CHANCE_CARDS]
    assert rows(25) == [[row.name, str(row.cards), amounts(row.iron, row.herbs, row.gold)] for row in RESOURCE_CARDS]
    assert rows(38) == [[row.name, str(row.cards), amounts(row.iron, row.herbs, row.gold), row.help] for row in ITEMS]
    for line, row in zip(rows(26), MONSTERS, strict=True):
        assert line[:4] == [row.name, str(row.cards), str(row.health), str(row.damage)]
        maps = re.search(r"(\d) map piece", line[4])
        assert (int(maps[1]) if maps else 0) == row.maps
        assert line[4].startswith(amounts(row.iron, row.herbs, row.gold))


def test_there_are_cards_enough() -> None:
    assert len(ITEMS) >= 12
    assert len(MONSTERS) >= 10
    assert (MONSTERS[0].name, MONSTERS[-1].name) == ("rat", "minotaur")
    assert sorted(MONSTERS, key=lambda row: row.health) == list(MONSTERS)
    assert len({row.letter for row in MONSTERS}) == len(MONSTERS)
    assert all(row.iron + row.herbs + row.gold > 0 for row in ITEMS), "shopping must come to an end"
