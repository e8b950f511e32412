"""A bot that plays at a Parlour server with nothing but HTTP, and nothing but Python's own library.

    python http_bot.py http://localhost:8017 choccer mcts:1     opens a table against that bot, and plays it
    python http_bot.py http://localhost:8017 --table ID         sits down at a table that somebody has opened

It plays at random: put something better into `choose`.
"""

import json
import random
import secrets
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(url, body=None, token=None):
    """The answer. Whatever may work in a while is sent again; a command has a cid, so that it is carried out once."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urlopen(Request(url, data, headers), timeout=60) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(json.load(error)["message"])
        time.sleep(1)


def choose(view):
    """One of the choices: each has the action's number and its text; view["position"] has ply, turn and scores."""
    return random.choice(view["choices"])["action"]


def play(table, token):
    """Play until the match is over, waiting for the others in between; returns the table as it is then."""
    while True:
        view = ask(table, token=token)
        if view["phase"] == "over":
            return view
        if view["choices"]:
            command = {"cid": secrets.token_hex(8), "ply": view["position"]["ply"], "action": choose(view)}
            ask(f"{table}/act", command, token)
        else:
            ask(f"{table}/log?since={view['number']}&wait=25", token=token)


def main(server, game, opponent):
    tables = f"{server.rstrip('/')}/api/tables"
    table = opponent if game == "--table" else ask(tables, {"game": game, "bots": {"1": opponent}})["table"]["id"]
    # The nonce is this seat's part in the dice: docs/fair-dice.md.
    seated = ask(f"{tables}/{table}/sit", {"name": "http bot", "nonce": secrets.token_hex(16)})
    print(play(f"{tables}/{table}", seated["token"])["ending"]["text"])


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 4 else sys.exit(__doc__)
