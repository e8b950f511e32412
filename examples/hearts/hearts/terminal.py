"""Hearts in a terminal: the points, the trick, and the cards that whoever looks may see."""

from __future__ import annotations

from rich.text import Text

from hearts.events import NAMES, SIGNS
from hearts.notation import LETTERS, speak, triple
from hearts.rules import held_by
from hearts.state import ACROSS, HAND, HEARTS, HOLD, LEFT, NOT_YET, RANKS, RIGHT, SEATS, direction, suit_of
from parlour.engine import UNKNOWN, State
from parlour.engine.terminal import Terminal

SEAT_NAMES = ("North", "East", "South", "West")
TO = {LEFT: "to the left", RIGHT: "to the right", ACROSS: "across", HOLD: "nothing"}
RED, BLACK, UNSEEN = "bold red", "bold", "dim"


def board(state: State, *, ascii: bool = False) -> Text:
    text = Text()
    broken = speak("hearts are broken") if state.is_broken else speak("hearts are not broken")
    heading = speak("Deal {deal}, trick {trick} of 13", deal=state.deal + 1, trick=min(state.tricks + 1, HAND))
    if state.is_passing:
        text.append(f"{speak('Deal {deal}', deal=state.deal + 1)}; {speak('three cards are passed')} ")
        text.append(f"{speak(TO[direction(state)])}\n")
    else:
        text.append(f"{heading}; {broken}\n")
    for seat in range(SEATS):
        add_seat(text, state, seat, ascii)
    return text


def add_seat(text: Text, state: State, seat: int, ascii: bool) -> None:
    """A line with points and card, and one with what is known of the hand."""
    mark = ">" if state.to_move == seat and not state.over else " "
    text.append(f"{mark} {speak(SEAT_NAMES[seat]):<6}", "bold" if mark == ">" else "")
    text.append(f"{state.total[seat]:>4} ", "bold")
    text.append(f"{'+' + str(state.taken[seat]) if state.taken[seat] else '':<4}")
    if state.trick[seat]:
        add_card(text, state.trick[seat] - 1, ascii)
    elif state.choice[seat] != NOT_YET:
        text.append(speak("has chosen"))
        for card in triple(state, seat, state.choice[seat] - 1) if state.choice[seat] > 0 else ():
            text.append(" ")
            add_card(text, card, ascii)
    text.append("\n")
    hand = held_by(state, seat)
    left = HAND - state.tricks - (state.trick[seat] > 0) - len(hand)
    if not hand and not left:
        return
    text.append("     ")
    for place, card in enumerate(hand):
        text.append("  " if place and suit_of(card) != suit_of(hand[place - 1]) else " ")
        add_card(text, card, ascii)
    text.append(f" {'? ' * left}".rstrip() if not hand else f"  {left} ?" * (left > 0), UNSEEN)
    text.append("\n")


def add_card(text: Text, card: int, ascii: bool) -> None:
    if card == UNKNOWN:
        text.append("?", UNSEEN)
        return
    signs = LETTERS if ascii else SIGNS
    suit = card // RANKS
    text.append(NAMES[card % RANKS] + signs[suit], RED if suit in (1, HEARTS) else BLACK)


TERMINAL = Terminal(board=board)
