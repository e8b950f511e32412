"""How actions of Hearts are written, and why some cannot be played."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.events import NAMES
from hearts.rules import can_lead, held_by
from hearts.state import (
    HEARTS,
    PASS,
    RANKS,
    TRIPLES,
    TWO_OF_CLUBS,
    count_of,
    direction,
    led_suit,
    suit_of,
    worth,
)
from parlour.engine import UNKNOWN, State
from parlour.engine.explanation import Explanation
from parlour.engine.language import said
from parlour.engine.notation import Notation

LETTERS = "CDSH"
TYPED = {name + letter: RANKS * suit + rank for suit, letter in enumerate(LETTERS) for rank, name in enumerate(NAMES)}
SUITS = ("clubs", "diamonds", "spades", "hearts")
PROMPTS = (
    "choose three cards for the left",
    "choose three cards for the right",
    "choose three cards to pass across",
)


def typed(card: int) -> str:
    """A card as people type it: QS."""
    return NAMES[card % RANKS] + LETTERS[card // RANKS]


def triple(state: State, seat: int, number: int) -> list[int]:
    """The cards of that way to pass three on."""
    hand = held_by(state, seat)
    return [hand[place] if place < len(hand) else UNKNOWN for place in TRIPLES[number]]


def write(state: State, action: int) -> str:
    if action < PASS:
        return typed(action)
    return " ".join("?" if card == UNKNOWN else typed(card) for card in triple(state, state.to_move, action - PASS))


def speak(words: str, **parts: object) -> str:
    return said(words, "hearts").format(**parts)


def prompt(state: State) -> str:
    if state.is_passing:
        return speak(PROMPTS[direction(state)])
    suit = led_suit(state)
    return speak("lead a card") if suit == UNKNOWN else speak("play a card: {suit} were led", suit=speak(SUITS[suit]))


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    cards = [TYPED.get(word.upper()) for word in tried]
    if not cards or None in cards:
        return None
    known = [card for card in cards if card is not None]
    if missing := next((card for card in known if state.holder[card] != state.to_move), None):
        return Explanation(speak("{card} is not in your hand.", card=typed(missing)), 2)
    if state.is_passing:
        return Explanation(speak("Name three different cards, in the order of your hand."), 3)
    return why_not_card(state, state.to_move, known[0]) if len(known) == 1 else None


def why_not_card(state: State, seat: int, card: int) -> Explanation | None:
    """Why a card of the hand cannot be played."""
    suit = led_suit(state)
    if state.tricks == 0 and state.holder[TWO_OF_CLUBS] == seat and card != TWO_OF_CLUBS:
        return Explanation(speak("The two of clubs leads the first trick."), 5)
    if suit == UNKNOWN:
        is_early = suit_of(card) == HEARTS and not can_lead(state, seat, card)
        return Explanation(speak("No heart was played in this deal yet."), 7) if is_early else None
    if count_of(state, seat, suit) and suit_of(card) != suit:
        return Explanation(speak("You have to follow suit: {suit}.", suit=speak(SUITS[suit])), 6)
    if state.tricks == 0 and worth(card):
        return Explanation(speak("In the first trick nobody gives points, unless they have nothing else."), 8)
    return None


NOTATION = Notation(write=write, prompt=prompt, why_not=why_not)
