"""Who can sit at a table besides people."""

from parlour.bots.decision import Bot, Clock, Decision
from parlour.bots.roster import make_bot

__all__ = ["Bot", "Clock", "Decision", "make_bot"]
