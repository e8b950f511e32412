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
    if seat != match.to_move:
        raise Refusal("not_your_turn", f"it is {table.name(match.to_move)}'s turn")
    returns: list[AnyEntry] = [Returned(seat=seat)] if table.chairs[seat].away else []
    chosen = _chosen(command)
    after = _play(match, chosen)
    actions = [ply.action for ply in after.plies[table.ply :]]
    unplayed = len(chosen) - len(actions)
    return [*returns, Acted(seat=seat, ply=command.ply, actions=actions, spent=spent, unplayed=unplayed)], after


def _play(match: Match, actions: list[int] | list[str]) -> Match:
    """The match after these actions: all or none are played, but only up to the first that rolls dice.

    What comes after that is not even looked at: whether it is legal would tell what the dice were, before they count.
    Where there are secrets, any action may show one, so that just the first is played.
    """
    after, seat = match.twin(), match.to_move
    for action in actions:
        if after.over or after.to_move != seat:
            raise Refusal("illegal_action", "your turn is over before all of these actions are played")
        try:
            after.play(action)
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
    match = playing(table)
    after = match.twin()
    after.play(action)
    seat = TABLE if table.to_move is None else table.to_move
    drafts: list[AnyEntry] = [Acted(seat=seat, ply=table.ply, actions=[action])]
    if excuse and not any(line.text == excuse for line in table.chat):
        drafts.insert(0, Said(seat=seat, text=excuse))
    return Proposal(numbered(table, drafts, at), after)
