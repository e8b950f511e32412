"""Dice that can be checked: nobody at the table, nor whoever deals, can have chosen them.

1. Before anybody sits down, the table draws a secret and publishes its ``commitment``, a hash.
2. Each seat draws a nonce of its own when it sits down, and shows only its *seal*, a hash. (A bot has none.)
3. When all have sat down, the seats reveal their nonces. Whoever does not is left out: their nonce counts as empty.
4. Lots for seats, if somebody wants them drawn, and the seed of the match are hashes of the secret and all nonces.
5. When the match is over, the secret is revealed. Anybody can then check it against the commitment, compute the seed,
   and play the match again.

The table committed itself before it saw a nonce, so it cannot have looked for a seed it likes; and every nonce was
sealed before another was known, so no seat can either, not even together with somebody who knows the secret.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping, Sequence

import msgspec

SECRET_BYTES = 32


def new_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


def commitment(secret: str) -> str:
    """What the table publishes about its secret, which is given in hexadecimal digits."""
    return hashlib.sha256(f"parlour:secret:{secret}".encode()).hexdigest()


def seed(secret: str, nonces: Sequence[str]) -> int:
    """The seed of the match: 128 bits."""
    digest = hashlib.sha256(f"parlour:seed:{secret}:{json.dumps(list(nonces))}".encode()).digest()
    return int.from_bytes(digest[:16], "big")


def seating(secret: str, nonces: Sequence[str], claims: Mapping[int, int]) -> list[int]:
    """Where everybody sits once lots are drawn: the new seat of each old one.

    ``claims`` are the old seats whose people have chosen, and what they have chosen. All others go to the seats that
    are left, by lot: in the order of hashes that nobody can have known when the nonces were sealed.
    """
    drawn = [seat for seat in range(len(nonces)) if seat not in claims]
    left = [seat for seat in range(len(nonces)) if seat not in claims.values()]
    left.sort(key=lambda seat: _lot(secret, nonces, seat))
    return [claims[seat] if seat in claims else left[drawn.index(seat)] for seat in range(len(nonces))]


def _lot(secret: str, nonces: Sequence[str], seat: int) -> str:
    return hashlib.sha256(f"parlour:lot:{secret}:{json.dumps(list(nonces))}:{seat}".encode()).hexdigest()


def seal(nonce: str) -> str:
    """What a seat shows of its nonce before all have sat down."""
    return hashlib.sha256(f"parlour:nonce:{nonce}".encode()).hexdigest()


class DiceProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a replay says of its dice, so that anybody can check them."""

    commitment: str
    secret: str
    nonces: list[str]
    seals: list[str] = []  # of replays since nonces are sealed; empty where a seat had none


def doubts(dice: DiceProof, seats: int, claimed_seed: int) -> list[str]:
    """What is wrong with the dice of a replay (nothing: the seed is proved)."""
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}", dice.secret):
        return [f"dice: the secret should be {2 * SECRET_BYTES} hexadecimal digits"]
    if len(dice.nonces) != seats:
        return [f"dice: expected {seats} nonces, one for each seat"]
    if dice.seals and len(dice.seals) != seats:
        return [f"dice: expected {seats} seals, one for each seat"]
    found = [
        f"dice: the nonce of seat {seat} is not the one that it had sealed"
        for seat, (nonce, sealed) in enumerate(zip(dice.nonces, dice.seals, strict=False))
        if sealed and nonce and seal(nonce) != sealed
    ]
    if commitment(dice.secret) != dice.commitment:
        found.append("dice: the secret is not the one that was committed to")
    if seed(dice.secret, dice.nonces) != claimed_seed:
        found.append("dice: the seed is not the one that secret and nonces give")
    return found
