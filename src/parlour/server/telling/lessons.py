"""Lessons as they are shown: each step, and what comes of what somebody tries there."""

from __future__ import annotations

from parlour import protocol
from parlour.bots import roster
from parlour.engine import explanation, registry
from parlour.engine.errors import IllegalAction, UnknownName
from parlour.engine.explanation import Explanation
from parlour.engine.lesson import Lesson, Verdict, spoken
from parlour.engine.seen import Seen
from parlour.server.basics.errors import Refusal
from parlour.server.telling.choices import choices_of


def _lesson(game: str, step: int = 0) -> Lesson:
    try:
        found = registry.get(game).words.lesson
    except UnknownName as error:
        raise Refusal("not_found", str(error)) from error
    if found is None:
        raise Refusal("not_found", f"{game} has no lesson")
    if step >= len(found.steps):
        raise Refusal("not_found", f"the lesson of {game} has {len(found.steps)} steps, and no number {step}")
    return found


def view(name: str) -> protocol.LessonView:
    lesson = _lesson(name)
    game, start = lesson.game, lesson.start(0)
    size, backdrop = start.seen_by(lesson.you).backdrop
    return protocol.LessonView(
        game=game.name,
        title=game.said(game.title),
        steps=len(lesson.steps),
        you=lesson.you,
        names=[game.seat_name(seat) for seat in range(lesson.seats)],
        marks=game.looks.marks(lesson.seats),
        size=size,
        backdrop=backdrop,
        bot=roster.faces(game)[0].name,
        seats=game.resolve_seats(game.suggested_seats, lesson.options),
        options=lesson.options,
        goal=spoken(lesson.goal) if lesson.goal else "",
    )


def step(name: str, number: int) -> protocol.LessonStepView:
    lesson = _lesson(name, number)
    match, told = lesson.start(number), lesson.steps[number]
    seen = match.seen_by(lesson.you)
    choices, prompt = choices_of(seen), lesson.game.words.notation.prompt(seen.shown)
    text = spoken(told.say) + (f" {spoken(told.page)}" if told.page else "")
    return protocol.LessonStepView(text, told.clause, _position(seen), choices, lesson.right(number), prompt)


def answer(name: str, number: int, data: protocol.LessonTry) -> protocol.LessonAnswer:
    lesson = _lesson(name, number)
    if (data.action is None) == (data.text is None):
        raise Refusal("bad_request", "give one of action and text")
    try:
        verdict = lesson.try_text(number, data.text) if data.text else lesson.try_action(number, data.action or 0)
    except IllegalAction as error:
        raise Refusal("illegal_action", str(error)) from error
    why = verdict.explanation
    return protocol.LessonAnswer(verdict.is_right, why.text, why.clause, _moves(lesson, number, verdict))


def _moves(lesson: Lesson, number: int, verdict: Verdict) -> list[protocol.LessonMove]:
    """What was played, one ply after the other, as it is to be seen."""
    match, moves = lesson.start(number), []
    for ply in verdict.plies:
        match.play(ply.action)
        seen = match.seen_by(lesson.you)
        told = [seen.known(event) for event in ply.events]
        events = [protocol.EventView(event.tell(lesson.game.seat_name), seen.motion(event)) for event in told]
        moves.append(protocol.LessonMove(events, _position(seen)))
    return moves


def _position(seen: Seen) -> protocol.Position:
    to_move = None if seen.over else seen.to_move
    return protocol.Position(seen.ply, seen.shown.turns, to_move, seen.scores, scene=seen.scene)


def explain(name: str, number: int, spot: str) -> Explanation:
    lesson = _lesson(name, number)
    return lesson.start(number).seen_by(lesson.you).explain(spot) or explanation.unknown()


def why_not(name: str, number: int, tried: list[str]) -> Explanation:
    lesson = _lesson(name, number)
    return lesson.start(number).seen_by(lesson.you).why_not(tried)
