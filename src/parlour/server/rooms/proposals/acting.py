"""Playing: one action or several of one's own, and what a bot plays."""

from __future__ import annotations

from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.protocol import TABLE, Act, Acted, AnyEntry, Returned, Said
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import Proposal, check_ply, numbered, playing
from parlour.server.tables.table import Table


def act(table: Table, command: Act, seat: int, spent: float) -> tuple[list[AnyEntry], Match]:
    match = playing(table)
    check_ply(table, command.ply)
    if seat not in match.asked:
        raise Refusal("not_your_turn", f"it is {table.name(match.to_move)}'s turn")
    returns: list[AnyEntry] = [Returned(seat=seat)] if table.chairs[seat].away else []
    chosen = _chosen(command)
    after = _play(match, chosen, seat)
    if match.choosing is None:
        ply, actions = command.ply, [each.action for each in after.plies[table.ply :]]
    else:
        ply = match.choosing.ply(seat)
        actions = [next(each.action for each in reversed(after.plies) if each.seat == seat)]
    unplayed = len(chosen) - len(actions)
    return [*returns, Acted(seat=seat, ply=ply, actions=actions, spent=spent, unplayed=unplayed)], after


def _play(match: Match, actions: list[int] | list[str], seat: int) -> Match:
    """The match after these actions: all or none are played, but only up to the first that rolls dice.

    What comes after that is not even looked at: whether it is legal would tell what the dice were, before they count.
    Where there are secrets, any action may show one, so that just the first is played.
    """
    after = match.twin()
    for action in actions:
        if after.over or seat not in after.asked:
            raise Refusal("illegal_action", "your turn is over before all of these actions are played")
        try:
            after.play(action, seat)
        except ParlourError as error:
            raise Refusal("illegal_action", str(error)) from error
        if after.plies[-1].by_chance or after.game.has_secrets:
            break
    return after


def _chosen(command: Act) -> list[int] | list[str]:
    given = [way for way in (command.action, command.text, command.actions) if way is not None]
    if len(given) != 1:
        raise Refusal("bad_request", "to act, give one of action, text and actions")
    if command.actions is not None:
        return command.actions
    return [command.text] if command.text is not None else [command.action or 0]


def bot_acts(table: Table, action: int, at: float, excuse: str = "") -> Proposal:
    """The bot whose choice it is plays; with an excuse, it says so once."""
    match, bot = playing(table), table.bot_to_move
    after = match.twin()
    after.play(action, bot)
    seat = TABLE if bot is None else bot
    ply = table.ply if match.choosing is None else match.choosing.ply(seat)
    drafts: list[AnyEntry] = [Acted(seat=seat, ply=ply, actions=[action])]
    if excuse and not any(line.text == excuse for line in table.chat):
        drafts.insert(0, Said(seat=seat, text=excuse))
    return Proposal(numbered(table, drafts, at), after)
