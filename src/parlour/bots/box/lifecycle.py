"""The beginning and the end of a match for whoever has bots in boxes: a table, a trial, a tournament."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.bots.box.boxed import BoxedBot
from parlour.bots.box.sandbox.protection import Protection
from parlour.bots.faults import BadBot, BotFault
from parlour.engine.bots import Bot
from parlour.engine.printable import printable


def make_ready(bots: Iterable[Bot | None]) -> Protection | None:
    """Start those that are in boxes, and say how well those hold; BadBot if one cannot be used.

    The protection is that of the box that holds least; None where there is no box at all.
    """
    found = []
    for bot in bots:
        if isinstance(bot, BoxedBot):
            try:
                found.append(bot.protection)
            except BotFault as fault:
                raise BadBot(f"{bot.source.name} cannot be used: {fault}") from None
    return min(found, key=lambda protection: sum(holds for holds, _ in protection.items.values()), default=None)


def close_all(bots: Iterable[Bot | None]) -> None:
    for bot in bots:
        if isinstance(bot, BoxedBot):
            bot.close()


def last_words(bot: Bot | None, lines: int = 10) -> list[str]:
    """The last lines of a boxed bot's standard error, harmless to print."""
    if not isinstance(bot, BoxedBot):
        return []
    return [printable(line)[:200].rstrip() for line in bot.stderr.splitlines()[-lines:]]
