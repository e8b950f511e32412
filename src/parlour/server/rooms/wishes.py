"""What somebody wishes for who opens a table, sits down or plays once more: what it comes to, and what is refused."""

from __future__ import annotations

from typing import NamedTuple

from parlour.bots import roster
from parlour.engine import fair, registry
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.protocol import OpenTable, Sit
from parlour.server.basics.errors import Refusal
from parlour.server.people.names import clean_name, differing
from parlour.server.people.tokens import hash_token, new_code
from parlour.server.rooms import proposals
from parlour.server.rooms.holders import Holders
from parlour.server.rooms.proposals import ChosenSeat, Proposal
from parlour.server.tables.table import Table, TableSpec


def spec_of(wish: OpenTable, id: str, created: float, grace: float) -> tuple[Game, TableSpec]:
    """The game, and the table that is wished for."""
    try:
        game = registry.get(wish.game)
        options = game.resolve_options(wish.options)
        seats = game.resolve_seats(wish.seats, options)
    except ParlourError as error:
        raise Refusal("bad_option", str(error)) from error
    if wish.name:
        clean_name(wish.name, seats)
    if trouble := wish.clock.trouble():
        raise Refusal("bad_option", trouble)
    return game, TableSpec(
        id=id,
        game=game.name,
        rules=game.version,
        options=options,
        seats=seats,
        public=wish.public,
        hints=wish.hints,
        clock=wish.clock,
        grace=wish.grace if wish.grace is not None else grace,
        secret=fair.new_secret(),
        created=created,
        code=new_code(),
    )


def bots_of(wish: OpenTable, game: Game, seats: int) -> dict[int, str]:
    """The bots that are wished for, by seat."""
    return {_seat_number(seat, seats): check_bot(game, bot) for seat, bot in wish.bots.items()}


def check_bot(game: Game, name: str) -> str:
    """The bot's name, if it may sit at a table of the server: built in, and bounded in what it costs."""
    name, known = roster.exact(game, name), roster.names(game)
    if name not in known:
        raise Refusal("bad_option", f"nobody called {name!r} plays {game.name} here (there are: {', '.join(known)})")
    return name


def _seat_number(text: str, seats: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 5 and int(text) < seats:
        return int(text)
    there_are = f"seats 0 to {seats - 1}" if seats else "no seats"
    raise Refusal("bad_option", f"there are {there_are} for bots, and none called {text!r:.20}")


def propose_seat(
    table: Table, holders: Holders, wish: Sit, name: str, token: str | None, fresh: str, at: float
) -> Proposal | None:
    """Somebody sits down, as ``token`` lets them or by a ``fresh`` one; nothing, where the same request has done so."""
    if _has_sat_down(table, holders, wish, token or fresh):
        return None
    if table.phase != "open":
        raise Refusal("not_open", "the match has begun already")
    chosen = _chosen_seat(table, holders, wish, token)
    holders.check_free(fresh, chosen.seat)
    others = [chair.person for chair in table.chairs if chair.person is not None]
    proposal = proposals.sit(table, chosen, differing(name, others), wish, at)
    proposal.tokens = {} if token else {hash_token(fresh): chosen.seat}
    return proposal


def _has_sat_down(table: Table, holders: Holders, wish: Sit, token: str) -> bool:
    """Whether the same request has taken a seat before, and its answer was lost."""
    try:
        chair = table.chairs[holders.seat_of(token)]
    except Refusal:
        return False
    if chair.person is None:
        return False
    if chair.seal != wish.seal or (not wish.seal and chair.nonce != wish.nonce):
        raise Refusal("seat_taken", "you sit here already")
    return True


def _chosen_seat(table: Table, holders: Holders, wish: Sit, token: str | None) -> ChosenSeat:
    """Which seat: the one that was kept for whoever has this token, the one they wish for, or any that is free."""
    if token is not None:
        return ChosenSeat(holders.seat_of(token))
    if not table.spec.public and not (wish.invite and table.spec.invites(wish.invite)):
        raise Refusal("forbidden", "this table is private: sit down with the link that invites you")
    if not table.spec.seats:
        raise Refusal("seat_taken", "this table has no seats: you can only watch it")
    if wish.seat is not None:
        return _seat_of_choice(table, wish.seat, lot=wish.lot)
    if not table.offered:
        raise Refusal("seat_taken", "all seats are taken")
    unclaimed = set(table.unclaimed)
    free = [seat for seat in table.offered if wish.lot or seat in unclaimed]
    return ChosenSeat(free[0], lot=wish.lot) if free else ChosenSeat(table.offered[0], lot=True)


def _seat_of_choice(table: Table, seat: int, *, lot: bool) -> ChosenSeat:
    if lot:
        raise Refusal("bad_request", "choose a seat, or leave it to the lot")
    if seat >= table.spec.seats:
        raise Refusal("bad_request", f"there are seats 0 to {table.spec.seats - 1}, no seat {seat}")
    if seat not in table.unclaimed or not table.offered:
        raise Refusal("seat_taken", f"that seat is {table.name(seat)}'s")
    return ChosenSeat(seat) if seat in table.offered else ChosenSeat(table.offered[0], wants=seat)


class Once(NamedTuple):
    """Who sits where at a table that is opened for a rematch: everybody at the next seat, so that sides are swapped."""

    kept: dict[int, str]
    bots: dict[int, str]
    tokens: dict[str, int]


def once_more(table: Table, holders: Holders) -> Once:
    """The seats of a rematch."""
    count = len(table.chairs)
    chairs = [((place + 1) % count, chair) for place, chair in enumerate(table.chairs)]
    return Once(
        {place: chair.person for place, chair in chairs if chair.person is not None},
        {place: chair.bot for place, chair in chairs if chair.bot is not None},
        {digest: (held + 1) % count for digest, held in holders.seats.items() if table.chairs[held].person},
    )
