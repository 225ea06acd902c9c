"""Scoring a run again from its stored replies, after a parser or a protocol has changed. Nothing is asked."""

from __future__ import annotations

from dataclasses import dataclass

from runs.outcomes import outcome_of, protocol_of
from store.engine import Store
from store.runs import items, runs
from store.runs.items import ItemOutcome


@dataclass(frozen=True, slots=True)
class Rereading:
    """An item that is now read differently."""

    item_id: str
    before: ItemOutcome
    after: ItemOutcome


@dataclass(frozen=True, slots=True)
class Rescored:
    """How many stored replies were read again, with which protocol's version, and what came out differently."""

    looked_at: int
    protocol_version: str
    changed: tuple[Rereading, ...]


def rescore(store: Store, run_id: str) -> Rescored:
    """Read every stored reply of a run again and keep what changed, with the version that read it.

    Reading takes its time and is done before anything is written; all changes land together. Items that wait for an
    answer are left to the worker. Raises Missing for a run that is not there or whose protocol is not known.
    """
    with store.reading() as session:
        row = runs.run_row(session, run_id)
        protocol = protocol_of(row.protocol)
        looked_at, changed = 0, list[Rereading]()
        for item_id, sample, reply, before in items.scored_items(session, run_id):
            looked_at += 1
            after = outcome_of(protocol, sample, reply)
            if after != before:
                changed.append(Rereading(item_id, before, after))
    with store.writing() as session:
        items.change_outcomes(session, [(change.item_id, change.after) for change in changed])
        runs.set_protocol_version(session, run_id, protocol.version)
    return Rescored(looked_at, protocol.version, tuple(changed))
