"""Contents of the reply cache, and the runs that use it. Replies are evidence: nothing here deletes one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import distinct, func, select
from sqlmodel import Session

from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow

REPLY, ITEM, ROUND = (kind.metadata.tables[str(kind.__tablename__)] for kind in (ReplyRow, RunItemRow, RunRoundRow))
FURTHER = select(ROUND.c.request_hash, ITEM.c.run_id).join(ITEM, ITEM.c.id == ROUND.c.item_id)
USES = select(ITEM.c.request_hash, ITEM.c.run_id).where(ITEM.c.request_hash.is_not(None)).union_all(FURTHER).subquery()
"""(request hash, run) for every request of every item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedByModel:
    """Replies of one model at one endpoint."""

    endpoint: str
    model: str
    replies: int
    characters: int  # of their bodies
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    uses: int  # requests of items that they answer
    runs: int


class ListedReply(NamedTuple):
    request_hash: str
    endpoint: str
    model: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    received_at: datetime
    uses: int


def by_model(session: Session) -> list[CachedByModel]:
    used = select(USES.c.request_hash, func.count().label("uses")).group_by(USES.c.request_hash).subquery()
    used_by = (
        select(REPLY.c.endpoint, REPLY.c.model, func.count(distinct(USES.c.run_id)))
        .join(USES, USES.c.request_hash == REPLY.c.request_hash)
        .group_by(REPLY.c.endpoint, REPLY.c.model)
    )
    runs = {(row[0], row[1]): row[2] for row in session.execute(used_by)}
    query = (
        select(
            REPLY.c.endpoint,
            REPLY.c.model,
            func.count(),
            func.coalesce(func.sum(func.length(REPLY.c.raw)), 0),
            func.coalesce(func.sum(REPLY.c.tokens_in), 0),
            func.coalesce(func.sum(REPLY.c.tokens_out), 0),
            func.sum(REPLY.c.cost_usd),
            func.coalesce(func.sum(used.c.uses), 0),
        )
        .outerjoin(used, used.c.request_hash == REPLY.c.request_hash)
        .group_by(REPLY.c.endpoint, REPLY.c.model)
        .order_by(REPLY.c.endpoint, REPLY.c.model)
    )
    return [
        CachedByModel(
            endpoint=endpoint,
            model=model,
            replies=replies,
            characters=int(size),
            tokens_in=int(tokens_in),
            tokens_out=int(out),
            cost_usd=cost,
            uses=int(uses),
            runs=runs.get((endpoint, model), 0),
        )
        for endpoint, model, replies, size, tokens_in, out, cost, uses in session.execute(query)
    ]


def count(session: Session) -> int:
    query = select(func.count()).select_from(REPLY).where(REPLY.c.endpoint != "")
    return int(session.execute(query).scalar_one())


def page(session: Session, model: str, offset: int, limit: int) -> tuple[int, list[ListedReply]]:
    """Return the number of replies and one page of them, newest first, of one model or, if empty, of all."""
    where = [REPLY.c.model == model] if model else []
    total: int = session.execute(select(func.count()).select_from(REPLY).where(*where)).scalar_one()
    of_items, of_rounds = (
        select(func.count()).where(table.c.request_hash == REPLY.c.request_hash).scalar_subquery()
        for table in (ITEM, ROUND)
    )
    query = (
        select(
            REPLY.c.request_hash,
            REPLY.c.endpoint,
            REPLY.c.model,
            REPLY.c.finish_reason,
            REPLY.c.tokens_in,
            REPLY.c.tokens_out,
            REPLY.c.cost_usd,
            REPLY.c.received_at,
            of_items + of_rounds,
        )
        .where(*where)
        .order_by(REPLY.c.received_at.desc(), REPLY.c.request_hash)
        .offset(offset)
        .limit(limit)
    )
    return total, [ListedReply(*row) for row in session.execute(query)]


def mean_tokens_out(session: Session, endpoint: str, model: str, least: int) -> float | None:
    """Return the mean output tokens of this model's replies; None if fewer than `least` report them."""
    query = select(func.count(REPLY.c.tokens_out), func.avg(REPLY.c.tokens_out))
    number, mean = session.execute(query.where(REPLY.c.endpoint == endpoint, REPLY.c.model == model)).one()
    return float(mean) if number >= least else None
