"""An album: a match as it was seen, in pictures and words, for when its rules are no longer here to play it again.

Pictures of one match have most of their elements in common. Each element is kept once, so an album takes about as much
room as the log.
"""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct

from parlour.engine import replay
from parlour.engine.match import Match
from parlour.engine.picture import Mark, parts_of, whole
from parlour.protocol import Frame, Frames
from parlour.server import frames
from parlour.server.errors import Refusal


class Album(Struct, frozen=True):
    """All positions of a match. The scene of each frame stands apart, as numbers of ``elements``."""

    title: str
    names: list[str]
    marks: list[Mark]
    winners: list[int]
    size: tuple[float, float]
    backdrop: str
    elements: list[str]
    frames: list[Frame]
    scenes: list[list[int]]
    seed: int
    actions: list[int]
    result: replay.Claim

    @property
    def ply(self) -> int:
        return len(self.frames) - 1

    def frame(self, ply: int) -> Frame:
        if ply > self.ply:
            raise Refusal("not_found", f"the match has {self.ply} plies, not {ply}")
        scene = "".join(self.elements[element] for element in self.scenes[ply])
        return msgspec.structs.replace(self.frames[ply], scene=scene)

    def story(self, lines: int) -> list[str]:
        """What happened, in words: the last of it."""
        return [told.text for frame in self.frames for told in frame.events][-lines:]

    def cut(self, game: str, first: int, count: int, winners: list[int], old_rules: str) -> Frames:
        """Some frames, as of a match that can still be played again."""
        self.frame(first)
        found = frames.take_some(self.frame(ply) for ply in range(first, min(first + count, self.ply + 1)))
        looks = (self.names, self.marks, self.ply, winners, self.size, self.backdrop)
        return Frames(game, self.title, *looks, found, old_rules)

    def picture(self, ply: int) -> str:
        return whole(self.size, self.title, self.backdrop, self.frame(ply).scene)


def draw(match: Match) -> bytes:
    """The album of a match as it stands, packed."""
    known: dict[str, int] = {}
    drawn, scenes = list[Frame](), list[list[int]]()
    for frame in frames.all_frames(frames.whole(match)):
        scenes.append([known.setdefault(element, len(known)) for element in parts_of(frame.scene)])
        drawn.append(msgspec.structs.replace(frame, scene=""))
    game = match.game
    size, backdrop = game.backdrop(match.state)
    album = Album(
        title=game.title,
        names=match.names,
        marks=game.marks(match.seats),
        winners=match.winners,
        size=size,
        backdrop=backdrop,
        elements=list(known),
        frames=drawn,
        scenes=scenes,
        seed=match.seed,
        actions=match.actions,
        result=replay.Claim.of(match),
    )
    return pack(album)


def pack(album: Album) -> bytes:
    return zlib.compress(msgspec.json.encode(album))


def read(packed: bytes) -> Album:
    return msgspec.json.decode(zlib.decompress(packed), type=Album)
