"""Who can sit at a table besides people."""

from parlour.bots.roster import hint, make_bot, usual
from parlour.engine.bots import Bot, Decision, TimeLimit

__all__ = ["Bot", "Decision", "TimeLimit", "hint", "make_bot", "usual"]
