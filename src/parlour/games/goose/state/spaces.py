"""The spaces of the board: where the geese are, and the hazards. Clause numbers are those of rulebook.md."""

from typing import NamedTuple

from parlour.engine import rule

START, END = 0, 63
BRIDGE, HOTEL, WELL, MAZE, PRISON, DEATH, DRINK = 6, 19, 31, 42, 52, 58, 61
BRIDGE_END = 12


class Hazard(NamedTuple):
    """What people call a hazard, and what it does. Other languages need a preposition for each."""

    name: str
    met: str  # "lands on the Bridge"
    fate: str  # what happens to the piece that has landed there, as the journal tells it
    effect: str  # what happens there, as the board says it; ``space`` is where the hazard leads


HAZARDS = {
    BRIDGE: Hazard("Bridge", "on the Bridge", "and crosses it", "on to {space}"),
    HOTEL: Hazard("Hotel", "on the Hotel", "and misses one turn", "miss one turn"),
    WELL: Hazard("Well", "on the Well", "and waits to be pulled out", "wait until someone comes"),
    MAZE: Hazard("Maze", "on the Maze", "and is lost", "back to {space}"),
    PRISON: Hazard("Prison", "on the Prison", "and waits to be released", "wait until someone comes"),
    DEATH: Hazard("Death", "on Death", "and must start again", "back to the start"),
    DRINK: Hazard("Drink", "on the Drink", "and must finish the glass", "finish your drink"),
}

#  1 where the space of that number shows a goose:
#         1  2  3  4  5  6  7  8  9
# fmt: off
GOOSE = (0,  0, 0, 0, 0, 1, 0, 0, 0, 1,
         0,  0, 0, 0, 1, 0, 0, 0, 1, 0,
         0,  0, 0, 1, 0, 0, 0, 1, 0, 0,
         0,  0, 1, 0, 0, 0, 1, 0, 0, 0,
         0,  1, 0, 0, 0, 1, 0, 0, 0, 0,
         1,  0, 0, 0, 1, 0, 0, 0, 0, 1,
         0,  0, 0, 0)
# fmt: on

# Both as bits, bit n for space n: compiled, faster than a table.
GOOSE_BITS = sum(goose << space for space, goose in enumerate(GOOSE))
HAZARD_BITS = sum(1 << space for space in HAZARDS)


@rule
def is_goose(space: int) -> bool:
    """Clause 5: the space shows a goose."""
    return GOOSE_BITS >> space & 1 != 0


@rule
def is_hazard(space: int, drink: int) -> bool:
    """Clause 8: the space is a hazard; the drink only where the option puts it on the board."""
    return HAZARD_BITS >> space & 1 != 0 and (space != DRINK or drink != 0)
