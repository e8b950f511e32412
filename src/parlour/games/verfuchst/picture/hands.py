"""What everyone has taken in Verfuchst, as a picture: tiles, those that lucky ones turn, the sum; and the die."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parlour.engine import State
from parlour.engine.kit.shapes import at, text
from parlour.engine.language import cache_spoken
from parlour.games.verfuchst import GAME, rules
from parlour.games.verfuchst.picture import layout
from parlour.games.verfuchst.picture.drawings import item, use
from parlour.games.verfuchst.seats import COLOURS
from parlour.games.verfuchst.state.hands import Hand, hand_of
from parlour.games.verfuchst.state.names import signed
from parlour.games.verfuchst.state.tiles import VALUE


def drawn(state: State) -> Iterator[str]:
    """All hands, then their spots."""
    hands = [hand_of(state, seat) for seat in range(state.seats)]
    scores = [rules.score(state, seat) for seat in range(state.seats)]
    for seat in range(state.seats):
        yield head(seat, state.seats, scores[seat], role(state, seat))
        yield from tiles(seat, state.seats, hands[seat])
    if not state.over:
        yield die(state.to_move, state.seats, state.die)
    for seat in range(state.seats):
        yield spot(seat, state.seats, hands[seat], scores[seat])


def role(state: State, seat: int) -> str:
    """What is special about the seat now."""
    if state.over:
        return "won" if rules.won(state, seat) else ""
    return "to move" if seat == state.to_move else ""


@lru_cache(10_000)
def head(seat: int, seats: int, score: int, role: str) -> str:
    """Whose tiles these are, and their sum; the frame is lit for the seat to move, and the winner has a crown."""
    box = layout.hand_box(seat, seats)
    parts = []
    if role:
        frame = "#ffd34d" if role == "won" else COLOURS[seat].light
        parts.append(box.drawn(rx=22, fill="none", stroke=frame, stroke_width=8))
    if role == "won":
        parts.append(use("crown", transform=at(*layout.die_point(seat, seats))))
    parts.append(use(f"pawn-{seat}", transform=at(box.x + 38, box.y + 28)))
    parts.append(text(signed(score), box.x + 68, box.y + 34, 37, "#fff6e4", text_anchor="start"))
    return "".join(parts)


def tiles(seat: int, seats: int, hand: Hand) -> Iterator[str]:
    laid = (*hand.lucky, *hand.turned, *hand.rest)
    for tile, (x, y) in zip(laid, layout.hand_points(seat, seats, len(laid)), strict=True):
        yield taken(tile, x, y, "turned" if tile in hand.turned else "small")


@lru_cache(10_000)
def taken(tile: int, x: float, y: float, look: str) -> str:
    return item(f"tile-{tile}", x, y, use(f"{look}-{tile}"))


@cache_spoken
def die(seat: int, seats: int, value: int) -> str:
    """The die lies with the seat that has rolled it."""
    words = GAME.said("{seat} has rolled {die}").format(seat=GAME.seat_name(seat), die=value)
    return item(
        "die", *layout.die_point(seat, seats), use(f"die-{value}", role="img", aria_label=words, data_what="die")
    )


@cache_spoken
def spot(seat: int, seats: int, hand: Hand, score: int) -> str:
    box = layout.hand_box(seat, seats)
    words = GAME.said("{seat}: {score} with {tiles}" if any(hand) else "{seat}: {score} with no tiles")
    words = words.format(seat=GAME.seat_name(seat), score=signed(score), tiles=tiles_in_words(hand))
    return box.spot(f"hand-{seat}", words, rx=22)


def tiles_in_words(hand: Hand) -> str:
    found = [GAME.said("lucky")] * len(hand.lucky)
    turned = GAME.said("{value} turned into {turned}")
    found += [turned.format(value=signed(VALUE[tile]), turned=signed(-VALUE[tile])) for tile in hand.turned]
    found += [signed(VALUE[tile]) for tile in hand.rest]
    return ", ".join(found)
