"""Below the squares: the round, how the squares are shared out, and the largest owners."""

from __future__ import annotations

from functools import cache

from parlour.engine import State
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, number, tag
from parlour.games.game17 import GAME
from parlour.games.game17.picture.drawings import INK, PALE, PAPER, colour, token_id
from parlour.games.game17.seats import is_choosing, owner_name, size, winners, winning_zombies
from parlour.games.game17.state.names import counted, zombies_told

LISTED = 4
SHARES = 16  # owners with a part of the bar for themselves
LEFT, WIDTH = 40, 920
HEADLINE, BAR, LINE = 1036, 1056, 1125  # where they are, from the top
LETTERS, FITTING = 33, 46  # how large letters are, and how many of that size the headline has room for


def draw(state: State, marks: dict[int, str]) -> str:
    owners = [owner for owner in range(state.edge**2) if state.squares_of[owner]]
    owners.sort(key=lambda owner: size(state, owner), reverse=True)
    listed = _listed(state, owners)
    lines = [_line(state, owner, marks.get(owner, ""), place) for place, owner in enumerate(listed)]
    art = [_headline(state), _bar(state, owners), *lines]
    return group(art, role="img", aria_label=_words(state, listed), data_what="standings")


def _listed(state: State, owners: list[int]) -> list[int]:
    """The seat to move, the largest seats and the largest zombie, by size; others where there is room."""
    seats = [owner for owner in owners if owner < state.seats]
    seats.sort(key=lambda seat: not is_choosing(state, seat))
    zombies = [owner for owner in owners if owner >= state.seats]
    listed = (seats[: LISTED - 1] + zombies[:1] + seats[LISTED - 1 :] + zombies[1:])[:LISTED]
    return [owner for owner in owners if owner in listed]


def _words(state: State, listed: list[int]) -> str:
    told = [_holdings(owner, state.seats, *size(state, owner)) for owner in listed]
    return "; ".join([_round(state.round, state.rounds), *told])


@cache_spoken
def _holdings(owner: int, seats: int, squares: int, pieces: int) -> str:
    has = f"{counted(squares, 'square', GAME.said)}, {counted(pieces, 'piece', GAME.said)}"
    return f"{owner_name(owner, seats, GAME.said)}: {has}"


@cache_spoken
def _round(played: int, rounds: int) -> str:
    return GAME.said("Round {number} of {rounds}").format(number=min(played + 1, rounds), rounds=rounds)


def _headline(state: State) -> str:
    told, news = _round(state.round, state.rounds), _news(state)
    size = min(LETTERS, LETTERS * FITTING // len(told + news))
    text = {"y": HEADLINE, "font_size": size}
    return tag("text", told, x=LEFT, fill=PAPER, font_weight="bold", **text) + tag(
        "text", news, x=LEFT + WIDTH, fill=PALE, text_anchor="end", **text
    )


def _news(state: State) -> str:
    """Who has won, or who is left."""
    squares = state.squares_of[: state.edge**2]
    if state.over:
        leaders = winners(state)
        won = counted(state.most, "square", GAME.said)
        if winning_zombies(state) == len(leaders):
            who, text = zombies_told(len(leaders), GAME.said), "{owner} win, {squares}"
            return GAME.said(text if leaders[1:] else "{owner} wins, {squares}").format(
                owner=who[0].upper() + who[1:], squares=won
            )
        if leaders[1:]:
            return GAME.said("{count} share the win, {squares}").format(count=len(leaders), squares=won)
        owner = owner_name(leaders[0], state.seats, GAME.said)
        return GAME.said("{owner} wins, {squares}").format(owner=owner, squares=won)
    zombies = len(squares) - state.seats - squares[state.seats :].count(0)
    return _left(state.seats_left, zombies)


@cache_spoken
def _left(seats: int, zombies: int) -> str:
    return GAME.said("{seats}, {zombies} left").format(
        seats=counted(seats, "seat", GAME.said), zombies=counted(zombies, "zombie", GAME.said)
    )


def _bar(state: State, owners: list[int]) -> str:
    """The squares of the largest owners side by side; what is left belongs to all others."""
    parts = [tag("rect", x=LEFT, y=BAR, width=WIDTH, height=22, rx=4, fill="#3b4562")]
    x, unit = float(LEFT), WIDTH / state.edge**2
    for owner in owners[:SHARES]:
        width = state.squares_of[owner] * unit
        parts.append(
            f'<rect x="{number(x)}" y="{BAR}" width="{number(max(width - 2, 1))}" height="22" rx="4"'
            f' fill="{colour(owner, state.seats)}"/>'
        )
        x += width
    return "".join(parts)


def _line(state: State, owner: int, mark: str, place: int) -> str:
    """One owner: shape and letter, squares, pieces."""
    x = LEFT + place * WIDTH // LISTED
    return (
        _chip(owner, state.seats, mark, x)
        + f'<g font-size="{LETTERS}"><text x="{x + 68}" y="{LINE + 12}" fill="{PAPER}" font-weight="bold">'
        f'{state.squares_of[owner]}</text><text x="{x + 158}" y="{LINE + 12}" fill="{PALE}">'
        f"{state.pieces_of[owner]}</text></g>" + _signs(x)
    )


@cache
def _signs(x: int) -> str:
    """A square before the number of squares, a piece before that of pieces."""
    return tag("rect", x=x + 52, y=LINE - 6, width=12, height=12, rx=3, fill=PAPER) + tag(
        "circle", cx=x + 148, cy=LINE, r=6.5, fill=PALE
    )


@cache
def _chip(owner: int, seats: int, mark: str, x: int) -> str:
    box = tag("rect", x=x, y=LINE - 23, width=46, height=46, rx=10, fill=colour(owner, seats))
    if owner < seats:
        place = f"translate({x - 2} {LINE - 25}) scale(50)"
        box += group([tag("use", href=f"#{token_id(owner)}", fill=INK, fill_opacity=0.86)], transform=place)
    letter = {"x": x + 23, "y": LINE + 10, "font_size": 28 if len(mark) < 2 else 24, "text_anchor": "middle"}
    return box + tag("text", mark, fill=PAPER, font_weight="bold", **letter)
