"""The engine: what is true of every game."""

from parlour.engine.chance import Chance, Script, below, roll
from parlour.engine.errors import ParlourError
from parlour.engine.features import Feature, Sight, starts
from parlour.engine.game import Game
from parlour.engine.glance import Glance
from parlour.engine.journal import Event, Seat, Secret, event
from parlour.engine.match import Match, new
from parlour.engine.options import Option
from parlour.engine.rule import rule
from parlour.engine.state import UNKNOWN, Field, Layout, State, i8, i16, i32, i64
from parlour.engine.turns import clockwise, end_match, end_turn, list_run

__all__ = [
    "UNKNOWN",
    "Chance",
    "Event",
    "Feature",
    "Field",
    "Game",
    "Glance",
    "Layout",
    "Match",
    "Option",
    "ParlourError",
    "Script",
    "Seat",
    "Secret",
    "Sight",
    "State",
    "below",
    "clockwise",
    "end_match",
    "end_turn",
    "event",
    "i8",
    "i16",
    "i32",
    "i64",
    "list_run",
    "new",
    "roll",
    "rule",
    "starts",
]
