"""The numbers that a runner goes by: when it heals, what it fights for, what it buys.

THUMB was found by hand and by trying, TUNED by millions of matches of runners who differed a little in all of them at
once (docs/strength.md). Prizes are counted in half steps: how long a detour is worth it.
"""

from __future__ import annotations

from typing import NamedTuple

WANTED = (19.9, 19.0, 17.2, 6.6, 5.0, 12.5, 2.9, 5.1, 7.2, 1.4, 4.1, 7.4, 11.5, 4.1, 0.7, 1.0)  # by item


class Style(NamedTuple):
    """One way to play; by default, that of THUMB. A number that says "for each" is added that many times."""

    # Heal or move: hp at which something is done.
    drink_at: float = 30.5
    drink_for_each: float = 0.0  # potion beyond the first
    drink_in_maze_at: float = 30.5
    heal_at: float = 14.5
    heal_for_each: float = 0.0  # own map piece
    heal_for_each_of_others: float = 0.0  # map piece beyond five that the best of the others has
    fit: float = 35.5  # with more hp a runner runs, whatever lurks
    bold: float = 40.5  # the risk that is taken when it sets out, of a thousand
    usual_power: float = 8.0
    bold_in_maze: float = 40.5  # the risk that is taken for a new block, of a thousand
    # Prizes: new blocks.
    new_block: float = 12.0
    new_block_for_each_resource: float = 0.0  # of the resource roll
    new_block_for_each_hp: float = 0.0  # that is missing: less than 0
    new_block_for_each_neighbour: float = 0.0  # of it that nobody has travelled
    new_block_for_each_fork: float = 0.0  # beside it that leads to another new block
    new_block_as_last: float = 0.0  # where no half step is left then
    # Prizes: monsters.
    map_piece: float = 30.0
    map_piece_for_each: float = 0.0  # that the runner has
    iron: float = 0.5
    herbs: float = 0.5
    gold: float = 0.5
    damage: float = 0.5  # the price of each hp
    damage_squared: float = 0.0
    most_blows: float = 2.5  # taken from one monster in a turn
    spare_hp: float = 10.0  # left after a fight
    wound: float = 0.0  # the part of a map piece for a blow that does not kill, by how much of the health it takes
    # Rope or fight: the damage from which on a rope is used.
    rope_at: float = 5.5
    rope_before_kill: float = 0.0  # so much more where the next blow kills
    # Of two chance cards: portal, map piece, monster, resources.
    portal: float = 2.0
    map_card: float = 4.0
    monster: float = 1.0
    resources: float = 3.0
    monster_for_each_power: float = 0.0
    # The mix of dice: above 0, a second attack die; a second resource die.
    attack_die: float = -3.0
    attack_die_for_treasure: float = 0.0  # each map piece that lurks in the maze
    attack_die_for_near_treasure: float = 0.0  # each that such a die may bring within reach
    attack_die_of_six: float = 0.0
    attack_die_for_attack: float = 0.0
    attack_die_for_steps: float = 0.0
    resource_die: float = -3.0
    resource_die_of_six: float = 0.0
    resource_die_for_maps: float = 0.0
    resource_die_for_bonus: float = 0.0
    resource_die_for_steps: float = 0.0
    # The shop.
    wanted: tuple[float, ...] = WANTED
    wanted_third_die: float = 4.0
    potion_less_for_each: float = 0.0  # that the runner holds
    potion_for_each_hp: float = 0.0  # that is missing
    less_for_each_trade: float = 0.0
    less_for_each_map: float = 0.0  # beyond five that the runner has
    least_wanted: float = 0.0
    less_for_each_held: float = 0.0  # card of the kind, other than dice and potions


THUMB = Style()

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
