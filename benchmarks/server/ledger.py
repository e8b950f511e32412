"""What people at the tables meant to do and what they were told came of it; and whether the log agrees."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from parlour.engine import replay
from parlour.protocol import Acted, AnyEntry, Replaced
from parlour.server.store.store import Store
from parlour.server.tables import frames
from parlour.server.tables.fold import fold
from parlour.server.tables.table import Table, TableSpec

Intent = tuple[str, int, str]  # table, seat, cid


@dataclass
class Ledger:
    """Kept by the clients, apart from everything that is tested."""

    intended: dict[Intent, tuple[int, int]] = field(default_factory=dict)  # at which ply, which action
    acknowledged: dict[Intent, int] = field(default_factory=dict)  # under which number
    refused: dict[Intent, str] = field(default_factory=dict)  # with which code
    matches: dict[str, str] = field(default_factory=dict)  # tables where all sat down, and their games
    wrong: list[str] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)  # what was done to make it hard

    def acknowledge(self, intent: Intent, number: int) -> None:
        if self.acknowledged.setdefault(intent, number) != number:
            self.wrong.append(f"{intent} was acknowledged as {self.acknowledged[intent]} and then as {number}")

    def refuse(self, intent: Intent, code: str) -> None:
        self.refused[intent] = code


def audit(ledger: Ledger, database: str) -> list[str]:
    """What is wrong: nothing, if all that was acknowledged happened once, nothing else did, and all matches ended."""
    store, wrong = Store(database, "audit"), ledger.wrong[:]
    try:
        for table in ledger.matches:
            found = store.load_whole(table)
            wrong += _audit_table(ledger, found.spec, found.entries) if found else [f"{table} is gone"]
    finally:
        store.engine.dispose()
    told = {intent[0] for intent in ledger.intended}
    return wrong + [f"{table} was played at, but never full" for table in told - set(ledger.matches)]


def _audit_table(ledger: Ledger, spec: TableSpec, log: list[AnyEntry]) -> list[str]:
    acts = [entry for entry in log if isinstance(entry, Acted) and entry.cid is not None]
    done = Counter((spec.id, entry.seat, str(entry.cid)) for entry in acts)
    wrong = [f"{intent} happened {count} times" for intent, count in done.items() if count > 1]
    wrong += [f"{intent} happened, but nobody meant it" for intent in done if intent not in ledger.intended]
    wrong += [f"{intent} happened, but was refused" for intent in done if intent in ledger.refused]
    for entry in acts:
        intent = (spec.id, entry.seat, str(entry.cid))
        if ledger.intended.get(intent) != (entry.ply, entry.actions[0]):
            wrong.append(f"{intent} happened as {entry.body}")
        if ledger.acknowledged.get(intent) != entry.number:
            wrong.append(f"{intent} is entry {entry.number}, acknowledged as {ledger.acknowledged.get(intent)}")
    lost = [intent for intent in ledger.acknowledged if intent[0] == spec.id and intent not in done]
    wrong += [f"{intent} was acknowledged and is not in the log" for intent in lost]
    if away := [entry for entry in log if isinstance(entry, Replaced)]:
        wrong.append(f"{spec.id}: a bot took over from somebody who was there: {away[0].body}")
    return wrong + _verify(spec, log)


def _verify(spec: TableSpec, log: list[AnyEntry]) -> list[str]:
    """Whether the match ended, and its replay is true."""
    table = Table(spec)
    for entry in log:
        fold(table, entry)
    if table.phase != "over":
        return [f"{spec.id} ({spec.game}) is not over, at ply {table.ply}"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.json"
        file.write_text(frames.replay_text(table), "utf-8")
        return [f"{spec.id} ({spec.game}): {doubt}" for doubt in replay.verify(file)]
