"""The server under load, idle, for long, and among faults. Everything here talks to 127.0.0.1 only.

house    starts and stops what is measured: servers, PostgreSQL, Redis
wire     a WebSocket client that costs little
load     moves at a fixed rate, timed from when they were due to when the opponent has them
move     what one move costs, without the network
idle     what a socket costs that nobody uses
soak     churn, and whether anything grows
chaos    matches played to their end while things break
many_tables what very many matches cost that are not over
watchers what it costs that very many look at the lobby
arrivals a day of very many people, simulated: what it takes
recovery how long a table takes to come back, from all its entries and from a snapshot
fuzz     messages that must all be refused: nothing may fail, nothing may change
"""
