"""Reading what a bot said. It may say anything: nothing here trusts it, and nothing it says is ever executed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from parlour.bots.faults import CRASHED, ILLEGAL, MEMORY, OUTPUT, BadBot, BotFault
from parlour.engine.errors import BadNotation
from parlour.engine.foreign_json import read_json
from parlour.engine.game import Game
from parlour.engine.printable import one_line
from parlour.engine.state import State

PROTOCOL = 1
LONGEST = 4096  # bytes of an answer
LONGEST_TEXT = 200


def parse(line: bytes) -> dict[str, Any]:
    """One line as an object, or BotFault."""
    try:
        answer = read_json(line)
    except ValueError:
        said = one_line(line.decode("utf-8", "replace"), 60)
        raise BotFault(ILLEGAL, f"it said {said!r}, which is not JSON") from None
    if not isinstance(answer, dict):
        raise BotFault(ILLEGAL, f"it said {one_line(repr(answer), 60)}, not a JSON object")
    return answer


def is_for(answer: dict[str, Any], number: int) -> bool:
    """Whether it answers that question. One that names no question answers the last."""
    return bool(answer.get("ask", number) == number)


def check_welcome(answer: dict[str, Any], game: str) -> None:
    """Raise BadBot or BotFault unless the bot is ready to play the game."""
    if "unusable" in answer:
        raise BadBot(one_line(str(answer["unusable"]), 300))
    _raise_fault(answer)
    if answer.get("protocol") != PROTOCOL:
        raise BadBot(f"it speaks protocol {one_line(repr(answer.get('protocol')), 20)}; this is protocol {PROTOCOL}")
    if answer.get("game", game) != game:
        raise BadBot(f"it is a bot for {one_line(str(answer['game']), 40)}, not for {game}")


def action_in(answer: dict[str, Any], game: Game, state: State, legal: Sequence[int]) -> int:
    """The legal action that the answer names, or BotFault."""
    _raise_fault(answer)
    if "action" in answer:
        action = answer["action"]
        if isinstance(action, bool) or not isinstance(action, int):
            raise BotFault(ILLEGAL, f"action {one_line(repr(action), 40)} is not a whole number")
        if action not in legal:
            raise BotFault(ILLEGAL, f"action {one_line(str(action), 40)} is not one of the {len(legal)} legal ones")
        return action
    text = answer.get("text")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BotFault(ILLEGAL, f"it said {one_line(json.dumps(answer), 60)}, with no action and no text of one")
    try:
        return game.words.read(state, text)
    except BadNotation as error:
        raise BotFault(ILLEGAL, str(error)) from None


def _raise_fault(answer: dict[str, Any]) -> None:
    """A bot file's faults that Python noticed inside the box."""
    if "fault" in answer:
        status = answer["fault"]
        known = status if status in (ILLEGAL, CRASHED, MEMORY, OUTPUT) else CRASHED
        raise BotFault(known, str(answer.get("detail", "it did not say why")))
