"""Tells everybody at a table what has happened, in their language, and each seat its choices."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from parlour.engine.language import speaking
from parlour.protocol import Chances, PresenceUpdate
from parlour.protocol.patches import Patch, difference
from parlour.server import chances, choices, views
from parlour.server.fold import Change
from parlour.server.listener import Listener
from parlour.server.presence import Presence
from parlour.server.table import Table

encode = msgspec.json.encode


def tell_changes(table: Table, changes: list[Change], presence: Presence, spent: float = 0.0) -> None:
    """Send an update for each change to everybody; ``spent`` is for how long the seat to move has thought."""
    seats = presence.here()
    moved = any(change.moved for change in changes)
    for (language, pictures, state, _), listeners in _by_wish(presence.listeners).items():
        with speaking(language):
            patch = _show(table, listeners) if moved else None
            for change in changes:
                update = views.update(table, change, seats, spent, pictures=pictures, state=state, patch=patch)
                _push(encode(update), listeners)
                if change.moved and patch:
                    patch = []  # the picture is already that of the last change
            if moved:
                _tell_choices(table, listeners)
    if moved or table.ending is not None:
        _tell_chances(table, presence.listeners)


def _by_wish(listeners: Iterable[Listener]) -> dict[tuple[str, bool, bool, int], list[Listener]]:
    """Those who are told the same, in the same words: also of the picture, of which they have been shown the same."""
    found: dict[tuple[str, bool, bool, int], list[Listener]] = {}
    for hears in listeners:
        found.setdefault((hears.language, hears.pictures, hears.state, id(hears.shown)), []).append(hears)
    return found


def _show(table: Table, listeners: list[Listener]) -> Patch | None:
    """What changes in the picture for these, where they ask for patches."""
    shown = listeners[0].shown
    if shown is None:
        return None
    parts = views.scene_parts(table)
    for hears in listeners:
        hears.shown = parts
    return difference(shown, parts)


def _tell_choices(table: Table, listeners: list[Listener]) -> None:
    """Also to who has just acted: may it be undone?"""
    told: dict[tuple[int, bool], bytes] = {}
    for hears in listeners:
        if hears.seat is None:
            continue
        wish = hears.seat, hears.undoable
        if wish not in told:
            told[wish] = choices.message(table, hears.seat, undoable=hears.undoable)
        hears.push(told[wish])


def _tell_chances(table: Table, listeners: Iterable[Listener]) -> None:
    """Only to those who ask for it; where nobody does, it is not worked out."""
    asked = [hears for hears in listeners if hears.chances]
    found = chances.of(table) if asked else None
    if found is not None:
        _push(encode(Chances(table.ply, found)), asked)


def tell_presence(presence: Presence, grace: dict[int, float], notice: str = "") -> None:
    """Send everybody who is here, and the seat that others wait for; and what whoever runs the server has to say."""
    _push(encode(PresenceUpdate(presence.here(), presence.watching, grace, notice)), presence.listeners)


def _push(message: bytes, listeners: Iterable[Listener]) -> None:
    for listener in listeners:
        listener.push(message)
