"""Who can sit at a table besides people."""

from parlour.bots.decision import Bot, Clock, Decision
from parlour.bots.roster import hint, make_bot, usual

__all__ = ["Bot", "Clock", "Decision", "hint", "make_bot", "usual"]
