"""The numbers that a runner goes by: when it heals, what it fights for, what it buys.

THUMB was found by hand and by trying, TUNED by millions of matches of runners who differed a little in all of them at
once (docs/strength.md). Prizes are counted in half steps: how long a detour is worth it.
"""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """One way to play. A number that says "for each" is added that many times."""

    # Heal or move: hp at which something is done.
    drink_at: float
    drink_for_each: float  # potion beyond the first
    drink_in_maze_at: float
    heal_at: float
    heal_for_each: float  # own map piece
    heal_for_each_of_others: float  # map piece beyond five that the best of the others has
    fit: float  # with more hp a runner runs, whatever lurks
    bold: float  # the risk that is taken when it sets out, of a thousand
    usual_power: float
    bold_in_maze: float  # the risk that is taken for a new block, of a thousand
    # Prizes: new blocks.
    new_block: float
    new_block_for_each_resource: float  # of the resource roll
    new_block_for_each_hp: float  # that is missing: less than 0
    new_block_for_each_neighbour: float  # of it that nobody has travelled
    new_block_for_each_fork: float  # beside it that leads to another new block
    new_block_as_last: float  # where no half step is left then
    # Prizes: monsters.
    map_piece: float
    map_piece_for_each: float  # that the runner has
    iron: float
    herbs: float
    gold: float
    damage: float  # the price of each hp
    damage_squared: float
    most_blows: float  # taken from one monster in a turn
    spare_hp: float  # left after a fight
    wound: float  # the part of a map piece for a blow that does not kill, by how much of the health it takes
    # Rope or fight: the damage from which on a rope is used.
    rope_at: float
    rope_before_kill: float  # so much more where the next blow kills
    # Of two chance cards: portal, map piece, monster, resources.
    portal: float
    map_card: float
    monster: float
    resources: float
    monster_for_each_power: float
    # The mix of dice: above 0, a second attack die; a second resource die.
    attack_die: float
    attack_die_for_treasure: float  # each map piece that lurks in the maze
    attack_die_for_near_treasure: float  # each that such a die may bring within reach
    attack_die_of_six: float
    attack_die_for_attack: float
    attack_die_for_steps: float
    resource_die: float
    resource_die_of_six: float
    resource_die_for_maps: float
    resource_die_for_bonus: float
    resource_die_for_steps: float
    # The shop.
    wanted: tuple[float, ...]  # by item
    wanted_third_die: float
    potion_less_for_each: float  # that the runner holds
    potion_for_each_hp: float  # that is missing
    less_for_each_trade: float
    less_for_each_map: float  # beyond five that the runner has
    least_wanted: float
    less_for_each_held: float  # card of the kind, other than dice and potions


THUMB = Style(
    drink_at=30.5,
    drink_for_each=0.0,
    drink_in_maze_at=30.5,
    heal_at=14.5,
    heal_for_each=0.0,
    heal_for_each_of_others=0.0,
    fit=35.5,
    bold=40.5,
    usual_power=8.0,
    bold_in_maze=40.5,
    new_block=12.0,
    new_block_for_each_resource=0.0,
    new_block_for_each_hp=0.0,
    new_block_for_each_neighbour=0.0,
    new_block_for_each_fork=0.0,
    new_block_as_last=0.0,
    map_piece=30.0,
    map_piece_for_each=0.0,
    iron=0.5,
    herbs=0.5,
    gold=0.5,
    damage=0.5,
    damage_squared=0.0,
    most_blows=2.5,
    spare_hp=10.0,
    wound=0.0,
    rope_at=5.5,
    rope_before_kill=0.0,
    portal=2.0,
    map_card=4.0,
    monster=1.0,
    resources=3.0,
    monster_for_each_power=0.0,
    attack_die=-3.0,
    attack_die_for_treasure=0.0,
    attack_die_for_near_treasure=0.0,
    attack_die_of_six=0.0,
    attack_die_for_attack=0.0,
    attack_die_for_steps=0.0,
    resource_die=-3.0,
    resource_die_of_six=0.0,
    resource_die_for_maps=0.0,
    resource_die_for_bonus=0.0,
    resource_die_for_steps=0.0,
    wanted=(19.9, 19.0, 17.2, 6.6, 5.0, 12.5, 2.9, 5.1, 7.2, 1.4, 4.1, 7.4, 11.5, 4.1, 0.7, 1.0),
    wanted_third_die=4.0,
    potion_less_for_each=0.0,
    potion_for_each_hp=0.0,
    less_for_each_trade=0.0,
    less_for_each_map=0.0,
    least_wanted=0.0,
    less_for_each_held=0.0,
)

TUNED = Style(
    drink_at=30.843,
    drink_for_each=3.767,
    drink_in_maze_at=26.269,
    heal_at=11.603,
    heal_for_each=-0.062,
    heal_for_each_of_others=-0.189,
    fit=36.121,
    bold=33.22,
    usual_power=7.886,
    bold_in_maze=51.906,
    new_block=12.215,
    new_block_for_each_resource=0.017,
    new_block_for_each_hp=-0.023,
    new_block_for_each_neighbour=0.706,
    new_block_for_each_fork=0.197,
    new_block_as_last=-0.241,
    map_piece=33.028,
    map_piece_for_each=2.04,
    iron=0.502,
    herbs=0.605,
    gold=0.515,
    damage=0.437,
    damage_squared=0.023,
    most_blows=3.646,
    spare_hp=1.702,
    wound=0.067,
    rope_at=5.214,
    rope_before_kill=0.035,
    portal=2.772,
    map_card=3.985,
    monster=0.896,
    resources=2.443,
    monster_for_each_power=-0.026,
    attack_die=-2.934,
    attack_die_for_treasure=1.009,
    attack_die_for_near_treasure=-0.065,
    attack_die_of_six=0.679,
    attack_die_for_attack=-0.242,
    attack_die_for_steps=0.048,
    resource_die=-1.822,
    resource_die_of_six=-0.279,
    resource_die_for_maps=-0.055,
    resource_die_for_bonus=-0.16,
    resource_die_for_steps=-0.047,
    wanted=(20.3, 18.5, 16.5, 4.1, 6.0, 13.0, 1.9, 3.5, 9.6, -1.4, 2.0, 9.2, 11.0, 1.4, 0.3, 0.2),
    wanted_third_die=5.809,
    potion_less_for_each=-0.479,
    potion_for_each_hp=0.075,
    less_for_each_trade=1.618,
    less_for_each_map=-0.21,
    least_wanted=-0.272,
    less_for_each_held=0.777,
)
