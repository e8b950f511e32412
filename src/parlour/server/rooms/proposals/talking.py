"""What is said at the table."""

from __future__ import annotations

from parlour.protocol import Chat, Reaction, Said
from parlour.server.basics.errors import Refusal
from parlour.server.people.names import clean_chat

REACTION_WORDS: dict[Reaction, str] = {
    "hello": "Hello!",
    "luck": "Good luck!",
    "nice": "Well played!",
    "thanks": "Thank you!",
    "wow": "Wow!",
    "oops": "Oh no!",
}


def say(seat: int, command: Chat) -> Said:
    """What is said. A reaction has words, too, for whoever does not know it."""
    if command.reaction is None:
        return Said(seat=seat, text=clean_chat(command.text))
    if command.text:
        raise Refusal("bad_request", "say something with text or with a reaction, not with both")
    return Said(seat=seat, text=REACTION_WORDS[command.reaction], reaction=command.reaction)
