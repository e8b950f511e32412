"""A game whose secrets can be told from all else: each seat holds a number of nine digits that nobody else may see.

Whatever a game can tell has the number in it: the position, the scores, actions, how many there are, notation, words,
reasons, the board, the picture, what moves in it, and events.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from rich.text import Text

from parlour.engine import UNKNOWN, Event, Game, Option, Seat, Secret, State, below, event, i16, i32, rule
from parlour.engine.explanation import Explanation
from parlour.engine.notation import Notation
from parlour.engine.picture import Flash, Picture, Step, label, tag
from parlour.engine.terminal import Terminal
from parlour.engine.turns import end_match, end_turn

LEAST, MOST_SEATS = 10**8, 6
AGAIN = 2 * 10**9  # another way to keep the number
FIELDS = {"held": i32[MOST_SEATS], "turns_left": i16}  # the number of each seat


@event
class Drew(Event):
    words = "{seat} draws {number}"
    others = "{seat} draws a number"
    seat: Seat
    number: Secret[int]


@event
class Kept(Event):
    words = "{seat} keeps {number}"
    others = "{seat} thinks about a number"
    seat: Seat
    number: Secret[int]


@rule
def setup(state, chance, journal=None):
    state.turns_left = state.rounds * state.seats
    for seat in range(state.seats):
        draw(state, seat, chance, journal)


@rule
def draw(state, seat, chance, journal):
    state.held[seat] = LEAST + below(chance, 8 * LEAST)
    if journal is not None:
        journal.append(Drew(seat, state.held[seat]))


@rule
def hide(state, seat):
    for other in range(state.seats):
        if other != seat:
            state.held[other] = UNKNOWN


@rule
def imagine(state, seat, chance):
    for other in range(state.seats):
        if state.held[other] == UNKNOWN:
            state.held[other] = LEAST + below(chance, 8 * LEAST)


@rule
def legal(state, actions):
    """To keep the number, to draw another one, and with an odd one to keep it in another way."""
    held = 2 * state.held[state.to_move]
    actions[0], actions[1] = held, held + 1
    if held // 2 % 2:
        actions[2] = AGAIN
        return 3
    return 2


@rule
def apply(state, action, chance, journal=None):
    seat = state.to_move
    if action < AGAIN and action % 2:
        draw(state, seat, chance, journal)
    elif journal is not None:
        journal.append(Kept(seat, state.held[seat]))
    state.turns_left -= 1
    if state.turns_left == 0:
        end_match(state)
    else:
        end_turn(state, (seat + 1) % state.seats)


@rule
def score(state, seat):
    return state.held[seat]


@rule
def won(state, seat):
    """Whoever has the highest number."""
    higher = 0
    for other in range(state.seats):
        higher += state.held[other] > state.held[seat]
    return higher == 0


def write(state: State, action: int) -> str:
    word = "again" if action == AGAIN else "draw" if action % 2 else "keep"
    return f"{word}-{state.held[state.to_move]}"


def board(state: State, *, ascii: bool = False) -> Text:
    return Text("\n".join(str(held) for held in state.held[: state.seats]))


def scene(state: State) -> list[str]:
    return [
        tag("rect", width=9, height=9, data_spot=f"n{held}", aria_label=f"{held}", id=f"telltale-{held}")
        + label(held, x=9, y=9)
        for held in state.held[: state.seats]
    ]


def told(state: State, name: str) -> Explanation:
    return Explanation(f"{name}: {list(state.held)}", 0)


def why_not(state: State, tried: Sequence[str]) -> Explanation:
    return told(state, "-".join(tried))


def motion(happened: Event) -> list[Step]:
    return [Flash((f"n{getattr(happened, 'number', '')}",))]


NOTATION = Notation(
    write=write,
    describe=lambda state, action: f"of {list(state.held)}",
    prompt=lambda state: f"{list(state.held)}",
    usual=lambda state: 2 * state.held[state.to_move],
    why_not=why_not,
)
TERMINAL = Terminal(board=board)
PICTURE = Picture(
    size=(300, 100),
    backdrop=lambda state: label(list(state.held)),
    scene=scene,
    picks=lambda state, action: (f"n{state.held[state.to_move]}",),
    motion=motion,
    explain=told,
)

# fmt: off
GAME = Game(
    name="telltale", title="Telltale", summary="A number for each, and nobody tells.", version=1, seats=(2, MOST_SEATS),
    options=(Option("rounds", 2, low=1, high=50, help="turns of each"),), fields=FIELDS,
    max_actions=3, action_space=AGAIN + 1, ply_limit=50 * MOST_SEATS,
    setup=setup, legal=legal, apply=apply, score=score, won=won, hide=hide, imagine=imagine,
    notation=__name__, terminal=__name__, picture=__name__,
)
# fmt: on


def forms(number: int) -> Iterator[bytes]:
    """How a number could stand somewhere: in digits, and as it is packed."""
    yield from (str(number).encode(), f"{number:x}".encode(), str(2 * number).encode(), str(2 * number + 1).encode())
    yield from (number.to_bytes(4, order) for order in ("little", "big"))


BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")


def unpacked(told: bytes) -> bytes:
    """With everything in it that may be base64 unpacked beside it."""
    found = [told]
    for packed in BASE64.findall(told):
        plain = packed.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        found += [base64.b64decode(plain[at : at + (len(plain) - at) // 4 * 4]) for at in range(4)]
    return b"\n".join(found)


def leaks(told: bytes, secrets: set[int]) -> list[int]:
    """Which of the numbers are in what somebody was told."""
    whole = unpacked(told).lower()
    return sorted(number for number in secrets if any(form.lower() in whole for form in forms(number)))
