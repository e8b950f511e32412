"""Learning a game step by step. Nothing is kept here: every step begins from a position of its own."""

from __future__ import annotations

from typing import Annotated

from litestar import Router
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from parlour import protocol
from parlour.engine.explanation import Explanation
from parlour.engine.language import speaking
from parlour.server.api.access import Asked, Injected, address_of
from parlour.server.api.documented import get, post
from parlour.server.telling import lessons
from parlour.server.telling.drawing import Drawing

GameName = Annotated[str, PathParameter(max_length=60)]
StepNumber = Annotated[int, PathParameter(ge=0, le=1000, description="Counted from 0.")]
SpotName = Annotated[str, QueryParameter(min_length=1, max_length=60)]
Tried = Annotated[list[str], QueryParameter(max_length=20)]
PATH = "/api/games/{game:str}/lesson"


@get(PATH, summary="The lesson of a game")
async def lesson(
    request: Asked, game: GameName, drawing: Injected[Drawing], language: FromQuery[protocol.Language] = "en"
) -> protocol.LessonView:
    with speaking(language):
        return await drawing.quick(address_of(request), lessons.view, game)


@get(PATH + "/{step:int}", summary="A step of it")
async def lesson_step(
    request: Asked,
    game: GameName,
    step: StepNumber,
    drawing: Injected[Drawing],
    language: FromQuery[protocol.Language] = "en",
) -> protocol.LessonStepView:
    with speaking(language):
        return await drawing.quick(address_of(request), lessons.step, game, step)


@post(PATH + "/{step:int}", summary="Try something there")
async def try_step(
    request: Asked,
    game: GameName,
    step: StepNumber,
    data: JSONBody[protocol.LessonTry],
    drawing: Injected[Drawing],
    language: FromQuery[protocol.Language] = "en",
) -> protocol.LessonAnswer:
    """It is the same step again and again, until what it asks for is done."""
    with speaking(language):
        return await drawing.quick(address_of(request), lessons.answer, game, step, data)


@get(PATH + "/{step:int}/explain", summary="What something there is")
async def explain_in_step(
    request: Asked,
    game: GameName,
    step: StepNumber,
    name: SpotName,
    drawing: Injected[Drawing],
    language: FromQuery[protocol.Language] = "en",
) -> Explanation:
    with speaking(language):
        return await drawing.quick(address_of(request), lessons.explain, game, step, name)


@get(PATH + "/{step:int}/why-not", summary="Why something cannot be done there")
async def why_not_in_step(
    request: Asked,
    game: GameName,
    step: StepNumber,
    tried: Tried,
    drawing: Injected[Drawing],
    language: FromQuery[protocol.Language] = "en",
) -> Explanation:
    with speaking(language):
        return await drawing.quick(address_of(request), lessons.why_not, game, step, tried)


ROUTER = Router("/", route_handlers=[lesson, lesson_step, try_step, explain_in_step, why_not_in_step], tags=["lessons"])
