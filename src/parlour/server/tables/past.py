"""Tables whose rules are no longer here: the game has another version now, or is gone. They can be seen, not played."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.engine import fair, registry, replay
from parlour.engine.errors import BadGame, ParlourError
from parlour.engine.picture import Mark
from parlour.protocol import Acted, AnyEntry, Position, Started, TableLine, TableView, Undone
from parlour.server.basics.errors import Refusal
from parlour.server.tables import frames
from parlour.server.tables.album import Cover
from parlour.server.tables.table import Table, TableSpec

NO_ALBUM = "its pictures were not kept"


def why_past(game: str, title: str, rules: int) -> str | None:
    """Why a match by these rules cannot be played here; None if it can.

    Raises Refusal if the game is broken: once it is mended, the match can be played on.
    """
    try:
        version = registry.get(game).version
    except BadGame as error:
        raise Refusal("busy", f"{title} cannot be loaded by this server: {error}") from error
    except ParlourError:
        return f"{title} is not among the games of this server any more"
    if version == rules:
        return None
    return f"it was played by version {rules} of the rules of {title}, and this server has version {version}"


def is_newer(game: str, rules: int) -> bool:
    """Whether the rules are newer than those of this server: a match by them goes on where they are."""
    return rules > known_rules().get(game, rules)


def known_rules() -> dict[str, int]:
    """The games that are here and load, and the version of the rules of each."""
    return {game.name: game.version for game in registry.all_games()}


class PastTable(Table):
    """Such a table, from its line in lists and the cover of its match's album, if one was kept."""

    def __init__(self, spec: TableSpec, line: TableLine, album: Cover | None, old_rules: str) -> None:
        super().__init__(spec)
        self.line = line
        self.album = album
        self.old_rules = old_rules
        self.ending = line.ending
        self.has_begun = False
        self.replaced: set[int] = set()  # numbers of entries with choices that their seats have replaced by others
        self._played: dict[int, Acted] = {}  # by ply, what was played

    @property
    def title(self) -> str:
        return self.line.title

    @property
    def said_title(self) -> str:
        return self.line.title

    @property
    def marks(self) -> list[Mark]:
        return self.album.marks if self.album else []

    @property
    def ply(self) -> int:
        return len(self._played)

    @property
    def actions(self) -> list[int]:
        return [entry.actions[ply - entry.ply] for ply, entry in sorted(self._played.items())]

    @property
    def keeps_score(self) -> bool:
        return True

    @property
    def scores(self) -> list[int]:
        result = self._result()
        return result.scores if result else self.album.last.scores if self.album else super().scores

    def name(self, seat: int) -> str:
        """Who sat there; nobody, at a table that was closed before its match began."""
        known = self.line.names
        if seat >= len(known) and self.album is not None:  # lists name only so many
            known = self.album.names
        return known[seat] if seat < len(known) else ""

    def pass_over(self, entry: AnyEntry) -> None:
        """An entry of a match whose rules are gone: only the actions are noted."""
        if isinstance(entry, Started):
            self.has_begun = True
        elif isinstance(entry, Acted):
            for ply in range(entry.ply, entry.ply + len(entry.actions)):
                if ply in self._played:  # where several chose at once, one has chosen again
                    self.replaced.add(self._played[ply].number)
                self._played[ply] = entry
        elif isinstance(entry, Undone):
            for ply in range(entry.ply - entry.plies, entry.ply):
                self._played.pop(ply, None)

    # What is still to be seen.

    def seen(self) -> Cover:
        """What is known of its match. Raises Refusal where no album was kept."""
        if self.album is None:
            raise Refusal("not_found", f"{self.old_rules}; {NO_ALBUM}")
        return self.album

    def replay_text(self) -> str:
        """The replay, as the log has it: whoever has its rules can verify it. What it led to, only an album says."""
        if not self.has_begun:
            raise Refusal("not_found", "the table was closed before a match began")
        spec, dice = self.spec, frames.dice_of(self)
        content = replay.Replay(
            parlour=replay.FORMAT,
            game=spec.game,
            rules=spec.rules,
            options=spec.options,
            seats=spec.seats,
            names=self.album.names if self.album else self.names,
            seed=fair.seed(dice.secret, dice.nonces),
            actions=self.actions,
            result=self._result(),
            dice=dice,
            ended=frames.early_end_of(self),
            rules_hash=self.rules_hash,
            sealed=self._sealed(),
        )
        return replay.text_of(content)

    def _sealed(self) -> list[int]:
        """The seats of the last actions, where some chose at the same time whom the rules would have asked later."""
        plies = sorted(self._played)
        return [self._played[ply].seat for place, ply in enumerate(plies) if ply != place]

    def _result(self) -> replay.Claim | None:
        """How the match stood in the end, if its album reaches that far."""
        if self.album is None or self.album.actions != self.actions:
            return None
        is_ended_here = self.ending is not None and self.ending.reason == "upgrade"
        return (is_ended_here and self.album.settled) or self.album.result

    def position(self, *, pictures: bool) -> Position | None:
        if self.album is None:
            return None
        last = self.album.last
        scene = last.scene if pictures else None
        return Position(last.ply, last.turn, None, last.scores, last.picks, scene)


def shown(table: PastTable, view: TableView, *, pictures: bool) -> TableView:
    """The view of such a table, with what its album has."""
    view = replace(view, old_rules=table.old_rules, position=table.position(pictures=pictures))
    if table.album is None:
        return view
    view = replace(view, story=table.album.story)
    return replace(view, backdrop=table.album.backdrop, size=table.album.size) if pictures else view


def finished(table: Table) -> Table:
    """The table, if its match is over. Raises Refusal."""
    if table.phase != "over":
        raise Refusal("not_over", "the match is not over: a replay would tell the dice to come")
    if table.match is None and not isinstance(table, PastTable):
        raise Refusal("not_found", "the table was closed before a match began")
    return table
