"""Answers to be judged, and verdicts with their tallies, as runs store them. No function here commits."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, select
from sqlmodel import Session

from store import json_values
from store.runs import results
from store.runs.results import AT_ONCE, ITEM, SAMPLE


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredItem:
    """An item of a run with its sample. `parsed`: the parsed answer, None without one."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSection:
    """An item of a judge's run."""

    item_id: str
    model: str
    repeat: int
    status: str
    variant: str  # the judge's own
    facts: dict[str, Any]
    parts: Any  # its tally and control result, None without a score


class JudgedSample(NamedTuple):
    """A sample of a judge's run, and the judges that received it: (model, repeat)."""

    variant: str
    facts: dict[str, Any]
    judges: frozenset[tuple[str, int]]


class StoredLabels(NamedTuple):
    """A judge's labels of one section of an answer, as stored. `variant`: the judge's own."""

    model: str
    repeat: int
    variant: str
    facts: dict[str, Any]
    parsed: Any


def answers(session: Session, run_id: str, tasks: Collection[str]) -> Iterator[AnsweredItem]:
    """Yield every item of these tasks, ordered by sample, model and repeat."""
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
        for row, *values in zip(rows, facts, truths, parsed, strict=True):
            names = zip(row._fields[:9], row[:9], strict=True)
            yield AnsweredItem(**dict(names), facts=values[0], truth=values[1], parsed=values[2])


def sections(session: Session, run_id: str, task: str) -> Iterator[StoredSection]:
    """Yield every item of this task of a judge's run, ordered by sample, model and repeat, without parsing its
    verdict."""
    item = [ITEM.c.id.label("item_id"), *(ITEM.c[name] for name in ("model", "repeat", "status"))]
    texts = [cast(each, Text) for each in (SAMPLE.c.facts, ITEM.c.parts)]
    query = (
        select(*item, SAMPLE.c.variant, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, SAMPLE.c.task == task)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        facts, parts = (json_values.read_many([row[place] for row in rows]) for place in (5, 6))
        for row, *values in zip(rows, facts, parts, strict=True):
            names = zip(row._fields[:5], row[:5], strict=True)
            yield StoredSection(**dict(names), facts=values[0], parts=values[1])


def judged_samples(session: Session, run_id: str, task: str) -> Iterator[JudgedSample]:
    """Yield every sample of this task of a judge's run, without reading replies or scores."""
    judges: dict[str, set[tuple[str, int]]] = {}
    for sample_id, model, repeat in session.execute(
        select(ITEM.c.sample_id, ITEM.c.model, ITEM.c.repeat).where(ITEM.c.run_id == run_id)
    ):
        judges.setdefault(sample_id, set()).add((model, repeat))
    for sample in results.samples(session, run_id, with_facts=True):
        if sample.task == task:
            yield JudgedSample(sample.variant, sample.facts, frozenset(judges.get(sample.id, ())))


def labels(session: Session, run_id: str, task: str) -> Iterator[StoredLabels]:
    """Yield every whole verdict of a judge's run, in the order of `sections`."""
    texts = [cast(each, Text) for each in (SAMPLE.c.facts, ITEM.c.parsed)]
    query = (
        select(ITEM.c.model, ITEM.c.repeat, SAMPLE.c.variant, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, SAMPLE.c.task == task, ITEM.c.status == "answered")
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        facts, parsed = (json_values.read_many([row[place] for row in rows]) for place in (3, 4))
        for row, *values in zip(rows, facts, parsed, strict=True):
            yield StoredLabels(*row[:3], *values)
