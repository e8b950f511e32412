"""Games with secrets: every door shows a seat what it knows, and nothing else."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Iterator
from typing import Any

import kuhn
import liars_dice
import numpy as np
import pytest

from parlour.bots import make_bot
from parlour.bots.box import bot_file
from parlour.bots.box.boxed import BoxedBot
from parlour.bots.roster import hint, plan
from parlour.engine import UNKNOWN, Event, Game, Match, Seat, Secret, event, registry, replay
from parlour.engine.batch import Batch
from parlour.engine.chance import Chance
from parlour.engine.check import play_random
from parlour.engine.errors import BadGame, BadNotation, BadTournament, IllegalAction, ParlourError
from parlour.engine.secrets import hidden, imagined
from parlour.engine.seen import WATCHER
from parlour.engine.win_chances import win_chances

GAMES = (kuhn.GAME, liars_dice.GAME)
ALL = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
SEEDS = range(10**12, 10**12 + 99)
KEY = "0123456789abcdef" * 2
KING, JACK = kuhn.CARDS.index("king"), kuhn.CARDS.index("jack")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """These games as if they were installed."""
    found, names = registry.get, [*registry.names(), *(game.name for game in GAMES)]
    ours = {game.name: game for game in GAMES}
    monkeypatch.setattr(registry, "get", lambda name: ours.get(name) or found(name))
    monkeypatch.setattr(registry, "names", lambda: names)


def kings_match() -> Match:
    """The first seat holds the king, the second the jack."""
    return next(match for match in (Match(kuhn.GAME, seed=seed) for seed in SEEDS) if match.state.card == [2, 0])


def queens_match() -> Match:
    """The same to the second seat: the first holds the queen."""
    return next(match for match in (Match(kuhn.GAME, seed=seed) for seed in SEEDS) if match.state.card == [1, 0])


def doors(match: Match, seat: int | None) -> dict[str, Any]:
    """All that a seat can be shown of a match."""
    seen = match.seen_by(seat)
    return {
        "state": seen.state,
        "shown": seen.shown,
        "packed": seen.state.pack(),
        "legal": seen.legal,
        "choices": [(repr(choice), choice.label, choice.picks, choice.can_undo) for choice in seen.choices],
        "board": seen.board().markup,
        "picture": (seen.picture, seen.scene_parts, seen.backdrop, seen._repr_html_(), seen._repr_svg_()),
        "journal": [event.to_json() for event in seen.journal],
        "last events": seen.last_events(3),
        "news": seen.news,
        "story": seen.story,
        "actions": seen.actions,
        "scores": (seen.scores, seen.winners, seen.over, seen.is_out(0)),
        "why not": (seen.why_not(()), seen.why_not(("bet",)), seen.explain("x")),
        "chances": seen.chances,
        "observation": seen.observation if seat is not None else None,
        "repr": repr(seen),
        "decision": seen.decision(Chance.at(0, 0)) if seat is not None else None,
        "pickle": pickle.dumps((seen.state, seen.journal, seen.legal)),
        "opening": list(seen.journal[:2]),
    }


@pytest.mark.parametrize("actions", [(), ("pass",), ("bet",), ("pass", "bet")])
@pytest.mark.parametrize("seat", [None, 1])
def test_two_deals_that_look_alike_are_shown_alike(seat: int | None, actions: tuple[str, ...]) -> None:
    kings, queens = kings_match(), queens_match()
    for action in actions:
        kings.play(action)
        queens.play(action)
    shown, other = doors(kings, seat), doors(queens, seat)
    for door in shown:
        one, two = shown[door], other[door]
        if door == "decision" and one is not None:
            one, two = (one.state, one.legal, one.actions), (two.state, two.legal, two.actions)
        assert one == two, door
    if seat is None or not actions:
        assert shown["state"].card[0] == UNKNOWN


def reachable(thing: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """The thing, and all that can be reached from it by attributes and items: no way back may lead to the truth."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, type | Game | str | bytes) or callable(thing):
        return
    seen.add(id(thing))
    yield thing
    parts: list[Any] = []
    if isinstance(thing, dict):
        parts = [*thing, *thing.values()]
    elif isinstance(thing, list | tuple | set):
        parts = list(thing)
    else:
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        parts = [*getattr(thing, "__dict__", {}).values(), *(getattr(thing, name, None) for name in slots)]
    for part in parts:
        yield from reachable(part, seen)


@pytest.mark.parametrize("seat", [None, 1])
def test_no_way_leads_from_what_is_seen_to_the_truth(seat: int | None) -> None:
    match = kings_match()
    match.play("bet")
    seen = match.seen_by(seat)
    _ = seen.choices, seen.state, seen.picture, seen.legal
    found = list(reachable(seen))
    assert len(found) > 10
    assert match not in found
    assert match.seed not in found
    states = [thing for thing in found if isinstance(thing, type(match.state))]
    assert states
    assert all(state.card[0] == UNKNOWN for state in states)
    events = [thing for thing in found if isinstance(thing, kuhn.Dealt)]
    assert all(dealt == kuhn.Dealt(0, kuhn.CARDS[KING]).seen_by(1) for dealt in events if dealt.seat == 0)


def test_what_is_known_of_a_match_cannot_be_played_on() -> None:
    known = kings_match().seen_by(1)._match
    with pytest.raises(IllegalAction, match="only the match itself goes on"):
        known.play("bet")
    with pytest.raises(IllegalAction):
        list(known.positions())


def test_of_what_others_have_chosen_a_seat_knows_what_was_told() -> None:
    match = kings_match()
    match.play("bet")
    assert match.seen_by(0).actions == [kuhn.BET]
    assert match.seen_by(1).actions == [UNKNOWN]
    assert match.seen_by(1).story[-1] == "First bets a chip"
    assert [ply.text for ply in match.seen_by(1)._plies] == [""]


def test_an_own_card_is_told_and_anothers_is_not() -> None:
    match = kings_match()
    assert match.seen_by(0).story == ["First is dealt the king", "Second is dealt a card"]
    assert match.seen_by(1).story == ["First is dealt a card", "Second is dealt the jack"]
    assert match.seen_by(None).story == ["First is dealt a card", "Second is dealt a card"]
    assert match.seen_by(1).journal[0].to_json() == {"event": "Dealt", "seat": 0, "card": UNKNOWN}


@pytest.mark.parametrize("plies", [("bet", "bet"), ("bet", "pass")])
def test_when_it_is_over_all_is_shown(plies: tuple[str, ...]) -> None:
    match = kings_match()
    for action in plies:
        match.play(action)
    for seat in (None, 0, 1):
        assert match.seen_by(seat).state == match.state
        assert match.seen_by(seat).story == match.story
        assert match.seen_by(seat).actions == match.actions


@pytest.mark.parametrize("until", [0, 1, 2])
def test_a_replay_shows_all_only_of_a_match_that_is_over(until: int) -> None:
    match = kings_match()
    match.play("pass")
    match.play("bet")
    unfinished = replay.loads(replay.dumps(match))
    assert replay.run(unfinished, until=until).seen_by(None).state.card == [UNKNOWN, UNKNOWN]
    match.play("bet")
    finished = replay.loads(replay.dumps(match))
    assert replay.run(finished, until=until).seen_by(None).state.card == [KING, JACK]
    assert match.at(next(match.positions())).seen_by(None).state.card == [KING, JACK]


def test_undo_in_a_script_hides_again_what_the_end_has_shown() -> None:
    match = kings_match()
    match.play("bet")
    match.play("pass")
    match.undo()
    assert match.seen_by(1).state.card[0] == UNKNOWN
    assert match.seen_by(1).story[0] == "First is dealt a card"


@ALL
def test_at_a_table_nothing_is_taken_back(game: Game) -> None:
    match = Match(game, seed=5)
    match.play(match.legal()[0])
    assert match.undo_plies(0) == 0
    assert not match.may_undo(0)
    assert not any(choice.can_undo for choice in match.seen_by(match.to_move).choices)


@ALL
def test_errors_carry_what_the_seat_to_move_knows(game: Game) -> None:
    match = Match(game, seed=5)
    for wrong in (-1, 2**40, game.action_space - 1 if game is liars_dice.GAME else 7, True, "x"):
        with pytest.raises((IllegalAction, BadNotation)) as caught:
            match.play(wrong)
        position = getattr(caught.value, "position", hidden(game, match.state, match.to_move))
        assert position == hidden(game, match.state, match.to_move)
        assert position != match.state
        assert str(match.state) not in str(pickle.loads(pickle.dumps(caught.value)).__dict__)


@ALL
def test_a_match_that_is_printed_shows_what_watchers_see(game: Game) -> None:
    match = Match(game, seed=5)
    assert str(match) == match.seen_by(None).board().plain
    for text in (repr(match), repr(match.seen_by(0)), match._repr_html_()):
        assert "seed" not in text
    assert "seed=5" in repr(copy.deepcopy(Match(registry.get("goose"), seed=5)))


def test_a_bot_is_asked_with_what_its_seat_knows() -> None:
    match = kings_match()
    match.play("bet")
    decision = match.seen_by(1).decision(Chance.at(0, 0))
    assert decision.state.card == [UNKNOWN, JACK]
    assert decision.actions == [UNKNOWN]
    assert [decision.world().card[0] for _ in range(50)].count(KING) in range(10, 40)
    assert all(decision.world().card[1] == JACK for _ in range(9))


@ALL
@pytest.mark.parametrize("name", ["random", "greedy", "mcts:200p"])
def test_built_in_bots_play_without_peeking(game: Game, name: str) -> None:
    match = Match(game, seed=8)
    play_random(match, 1)
    seat = match.to_move
    choices = []
    for number in range(2):  # the second time with another truth that looks the same
        world = imagined(game, match.state, seat, Chance.at(number, 3))
        decision = match.at(world).seen_by(seat).decision(Chance.at(1, 1))
        choices.append(make_bot(game, name).choose(decision))
    assert choices[0] == choices[1]
    assert choices[0] in match.legal()


def test_hints_go_by_what_the_seat_knows_and_plans_are_not_made() -> None:
    decision = kings_match().seen_by(0).decision(Chance.at(0, 0))
    assert {action for action, _, _ in hint(kuhn.GAME, decision, 0.05)} == {kuhn.PASS, kuhn.BET}
    assert plan(kuhn.GAME, decision) == []


def test_a_bot_in_its_box_is_sent_what_its_seat_knows(tmp_path: Any) -> None:
    file = tmp_path / "peeks.py"
    file.write_text("def choose(decision):\n    return decision.legal[0]\n")
    match = kings_match()
    match.play("bet")
    boxed = BoxedBot(kuhn.GAME, bot_file(str(file)))
    decision = match.seen_by(1).decision(Chance.at(0, 0))
    lanes = [1, 2, 3, 4]
    told = [boxed._announcement(decision, lanes), boxed._question(decision, lanes, 1.0, 0.0)]
    text = json.dumps(told)
    assert told[1]["state"]["card"] == [UNKNOWN, JACK]
    assert told[1]["played"] == [UNKNOWN]
    assert str(match.seed) not in text.replace(str(told[0]["seed"]), "")


@ALL
def test_nobody_says_who_is_winning(game: Game) -> None:
    assert win_chances(game, Match(game, seed=5).state) is None


@ALL
def test_what_would_show_everybody_everything_takes_no_game_with_secrets(game: Game, tmp_path: Any) -> None:
    from parlour.engine.judge.file import from_bytes
    from parlour.lab.train.plan import make_plan
    from parlour.rl import vector

    for leak in (
        lambda: Batch(game, 4).observe(),
        lambda: vector(game.name, 4),
        lambda: make_plan(game, games=100),
        lambda: from_bytes(game, b"", "my.judge"),
    ):
        with pytest.raises(ParlourError, match=f"^{game.name} has secrets, and [^\n]*$"):
            leak()


def test_bots_of_ones_own_are_not_dealt_from_a_seed_that_can_be_guessed(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parlour.arena import tournament
    from parlour.arena.tournament import announce

    file = tmp_path / "bot.py"
    file.write_text("def choose(decision):\n    return decision.legal[0]\n")
    with pytest.raises(BadTournament, match="could find seed 7 by trying"):
        announce(kuhn.GAME, [f"file:{file}", "random"], seed=7)
    assert announce(kuhn.GAME, ["random", "random"], seed=7).seed == 7
    monkeypatch.setattr(tournament, "check_bot", lambda *_: "")  # in its box the game is not installed
    assert announce(kuhn.GAME, [f"file:{file}", "random"], seed=7, key=KEY).seed == 7
    for wrong in ("x", KEY[:-1], KEY.upper()):
        with pytest.raises(BadTournament, match="a key has 32 digits from 0 to f"):
            announce(kuhn.GAME, ["random", "random"], seed=7, key=wrong)


def test_with_another_key_the_same_seed_deals_other_cards() -> None:
    from parlour.arena.pairing import all_pairings
    from parlour.arena.runner import job_of
    from parlour.arena.tournament import announce

    def dealt(key: str) -> list[tuple[int, int]]:
        held = announce(kuhn.GAME, ["random", "random"], seed=7, rounds=5, key=key)
        jobs = [job_of(held, pairing) for pairing in all_pairings(held)]
        return [(job.seed, job.bot_seed) for job in jobs]

    assert dealt(KEY) == dealt(KEY)
    seeds = [seed for key in ("", KEY, KEY[::-1]) for pair in set(dealt(key)) for seed in pair]
    assert len(seeds) - len(set(seeds)) == 3 * 5  # the two matches of a round have the same cards, and nothing else


def test_tournaments_draw_a_key_where_bots_could_try_seeds(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept with the results, so that the same command goes on, and another folder can repeat it."""
    from parlour.arena.tournament_folder import read_plan
    from parlour.cli import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def choose(decision):\n    return decision.legal[0]\n")
    bots = ["rank", "verfuchst", "file:bot.py", "random", "--seed", "7", "--rounds", "2", "--cores", "1", "--json"]
    assert run([*bots, "one"]) == 0
    key = read_plan(tmp_path / "one").key
    assert len(key) == 32
    assert run([*bots, "one"]) == 0
    assert run([*bots, "two"]) == 0
    assert read_plan(tmp_path / "two").key not in ("", key)
    assert run([*bots, "three", "--key", key]) == 0
    results = [(tmp_path / name / "results.jsonl").read_text() for name in ("one", "three")]
    one, three = ([json.loads(line)["course"] for line in text.splitlines()] for text in results)
    assert sorted(one) == sorted(three)
    assert run([*bots, "four", "--key", "7"]) == 2
    assert run(["rank", "verfuchst", "random", "random", "five", "--rounds", "1", "--cores", "1", "--json"]) == 0
    assert read_plan(tmp_path / "five").key == ""


def test_environments_show_each_agent_what_it_knows() -> None:
    from parlour.rl import aec, parallel

    env = aec("kuhn", render_mode="ansi")
    env.reset(seed=3)
    match = env.unwrapped.episodes.match
    for seat in range(2):
        seen = env.observe(f"seat_{seat}")
        assert seen["observation"].tolist() == kuhn.GAME.observed(hidden(kuhn.GAME, match.state, seat), seat)
        assert UNKNOWN in seen["observation"]
    assert env.infos == {"seat_0": {}, "seat_1": {}}
    assert "?" in str(env.render())
    assert not set(kuhn.CARDS) & set(str(env.render()).replace(",", " ").replace(";", " ").split())
    seen, infos = parallel("kuhn").reset(seed=3)
    assert all(UNKNOWN in told["observation"] for told in seen.values())
    assert all(info == {} for info in infos.values())


def test_a_learner_among_bots_sees_its_own_card() -> None:
    from parlour.rl import single

    env = single("kuhn", opponents=["random"], illegal="raise")
    seen, info = env.reset(seed=3)
    assert (np.asarray(seen) == UNKNOWN).sum() == 1
    assert set(info) == {"action_mask", "seat"}
    with pytest.raises(IllegalAction) as caught:
        env.step(9)
    assert "-1" in repr(caught.value.position)


def test_openspiel_is_shown_what_a_player_knows() -> None:
    from parlour.rl.openspiel_games import Observer, make_game_class

    kind = make_game_class(kuhn.GAME, "parlour_kuhn")
    state = kind().new_initial_state()
    while state.is_chance_node():
        assert all(state.told_to(player) == "the opening" for player in range(2))
        state.apply_action(0)
    assert not kind.kind.information.name.startswith("PERFECT")
    observer = Observer(kuhn.GAME)
    for player in range(2):
        observer.set_from(state, player)
        assert UNKNOWN in observer.tensor
        assert "?" in observer.string_from(state, player)
    assert "?" not in str(state)  # whoever holds the state deals the cards


def test_a_finished_match_of_the_arena_is_a_whole_replay() -> None:
    from parlour.arena.pairing import derive
    from parlour.arena.running import MatchJob, play
    from parlour.bots.box import BotLimits

    shown: list[int] = []
    job = MatchJob(0, 0, "kuhn", {}, 99, derive(99, "bots", 0), ("greedy", "mcts:50p"), BotLimits(), ("a", "b"), (0, 1))
    played = play(job, shown.append)
    assert played.result.ended == "over"
    assert replay.run(replay.loads(played.replay)).over
    assert all(isinstance(told, int) for told in shown)


# Events.


@event
class Swapped(Event):
    words = "{one} and {other} swap {card} in secret with {third}"
    others = "{one} and {other} swap cards"
    one: Seat
    other: Seat
    third: Secret[Seat]
    card: Secret[str]


def test_an_event_concerns_the_seats_that_all_know_of() -> None:
    swapped = Swapped(0, 2, 1, "a king")
    name = "ABC".__getitem__
    assert swapped.seen_by(0) is swapped
    assert swapped.seen_by(2).tell(name) == "A and C swap a king in secret with B"
    for seat in (1, WATCHER):
        assert swapped.seen_by(seat).tell(name) == "A and C swap cards"
        assert swapped.seen_by(seat).to_json() == {"event": "Swapped", "one": 0, "other": 2, "third": -1, "card": -1}
    assert swapped.seen_by(1).seen_by(0).tell(name) == "A and C swap cards"  # what is gone is gone


def test_an_event_with_a_secret_says_what_the_others_are_told() -> None:
    with pytest.raises(BadGame, match="'card' is secret: say in 'others'"):

        @event
        class Silent(Event):
            words = "{seat} gets {card}"
            seat: Seat
            card: Secret[int]

    with pytest.raises(BadGame, match="'others' would tell it"):

        @event
        class Loose(Event):
            words = "{seat} gets {card}"
            others = "{seat} gets {card:d}"
            seat: Seat
            card: Secret[int]


def test_hide_and_imagine_belong_together() -> None:
    import dataclasses

    with pytest.raises(BadGame, match="hide and imagine belong together"):
        dataclasses.replace(kuhn.GAME, imagine=None)


def test_a_game_without_secrets_is_seen_as_it_is() -> None:
    match = Match(registry.get("goose"), seed=5)
    seen = match.seen_by(None)
    assert seen._match is match
    assert seen.shown is match.state
    assert not match.keeps_secrets


def test_the_stream_of_what_is_printed_has_no_secret() -> None:
    """A whole match, every view printed: nothing of the other's card is in it before the end."""
    match, printed = kings_match(), io.StringIO()
    while not match.over:
        for seat in (None, 1):
            print(doors(match, seat), file=printed)
        match.play(match.legal()[1])
    assert "king" not in printed.getvalue()
