"""Dice that can be checked: nobody at the table, nor whoever deals, can have chosen them.

1. Before anybody sits down, the table draws a secret and publishes its ``commitment``, a hash.
2. Each seat contributes a nonce of its own when it sits down. (A bot's is empty.)
3. The seed of the match is a hash of the secret and all nonces.
4. When the match is over, the secret is revealed. Anybody can then check it against the commitment, compute the seed,
   and play the match again.

The table committed itself before it saw a nonce, so it cannot have looked for a seed it likes; and a nonce is chosen
without knowing the secret, so no seat can either.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

SECRET_BYTES = 32


def commitment(secret: str) -> str:
    """What the table publishes about its secret, which is given in hexadecimal digits."""
    return hashlib.sha256(f"parlour:secret:{secret}".encode()).hexdigest()


def seed(secret: str, nonces: Sequence[str]) -> int:
    """The seed of the match: 128 bits."""
    digest = hashlib.sha256(f"parlour:seed:{secret}:{json.dumps(list(nonces))}".encode()).digest()
    return int.from_bytes(digest[:16], "big")


def doubts(dice: Any, seats: int, claimed_seed: int) -> list[str]:
    """What is wrong with a replay's ``dice``: its commitment, secret and nonces (nothing: the seed is proved)."""
    if not isinstance(dice, dict) or dice.keys() != {"commitment", "secret", "nonces"}:
        return ["dice: expected the keys commitment, secret and nonces"]
    secret, nonces = dice["secret"], dice["nonces"]
    if not isinstance(secret, str) or not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}", secret):
        return [f"dice: the secret should be {2 * SECRET_BYTES} hexadecimal digits"]
    if not isinstance(nonces, list) or len(nonces) != seats or not all(isinstance(nonce, str) for nonce in nonces):
        return [f"dice: expected {seats} nonces, one for each seat"]
    found = []
    if commitment(secret) != dice["commitment"]:
        found.append("dice: the secret is not the one that was committed to")
    if seed(secret, nonces) != claimed_seed:
        found.append("dice: the seed is not the one that secret and nonces give")
    return found
