"""Answers to be judged, and verdicts with their tallies, as runs keep them. No function here commits."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, select
from sqlmodel import Session

from store import json_values
from store.runs.results import AT_ONCE, ITEM, SAMPLE


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredItem:
    """An item of a run with its sample. `parsed`: what was read from its replies, None where nothing was."""

    task: str
    variant: str
    key: str
    subject_kind: str | None
    subject_id: str | None
    item_id: str
    model: str
    repeat: int
    status: str
    facts: dict[str, Any]
    truth: Any
    parsed: Any


class KeptSection(NamedTuple):
    """An item of a judge's run. `parts`: its tally, and what its control says, None where it has no score."""

    item_id: str
    model: str
    repeat: int
    status: str
    facts: dict[str, Any]
    parts: Any


class KeptLabels(NamedTuple):
    """What a judge said of one section of an answer, as it is kept."""

    model: str
    repeat: int
    facts: dict[str, Any]
    parsed: Any


def answers(session: Session, run_id: str, tasks: Collection[str]) -> Iterator[AnsweredItem]:
    """Every item of these tasks, in the order of samples, models and repeats."""
    sample = [SAMPLE.c[name] for name in ("task", "variant", "key", "subject_kind", "subject_id")]
    item = [ITEM.c.id.label("item_id"), *(ITEM.c[name] for name in ("model", "repeat", "status"))]
    texts = [cast(each, Text) for each in (SAMPLE.c.facts, SAMPLE.c.truth, ITEM.c.parsed)]
    query = (
        select(*sample, *item, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, SAMPLE.c.task.in_(list(tasks)))
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        facts, truths, parsed = (json_values.read_many([row[place] for row in rows]) for place in (9, 10, 11))
        for row, *said in zip(rows, facts, truths, parsed, strict=True):
            names = zip(row._fields[:9], row[:9], strict=True)
            yield AnsweredItem(**dict(names), facts=said[0], truth=said[1], parsed=said[2])


def sections(session: Session, run_id: str, task: str) -> Iterator[KeptSection]:
    """Every item of this task of a judge's run, in the order of samples, models and repeats; no verdict is read."""
    item = [ITEM.c[name] for name in ("id", "model", "repeat", "status")]
    texts = [cast(each, Text) for each in (SAMPLE.c.facts, ITEM.c.parts)]
    query = (
        select(*item, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, SAMPLE.c.task == task)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        facts, parts = (json_values.read_many([row[place] for row in rows]) for place in (4, 5))
        for row, *said in zip(rows, facts, parts, strict=True):
            yield KeptSection(*row[:4], *said)


def labels(session: Session, run_id: str, task: str) -> Iterator[KeptLabels]:
    """Every whole verdict of a judge's run, in the order of `sections`."""
    texts = [cast(each, Text) for each in (SAMPLE.c.facts, ITEM.c.parsed)]
    query = (
        select(ITEM.c.model, ITEM.c.repeat, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, SAMPLE.c.task == task, ITEM.c.status == "answered")
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        facts, parsed = (json_values.read_many([row[place] for row in rows]) for place in (2, 3))
        for row, *said in zip(rows, facts, parsed, strict=True):
            yield KeptLabels(row[0], row[1], *said)
