"""What a server asks its database again and again stays quick, however many matches are in it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.server import many_tables

from parlour.server.basics.steady import SteadyClock
from parlour.server.store import Store

OFTEN = [
    "the lobby (each second)",
    "a page of matches that are played",
    "what is due (each 2 s)",
    "what is old (each 2 s)",
    "news of 1,000 tables in memory",
    "tables of one address",
    "whom somebody can be paired with",
    "giving back 100 leases",
]


def test_what_is_asked_often_never_reads_a_whole_table(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite'}", "one", is_shared=True)
    store.open()
    asked = many_tables.questions(store, SteadyClock())
    plans = {name: many_tables.ask(store.engine, asked[name]).plan for name in OFTEN}
    assert not [(name, step) for name, plan in plans.items() for step in plan if many_tables.is_scan(step)]
    assert not [step for step in plans["the lobby (each second)"] if "ORDER BY" in step], "they stand in order already"
    assert not [step for step in plans["news of 1,000 tables in memory"] if "GROUP BY" in step]
    assert many_tables.ask(store.engine, asked["admin: tables of all kinds"]).reads_all, "it would be noticed"
    store.close()
