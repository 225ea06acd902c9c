"""Requests of earlier runs of a protocol, from which a dry run estimates the requests of later steps."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs.groups import GROUP
from store.runs.rounds import ROUND
from store.runs.runs import ITEM, RUN, SAMPLE
from store.tables import metadata

REPLY = metadata.tables["reply"]


@dataclass(frozen=True, slots=True)
class RequestHistory:
    """Requests of one step of one run."""

    groups: int  # of the step
    asked: int  # (group, card, repeat) with a request
    items: int  # of these
    tokens_in: float | None  # mean per request, None if not reported
    tokens_out: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundHistory:
    """Further rounds of one step of one run that used one card."""

    run_id: str
    step: str
    model: str
    is_own: bool  # the items' own card
    rounds: int
    tokens_in: float | None
    tokens_out: float | None


def last_runs(session: Session, protocol: str, most: int) -> dict[str, int]:
    """Return id → number of a protocol's last runs that have groups and an answered item, newest first."""
    answered = select(ITEM.c.id).where(ITEM.c.run_id == RUN.c.id, ITEM.c.status == ItemStatus.ANSWERED.value).limit(1)
    has_groups = select(GROUP.c.id).where(GROUP.c.run_id == RUN.c.id).limit(1)
    query = select(RUN.c.id, RUN.c.number).where(RUN.c.protocol == protocol, answered.exists(), has_groups.exists())
    return {row.id: row.number for row in session.execute(query.order_by(RUN.c.number.desc()).limit(most))}


def keys_of_sources(session: Session, run_id: str, sources: set[str]) -> int:
    """Return the number of distinct keys of the values that a run took from its sources."""
    query = select(func.count(func.distinct(GROUP.c.key))).where(
        GROUP.c.run_id == run_id, GROUP.c.step.in_(sources), GROUP.c.key != ""
    )
    return int(session.execute(query).scalar_one())


def asked_by_step(session: Session, run_id: str) -> dict[str, RequestHistory]:
    """Return step → its first requests in a run."""
    per = (
        select(
            GROUP.c.step,
            GROUP.c.id.label("group_id"),
            func.count().label("asked"),
            func.sum(REPLY.c.tokens_in).label("tokens_in"),
            func.sum(REPLY.c.tokens_out).label("tokens_out"),
            func.count(REPLY.c.tokens_in).label("known"),
        )
        .select_from(ITEM)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .join(GROUP, GROUP.c.id == SAMPLE.c.group_id)
        .outerjoin(REPLY, REPLY.c.request_hash == ITEM.c.request_hash)
        .where(ITEM.c.run_id == run_id, ITEM.c.request_hash.is_not(None))
        .group_by(GROUP.c.step, GROUP.c.id, ITEM.c.model, ITEM.c.repeat)
        .subquery()
    )
    query = select(
        per.c.step,
        func.count(func.distinct(per.c.group_id)),
        func.count(),
        func.sum(per.c.asked),
        func.sum(per.c.tokens_in),
        func.sum(per.c.tokens_out),
        func.sum(per.c.known),
    ).group_by(per.c.step)
    return {
        step: RequestHistory(groups, asked, int(items), _mean(tokens_in, known), _mean(tokens_out, known))
        for step, groups, asked, items, tokens_in, tokens_out, known in session.execute(query)
    }


def further_of(session: Session, run_id: str) -> list[RoundHistory]:
    """Return the further requests of items, by step and card."""
    is_own = ROUND.c.model == ITEM.c.model
    query = (
        select(
            SAMPLE.c.step,
            ROUND.c.model,
            is_own,
            func.count(),
            func.avg(REPLY.c.tokens_in),
            func.avg(REPLY.c.tokens_out),
        )
        .select_from(ROUND)
        .join(ITEM, ITEM.c.id == ROUND.c.item_id)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .outerjoin(REPLY, REPLY.c.request_hash == ROUND.c.request_hash)
        .where(ITEM.c.run_id == run_id)
        .group_by(SAMPLE.c.step, ROUND.c.model, is_own)
    )
    return [
        RoundHistory(
            run_id=run_id,
            step=step,
            model=model,
            is_own=bool(own),
            rounds=many,
            tokens_in=_known(tokens_in),
            tokens_out=_known(tokens_out),
        )
        for step, model, own, many, tokens_in, tokens_out in session.execute(query)
    ]


def _mean(total: float | None, known: int) -> float | None:
    return float(total) / int(known) if known and total is not None else None


def _known(mean: float | None) -> float | None:
    return None if mean is None else float(mean)
