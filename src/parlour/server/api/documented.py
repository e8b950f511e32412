"""The refusals that every request may get, for the OpenAPI document."""

from litestar.openapi.datastructures import ResponseSpec

from parlour.protocol import Problem

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
