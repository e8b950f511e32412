"""Language models as bots: what they are told, how they are asked, how their answers are read. See docs/models.md.

ModelBot(game, "./program")       a bot that asks a program or an address; every exchange is written down
Briefing                          what a seat sees, in words: of a decision, of a match, or of a server's table
read_settings                     what stands behind ``model:``: a command, an address, or a file of settings
"""

from parlour.bots.model.bot import ModelBot
from parlour.bots.model.briefing import Briefing
from parlour.bots.model.settings import ModelSettings, read_settings
from parlour.bots.model.usage import ModelUse

__all__ = ["Briefing", "ModelBot", "ModelSettings", "ModelUse", "read_settings"]
