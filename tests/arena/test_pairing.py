"""Who meets whom: fair whatever the number of bots and rounds."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.arena.pairing import Pairing, derive, pairings, round_tables, shuffled
from parlour.arena.results import Result
from parlour.arena.runner import past
from parlour.arena.swiss import Past, robin_rounds, swiss
from parlour.arena.tournament import FORMATS, GAUNTLET, ROYALE, SWISS, Tournament

PLANS = st.builds(
    lambda format, bots, rounds, seed: Tournament("goose", 1, {}, format, ("random",) * bots, rounds, seed),
    st.sampled_from(FORMATS),
    st.integers(2, 9),
    st.integers(1, 6),
    st.integers(0, 2**128 - 1),
)


def played(plan: Tournament) -> list[Pairing]:
    """All matches, where the bot with the larger number always wins."""
    found: list[Pairing] = []
    results: dict[int, Result] = {}
    for round in range(plan.rounds):
        for pairing in pairings(plan, round, past(plan, results, round)):
            found.append(pairing)
            best = pairing.bots.index(max(pairing.bots))
            results[pairing.number] = Result(
                pairing.number, pairing.group, pairing.seed, list(pairing.bots), "over", [best]
            )
    return found


@given(PLANS)
def test_matches_are_numbered_without_a_gap(plan: Tournament) -> None:
    assert [pairing.number for pairing in played(plan)] == list(range(plan.matches))


@given(PLANS)
def test_every_seed_is_played_in_all_rotations(plan: Tournament) -> None:
    """Luck and seat order cancel out: under each seed, each bot of the table has each seat once."""
    groups: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in played(plan):
        groups[pairing.seed].append(pairing)
    assert len(groups) == plan.rounds * plan.tables, "tables share no seed"
    for group in groups.values():
        assert len({pairing.group for pairing in group}) == 1
        for seat in range(plan.seats):
            assert sorted(pairing.bots[seat] for pairing in group) == sorted(group[0].bots)


@given(PLANS)
def test_every_bot_plays_as_often_as_any_other(plan: Tournament) -> None:
    """But for a gauntlet's first bot, who plays all the others; and whoever rests in an odd Swiss round."""
    count = Counter(bot for pairing in played(plan) for bot in pairing.bots)
    others = [count[bot] for bot in range(len(plan.bots))]
    if plan.format == GAUNTLET:
        assert others[0] == plan.matches
        others = others[1:]
    allowed = 2 if plan.format == SWISS and len(plan.bots) % 2 else 0
    assert max(others) - min(others) <= allowed


@given(PLANS)
def test_nobody_meets_himself(plan: Tournament) -> None:
    for pairing in played(plan):
        assert len(set(pairing.bots)) == len(pairing.bots) == plan.seats


@given(PLANS)
def test_the_same_announcement_gives_the_same_matches(plan: Tournament) -> None:
    assert played(plan) == played(plan)


def test_swiss_pairs_neighbours_and_avoids_those_who_have_met() -> None:
    assert swiss([0, 1, 2, 3], Past([4, 3, 2, 1], [])) == [(0, 1), (2, 3)]
    assert swiss([0, 1, 2, 3], Past([4, 3, 2, 1], [(1, 0)])) == [(0, 2), (1, 3)]
    forced = Past([6, 5, 4, 3, 2, 1], [(4, 5)])
    assert swiss(range(6), forced) == [(0, 1), (2, 4), (3, 5)], "the last two have met, so they swap partners"


@pytest.mark.parametrize("bots", range(2, 17))
def test_swiss_pairs_nobody_twice_who_need_not_meet_twice(bots: int) -> None:
    """With as many rounds as it takes to meet everybody, or fewer, nobody meets anybody twice."""
    for rounds in range(1, bots if bots % 2 == 0 else bots + 1):
        for seed in range(4):
            met = Counter(frozenset(pairing.bots) for pairing in played(plan_of(bots, rounds, seed)))
            assert set(met.values()) == {2}, (bots, rounds, seed)  # both ways round


@pytest.mark.parametrize("bots", [6, 7])
def test_in_longer_swiss_tournaments_all_meet_about_as_often(bots: int) -> None:
    met = Counter(frozenset(pairing.bots) for pairing in played(plan_of(bots, 12, 1)))
    assert len(met) == bots * (bots - 1) // 2
    assert max(met.values()) - min(met.values()) <= 2


def plan_of(bots: int, rounds: int, seed: int) -> Tournament:
    return Tournament("goose", 1, {}, SWISS, ("random",) * bots, rounds, seed)


@pytest.mark.parametrize("bots", range(2, 9))
def test_a_round_robin_has_everybody_meet_everybody_once(bots: int) -> None:
    met = Counter(frozenset(table) for tables in robin_rounds(bots) for table in tables)
    assert len(met) == bots * (bots - 1) // 2
    assert set(met.values()) == {1}


def test_swiss_lets_the_lowest_rest_who_has_not_rested() -> None:
    assert swiss([0, 1, 2], Past([2, 1, 0], [])) == [(0, 1)]
    assert swiss([0, 1, 2], Past([2, 1, 0], [(0, 1)])) == [(0, 2)]


def test_royales_change_the_neighbours_from_round_to_round() -> None:
    plan = Tournament("goose", 1, {}, ROYALE, ("random",) * 4, 9, 5)
    orders = {tuple(round_tables(plan, round)[0]) for round in range(9)}
    assert len(orders) > 3


@given(st.integers(0, 50), st.integers(0, 2**63 - 1))
def test_shuffled_loses_nobody(count: int, seed: int) -> None:
    assert sorted(shuffled(count, seed)) == list(range(count))


@pytest.mark.parametrize("parts", [("match", 1), ("match", 2), ("bots", 1), ("round", 1)])
def test_seeds_are_told_apart_by_what_they_are_for(parts: tuple[str, int]) -> None:
    others = {derive(7, "match", 3), derive(8, *parts)}
    assert derive(7, *parts) not in others
    assert 0 <= derive(7, *parts) < 2**63
