"""The game server: tables for all games, over HTTP and WebSockets.

The way of a move, and where it is told:

    socket, api    a command comes in, over a table's WebSocket or as a POST             (messages.py: what can be said)
    room           one writer per table: checks it, has it stored, answers, tells everybody
    table          what a table is, as a fold over its entries: no input or output, no clock but what it is told
    store          the entries of all tables in a database; commits in groups, off the event loop
    bus            tells other processes that a table has moved on; the store is the truth, the bus only a hint
    duties         what a table does by itself: bots, clocks, seats whose person stays away
"""
