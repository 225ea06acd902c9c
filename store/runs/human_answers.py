"""Samples of runs that people answer in addition to models, and their answers as items. No function here commits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, insert, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from core.runs.human_answers import PEOPLE, people_requested
from core.runs.states import RunState
from store import history
from store.assignments import ADJUDICATION, EXPLICITNESS, READING, TRANSCRIPTION
from store.graphs import exposures
from store.queue import judged
from store.runs.items import ItemOutcome
from store.runs.runs import ITEM, RUN, SAMPLE
from store.sql_in import among
from store.tables import AssignmentRow, EventRow, SampleRow, new_id
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedSample:
    """A sample for which a run in use requests answers of people."""

    id: str
    run_id: str
    run: int
    protocol: str
    task: str
    variant: str
    key: str
    title: str
    text: str  # SHA-256 of its text
    subject: tuple[str, str] | None  # (kind, id) in the study
    wanted: int  # number of people


def requested_samples(session: Session, sample_ids: Collection[str] | None = None) -> list[RequestedSample]:
    """Return the samples that people should answer, in run and sample order, or some of them. Archived and cancelled
    runs have none."""
    query = select(RUN.c.id, RUN.c.number, RUN.c.protocol, RUN.c.settings).where(
        RUN.c.archived_at.is_(None),
        RUN.c.state != RunState.CANCELLED.value,
        RUN.c.settings["wanted", PEOPLE].as_integer() > 0,
    )
    runs_by_id = {
        row.id: (row.number, row.protocol, many)
        for row in session.execute(query.order_by(RUN.c.number))
        if (many := people_requested(row.settings))
    }
    return [each for each in samples(session, runs_by_id, sample_ids) if each.wanted]


def samples(
    session: Session, runs: dict[str, tuple[int, str, int]], sample_ids: Collection[str] | None = None
) -> list[RequestedSample]:
    """Return samples of runs. `runs`: id → (number, protocol, requested people)."""
    columns = [SAMPLE.c[name] for name in ("id", "run_id", "task", "variant", "key", "subject_kind", "subject_id")]
    sample_rows = []
    for run_id, (number, protocol, many) in runs.items():
        query = select(*columns, SAMPLE.c.facts).where(SAMPLE.c.run_id == run_id).order_by(SAMPLE.c.place)
        if sample_ids is not None:
            query = query.where(SAMPLE.c.id.in_(list(sample_ids)))
        for row in session.execute(query):
            sample_rows.append(
                RequestedSample(
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
    return sample_rows


def sample_of(session: Session, sample_id: str) -> RequestedSample:
    """Return one sample in any state of its run; 0 people if the run no longer requests any."""
    query = select(RUN.c.id, RUN.c.number, RUN.c.protocol, RUN.c.settings, RUN.c.archived_at, RUN.c.state)
    row = session.execute(query.join(SAMPLE, SAMPLE.c.run_id == RUN.c.id).where(SAMPLE.c.id == sample_id)).one()
    is_over = row.archived_at is not None or row.state == RunState.CANCELLED.value
    many = 0 if is_over else people_requested(row.settings)
    return samples(session, {row.id: (row.number, row.protocol, many)}, [sample_id])[0]


# --- who may not ---------------------------------------------------------------------------------------------------


class ExposedGraphs(NamedTuple):
    """Figures and rows of imported tables whose graphs a person has seen."""

    figures: frozenset[str]
    rows: frozenset[str]


def seen_by(session: Session, person_id: str) -> ExposedGraphs:
    """Return the figures and rows whose graph this person knows: drew, reviewed, adjudicated, labelled, normalised
    the text against it, or viewed it."""
    worked: Any = select(col(AssignmentRow.subject_id)).where(
        col(AssignmentRow.person_id) == person_id,
        col(AssignmentRow.kind).in_((TRANSCRIPTION, ADJUDICATION, EXPLICITNESS)),
    )
    wrote: Any = select(col(EventRow.subject_id)).where(
        col(EventRow.subject_kind) == "text", col(EventRow.act).like("text.%"), history.by_person(person_id)
    )
    figures = judged(session, TRANSCRIPTION, person_id)
    figures |= (
        set(session.scalars(worked)) | set(session.scalars(wrote)) | exposures.looked_at(session, person_id, "level")
    )
    rows, tables = exposures.looked_at(session, person_id, "sample"), exposures.looked_at(session, person_id, "table")
    if tables:
        rows |= set(session.scalars(select(col(SampleRow.id)).where(among(session, SampleRow.table_id, tables))))
    return ExposedGraphs(frozenset(figures), frozenset(rows))


def texts_read(session: Session, person_id: str) -> list[tuple[str, str, tuple[str, str] | None]]:
    """Return (assignment, text, subject) of every sample that this person claimed, in any run."""
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
    """Return (kind, id) in the study of the samples of some runs."""
    columns = (SAMPLE.c.subject_kind, SAMPLE.c.subject_id)
    query = select(*columns).where(SAMPLE.c.run_id.in_(list(run_ids)), SAMPLE.c.subject_id.is_not(None)).distinct()
    return {(row[0], row[1]) for row in session.execute(query)}


# --- their answers -------------------------------------------------------------------------------------------------


def held_run(session: Session, run_id: str) -> RunRow:
    """Return a run's row, read again and locked until the transaction ends: people's answers are serialised."""
    query = select_rows(RunRow).where(RunRow.id == run_id).with_for_update()
    return session.exec(query, execution_options={"populate_existing": True}).one()


def add_answer(
    session: Session, sample: RequestedSample, model: str, request_hash: str, outcome: ItemOutcome, now: datetime
) -> str:
    """Insert an answered item for the sample, whose run is locked; return its id. It gets its own shard, which no
    worker receives, since nothing is sent."""
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
