"""Tamper check: find rows that changed without an act, by comparison with an earlier state of the study. A damaged
byte leaves no mark. A row whose mark is the same and whose values differ was not changed by Edgewise."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from store.sqlite.deadline import Deadline
from store.sqlite.file import connected
from store.tables import metadata

MOST = 100
"""Most rows of one table that are named."""


@dataclass(frozen=True, slots=True)
class UnchangedRule:
    """A rule for rows: with equal `marks`, all columns except `may_change` must be equal."""

    marks: tuple[str, ...] = ()
    may_change: tuple[str, ...] = ()


_VERSION = UnchangedRule(("version",))
RULES: Mapping[str, UnchangedRule] = {
    **dict.fromkeys(
        (
            "event",
            "run_text",
            "run_cell",
            "run_sample",
            "sample_row",
            "critic_score",
            "file",
            "release",
            "release_item",
            "document_version",
            "verdict_sheet",
            "verdict_override",
        ),
        UnchangedRule(),
    ),
    **dict.fromkeys(
        (
            "paper",
            "figure",
            "region_decision",
            "alignment",
            "person",
            "expertise",
            "study_setting",
            "assignment",
            "queue_entry",
            "triplet",
            "endpoint",
            "model_card",
            "run",
            "run_group",
            "run_made",
            "paper_text",
            "sample_table",
            "question_set",
            "verdict_reviewed",
            "answer_codes",
            "coding_list",
        ),
        _VERSION,
    ),
    "graph": UnchangedRule(("version",), ("layout",)),
    "triplet_paper": UnchangedRule((), ("paper_id",)),
    "derived": UnchangedRule(("created_at",)),
    "reply": UnchangedRule(("received_at",)),
    "milestone": UnchangedRule(("set_at",)),
    "mark": UnchangedRule(("set_at",)),
    "node_level": UnchangedRule(("set_at",)),
    "code_decision": UnchangedRule(("decided_at",)),
    "expert_score": UnchangedRule(("set_at",)),
    "person_label": UnchangedRule(("set_at",), ("compared_at",)),
    "draft": UnchangedRule(("saved_at",)),
    "effort": UnchangedRule(("last_at",)),
    "attempt": UnchangedRule(("state", "ended_at")),
    # Its reply gets another key when an item of another run is asked again.
    "run_item": UnchangedRule(("status", "done_at", "attempts"), ("request_hash",)),
}
"""Other tables are transient (sessions, invitations, attempts to sign in, workers, counterparts), covered by the
history (nodes, edges), or without a mark of change (rulings, changes of texts)."""
RESCORED = "run.rescore"
"""The act after which items of runs may be parsed differently without another mark."""


class StoredAct(NamedTuple):
    """An act of the history. Two copies of a study that diverged differ in their next act."""

    seq: int
    id: str


def last_act(path: Path) -> StoredAct | None:
    """Return the last act of the history, or None. Raises sqlite3.DatabaseError."""
    with closing(connected(path)) as connection:
        last = connection.execute("SELECT seq, id FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return StoredAct(*last) if last else None


def holds_act(path: Path, act: StoredAct) -> bool:
    """Return True if the history has this act at its place. Raises sqlite3.DatabaseError."""
    with closing(connected(path)) as connection:
        query = "SELECT count(*) FROM event WHERE seq = ? AND id = ?"
        return bool(connection.execute(query, act).fetchone()[0])


def faults_since(path: Path, earlier: Path, deadline: Deadline | None = None) -> list[str] | None:
    """Return rows that differ from an earlier state of the study without an act. None if it is no earlier state, or
    if identities were destroyed since. Both must be of the same revision. Raises sqlite3.DatabaseError, also past
    the deadline."""
    with closing(connected(path, deadline=deadline)) as connection:
        connection.execute("ATTACH ? AS earlier", [f"{earlier.resolve().as_uri()}?immutable=1"])
        connection.text_factory = lambda faults: faults.decode(errors="replace")
        if not _is_later(connection):
            return None
        is_rescored = _differs(connection, "SELECT count(*) FROM {}.event WHERE act = ?", RESCORED)
        query = (
            "SELECT was.name FROM earlier.sqlite_master AS was LEFT JOIN main.sqlite_master AS now "
            "ON now.type = was.type AND now.name = was.name WHERE now.sql IS NOT was.sql"
        )
        # Only an upgrade may change a definition, and both states are of one revision.
        faults = [f"the definition of {row[0]} is not what it was" for row in connection.execute(query)]
        for table, rule in RULES.items():
            if table != "run_item" or not is_rescored:
                faults += _changed_rows(connection, table, rule)
    return faults


def _is_later(connection: sqlite3.Connection) -> bool:
    """Return True if the earlier state's last act is in this history, and no names were destroyed after it."""
    last = connection.execute("SELECT seq, id FROM earlier.event ORDER BY seq DESC LIMIT 1").fetchone()
    is_known = last and connection.execute("SELECT 1 FROM main.event WHERE seq = ? AND id = ?", last).fetchone()
    return bool(is_known) and not _differs(connection, "SELECT count(*) FROM {}.erasure")


def _differs(connection: sqlite3.Connection, query: str, *values: str) -> bool:
    now, was = (connection.execute(query.format(side), values).fetchone() for side in ("main", "earlier"))
    return bool(now != was)


def _changed_rows(connection: sqlite3.Connection, table: str, rule: UnchangedRule) -> list[str]:
    columns = metadata.tables[table].columns
    keys = [column.name for column in columns if column.primary_key]
    others = [column.name for column in columns if column.name not in (*keys, *rule.marks, *rule.may_change)]
    same = [f'now."{name}" = was."{name}"' for name in keys] + [f'now."{name}" IS was."{name}"' for name in rule.marks]
    differs = " OR ".join(f'now."{name}" IS NOT was."{name}"' for name in others)
    query = (
        f'SELECT now.rowid FROM earlier."{table}" AS was JOIN main."{table}" AS now ON {" AND ".join(same)} '  # noqa: S608 - names of our own tables
        f"WHERE {differs} ORDER BY 1"
    )
    rows = [row[0] for row in connection.execute(query)]
    faults = [f"row {row} of {table} is not what it was, and no act has changed it" for row in rows[:MOST]]
    return [*faults, *([f"and {len(rows) - MOST:,} more of {table}"] if len(rows) > MOST else [])]
