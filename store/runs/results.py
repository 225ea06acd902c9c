"""What tables are made of: the items of a run with what is true of their samples. No function here commits."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, func, select
from sqlmodel import Session

from core.steps import EMBED_TASK
from store import json_values
from store.tables import EventRow
from store.tables.runs import RunItemRow, RunSampleRow

SAMPLE, ITEM, EVENT = (kind.metadata.tables[str(kind.__tablename__)] for kind in (RunSampleRow, RunItemRow, EventRow))


_IS_ASKED = (SAMPLE.c.task != EMBED_TASK) | (SAMPLE.c.variant != "")
"""Texts that were turned into vectors are in no table."""
AT_ONCE = 2_000
"""Rows that are held at once."""


class AskedSample(NamedTuple):
    """A sample of a run; `facts` as the run keeps them."""

    id: str
    task: str
    variant: str
    answer: str | None
    facts: dict[str, Any]


def samples(session: Session, run_id: str) -> Iterator[AskedSample]:
    """Every sample of a run, in its order."""
    columns = (SAMPLE.c.id, SAMPLE.c.task, SAMPLE.c.variant, SAMPLE.c.answer, cast(SAMPLE.c.facts, Text))
    query = select(*columns).where(SAMPLE.c.run_id == run_id, _IS_ASKED).order_by(SAMPLE.c.place)
    for key, task, variant, answer, facts in session.execute(query, execution_options={"yield_per": AT_ONCE}):
        yield AskedSample(key, task, variant, answer, json_values.read(facts))


Outcome = tuple[str, str | None, float | None, bool | None]
"""An item's status, predicted label, score, and whether it is right."""


def items(session: Session, run_id: str) -> Iterator[tuple[str, str, str, Outcome, Any, dict[str, float] | None]]:
    """Of every item of a run: its sample, its model, its id, its outcome, the fields of its reply, and probabilities;
    in the order of samples, models and repeats.

    JSON is read here and not by the database's driver, which takes twice as long for a hundred thousand of them.
    """
    columns = [ITEM.c[name] for name in ("model", "repeat", "id", "status", "predicted", "score", "is_right")]
    texts = [cast(ITEM.c[name], Text) for name in ("parsed", "probabilities")]
    query = (
        select(SAMPLE.c.id, *columns, *texts)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .where(ITEM.c.run_id == run_id, _IS_ASKED)
        .order_by(SAMPLE.c.place)
    )
    rows = session.execute(query, execution_options={"yield_per": AT_ONCE})
    for sample_id, some in groupby(rows, key=itemgetter(0)):
        for _, model, _, item_id, *outcome, parsed, probabilities in sorted(some, key=itemgetter(1, 2)):
            yield sample_id, model, item_id, tuple(outcome), _read(parsed), _read(probabilities)


def _read(text: str | None) -> Any:
    return None if text is None else json_values.read(text)


def last_changes(session: Session, run_ids: Collection[str]) -> dict[str, str]:
    """Run → a word that changes when any of its items does: how many are in each status, when the last one ended, and
    the last act about the run (scoring it again is one)."""
    query = (
        select(ITEM.c.run_id, ITEM.c.status, func.count(), func.max(ITEM.c.done_at))
        .where(ITEM.c.run_id.in_(list(run_ids)))
        .group_by(ITEM.c.run_id, ITEM.c.status)
        .order_by(ITEM.c.run_id, ITEM.c.status)
    )
    acts = select(EVENT.c.subject_id, func.max(EVENT.c.seq)).where(EVENT.c.subject_id.in_(list(run_ids)))
    found = {run_id: str(seq) for run_id, seq in session.execute(acts.group_by(EVENT.c.subject_id))}
    for run_id, *said in session.execute(query):
        found[run_id] = hashlib.sha256(f"{found.get(run_id, '')}{said!r}".encode()).hexdigest()[:16]
    return found
