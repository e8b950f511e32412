"""The rules of Hearts, clause by clause; and the play of whole deals beside OpenSpiel's."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from hearts import GAME
from hearts.events import DealOver, Moon, Passed, Passing, TrickTaken
from hearts.notation import TYPED, typed
from hearts.rules import held_by
from hearts.state import CARDS, GONE, HAND, HEARTS, HOLD, NOT_YET, PASS, PASSES, QUEEN_OF_SPADES, SPADES, TWO_OF_CLUBS

from clauses import clauses, clauses_of
from parlour.bots import make_bot
from parlour.engine import UNKNOWN, Chance, Match, State
from parlour.engine.check import run
from parlour.engine.language import speaking
from parlour.engine.secrets import hidden, imagined

clause = clauses_of(GAME)
NORTH, EAST, SOUTH, WEST = range(4)


def test_it_passes_every_check() -> None:
    assert [(result.title, result.problem) for result in run(GAME) if result.problem] == []


def cards(text: str) -> list[int]:
    return [TYPED[word] for word in text.split()]


def position(*hands: str, to_move: int = NORTH, tricks: int = 12, **fields: int) -> State:
    """These hands, which are all that is left; everything else was played."""
    state = GAME.blank(**{name: fields.pop(name) for name in ("deals", "points") if name in fields})
    state.holder[:] = [GONE] * CARDS
    for seat, hand in enumerate(hands):
        for card in cards(hand):
            state.holder[card] = seat
    state.to_move = state.leader = to_move
    state.tricks = tricks
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def play(state: State, text: str) -> list[Any]:
    journal: list[Any] = []
    for card in cards(text):
        assert card in GAME.legal_actions(state), (typed(card), legal(state))
        GAME.play(state, card, Chance.at(1, 1), journal)
    return journal


def legal(state: State) -> str:
    return " ".join(typed(action) for action in GAME.legal_actions(state))


@clause(2, "All cards are dealt: thirteen to each. You look at your own.")
def test_you_see_your_own_cards() -> None:
    match = Match(GAME, seed=2)
    assert [match.state.holder.count(seat) for seat in range(4)] == [13] * 4
    known = match.seen_by(EAST).state
    assert (known.holder.count(EAST), known.holder.count(UNKNOWN)) == (13, 39)
    assert match.seen_by(None).state.holder == [UNKNOWN] * CARDS
    assert match.seen_by(None).story[0] == "North is dealt 13 cards"


@pytest.mark.parametrize(("deal", "told"), [(0, "to the left"), (1, "to the right"), (2, "across"), (4, "to the left")])
@clause(3, "in the first deal to the left, in the second to the right, in the third across, in the fourth not at all")
def test_where_cards_are_passed(deal: int, told: str) -> None:
    state, journal = GAME.blank(), list[Any]()
    state.deal = deal
    GAME.open(state, Chance.at(deal, 0), journal)
    assert Passing(deal % 4).tell(str).endswith(told)
    hands = [held_by(state, seat) for seat in range(4)]
    assert GAME.waits_for(state) == [0, 1, 2, 3]
    for seat in (2, 0, 3, 1):
        state.to_move = seat
        assert GAME.legal_actions(state) == list(range(PASS, PASS + PASSES))
        GAME.play(state, PASS + 7 * seat, Chance.at(1, 1), journal)
    step = {"to the left": 1, "to the right": 3, "across": 2}[told]
    after = [set(held_by(state, seat)) for seat in range(4)]
    for seat, hand in enumerate(hands):
        passed = set(hand) - after[seat]
        assert len(passed) == 3
        assert passed <= after[(seat + step) % 4]
    assert state.to_move == state.leader == state.holder[TWO_OF_CLUBS]
    assert [event.receiver for event in journal if isinstance(event, Passed)] == [
        (seat + step) % 4 for seat in range(4)
    ]


@clause(3, "in the fourth not at all")
def test_the_fourth_deal_is_played_without_passing() -> None:
    state = GAME.blank()
    state.deal = HOLD
    GAME.open(state, Chance.at(3, 0))
    assert not state.is_passing
    assert state.to_move == state.holder[TWO_OF_CLUBS]
    assert Passing(HOLD).tell(str) == "this deal is played without passing"


@clause(3, "All choose at the same time, and you may choose others until everybody has.")
def test_all_pass_at_the_same_time() -> None:
    match = Match(GAME, seed=2)
    first, other = match.legal(SOUTH)[0], match.legal(SOUTH)[-1]
    match.play(first, seat=SOUTH)
    match.play(other, seat=SOUTH)
    assert [match.seen_by(seat).state.choice[SOUTH] for seat in (None, NORTH, SOUTH)] == [UNKNOWN, UNKNOWN, PASSES]
    board = match.seen_by(EAST).board().plain
    assert board.count("has chosen\n") == 1
    for seat in (WEST, NORTH, EAST):
        assert match.state.choice != [NOT_YET] * 4
        match.play(PASS, seat=seat)
    assert match.state.choice == [NOT_YET] * 4


@clause(3, "You see what you get when all have passed theirs on.")
@clause(4, "You remember which cards you have passed on, and to whom.")
def test_you_know_what_you_have_passed_on_and_what_you_get() -> None:
    match = Match(GAME, seed=2)
    hand = held_by(match.state, NORTH)
    for seat in range(4):
        match.play(PASS, seat=seat)  # the three lowest
    known = match.seen_by(NORTH).state
    assert [known.holder[card] for card in hand[:3]] == [EAST] * 3
    assert len(held_by(known, NORTH)) == 13
    assert match.seen_by(SOUTH).state.holder[hand[1]] == UNKNOWN
    story = match.seen_by(EAST).story
    assert [line for line in story if "passes" in line][1:] == [
        f"North passes {passed_cards(match, NORTH)} to East",
        f"East passes {passed_cards(match, EAST)} to South",
        "South passes three cards to West",
        "West passes three cards to North",
    ]


def passed_cards(match: Match, seat: int) -> str:
    return next(event.cards for event in match.journal if isinstance(event, Passed) and event.seat == seat)


@clause(5, "Whoever has the two of clubs leads the first trick with it.")
def test_the_two_of_clubs_leads() -> None:
    match = Match(GAME, seed=2)
    for _ in range(4):
        match.play(PASS)
    assert match.legal() == [TWO_OF_CLUBS]
    assert match.seen_by(None).state.holder[TWO_OF_CLUBS] == match.to_move  # everybody knows who has to lead
    held = [card for card in held_by(match.state, match.to_move) if card != TWO_OF_CLUBS]
    said = match.seen_by(match.to_move).why_not((typed(held[0]),))
    assert (said.clause, said.text) == (5, "The two of clubs leads the first trick.")


@clause(
    6,
    "If you have a card of the suit that was led, you play one of that suit. If you have none, you may play any card.",
)
def test_you_follow_suit() -> None:
    state = position("9D 3C", "2D KD AH", "5S 6H", "7S 8S", tricks=11, is_broken=1)
    play(state, "9D")
    assert (state.to_move, legal(state)) == (EAST, "2D KD")
    assert GAME.words.reason(state, "AH") == "You have to follow suit: diamonds (clause 6)"
    play(state, "2D")
    assert (state.to_move, legal(state)) == (SOUTH, "5S 6H")


@clause(7, "Hearts may not be led before a heart was played in this deal. Whoever has nothing but hearts may lead one.")
def test_hearts_are_led_when_they_are_broken() -> None:
    hands = ("4S 5H", "2D 6D", "3D 7D", "4D 8D")
    closed = position(*hands, tricks=11)
    assert legal(closed) == "4S"
    assert GAME.words.reason(closed, "5H") == "No heart was played in this deal yet (clause 7)"
    assert legal(position(*hands, tricks=11, is_broken=1)) == "4S 5H"
    only = position("4H 5H", *hands[1:], tricks=11)
    assert legal(only) == "4H 5H"
    play(only, "4H")
    assert only.void[:4] == [1, 1, 1, 0]  # that shows everybody
    assert only.is_broken


@clause(8, "In the first trick nobody plays a heart or the queen of spades, unless they have nothing else.")
def test_no_points_in_the_first_trick() -> None:
    state = position("2C", "QS 4H 9D 3S", "QS 5H", "8C", tricks=0)
    state.holder[QUEEN_OF_SPADES] = EAST
    play(state, "2C")
    assert legal(state) == "9D 3S"
    assert GAME.words.reason(state, "QS").endswith("(clause 8)")
    only = position("2C", "QS 4H", "3D 5H", "8C", tricks=0)
    play(only, "2C")
    assert legal(only) == "QS 4H"
    play(only, "QS")
    assert only.void[4:8] == [1, 1, 0, 0]  # what nobody would play with clubs or diamonds


@clause(9, "The highest card of the suit that was led takes the trick. Whoever takes it leads the next one.")
@clause(10, "Each heart that you take is one point, and the queen of spades is thirteen.")
def test_who_takes_a_trick_takes_its_points() -> None:
    state = position("9D 2C", "QS 3C", "JD 4C", "AH 5C", tricks=11)
    events = play(state, "9D QS JD AH")
    assert events[-1] == TrickTaken(SOUTH, 14)
    assert (state.to_move, state.taken, state.won_tricks) == (SOUTH, [0, 0, 14, 0], [0, 0, 1, 0])


@clause(11, "If you take all 26 points of a deal, you shoot the moon: you get none, and everybody else gets 26.")
def test_shooting_the_moon() -> None:
    state = position("9D", "2D", "3D", "4H", tricks=12, deals=1)
    state.taken[NORTH] = 25
    events = play(state, "9D 2D 3D 4H")
    assert events[-2:] == [Moon(NORTH), DealOver((0, 26, 26, 26), (0, 26, 26, 26))]
    assert (GAME.scores(state), GAME.winners(state)) == ([0, -26, -26, -26], [NORTH])


@clause(12, "The match ends with the deal after which somebody has 100 points or more.")
@clause(13, "Whoever has the fewest points wins; several can win together.")
def test_the_match_ends_at_a_hundred_points() -> None:
    hands = ("9D", "2D", "3D", "4H")
    goes_on = position(*hands)
    goes_on.total[:] = [98, 60, 60, 70]
    play(goes_on, "9D 2D 3D 4H")
    assert (goes_on.over, goes_on.deal, goes_on.total[NORTH]) == (0, 1, 99)
    ends = position(*hands)
    ends.total[:] = [99, 60, 60, 70]
    play(ends, "9D 2D 3D 4H")
    assert (ends.over, GAME.winners(ends), GAME.scores(ends)) == (1, [EAST, SOUTH], [-100, -60, -60, -70])


@clause(12, "You can agree on another number, or on how many deals there are at most.")
def test_matches_to_other_ends() -> None:
    for options, deals in (({"deals": 3, "points": 200}, 3), ({"points": 20}, None)):
        match = Match(GAME, seed=4, **options)  # type: ignore[arg-type]
        while not match.over:
            match.play(match.legal()[0])
        assert deals is None or match.state.deal + 1 == deals
        assert deals is not None or max(match.state.total) >= 20
        assert sum(match.state.total) % 26 == 0


@clause(1, "Whoever has the fewest at the end wins.")
def test_points_count_against_you() -> None:
    state = position("9D", "2D", "3D", "4H", deals=1)
    play(state, "9D 2D 3D 4H")
    assert GAME.scores(state) == [-1, 0, 0, 0]
    assert GAME.winners(state) == [EAST, SOUTH, WEST]


def test_what_is_imagined_agrees_with_what_was_shown() -> None:
    """Everybody has as many cards as they should, and none of a suit that they have shown not to have."""
    match, lots = Match(GAME, seed=6), random.Random(1)
    for _ in range(300):
        match.play(lots.choice(match.legal()))
        if match.over:
            break
        for seat in range(-1, 4):
            known = hidden(GAME, match.state, seat)
            world = imagined(GAME, known, seat, Chance.at(match.state.ply, seat + 1))
            assert [world.holder.count(other) for other in range(5)] == [
                match.state.holder.count(other) for other in range(5)
            ]
            for card in range(CARDS):
                if known.holder[card] == UNKNOWN:
                    assert not match.state.void[4 * world.holder[card] + card // 13]


def test_a_suit_that_one_seat_alone_can_have_is_dealt_to_it() -> None:
    """The hardest deal to find: room is left for what nobody else may have."""
    state = position("2D 3D", "4H 5H", "6S 7S", "8C 9C", tricks=11)
    state.void[4:8] = [1, 1, 1, 0]
    state.void[8:12] = [1, 1, 0, 1]
    known = hidden(GAME, state, NORTH)
    for number in range(20):
        assert imagined(GAME, known, NORTH, Chance.at(number, 0)).holder == state.holder


def test_worlds_are_as_likely_as_deals() -> None:
    """With a void, each deal that is left comes up alike: here two spades among two seats, one of which has a heart."""
    state = position("2D", "4H", "6S", "7S", tricks=12)
    state.void[4 * EAST + SPADES] = 1
    known = hidden(GAME, state, NORTH)
    found = [imagined(GAME, known, NORTH, Chance.at(number, 0)).holder[TYPED["6S"]] for number in range(400)]
    assert 160 < found.count(SOUTH) < 240
    assert found.count(SOUTH) + found.count(WEST) == 400


def test_the_rulebooks_have_the_same_clauses() -> None:
    assert clauses(GAME.words.rulebook_in("de")).keys() == clauses(GAME.words.rulebook).keys() == {*range(1, 14)}


def test_it_is_told_in_german() -> None:
    with speaking("de"):
        match = Match(GAME, seed=2)
        assert match.seen_by(None).story[0] == "Nord bekommt 13 Karten"
        assert "drei Karten gehen nach links" in match.seen_by(None).board().plain
        assert GAME.words.notation.prompt(match.seen_by(0).position) == "wähle drei Karten für links"


def test_the_bot_that_goes_by_rules_of_thumb_beats_chance() -> None:
    """One against three who play at random, in each seat: far fewer than its share of the points."""
    points = [0, 0]
    for seed in range(12):
        match = Match(GAME, seed=seed, deals=1)
        who = [make_bot(GAME, "thumb" if seat == seed % 4 else "random") for seat in range(4)]
        while not match.over:
            mover = match.to_move
            match.play(who[mover].choose(match.seen_by(mover).decision(Chance.at(seed, match.state.ply))))
        points[0] += match.state.total[seed % 4]
        points[1] += sum(match.state.total)
    assert points[0] < points[1] / 8


def test_the_search_plays_it() -> None:
    match = Match(GAME, seed=1)
    for seat in range(4):
        match.play(make_bot(GAME, "thumb").choose(match.seen_by(seat).decision(Chance.at(1, seat))), seat=seat)
    bot = make_bot(GAME, "mcts:60p")
    for _ in range(3):
        match.play(bot.choose(match.seen_by(match.to_move).decision(Chance.at(1, 1))))


@pytest.mark.parametrize("seed", range(40))
def test_a_deal_is_played_as_openspiel_plays_it(seed: int) -> None:
    """Without passing, as there it is drawn who passes where: the same choices and points in whole random deals."""
    lots = random.Random(seed)
    their = pyspiel.load_game("hearts", {"pass_cards": False, "qs_breaks_hearts": False}).new_initial_state()
    their.apply_action(0)
    state = GAME.blank(deals=HOLD + 1)
    state.deal = HOLD
    GAME.open(state, Chance.at(seed, 0))
    for place in range(CARDS):
        hand = held_by(state, place % 4)
        their.apply_action(theirs(hand[place // 4]))
    while not state.over:
        assert their.current_player() == state.to_move
        actions = GAME.legal_actions(state)
        assert their.legal_actions() == sorted(map(theirs, actions))
        action = lots.choice(actions)
        GAME.play(state, action, Chance.at(seed, 1))
        their.apply_action(theirs(action))
    assert their.is_terminal()
    assert [26 - points for points in state.total] == their.returns()


def theirs(card: int) -> int:
    """OpenSpiel counts cards by rank, then by suit: clubs, diamonds, hearts, spades."""
    suit = {SPADES: 3, HEARTS: 2}.get(card // HAND, card // HAND)
    return 4 * (card % HAND) + suit
