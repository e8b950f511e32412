"""The game server: tables for all games, over HTTP and WebSockets.

The way of a move, from the click to the disk and back (``parlour.protocol`` has what can be said):

    http                   what comes in, within limits (connections, sockets; guard: how many). Where several workers
                           serve, each table has one to which it belongs: cluster (``workers`` begins them, and begins
                           another where one has died)
    api/live, api/tables   a command comes in, over a table's WebSocket or as a POST
    rooms/commands         who gives it, within which limits; hands it to the table's room
    rooms/room             the one place in this process where the table changes, under its lock
    rooms/playing          whether what follows leaves the event loop, since the game is large; whom its time counts for
    rooms/proposals        what the command would add to the log, or why it may not
    store                  commits it, in groups with others', off the event loop; another process may have been faster:
                           then the room catches up and proposes anew (``Room.attempt``)
    tables/fold            lets the stored entries happen: the table as they leave it
    rooms/room → api       the acknowledgement goes to whoever gave the command
    telling/broadcast      everybody at the table is told, in their language (views: how things are shown)
    tables/listener, http  what each client is told goes out in one piece, or waits for those that are slow
    running/services       tells the lobby, other processes (by way of the bus) and the scheduler

What happens without a command:

    rooms/scheduler        bots play, clocks run out, a bot takes over for whoever stays away; under a lease where
                           several processes serve the same tables (deadlines: by when; bots: who thinks, and where)
    running/housekeeping   signs of life, news of other processes, tables that are due, idle or old
    rooms/keeper           stores snapshots of tables, from which they come back (snapshot; rooms: which are in memory)
    rooms/upgrades         draws albums, from which finished matches are shown (finished); ends what cannot be played on
    tables/presence        who is at a table
    basics/steady          what time it is, for the log and for clocks, whatever the system's clock does

Each package says in its ``__init__`` what it does and which others it may import; ``src/parlour/README.md`` lists them
all. What stands here beside them puts them together: ``app``, and the programs ``serve`` and ``workers``.
"""
