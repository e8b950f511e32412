"""The protocol, version 2: what goes over the wire and into the log, as types. docs/protocol.md tells it to people.

fields      what messages are made of: names, numbers, the settings of a clock
commands    what clients say
messages    what the server says: answers, and what a WebSocket tells
views       how games, tables, seats and positions are shown
entries     what happens at a table: its log
refusals    the codes of refusals
codes       the codes that people type to find a table
patches     what changes in a picture

Server and client are both built on this, and on nothing of each other's. The types of the page are made from it.
"""

from parlour.engine.explanation import Explanation
from parlour.protocol.codes import read_code
from parlour.protocol.commands import (
    Act,
    AskHint,
    Back,
    Chat,
    Command,
    Draw,
    Hello,
    Hurry,
    Leave,
    LessonTry,
    OpenTable,
    Ping,
    PushEnd,
    PushSubscribe,
    PutBot,
    Rematch,
    Renew,
    Resign,
    Reveal,
    Sit,
    SocketMessage,
    Start,
    TableCommand,
    Undo,
)
from parlour.protocol.entries import (
    TABLE,
    Acted,
    AnyEntry,
    BotSat,
    Closed,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Entry,
    Forgotten,
    Left,
    Reason,
    RematchOpened,
    Replaced,
    Resigned,
    Returned,
    Revealed,
    Said,
    Sat,
    Started,
    TokenRenewed,
    Undone,
    read_entry,
)
from parlour.protocol.fields import (
    SLOW,
    VERSION,
    Action,
    BotName,
    Cid,
    ClockSpec,
    Company,
    Language,
    Name,
    Nonce,
    Pace,
    Phase,
    PlayPace,
    Reaction,
    Seal,
    SeatNumber,
    Small,
    Token,
)
from parlour.protocol.messages import (
    Ack,
    Bye,
    Chances,
    Choices,
    HintAnswer,
    HintLine,
    Invitation,
    LobbyChange,
    LobbyView,
    Opened,
    Pong,
    PresenceUpdate,
    Problem,
    Reject,
    Reply,
    Seated,
    TableMessage,
    Update,
    Welcome,
)
from parlour.protocol.refusals import STATUS
from parlour.protocol.views import (
    AtOnce,
    ChatLine,
    ChoiceView,
    Curve,
    Ending,
    EndingWords,
    EventView,
    FaceView,
    Frame,
    Frames,
    GameView,
    LessonAnswer,
    LessonMove,
    LessonStepView,
    LessonView,
    Log,
    LogLine,
    OptionView,
    PlyLine,
    Position,
    PushAnswer,
    PushOffer,
    SeatView,
    Summary,
    TableLine,
    TableView,
)
