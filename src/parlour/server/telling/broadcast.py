"""Tells everybody at a table what has happened, in their language, and each seat its choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

import msgspec

from parlour.engine.language import speaking
from parlour.engine.seen import Seen
from parlour.protocol import VERSION, Chances, PresenceUpdate, SeatView, Welcome
from parlour.protocol.patches import Patch, difference
from parlour.server.tables.fold import Change
from parlour.server.tables.listener import Listener
from parlour.server.tables.presence import Presence
from parlour.server.tables.table import Table
from parlour.server.telling import chances, choices, views

encode = msgspec.json.encode


Delivery = tuple[bytes, list[Listener]]  # a message, and whom it goes to


def of_changes(
    table: Table,
    changes: list[Change],
    listeners: list[Listener],
    presence: Presence,
    here: list[int],
    spent: Mapping[int, float],
) -> list[Delivery]:
    """An update for each change, and what follows from them.

    ``here`` are the seats whose people are here; ``spent`` is for how long each that has still to choose has thought.
    """
    moved = any(change.moved for change in changes)
    deliveries: list[Delivery] = []
    for language, speakers in _by(listeners, _language).items():
        with speaking(language):
            seats = presence.changed_seats(language, views.seat_views(table, here, spent))
            for seat, seers in _by_sight(table, speakers):
                deliveries += _of_updates(table, changes, seers, views.seen_by(table, seat), seats, moved=moved)
            if moved:
                deliveries += _of_choices(table, speakers)
    if moved or table.ending is not None:
        deliveries += _of_chances(table, listeners)
    return deliveries


def _of_updates(
    table: Table,
    changes: list[Change],
    seers: list[Listener],
    seen: Seen | None,
    seats: list[SeatView],
    *,
    moved: bool,
) -> list[Delivery]:
    """An update for each change, to those who speak one language and see the match alike."""
    deliveries: list[Delivery] = []
    parts = views.scene_parts(seen) if moved and any(one.pictures for one in seers) else ()
    for (pictures, state, _), alike in _by(seers, _wish).items():
        patch = _patch(alike, parts) if moved else None
        update = partial(views.update, pictures=pictures, state=state)
        for change in changes:
            scene = parts if pictures and patch is None else None
            deliveries.append((encode(update(table, change, seen, seats, scene=scene, patch=patch)), alike))
            if change.moved and patch:
                patch = []  # the picture is already that of the last change
    return deliveries


def _by_sight(table: Table, listeners: list[Listener]) -> Iterable[tuple[int | None, list[Listener]]]:
    """Those who see the match alike, with the seat that they see it from: where nothing is a secret, all of them."""
    return _by(listeners, lambda hears: hears.seat).items() if table.keeps_secrets else [(None, listeners)]


def welcome(
    table: Table,
    hears: Listener,
    listeners: list[Listener],
    presence: Presence,
    here: list[int],
    spent: Mapping[int, float],
) -> bytes:
    """The whole table, for somebody who comes to it or asks anew."""
    with speaking(hears.language):
        patch = None
        if hears.shown is not None:
            parts = views.scene_parts(views.seen_by(table, hears.seat))
            # The same tuple object as the others', so that later patches are made once for all of them.
            others = (one.shown for one in listeners if one.language == hears.language and one.shown == parts)
            hears.shown = next(others, parts)
            patch = difference((), parts)
        wanted = {"state": hears.state, "undoable": hears.undoable, "chances": hears.chances}
        view = views.table_view(table, hears.seat, here, spent, pictures=hears.pictures, patch=patch, **wanted)
        presence.show_seats(hears.language, view.seats)
        return encode(Welcome(VERSION, view))


Key = TypeVar("Key")


def _by(listeners: Iterable[Listener], key: Callable[[Listener], Key]) -> dict[Key, list[Listener]]:
    found: dict[Key, list[Listener]] = {}
    for hears in listeners:
        found.setdefault(key(hears), []).append(hears)
    return found


def _language(hears: Listener) -> str:
    return hears.language


def _wish(hears: Listener) -> tuple[bool, bool, int]:
    """The same for those who are told the same: also of the picture, of which they have been shown the same."""
    return hears.pictures, hears.state, id(hears.shown)


def _patch(listeners: list[Listener], parts: tuple[str, ...]) -> Patch | None:
    """What changes in the picture for these, where they ask for patches."""
    shown = listeners[0].shown
    if shown is None:
        return None
    for hears in listeners:
        hears.shown = parts
    return difference(shown, parts)


def _of_choices(table: Table, listeners: list[Listener]) -> list[Delivery]:
    """Also to the seat that has just acted, which may want to take it back."""
    by_wish = _by(listeners, lambda hears: (hears.seat, hears.undoable))
    return [
        (choices.message(table, seat, undoable=undoable), alike)
        for (seat, undoable), alike in by_wish.items()
        if seat is not None
    ]


def _of_chances(table: Table, listeners: Iterable[Listener]) -> list[Delivery]:
    """Only to those who ask for it; where nobody does, it is not worked out."""
    asked = [hears for hears in listeners if hears.chances]
    found = chances.of(table) if asked else None
    return [] if found is None else [(encode(Chances(table.ply, found)), asked)]


def deliver(deliveries: list[Delivery]) -> int:
    """Send them; returns how many messages that were."""
    for message, listeners in deliveries:
        for listener in listeners:
            listener.push(message)
    return sum(len(listeners) for _, listeners in deliveries)


def tell_presence(presence: Presence, grace: dict[int, float], notice: str, warming: list[int]) -> None:
    """Send everybody who is here, the seat that others wait for, and the seats whose bots are not ready yet.

    And what whoever runs the server has to say.
    """
    message = PresenceUpdate(presence.here(), presence.watching, grace, notice, warming)
    deliver([(encode(message), list(presence.listeners))])
