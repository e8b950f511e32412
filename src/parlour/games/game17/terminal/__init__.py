"""game17 in a terminal: whose turn it is, the map, the orders given so far, and who has how much."""

from __future__ import annotations

import textwrap

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import Terminal
from parlour.games.game17.events import Won, owner_told
from parlour.games.game17.seats import is_choosing, owner_marks, owner_name, seat_mark, size, winners
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.terminal import map as chart
from parlour.games.game17.terminal.looks import ASCII, UNICODE, Signs, owner_style

WIDTH = 80
LISTED_SEATS = 12
ORDER_LINES = 4
UNBROKEN = "\N{NO-BREAK SPACE}"


def board(state: State, *, ascii: bool = False) -> Text:
    signs = ASCII if ascii else UNICODE
    marks = owner_marks(state)
    squares = chart.draw(state, marks, signs)
    lines = [headline(state, signs), *squares, *orders(state, signs), *standings(state, marks, signs)]
    return Text("\n").join(lines)


def headline(state: State, signs: Signs) -> Text:
    line = Text(f"Round {min(state.round + 1, state.rounds)} of {state.rounds}", style="bold")
    line.append(signs.between)
    if state.over:
        return line.append(outcome(state))
    if state.seats == 0:
        return line.append("the zombies are alone: go lets them play the round")
    line.append(f" {seat_mark(state.to_move)} ", owner_style(state, state.to_move))
    return line.append(f" {owner_name(state.to_move, state.seats)} to move")


def outcome(state: State) -> str:
    """The same words as in the story."""
    won = Won(tuple(owner_told(state, owner) for owner in winners(state)), state.most)
    return f"over: {won.tell(lambda seat: owner_name(seat, state.seats))}"


def orders(state: State, signs: Signs) -> list[Text]:
    """The orders of the turn under way, by square: ``D3 →2 ↑1``."""
    if state.over or state.seats == 0:
        return []
    given = []
    for square in range(state.edge**2):
        if state.leaving[square]:
            ways = [(way, state.ordered[square * 4 + way]) for way in range(4)]
            sent = " ".join(f"{signs.arrows[way]}{pieces}" for way, pieces in ways if pieces)
            stay = state.pieces[square] - state.leaving[square]
            given.append(f"{name_of(state, square)} {sent} ({stay} left)".replace(" ", UNBROKEN))
    told = textwrap.wrap("Orders: " + (signs.between.join(given) or "none yet"), WIDTH)
    lines = [line.replace(UNBROKEN, " ") for line in told]
    if len(lines) > ORDER_LINES:
        lines = [*lines[: ORDER_LINES - 1], f"... {len(given)} squares with orders, {sum(state.leaving)} pieces in all"]
    return [Text(line, style="bold") for line in lines]


def standings(state: State, marks: dict[int, str], signs: Signs) -> list[Text]:
    """Seats and marked zombies by their squares, in two columns, and what the others have together."""
    owners = listed(state, marks)
    half = (len(owners) + 1) // 2
    head = f"{'':13}squares pieces turn"
    lines = [Text(f"{head:36}{head if len(owners) > 1 else ''}".rstrip(), style="dim")]
    for row in range(half):
        line = Text()
        for owner in owners[row::half]:
            line.append_text(standing(state, owner, marks, signs)).append(" " * 4)
        line.rstrip()
        lines.append(line)
    return [*lines, *others(state, owners)]


def listed(state: State, marks: dict[int, str]) -> list[int]:
    """The owners worth a line: the seat to move, the largest seats, and the zombies that have a letter."""
    seats = sorted(range(state.seats), key=lambda seat: (is_choosing(state, seat), size(state, seat)), reverse=True)
    zombies = [owner for owner in marks if owner >= state.seats]
    return sorted(seats[:LISTED_SEATS] + zombies, key=lambda owner: size(state, owner), reverse=True)


def standing(state: State, owner: int, marks: dict[int, str], signs: Signs) -> Text:
    """One owner in 36 columns: letter, name, squares, pieces, place in the order of turns."""
    line = Text(signs.up if is_choosing(state, owner) else " ")
    line.append(f"{marks[owner]:^3}", owner_style(state, owner))
    line.append(f" {owner_name(owner, state.seats):<11}")
    line.append(f"{state.squares_of[owner]:>4} {state.pieces_of[owner]:>6} {state.turn_order.index(owner) + 1:>4}")
    return line


def others(state: State, owners: list[int]) -> list[Text]:
    """One line for all that are not listed and still own a square."""
    rest = [owner for owner in range(state.edge**2) if owner not in owners and state.squares_of[owner]]
    if not rest:
        return []
    seats = sum(owner < state.seats for owner in rest)
    who = [counted(count, name) for count, name in ((seats, "seat"), (len(rest) - seats, "zombie")) if count]
    squares = sum(state.squares_of[owner] for owner in rest)
    pieces = sum(state.pieces_of[owner] for owner in rest)
    return [
        Text(f" and {' and '.join(who)} more: {counted(squares, 'square')}, {counted(pieces, 'piece')}", style="dim")
    ]


TERMINAL = Terminal(board=board)
