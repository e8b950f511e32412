"""The codes of refusals, and the HTTP status that goes with each."""

from __future__ import annotations

STATUS = {
    "bad_request": 400,  # not what the message should look like
    "illegal_action": 400,  # none of the legal actions
    "bad_option": 400,  # a game, option, number of seats, bot or clock that there is not
    "bad_name": 400,  # a name that nobody can have here
    "unauthorised": 401,  # a token that holds no seat here
    "forbidden": 403,  # something that this seat, or whoever only watches, may not do
    "banned": 403,  # by whoever runs the server
    "not_found": 404,
    "not_open": 409,  # the match has begun already
    "not_playing": 409,  # the match has not begun, or is over
    "not_over": 409,
    "not_your_turn": 409,
    "stale": 409,  # the table has moved on since: look again
    "seat_taken": 409,
    "no_undo": 409,
    "too_large": 413,
    "too_fast": 429,
    "too_many": 429,  # tables, sockets
    "not_saved": 503,  # the store could not take it; nothing has happened
    "busy": 503,
    "maintenance": 503,  # no table is opened and no match begins for now
}
