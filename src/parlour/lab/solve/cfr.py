"""CFR+, compiled: for each seat and round a walk down the tree for what is reached, and one up for what it is worth.

Every number of a policy belongs to one action of an information set. A walk needs no recursion, since parents stand
before their children. All arrays are [N] (nodes) or [P] (numbers of a policy).
"""

# Tammelin: Solving Large Imperfect Information Games Using CFR+ (2014).

from __future__ import annotations

import numba
import numpy as np

jit = numba.njit(cache=True, nogil=True)


@jit
def match_regrets(regrets, places, policy):
    """Choose in proportion to what is regretted; where nothing is, all the same."""
    for number in range(len(places) - 1):
        first, last = places[number], places[number + 1]
        total = 0.0
        for place in range(first, last):
            total += regrets[place]
        for place in range(first, last):
            policy[place] = regrets[place] / total if total > 0 else 1.0 / (last - first)


@jit
def walk_down(seat, first, count, place, policy, me, own, others):
    """How likely each node is reached by what I choose, and by what chance and the others do."""
    own[0], others[0] = 1.0, 1.0
    for node in range(len(seat)):
        for child in range(count[node]):
            at = first[node] + child
            own[at], others[at] = own[node], others[node]
            if seat[node] < 0:
                others[at] /= count[node]
            elif seat[node] == me:
                own[at] *= policy[place[node] + child]
            else:
                others[at] *= policy[place[node] + child]


@jit
def walk_up(seat, first, count, place, scores, policy, worth):
    """What each node is worth to whose scores these are, if all choose by the policy."""
    for node in range(len(seat) - 1, -1, -1):
        if count[node] == 0:
            worth[node] = scores[node]
            continue
        total = 0.0
        for child in range(count[node]):
            share = 1.0 / count[node] if seat[node] < 0 else policy[place[node] + child]
            total += share * worth[first[node] + child]
        worth[node] = total


@jit
def improve(seat, first, count, place, scores, places, seats, rounds, done, regrets, sums, policy, own, others, worth):
    """So many rounds of CFR+: the seats in turn, regrets never below 0, later rounds weighing more in the average."""
    for number in range(done + 1, done + rounds + 1):
        for me in range(seats):
            match_regrets(regrets, places, policy)
            walk_down(seat, first, count, place, policy, me, own, others)
            walk_up(seat, first, count, place, scores[me], policy, worth)
            for node in range(len(seat)):
                if seat[node] == me:
                    for child in range(count[node]):
                        at = place[node] + child
                        regrets[at] += others[node] * (worth[first[node] + child] - worth[node])
                        sums[at] += number * own[node] * policy[at]
            for at in range(len(regrets)):
                regrets[at] = max(regrets[at], 0.0)


@jit
def best_reply(seat, first, count, place, sets, scores, places, owners, depths, policy, me, own, others, worth, gains):
    """What the best reply of a seat to the policy is worth to it. ``policy`` becomes that reply where the seat chooses.

    A seat's choices are settled from its last ones back, as those before do not change what is known by then.
    """
    walk_down(seat, first, count, place, policy, me, own, others)
    deepest = 0
    for number in range(len(owners)):
        if owners[number] == me:
            deepest = max(deepest, depths[number])
    for depth in range(deepest, -1, -1):
        walk_up(seat, first, count, place, scores, policy, worth)
        gains[:] = 0.0
        for node in range(len(seat)):
            if seat[node] == me and depths[sets[node]] == depth:
                for child in range(count[node]):
                    gains[place[node] + child] += others[node] * worth[first[node] + child]
        for number in range(len(owners)):
            if owners[number] == me and depths[number] == depth:
                begin, end = places[number], places[number + 1]
                best = begin + np.argmax(gains[begin:end])
                for at in range(begin, end):
                    policy[at] = 1.0 if at == best else 0.0
    walk_up(seat, first, count, place, scores, policy, worth)
    return worth[0]
