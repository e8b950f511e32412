"""What happens at a table besides the game, in words."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from parlour import protocol

AWAY = {
    "absent": "{name} is away: {bot} plays on meanwhile",
    "time": "{name} has no time left: {bot} plays on",
    "left": "{name} has left: {bot} plays on",
    "resigned": "{bot} plays for {name}",
}


def in_words(
    update: protocol.Update, name: Callable[[int], str], you: int | None, title: Callable[[str], str] = str
) -> str:
    """The update in a line; nothing where the game's own events say all. ``title`` is how people call a bot."""
    try:
        entry = protocol.read_entry(update.kind, {"seat": update.seat}, update.body)
    except msgspec.ValidationError:  # of a later server, perhaps
        return ""
    who = name(update.seat)
    match entry:
        case protocol.Sat() | protocol.BotSat():
            return f"{who} sits down"
        case protocol.Left():
            return "A seat is free again"
        case protocol.Started():
            late = " and ".join(name(seat) for seat in entry.left_out)
            return "The match begins" + (f"; the nonce of {late} came too late for the dice" if late else "")
        case protocol.Undone():
            return f"{who} takes the last choice back"
        case protocol.Resigned():
            return f"{who} resigns" + ("" if update.ending else f": {title(entry.bot)} plays on")
        case protocol.DrawOffered():
            return f"{who} offers a draw" + ("" if you in (None, update.seat) else ": type accept or decline")
        case protocol.DrawDeclined():
            return f"{who} declines the draw"
        case protocol.Said():
            return f"{who}: {entry.text}"
        case protocol.Replaced():
            return AWAY[entry.reason].format(name=who, bot=title(entry.bot))
        case protocol.Returned():
            return f"{who} is back"
        case protocol.Closed():
            return entry.text
        case protocol.RematchOpened():
            return "" if you == update.seat else f"{who} asks for a rematch: type rematch to join"
    return ""
