"""Parlour: write the rules of a game once, in plain Python. Get everything else.

>>> import parlour
>>> match = parlour.new("goose", seats=4, seed=7, maze=30)
>>> while not match.over:
...     happened = match.play(match.legal()[0])
"""

from parlour.engine import Game, Match, ParlourError, new

__all__ = ["Game", "Match", "ParlourError", "new"]
__version__ = "0.1.0"
