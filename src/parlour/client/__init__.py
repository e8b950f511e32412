"""Playing at a server's tables, from Python.

    from parlour.client import Client, run_bot

    with Client("http://localhost:8017") as client:
        opened = client.open_table("choccer", bots={1: "mcts:2"})
        seat = client.sit(opened.table.id, "Ada")
        run_bot(seat, lambda view: view.choices[0].action)
        assert seat.verify() == []

``Client`` needs nothing but HTTP; ``AsyncClient`` has the same methods to await, and hears of everything over a
WebSocket: ``Client`` is made from it, and waits for what it awaits. Both are a thin shell around a core that does no
input or output:

    calls      every request that can be made: its address, its body, how its answer is read
    answers    reading what a server says, and finding what is wrong with it
    retry      what is tried again, when, and for how long
    limits     how long a server may take, and how much it may say
    exchanges  what takes several requests: sitting down, a rematch, proving the dice, playing a seat to the end
    stream     what a table's socket says, in order and without a gap
    proof      what was seen of a match, and whether the server's account of it is the same
"""

from parlour.engine.extras import explain

try:
    from parlour.client.address import Link, read_link
    from parlour.client.asynchronous import AsyncClient, AsyncSeat, run_bot_async
    from parlour.client.errors import BadAnswer, Refused, Unproved, Unreachable
    from parlour.client.position import state_of
    from parlour.client.proof import Proof
    from parlour.client.stream import Interruption, Message
    from parlour.client.synchronous import Client, Seat, run_bot
    from parlour.client.ticket import Ticket
except ModuleNotFoundError as error:
    raise explain(error) from error

__all__ = [
    "AsyncClient",
    "AsyncSeat",
    "BadAnswer",
    "Client",
    "Interruption",
    "Link",
    "Message",
    "Proof",
    "Refused",
    "Seat",
    "Ticket",
    "Unproved",
    "Unreachable",
    "read_link",
    "run_bot",
    "run_bot_async",
    "state_of",
]
