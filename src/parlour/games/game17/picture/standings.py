"""Below the squares: the round, how the squares are shared out, and the largest owners."""

from __future__ import annotations

from functools import cache

from parlour.engine import State
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, number, tag
from parlour.games.game17 import GAME
from parlour.games.game17.picture.drawings import ARROWS, GOLD, INK, PALE, PAPER, WEAKER, ZOMBIE, colour, land, token_id
from parlour.games.game17.seats import is_choosing, owner_name, size, winners, winning_zombies
from parlour.games.game17.state.names import counted, zombies_told
from parlour.games.game17.state.squares import EAST

LISTED = 4
SHARES = 16  # owners with a part of the bar for themselves
LEFT, WIDTH = 40, 920
HEADLINE, BAR, LINE, KEY = 1036, 1054, 1114, 1173  # where they are, from the top
LETTERS, FITTING = 33, 46  # how large letters are, and how many of that size the headline has room for
HIGH = 22  # the bar
SMALL = 28  # letters of the list, and of the key below it


def draw(state: State, owners: list[int], listed: list[int], marks: dict[int, str]) -> str:
    """``owners`` are those with squares, as ``by_size`` has them."""
    lines = [_line(state, owner, marks.get(owner, ""), place) for place, owner in enumerate(listed)]
    art = [_headline(state), _bar(state, owners), *lines, _others(state, _unlisted(state, owners, listed), len(listed))]
    told = group(art, role="img", aria_label=_words(state, owners, listed), data_what="standings")
    return told + (_key(state.seats) if state.seats else "")


def by_size(state: State) -> list[int]:
    """All owners with squares: first the seats, then the zombies, the largest first."""
    owners = [owner for owner in range(state.edge**2) if state.squares_of[owner]]
    owners.sort(key=lambda owner: (owner < state.seats, *size(state, owner)), reverse=True)
    return owners


def listed(state: State, owners: list[int]) -> list[int]:
    """The seat to move, the largest other seats, each where it always is, and the largest zombie.

    Where nobody plays, the largest zombies."""
    seats = [owner for owner in owners if owner < state.seats]
    seats.sort(key=lambda seat: not is_choosing(state, seat))
    zombies = [owner for owner in owners if owner >= state.seats]
    if state.seats:
        return sorted(seats[: LISTED - 1]) + zombies[:1]
    return zombies[:LISTED]


def _words(state: State, owners: list[int], listed: list[int]) -> str:
    told = [_holdings(owner, state.seats, *size(state, owner)) for owner in listed]
    others = [": ".join(_other_zombies(state, unlisted))] if (unlisted := _unlisted(state, owners, listed)) else []
    return "; ".join([_round(state.round, state.rounds), *told, *others])


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
    return GAME.said("{players}, {zombies} left").format(
        players=counted(seats, "player", GAME.said), zombies=counted(zombies, "zombie", GAME.said)
    )


def _bar(state: State, owners: list[int]) -> str:
    """The squares of the largest owners side by side; what is left belongs to all others."""
    unit = WIDTH / HIGH / state.edge**2
    parts = [tag("rect", width=WIDTH / HIGH, height=1, rx=0.2, fill=ZOMBIE)]
    x = 0.0
    for owner in owners[:SHARES]:
        width = state.squares_of[owner] * unit
        parts.append(
            f'<rect x="{number(x)}" width="{number(max(width - 0.08, 0.05))}" height="1" rx=".2"'
            f' fill="{land(owner, state.seats)}"/>'
        )
        x += width
    return group(parts, transform=f"translate({LEFT} {BAR}) scale({HIGH})")


def _line(state: State, owner: int, mark: str, place: int) -> str:
    """One owner: pattern, shape and letter; below each other how many squares and pieces."""
    x = LEFT + place * WIDTH // LISTED
    squares, pieces = _counted(*size(state, owner))
    return _chip(owner, state.seats, mark, x) + _two_lines(
        squares, GAME.said("top zombie") if owner >= state.seats > 0 else pieces, x
    )


def _unlisted(state: State, owners: list[int], listed: list[int]) -> list[int]:
    """The zombies that are told together, where there is room for that beside those that are listed."""
    has_room = state.seats > 0 and len(listed) < LISTED
    return [owner for owner in owners if owner >= state.seats and owner not in listed] if has_room else []


def _other_zombies(state: State, unlisted: list[int]) -> tuple[str, str]:
    """How many they are, and how many squares they have."""
    words = "1 other" if len(unlisted) == 1 else "{count} others"
    squares = sum([state.squares_of[owner] for owner in unlisted])
    return GAME.said(words).format(count=len(unlisted)), _counted(squares, 0)[0]


def _others(state: State, unlisted: list[int], place: int) -> str:
    if not unlisted:
        return ""
    x, (count, squares) = LEFT + place * WIDTH // LISTED, _other_zombies(state, unlisted)
    return _chip(unlisted[0], state.seats, "", x) + _two_lines(squares, count, x)


def _two_lines(first: str, second: str, x: int) -> str:
    return group(
        [
            tag("text", first, x=x + 58, y=LINE - 3, fill=PAPER, font_weight="bold"),
            tag("text", second, x=x + 58, y=LINE + 23, fill=PALE),
        ],
        font_size=SMALL - 2,
    )


@cache_spoken
def _counted(squares: int, pieces: int) -> tuple[str, str]:
    return counted(squares, "square", GAME.said), counted(pieces, "piece", GAME.said)


@cache_spoken
def _key(seats: int) -> str:
    """What the looks of squares and figures mean."""
    swatch = {"y": KEY - 17, "width": 34, "height": 34, "rx": 8}
    signs = (
        (GAME.said("zombies"), tag("rect", x=LEFT, fill=colour(seats, seats), stroke=PALE, **swatch)),
        (GAME.said("to move"), _figure(LEFT)),
        (GAME.said("weaker"), tag("text", "3", x=LEFT + 8, y=KEY + 13, fill=WEAKER, font_size=36, font_weight="bold")),
        (GAME.said("an order"), _arrow(LEFT + 17)),
    )
    parts = [
        group(
            [sign, tag("text", words, x=LEFT + 46, y=KEY + 10, fill=PALE, font_size=SMALL)],
            transform=f"translate({place * WIDTH // len(signs)} 0)",
        )
        for place, (words, sign) in enumerate(signs)
    ]
    told = "; ".join(words for words, _ in signs)
    return group(parts, role="img", aria_label=told, data_what="key")


def _figure(x: int) -> str:
    use = tag("use", href="#game17-token-0", fill=PAPER)
    return group([use], transform=f"translate({x - 2} {KEY - 19}) scale(38)")


def _arrow(x: int) -> str:
    return tag(
        "path", d=ARROWS[EAST], fill=GOLD, stroke=INK, stroke_width=0.045, transform=f"translate({x} {KEY}) scale(46)"
    )


@cache
def _chip(owner: int, seats: int, mark: str, x: int) -> str:
    """As a square of the owner looks, with the letter."""
    edge = {} if owner < seats else {"stroke": PALE, "stroke_width": 0.03}
    art = [tag("rect", width=1, height=1, rx=0.22, fill=land(owner, seats), **edge)]
    if owner < seats:
        art.append(tag("use", href=f"#{token_id(owner)}", fill=INK, fill_opacity=0.86))
    letter = {"x": x + 23, "y": LINE + 10, "font_size": 28 if len(mark) < 2 else 24, "text_anchor": "middle"}
    box = group(art, transform=f"translate({x} {LINE - 23}) scale(46)")
    return box + tag("text", mark, fill=PAPER, font_weight="bold", **letter)
