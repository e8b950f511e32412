"""How long a server may take, and how much it may say. One that takes longer or says more is not listened to."""

from __future__ import annotations

# Seconds, for a whole answer.
QUICK = 15.0
SLOW = 90.0  # for what needs thought, the first time perhaps a compiler as well
DOWNLOAD = 60.0  # for a whole log or replay
CONNECT = 5.0
WAIT = 25.0  # that a request may wait for news
WELCOME = 15.0  # from a socket's hello to its welcome
CLOSE = 2.0  # for a socket's goodbye
MESSAGE = 30.0  # from the first part of a socket's message to its last

# Bytes, of a whole answer.
ANSWER_BYTES = 16 * 2**20
DOWNLOAD_BYTES = 64 * 2**20
MESSAGE_BYTES = 8 * 2**20
