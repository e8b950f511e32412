"""How things stand, as clients are shown them: games, tables, seats, positions, finished matches."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from parlour.engine.glance import Glance
from parlour.engine.picture import Mark, Step
from parlour.engine.verdict import Rival
from parlour.protocol.fields import ClockSpec, Phase


class OptionView(Struct, frozen=True):
    """An option of a game, and the values it takes; ``suggested`` is what the page's form begins with."""

    name: str
    default: int
    help: str
    takes: str
    switch: bool
    choices: list[int]
    low: int
    high: int
    suggested: int


class FaceView(Struct, frozen=True):
    """A bot as people choose one, the easiest first; ``name`` is its exact name."""

    name: str
    title: str
    character: str
    thinks: str


class GameView(Struct, frozen=True):
    """A game that can be played here: in the answer to ``GET /api/games``."""

    name: str
    title: str
    summary: str
    rules: int
    seats: tuple[int, int]
    usual_seats: int
    options: list[OptionView]
    bots: list[str]
    usual_bot: str
    seat_names: list[str]
    faces: list[FaceView] = []  # just one where there is nothing to decide
    lesson: bool = False  # whether there is a lesson
    goal: str = ""  # what one plays for, where the lesson says so
    glance: Glance | None = None


class SeatView(Struct, frozen=True, gc=False):
    """A seat; it may be kept for whoever held it before a rematch. ``stand_in`` plays while its person is away."""

    seat: int
    kind: Literal["free", "kept", "person", "bot"]
    name: str
    nonce: str
    score: int
    here: bool = False
    stand_in: str | None = None
    away: str | None = None
    resigned: bool = False
    left: float | None = None  # seconds on the clock
    seal: str = ""  # of the nonce: once all seats are taken, it is to be revealed
    lot: bool = False  # before the match: the seat will be drawn by lot
    wants: int | None = None  # before the match: the seat that its person will have, where it is another one
    out: bool = False  # by the rules, it plays no more
    gone: bool = False  # its person can only watch now: they have resigned, left, or used up their time


class EventView(Struct, frozen=True, gc=False):
    """One event in words, and what moves in the picture."""

    text: str
    steps: list[Step] = []
    loud: bool = False  # everybody should notice it
    quiet: bool = False  # where there is just one line, what happened before it is more worth it


class EndingWords(Struct, frozen=True):
    """How the game tells an end in one language, and who has won without a seat."""

    text: str
    rivals: list[Rival] = []


class Ending(Struct, frozen=True, omit_defaults=True):
    """How the match ended: ``rules``, ``resigned``, ``agreed``, ``upgrade`` or ``operator``."""

    reason: str
    winners: list[int]
    text: str
    told: dict[str, EndingWords] = {}  # by language, where the seats that have won do not tell all


class AtOnce(Struct, frozen=True, gc=False):
    """Who chooses at the same time: nothing happens before all have, and until then each may choose again."""

    asked: list[int]
    chosen: list[int]  # those that have
    yours: int | None  # the action that you have chosen


class Position(Struct, frozen=True, gc=False):
    """How the match stands after ``ply`` actions."""

    ply: int
    turn: int
    to_move: int | None  # nobody, once the match is over; where several choose at once, each is told that it is theirs
    scores: list[int]
    picks: list[str] = []  # the spots of the last action
    scene: str | None = None
    state: str | None = None  # packed, in base64: for clients that know the rules and draw the board themselves
    patch: list[int | str] | None = None  # instead of the scene, for whoever asks: see patches.py
    at_once: AtOnce | UnsetType = UNSET  # only where several choose at the same time


class ChoiceView(Struct, frozen=True, gc=False, omit_defaults=True):
    """An action that the seat to move can choose."""

    action: int
    text: str
    label: str = ""
    picks: list[str] = []
    way: str = ""
    undoable: bool = False  # told to who asks for it
    listed: bool = False  # offered in words, too
    usual: bool = False  # what most would choose


class ChatLine(Struct, frozen=True):
    """What somebody said at the table."""

    seat: int
    name: str
    text: str
    at: float


class TableLine(Struct, frozen=True):
    """A table in a list. Of a table with many seats, ``names`` and ``who`` have the first eight."""

    id: str
    game: str
    title: str
    phase: Phase
    names: list[str]
    seats: int
    free: int
    options: dict[str, int]
    created: float
    changed: float
    ending: Ending | None = None
    people: int = 0  # who sit there; a seat that a bot has taken over is still a person's
    clock: ClockSpec = ClockSpec()
    bots: int = 0  # that sit there
    hints: bool = True
    who: list[str] = []  # the names of those who sit there, or have a seat kept for them


class TableView(Struct, frozen=True):
    """A whole table, for whoever comes to it or has lost track."""

    id: str
    game: str
    title: str
    rules: int
    options: dict[str, int]
    phase: Phase
    number: int
    public: bool
    hints: bool
    clock: ClockSpec
    grace: float
    commitment: str
    seats: list[SeatView]
    story: list[str]
    chat: list[ChatLine]
    created: float
    marks: list[Mark] = []  # of the seats, as the picture has them
    position: Position | None = None
    backdrop: str | None = None
    size: tuple[float, float] | None = None
    ending: Ending | None = None
    offer: int | None = None  # the seat that offers a draw
    rematch: str | None = None
    secret: str | None = None  # once the match is over
    you: int | None = None
    may_undo: bool = False
    choices: list[ChoiceView] = []
    scored: bool = True  # whether scores mean something before the end
    prompt: str = ""  # what you have to decide now, in words
    old_rules: str | None = None  # why the match can be seen but not played again
    code: str = ""  # to be typed by whoever shall find the table; of a private one only its seats are told
    judged: bool = False  # whether the game can tell how likely each seat is to win
    chances: list[float] | None = None  # how likely that is, from 0 to 1: for whoever asks and may know


class LogLine(Struct, frozen=True):
    """An entry of a table's log; what its body has depends on its kind: see ``parlour.protocol.entries``."""

    number: int
    at: float
    kind: str
    seat: int
    body: dict[str, Any]


class Log(Struct, frozen=True):
    """What has happened at a table since some entry, and how it stands now."""

    number: int
    phase: Phase
    ply: int
    to_move: int | None
    entries: list[LogLine]


class Frame(Struct, frozen=True):
    """The position of a finished match after ``ply`` actions, and how it came about."""

    ply: int
    seat: int | None
    text: str
    events: list[EventView]
    to_move: int
    turn: int
    scores: list[int]
    picks: list[str]
    scene: str


class Frames(Struct, frozen=True):
    """Some positions of a finished match, for whoever watches it."""

    game: str
    title: str
    names: list[str]
    marks: list[Mark]
    plies: int
    winners: list[int]
    size: tuple[float, float]
    backdrop: str
    frames: list[Frame]
    old_rules: str | None = None  # why the match can be seen but not verified anew


class PlyLine(Struct, frozen=True):
    """One action of a finished match in a line of words, and the seat that chose it."""

    seat: int | None
    text: str


class Summary(Struct, frozen=True):
    """A finished match without its pictures: every action in a line, how it ended, and with which scores."""

    plies: list[PlyLine]
    ending: Ending | None  # not known of files of other programs
    scores: list[int]
    scored: bool = True  # whether scores mean something
    judged: bool = False  # whether there is a curve of win chances
    doubts: list[str] = []  # what the file claims falsely, where it is a replay file


class Curve(Struct, frozen=True):
    """How likely each seat was to win in the course of a finished match: for each of these plies, a number a seat."""

    plies: list[int]
    chances: list[list[float]]


class LessonView(Struct, frozen=True):
    """The lesson of a game: how many steps it has, and what is the same in all of them."""

    game: str
    title: str
    steps: int
    you: int
    names: list[str]
    marks: list[Mark]
    size: tuple[float, float]
    backdrop: str
    bot: str  # the easiest, for the match that follows
    seats: int
    options: dict[str, int]
    goal: str = ""  # what one plays for: to be said before the first step


class LessonStepView(Struct, frozen=True):
    """One step: what to do, where, and what can be chosen; ``right`` are the actions that it asks for.

    ``prompt`` is what the game says to whom it is to move, as at a table.
    """

    text: str
    clause: int
    position: Position
    choices: list[ChoiceView]
    right: list[int]
    prompt: str = ""


class LessonMove(Struct, frozen=True):
    """One ply that was played in a lesson."""

    events: list[EventView]
    position: Position


class LessonAnswer(Struct, frozen=True):
    """What comes of a try. If it was right, also what then happened, ply by ply."""

    right: bool
    text: str
    clause: int
    moves: list[LessonMove] = []


class PushOffer(Struct, frozen=True):
    """The key with which a browser subscribes to this server's notifications; empty if there are none."""

    key: str


class PushAnswer(Struct, frozen=True):
    """Whether a browser is told from now on."""

    on: bool
