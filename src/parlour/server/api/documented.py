"""The refusals that every request may get, for the OpenAPI document."""

from dataclasses import dataclass
from functools import partial

import litestar
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema

from parlour.protocol import Problem
from parlour.server.people.limits import REPLAY_BYTES

_WHY = {
    400: "Not what it should look like, or not legal.",
    401: "The token holds no seat at this table.",
    403: "Not for you.",
    404: "There is none.",
    405: "Not in this way.",
    409: "Not now.",
    413: "Too large.",
    415: "Only JSON.",
    429: "Too fast, or too many.",
    503: "Not at the moment: try again.",
}

PROBLEMS = {status: ResponseSpec(Problem, description=why, generate_examples=False) for status, why in _WHY.items()}

# For handlers that are in the document: with the refusals that each may answer.
get = partial(litestar.get, responses=PROBLEMS)
post = partial(litestar.post, responses=PROBLEMS, status_code=200)


@dataclass
class TakesReplay(Operation):
    """A request whose body is a replay file. It is read as text, not as numbers that JSON's readers differ in."""

    def __post_init__(self) -> None:
        content = {"application/json": OpenAPIMediaType(schema=Schema(type=OpenAPIType.OBJECT))}
        self.request_body = RequestBody(content, required=True)


post_replay = partial(post, request_max_body_size=REPLAY_BYTES, operation_class=TakesReplay)
