"""What of a picture has changed: a patch, which makes the new list of its parts from the old one.

A patch goes along the old parts. A number above zero says how many of them stay, one below zero how many go, and a text
is a new part. Old parts that are not reached stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from operator import ne

Patch = list[int | str]
FEW = 24  # parts that changed, where all others are still in their place


def difference(old: Sequence[str], new: Sequence[str]) -> Patch:
    """The patch that makes the new parts from the old ones."""
    if len(old) == len(new):
        changed = list(compress(count(), map(ne, old, new)))
        if len(changed) <= FEW:
            return _replacing(changed, new)
    return _moving(old, new)


def _replacing(changed: list[int], new: Sequence[str]) -> Patch:
    """Every part has kept its place; these differ."""
    patch, reached = Patch(), 0
    for place in changed:
        if place > reached:
            patch.append(place - reached)
        patch += (-1, new[place])
        reached = place + 1
    return patch


def _moving(old: Sequence[str], new: Sequence[str]) -> Patch:
    """Parts may have come, gone or moved. Each new one that is found in what is left of the old ones stays."""
    patch, reached, staying = Patch(), 0, 0
    where = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))  # the first place of each
    for part in new:
        place = reached if reached < len(old) and old[reached] == part else where.get(part, -1)
        if place != reached and staying:
            patch.append(staying)
            staying = 0
        if place < reached:
            patch.append(part)
            continue
        if place > reached:
            patch.append(reached - place)
        staying += 1
        reached = place + 1
    if reached < len(old):
        patch += ([staying] if staying else []) + [reached - len(old)]
    return patch


def patched(old: Sequence[str], patch: Patch) -> list[str]:
    """The new parts."""
    new, reached = list[str](), 0
    for step in patch:
        if isinstance(step, str):
            new.append(step)
        elif step > 0:
            new += old[reached : reached + step]
            reached += step
        else:
            reached -= step
    return [*new, *old[reached:]]
