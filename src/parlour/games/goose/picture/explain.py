"""What things in the picture are: the spaces and who stands there, the pool, the balances."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.goose import GAME
from parlour.games.goose.seats import NAMES
from parlour.games.goose.state.spaces import (
    BRIDGE,
    BRIDGE_END,
    DEATH,
    DRINK,
    END,
    HAZARDS,
    HOTEL,
    MAZE,
    PRISON,
    START,
    WELL,
    is_goose,
    is_hazard,
)

CLAUSES = {BRIDGE: 9, HOTEL: 10, WELL: 11, PRISON: 11, MAZE: 13, DEATH: 14, DRINK: 15}
EFFECTS = {
    BRIDGE: "Whoever comes to rest here crosses the bridge to {space}.",
    HOTEL: "Whoever comes to rest here misses one turn.",
    WELL: "Whoever comes to rest here waits until somebody else falls in.",
    PRISON: "Whoever comes to rest here waits until somebody else comes in.",
    MAZE: "Whoever comes to rest here goes back to {space}.",
    DEATH: "Whoever comes to rest here goes back to the start.",
    DRINK: "Whoever comes to rest here finishes a drink. Nothing else happens.",
}


def explain(state: State, name: str) -> Explanation | None:
    kind, _, number = name.partition("-")
    if name.isascii() and name.isdecimal() and int(name) <= END:
        text, clause = _space(state, int(name))
        return Explanation(" ".join([text, *_who_is_there(state, int(name))]), clause)
    if name == "pool":
        return Explanation(GAME.said("The pool: {stakes}. Whoever wins takes it.").format(stakes=state.pool), 17)
    if kind == "balance" and number.isdecimal() and int(number) < state.seats:
        text = GAME.said("What {seat} has won or paid so far. Landing on a hazard and swapping cost a stake.")
        return Explanation(text.format(seat=GAME.said(NAMES[int(number)])), 16)
    return None


def _space(state: State, space: int) -> tuple[str, int]:
    """What a space does, and the clause."""
    if space == START:
        return GAME.said("The start. From here, 6 and 3 lead to 26, and 5 and 4 to 53."), 4
    if space == END:
        return GAME.said("The end. Whoever meets 63 exactly wins; what is too much counts backwards."), 6
    if is_goose(space):
        return GAME.said("{space}, a goose: whoever comes here moves on by the same throw.").format(space=space), 5
    if is_hazard(space, state.drink):
        effect = GAME.said(EFFECTS[space]).format(space=state.maze if space == MAZE else BRIDGE_END)
        return f"{space}, {GAME.said(HAZARDS[space].name)}. {effect}", CLAUSES[space]
    return GAME.said("Space {space}: nothing happens here, unless somebody stands on it.").format(space=space), 7


def _who_is_there(state: State, space: int) -> list[str]:
    """Whose goose stands there, and whether it is held up."""
    told = []
    for seat in range(state.seats):
        if state.position[seat] == space:
            waits = state.trapped_since[seat] or state.resting[seat]
            words = "{seat}'s goose stands here, and has to wait." if waits else "{seat}'s goose stands here."
            told.append(GAME.said(words).format(seat=GAME.said(NAMES[seat])))
    return told
