"""What happens at a table besides the game, in words."""

from __future__ import annotations

from collections.abc import Callable

from parlour import protocol

AWAY = {
    "absent": "{name} is away: {bot} plays on meanwhile",
    "time": "{name} has no time left: {bot} plays on",
    "left": "{name} has left: {bot} plays on",
}


def in_words(update: protocol.Update, name: Callable[[int], str], you: int | None) -> str:
    """The update in a line; nothing where the game's own events say all."""
    who, body = name(update.seat), update.body
    if update.kind == "away":
        return AWAY.get(body.get("reason", ""), "{bot} plays for {name}").format(name=who, bot=body.get("bot", "a bot"))
    if update.kind == "resign":
        return f"{who} resigns" + ("" if update.ending else f": {body.get('bot', 'a bot')} plays on")
    if update.kind == "chat":
        return f"{who}: {body.get('text', '')}"
    return {
        "sit": f"{who} sits down",
        "bot": f"{who} sits down",
        "leave": "A seat is free again",
        "start": "The match begins",
        "undo": f"{who} takes the last choice back",
        "offer": f"{who} offers a draw" + ("" if you in (None, update.seat) else ": type accept or decline"),
        "decline": f"{who} declines the draw",
        "back": f"{who} is back",
        "rematch": "" if you == update.seat else f"{who} asks for a rematch: type rematch to join",
    }.get(update.kind, "")
