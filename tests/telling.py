"""What a server would tell of a match, without one: for tests of those who hear it."""

from __future__ import annotations

import base64

from parlour import protocol
from parlour.engine import fair
from parlour.engine.match import Match

SECRET = "ab" * fair.SECRET_BYTES


def seats(match: Match) -> list[protocol.SeatView]:
    return [
        protocol.SeatView(seat, "person", match.name(seat), f"nonce{seat}", score, here=True)
        for seat, score in enumerate(match.scores)
    ]


def position(match: Match) -> protocol.Position:
    state = base64.b64encode(match.state.pack()).decode()
    to_move = None if match.over else match.to_move
    return protocol.Position(len(match.plies), match.state.turns, to_move, match.scores, state=state)


def choices(match: Match, you: int | None) -> list[protocol.ChoiceView]:
    found = match.seen_by(you).choices if you is not None else []
    return [protocol.ChoiceView(choice.action, choice.text, choice.label, way=choice.way) for choice in found]


def ending(match: Match) -> protocol.Ending | None:
    return protocol.Ending("rules", match.winners, "the match is over") if match.over else None


def view(match: Match, you: int | None = None, number: int = 0) -> protocol.TableView:
    return protocol.TableView(
        id="table",
        game=match.game.name,
        title=match.game.title,
        rules=match.game.version,
        options=match.options,
        phase="over" if match.over else "playing",
        number=number,
        public=True,
        hints=True,
        clock=protocol.ClockSpec(),
        grace=90.0,
        commitment=fair.commitment(SECRET),
        seats=seats(match),
        story=match.story,
        chat=[protocol.ChatLine(0, match.name(0), "good luck", 0.0)],
        created=0.0,
        position=position(match),
        ending=ending(match),
        secret=SECRET if match.over else None,
        you=you,
        choices=choices(match, you),
    )


def act(match: Match, action: int, number: int) -> protocol.Update:
    """Play an action, and tell of it."""
    seat, ply = match.to_move, len(match.plies)
    events = [protocol.EventView(event.tell(match.name)) for event in match.play(action)]
    return protocol.Update(
        number=number,
        kind="act",
        seat=seat,
        body={"ply": ply, "actions": [action], "spent": 0.5},
        phase="over" if match.over else "playing",
        seats=seats(match),
        events=events,
        position=position(match),
        ending=ending(match),
        secret=SECRET if match.over else None,
    )
