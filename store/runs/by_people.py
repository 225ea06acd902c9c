"""Samples of runs that people answer beside its models, and their answers as items. No function here commits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, insert, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from core.runs.by_people import PEOPLE, people_wanted
from core.runs.states import RunState
from store import history
from store.assignments import ADJUDICATION, EXPLICITNESS, READING, TRANSCRIPTION
from store.graphs import looks
from store.many import among
from store.queue import judged
from store.runs.items import ItemOutcome
from store.runs.runs import ITEM, RUN, SAMPLE
from store.tables import AssignmentRow, EventRow, SampleRow, new_id
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSample:
    """A sample of which a run in use wants answers of `wanted` people. `subject`: (kind, id) of what it is in the
    study; `text`: SHA-256 of its text."""

    id: str
    run_id: str
    run: int
    protocol: str
    task: str
    variant: str
    key: str
    title: str
    text: str
    subject: tuple[str, str] | None
    wanted: int


def wanted_samples(session: Session, sample_ids: Collection[str] | None = None) -> list[WantedSample]:
    """Every sample that people are asked for, run after run, in the order of each; or some of them. Runs that are
    archived or cancelled ask nobody."""
    query = select(RUN.c.id, RUN.c.number, RUN.c.protocol, RUN.c.settings).where(
        RUN.c.archived_at.is_(None),
        RUN.c.state != RunState.CANCELLED.value,
        RUN.c.settings["wanted", PEOPLE].as_integer() > 0,
    )
    asked = {
        row.id: (row.number, row.protocol, many)
        for row in session.execute(query.order_by(RUN.c.number))
        if (many := people_wanted(row.settings))
    }
    return [each for each in samples(session, asked, sample_ids) if each.wanted]


def samples(
    session: Session, runs: dict[str, tuple[int, str, int]], sample_ids: Collection[str] | None = None
) -> list[WantedSample]:
    """Samples of runs, each of which is given with its number, its protocol and how many people it wants."""
    columns = [SAMPLE.c[name] for name in ("id", "run_id", "task", "variant", "key", "subject_kind", "subject_id")]
    found = []
    for run_id, (number, protocol, many) in runs.items():
        query = select(*columns, SAMPLE.c.facts).where(SAMPLE.c.run_id == run_id).order_by(SAMPLE.c.place)
        if sample_ids is not None:
            query = query.where(SAMPLE.c.id.in_(list(sample_ids)))
        for row in session.execute(query):
            found.append(
                WantedSample(
                    id=row.id,
                    run_id=run_id,
                    run=number,
                    protocol=protocol,
                    task=row.task,
                    variant=row.variant,
                    key=row.key,
                    title=str(row.facts.get("title") or row.key),
                    text=str(row.facts.get("text") or ""),
                    subject=None if row.subject_kind is None else (row.subject_kind, row.subject_id),
                    wanted=many,
                )
            )
    return found


def sample_of(session: Session, sample_id: str) -> WantedSample:
    """One sample, whatever became of its run; nobody is wanted for it where that asks no one any more."""
    query = select(RUN.c.id, RUN.c.number, RUN.c.protocol, RUN.c.settings, RUN.c.archived_at, RUN.c.state)
    row = session.execute(query.join(SAMPLE, SAMPLE.c.run_id == RUN.c.id).where(SAMPLE.c.id == sample_id)).one()
    is_over = row.archived_at is not None or row.state == RunState.CANCELLED.value
    many = 0 if is_over else people_wanted(row.settings)
    return samples(session, {row.id: (row.number, row.protocol, many)}, [sample_id])[0]


# --- who may not ---------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """Whose graphs somebody has seen: figures, and rows of imported tables."""

    figures: frozenset[str]
    rows: frozenset[str]


def seen_by(session: Session, person_id: str) -> Seen:
    """Figures and rows of tables whose graph this person knows: drew, reviewed, adjudicated or labelled it, normalised
    the text against it, or looked at it."""
    worked: Any = select(col(AssignmentRow.subject_id)).where(
        col(AssignmentRow.person_id) == person_id,
        col(AssignmentRow.kind).in_((TRANSCRIPTION, ADJUDICATION, EXPLICITNESS)),
    )
    wrote: Any = select(col(EventRow.subject_id)).where(
        col(EventRow.subject_kind) == "text", col(EventRow.act).like("text.%"), history.by_person(person_id)
    )
    figures = judged(session, TRANSCRIPTION, person_id)
    figures |= set(session.scalars(worked)) | set(session.scalars(wrote)) | looks.looked_at(session, person_id, "level")
    rows, tables = looks.looked_at(session, person_id, "sample"), looks.looked_at(session, person_id, "table")
    if tables:
        rows |= set(session.scalars(select(col(SampleRow.id)).where(among(session, SampleRow.table_id, tables))))
    return Seen(frozenset(figures), frozenset(rows))


def texts_read(session: Session, person_id: str) -> list[tuple[str, str, tuple[str, str] | None]]:
    """(Assignment, text, subject) of every sample that this person took, of whatever run."""
    query: Any = (
        select(col(AssignmentRow.id), SAMPLE.c.facts, SAMPLE.c.subject_kind, SAMPLE.c.subject_id)
        .join(SAMPLE, SAMPLE.c.id == col(AssignmentRow.subject_id))
        .where(col(AssignmentRow.kind) == READING, col(AssignmentRow.person_id) == person_id)
    )
    return [
        (row[0], str(row.facts.get("text") or ""), None if row.subject_kind is None else (row[2], row[3]))
        for row in session.execute(query)
    ]


def subjects_of(session: Session, run_ids: Collection[str]) -> set[tuple[str, str]]:
    """(Kind, id) of what the samples of some runs are in the study."""
    columns = (SAMPLE.c.subject_kind, SAMPLE.c.subject_id)
    query = select(*columns).where(SAMPLE.c.run_id.in_(list(run_ids)), SAMPLE.c.subject_id.is_not(None)).distinct()
    return {(row[0], row[1]) for row in session.execute(query)}


# --- their answers -------------------------------------------------------------------------------------------------


def held_run(session: Session, run_id: str) -> RunRow:
    """A run's row, read anew and held until the transaction ends: two people's answers are written one after the
    other."""
    query = select_rows(RunRow).where(RunRow.id == run_id).with_for_update()
    return session.exec(query, execution_options={"populate_existing": True}).one()


def add_answer(
    session: Session, sample: WantedSample, model: str, request_hash: str, outcome: ItemOutcome, now: datetime
) -> str:
    """A further item of the sample's run, which is held, done with this outcome; returns its id. It is a shard of its
    own, which no worker is told of: nothing is to be asked."""
    query = select(func.coalesce(func.max(ITEM.c.shard), -1) + 1).where(ITEM.c.run_id == sample.run_id)
    row: dict[str, Any] = {
        "id": new_id(),
        "run_id": sample.run_id,
        "sample_id": sample.id,
        "model": model,
        "repeat": 0,
        "shard": session.execute(query).scalar_one(),
        "request_hash": request_hash,
        **outcome.as_row(),
        "attempts": 0,
        "was_cached": False,
        "done_at": now,
    }
    session.connection().execute(insert(ITEM).values(row))
    return str(row["id"])
