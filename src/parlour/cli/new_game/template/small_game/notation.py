"""How people type an action: the number of pebbles."""

from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.engine.notation import Notation


def write(state: State, action: int) -> str:
    return str(action + 1)


def describe(state: State, action: int) -> str:
    return f"take {action + 1}"


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    """Why something else cannot be done, with the clause that says so."""
    if tried and tried[0] in ("1", "2", "3"):
        return Explanation(f"There are only {state.left} left in the bowl.", 3)
    return Explanation("Take 1, 2 or 3 pebbles.", 2)


NOTATION = Notation(write=write, describe=describe, why_not=why_not)
