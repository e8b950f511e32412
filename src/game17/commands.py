"""What the commands of ``game17`` do."""

from __future__ import annotations

import math
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from game17 import colours, files, ranking
from game17.display import show_game
from game17.games import Crew, GameJob, GameSetting, Outcome
from parlour.engine.cores import available_cores
from parlour.engine.errors import BadOption, ParlourError, UnknownName
from parlour.engine.files import write_whole
from parlour.engine.match import check_seed
from parlour.engine.printable import printable

if TYPE_CHECKING:
    from game17.cli import Games
    from parlour.bots.box.process.forkserver import ForkServer

MAIN = "bot.py"  # the file in a folder that is the bot
STUB = "stub.py"  # the demo player
FAILED = "players_that_failed_on_import.txt"


def setting(size: int, rounds: int, seed: int | None) -> GameSetting:
    """How games are played; a seed nobody has given is anybody's guess."""
    return GameSetting(size, rounds, secrets.randbits(48) if seed is None else check_seed(seed))


def pace(speed: float, *, no_sleep: bool) -> float:
    """How fast to show a game; 0 is without a pause."""
    if not (math.isfinite(speed) and speed > 0):
        raise BadOption(f"--speed takes a number above 0, not {speed:g}")
    return 0.0 if no_sleep else speed


class Roster:
    """Who plays: the files in their order, from player 1 on, and after them the T800s.

    A board of N by N has owners from 0 to N² − 1. So where players take every square, the last of them is player 0.
    """

    def __init__(
        self, names: Sequence[str], t800s: int, players_file: Path, size: int, *, coloured: bool = False
    ) -> None:
        squares, count = size**2, len(names) + t800s
        if t800s < 0:
            raise BadOption(f"--num-T800s takes a number from 0 up, not {t800s}")
        if count > squares:
            raise BadOption(f"a board of {size} by {size} has squares for {squares} players, not for {count}")
        self.players_file = players_file
        self.names: dict[int, str] = {}
        self.colours: dict[int, str] = {}
        self.files: dict[int, Path | None] = {}
        players = [place % squares for place in range(1, count + 1)]
        for player, name in zip(players, names, strict=False):
            file, colour = _split(name) if coloured else (name, "")
            if colour:
                colours.rgb(colour)
                self.colours[player] = colour
            self.names[player] = file
            self.files[player] = _existing(file)
        for player in players[len(names) :]:
            self.files[player] = None
            if coloured:
                self.colours[player] = colours.T800_NAME

    def name(self, player: int) -> str:
        return f"player {player} ({self.names.get(player, 'T800')})"

    def keep_from(self, folder: Path) -> None:
        """Refuse a bot whose folder has the results in it."""
        for player, path in self.files.items():
            if path is not None and folder.resolve().is_relative_to(path):
                raise BadOption(f"{self.name(player)} could read {folder}, where results go: name another folder")

    def note(self) -> None:
        """Write the players file."""
        files.write_players(self.players_file, self.names)


def _split(name: str) -> tuple[str, str]:
    """``file.py:colour``, where the colour may have a colon too; a file with a colon in its name may be given alone."""
    places = [place for place, sign in enumerate(name) if sign == ":"]
    if Path(name).exists() or not places:
        return name, ""
    place = next((place for place in places if Path(name[:place]).exists()), places[0])
    return name[:place], name[place + 1 :]


def _existing(name: str) -> Path:
    path = Path(name)
    if not path.exists():
        raise UnknownName(f"there is no bot file {name!r}")
    if path.is_dir():
        _check_folder(path, name)
    elif not path.is_file():
        raise UnknownName(f"{name!r} is not a file; a player is a Python file, or a folder with a {MAIN} in it")
    elif not os.access(path, os.R_OK):
        raise UnknownName(f"the bot file {name!r} cannot be read")
    return path.resolve()


def _check_folder(path: Path, name: str) -> None:
    from parlour.bots.box.sandbox import is_too_wide

    if not os.access(path / MAIN, os.R_OK):
        raise UnknownName(f"{name!r} is not a bot: a folder needs a {MAIN} in it")
    if not (path / MAIN).resolve().is_relative_to(path.resolve()):
        raise UnknownName(f"{name!r} is not a bot: its {MAIN} leads out of the folder, to {(path / MAIN).resolve()}")
    if is_too_wide(path):
        raise UnknownName(f"{name!r} would let the bot read all of {path.resolve()}; name a folder that holds less")


def check_numbers(asked: Games) -> None:
    if asked.num_games < 0:
        raise BadOption(f"--num-games takes a number from 0 up, not {asked.num_games}")
    if not math.isfinite(asked.time_threshold):
        raise BadOption(f"--time-threshold takes a number of seconds, not {asked.time_threshold}")
    if asked.cores is not None and not 1 <= asked.cores <= 1024:
        raise BadOption(f"--cores takes 1 to 1024, not {asked.cores}")
    check_deadline(asked.deadline)


def check_deadline(deadline: float) -> None:
    if not (math.isfinite(deadline) and 0 < deadline <= 3600):
        raise BadOption(f"--deadline takes seconds above 0 and up to 3600, not {deadline:g}")


class Complaints:
    """Turns that players have lost, summed up: nobody should have to wonder why a bot does nothing."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._lost: dict[int, list[str]] = {}
        self._games: Counter[int] = Counter()

    def note(self, job: GameJob, outcome: Outcome) -> None:
        player_of = dict(job.seats)
        for owner, reasons in outcome.lost.items():
            told = self._lost.setdefault(player_of[owner], [])
            told += [f"{job.label}, {reason}" for reason in reasons]
            self._games[player_of[owner]] += 1

    def tell(self, *, verbose: bool = False) -> None:
        for player, reasons in sorted(self._lost.items()):
            turns = "1 turn" if len(reasons) == 1 else f"{len(reasons)} turns"
            games = "1 game" if self._games[player] == 1 else f"{self._games[player]} games"
            tell(f"{self._roster.name(player)} lost {turns} in {games}, the first in {reasons[0]}")
            for reason in reasons if verbose else ():
                tell(f"{self._roster.name(player)}: {reason}")


def tell(line: str) -> None:
    print(f"game17: {printable(line)}", file=sys.stderr)


def start_server() -> ForkServer:
    """The process that bots come from: it is on its way before the heavy imports here."""
    from parlour.bots.box.process.forkserver import ForkServer

    return ForkServer(("game17.harness",))


def single(roster: Roster, how: GameSetting, deadline: float, *, counts: bool, speed: float, verbose: bool) -> None:
    """One game, played first and shown then."""
    check_deadline(deadline)
    roster.note()
    server = start_server()

    from game17.boxed_movers import MoverSet

    movers = MoverSet(server, roster.files, deadline)
    try:
        failed = _report_failures(roster, movers.failures())
        able = [player for player in roster.files if player not in failed]
        job = GameJob.of("this game", able)
        outcome = movers.play(job, how)
    finally:
        movers.close()
        server.close()
    movers.show_printed()
    show_game(outcome.game, counts=counts, colours=roster.colours, speed=speed)
    if able:
        print(files.frame(["times"], [(player, outcome.times[player]) for player in able]), end="")
    complaints = Complaints(roster)
    complaints.note(job, outcome)
    complaints.tell(verbose=verbose)


def _report_failures(roster: Roster, failed: dict[int, str]) -> dict[int, str]:
    for player, reason in failed.items():
        tell(f"{roster.name(player)} failed to load: {reason}")
    return failed


@contextmanager
def _crew(asked: Games, roster: Roster, how: GameSetting, games: int) -> Iterator[Crew]:
    """The folder made, the players noted, the failed ones left out, and the others ready on all cores."""
    folder = asked.output_directory
    roster.keep_from(folder)
    files.make_folder(folder, empty=True)
    roster.note()
    server = start_server()
    try:
        from game17.boxed_crew import BoxedCrew, get_ready  # what is compiled is loaded while the server gets ready
        from game17.boxed_movers import MoverSet

        get_ready()
        trial = MoverSet(server, roster.files, asked.deadline)
        failed = _report_failures(roster, trial.failures())
        trial.close()
        write_whole(folder / FAILED, ", ".join(map(str, failed)) + "\n", overwrite=False)
        able = {player: path for player, path in roster.files.items() if player not in failed}
        workers = max(1, min(asked.cores or len(available_cores()), games))
        with BoxedCrew(server, able, how, workers, asked.deadline, trial.known) as crew:
            yield crew
    finally:
        server.close()


def _begin(asked: Games) -> tuple[GameSetting, Roster, Complaints]:
    how = setting(asked.board_size, asked.num_rounds, asked.seed)
    roster = Roster(asked.players, asked.num_t800s, asked.players_file, asked.board_size)
    check_numbers(asked)
    return how, roster, Complaints(roster)


def rank(asked: Games) -> None:
    """Rank all players, and say who won."""
    how, roster, complaints = _begin(asked)
    folder, games = asked.output_directory, asked.num_games
    with _crew(asked, roster, how, max(games, len(roster.files))) as crew:
        ranks = ranking.rank(crew, folder, games, asked.time_threshold, complaints.note)
    complaints.tell()
    for place, group in enumerate(ranks):
        print(f"{place}  {', '.join(map(roster.name, sorted(group)))}")
    print(f"Results are in {folder}; seed {how.seed}. game17 replay {folder / 'battle-royale-0.json'} shows a game.")


def vs_zombies(asked: Games) -> None:
    """Each player against zombies alone. The threshold is taken and bans nobody, as in the public program."""
    how, roster, complaints = _begin(asked)
    folder, games = asked.output_directory, asked.num_games
    lines = ["player\tnum_wins\tmax_time"]
    with _crew(asked, roster, how, games) as crew:
        for player in crew.players:
            record = ranking.vs_zombies(crew, player, games, complaints.note)
            lines.append(f"{player}\t{record.wins}\t{record.longest}")
            print(f"{roster.name(player)} won {record.wins} of {record.given_up_after or games}")
            if record.given_up_after is not None and record.given_up_after < games:
                tell(f"{roster.name(player)} kept missing its deadline: its other games are not played")
    write_whole(folder / "vs-zombies.txt", "\n".join(lines) + "\n", overwrite=False)
    complaints.tell()
    print(f"Results are in {folder}; seed {how.seed}.")


def replay(game: Path, given: Sequence[str], *, counts: bool, speed: float) -> None:
    """Show a saved game."""
    chosen = {}
    for text in given:
        player, colon, colour = text.partition(":")
        if not colon or not player.isascii() or not player.isdecimal():
            raise ParlourError(f"a colour is given as ID:COLOUR, for example 1:tomato, not {text!r}")
        colours.rgb(colour)
        chosen[int(player)] = colour
    show_game(files.read_replay(game), counts=counts, colours=chosen, speed=speed)


def demo() -> None:
    """The demo player in a folder of its own, as in the public program's sources."""
    folder = Path("demo")
    files.make_folder(folder)
    text = resources.files("game17").joinpath("demo", STUB).read_text("utf-8")
    write_whole(folder / STUB, text, overwrite=False)
    print(f"The demo player is in {folder / STUB}. Go on with:\n\n    cd {folder}\n    game17 single {STUB}")
