"""Who plays Connect Four well: a judge that was trained with ``parlour train connect_four``."""

from parlour.engine.bots import Bots

BOTS = Bots(judge="connect_four.judge")
