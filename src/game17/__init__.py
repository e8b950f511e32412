"""The drop-in for the public program game17: the same names and the same files, on Parlour's engine.

    find_owned_pieces, destination, update_board, create_board      the board, as bot files see it
    get_mover_factory                                               make_moves as get_mover
    single, replay, vs_zombies, battle_royale, round_robin          games of movers in this process

The command ``game17`` runs bot files, each in a process of its own.
"""

from game17.basic_mover import get_mover_factory
from game17.game17 import create_board, destination, find_owned_pieces, update_board
from game17.game_runners import battle_royale, replay, round_robin, single, vs_zombies

__version__ = "1.0"

__all__ = [
    "battle_royale",
    "create_board",
    "destination",
    "find_owned_pieces",
    "get_mover_factory",
    "replay",
    "round_robin",
    "single",
    "update_board",
    "vs_zombies",
]
