"""An album: a match as it was seen, in pictures and words, in English. It is shown when the match is over, which then
need not be played again, and when its rules are no longer here to do so.

Pictures of one match have most of their elements in common. Each element is kept once, so an album takes about as much
room as the log.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from parlour.engine import replay
from parlour.engine.language import speaking
from parlour.engine.match import Match
from parlour.engine.picture import Mark, parts_of, whole
from parlour.protocol import Frame, Frames
from parlour.server.basics.errors import Refusal
from parlour.server.tables import frames

LANGUAGE = "en"


class Album(Struct, frozen=True):
    """All positions of a match. The scene of each frame stands apart, as numbers of ``elements``.

    Of what there is for each ply, nothing is decoded before it is asked for: most people look at a few plies of many.
    """

    title: str
    names: list[str]
    marks: list[Mark]
    winners: list[int]
    size: tuple[float, float]
    backdrop: str
    elements: list[str]
    frames: list[Raw]
    scenes: list[Raw]
    seed: int
    actions: list[int]
    result: replay.Claim
    settled: replay.Claim | None = None  # the same, should it end here without winners; albums of before have none

    @property
    def ply(self) -> int:
        return len(self.frames) - 1

    def bare(self, ply: int) -> Frame:
        """A frame without its scene."""
        return msgspec.json.decode(self.frames[ply], type=Frame)

    def frame(self, ply: int) -> Frame:
        if ply > self.ply:
            raise Refusal("not_found", f"the match has {self.ply} plies, not {ply}")
        numbers = msgspec.json.decode(self.scenes[ply], type=list[int])
        return msgspec.structs.replace(self.bare(ply), scene="".join(self.elements[number] for number in numbers))

    def story(self, lines: int) -> list[str]:
        """What happened, in words: the last of it."""
        found = list[str]()
        for ply in range(self.ply, -1, -1):
            found[:0] = [event.text for event in self.bare(ply).events]
            if len(found) >= lines:
                break
        return found[-lines:]

    def cut(self, game: str, first: int, count: int, winners: list[int], old_rules: str | None = None) -> Frames:
        """Some frames, as of a match that is played again."""
        self.frame(first)
        found = frames.take_some(self.frame(ply) for ply in range(first, min(first + count, self.ply + 1)))
        looks = (self.names, self.marks, self.ply, winners, self.size, self.backdrop)
        return Frames(game, self.title, *looks, found, old_rules)

    def picture(self, ply: int) -> str:
        return whole(self.size, self.title, self.backdrop, self.frame(ply).scene)

    def cover(self, lines: int) -> Cover:
        last = self.frame(self.ply)
        looks = (self.names, self.marks, self.size, self.backdrop)
        return Cover(*looks, self.actions, self.result, self.settled, last, self.story(lines))


class Cover(Struct, frozen=True):
    """What a table shows of its album, which may be large, while nobody turns its pages."""

    names: list[str]
    marks: list[Mark]
    size: tuple[float, float]
    backdrop: str
    actions: list[int]
    result: replay.Claim
    settled: replay.Claim | None
    last: Frame
    story: list[str]


def draw(match: Match) -> bytes:
    """The album of a match as it stands, packed. It has all secrets in it: nobody is shown it before the end."""
    known: dict[str, int] = {}
    drawn, scenes = list[Raw](), list[Raw]()
    told = frames.whole(match).twin()
    told.is_revealed = True
    with speaking(LANGUAGE):
        for frame in frames.all_frames(told):
            scene = [known.setdefault(element, len(known)) for element in parts_of(frame.scene)]
            scenes.append(raw(scene))
            drawn.append(raw(msgspec.structs.replace(frame, scene="")))
        game = match.game
        (size, backdrop), marks = game.looks.backdrop(match.state), game.looks.marks(match.seats)
    album = Album(
        title=game.title,
        names=match.names,
        marks=marks,
        winners=match.winners,
        size=size,
        backdrop=backdrop,
        elements=list(known),
        frames=drawn,
        scenes=scenes,
        seed=match.seed,
        actions=match.actions,
        result=replay.Claim.of(match),
        settled=replay.Claim.of(match.settled([])),
    )
    return pack(album)


def pack(album: Album) -> bytes:
    return zlib.compress(msgspec.json.encode(album))


@lru_cache(maxsize=2)  # people go back and forth in one
def read(packed: bytes) -> Album:
    return msgspec.json.decode(zlib.decompress(packed), type=Album)


def raw(part: object) -> Raw:
    """What stands in an album for each ply."""
    return Raw(msgspec.json.encode(part))
