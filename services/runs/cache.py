"""Cached replies: a request that was answered once is not sent again by any run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from core.paging import check_page
from core.people import Permission, Viewer
from services.acting import consulting
from store.runs import reply_lists


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedModel:
    """Replies of one model at one endpoint."""

    endpoint: str
    model: str
    replies: int
    characters: int  # of the bodies
    tokens_in: int
    tokens_out: int
    cost_usd: float | None  # when they were received; None if unknown
    uses: int  # items that they answer
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedReply:
    """One cached reply."""

    request_hash: str
    endpoint: str
    model: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    received_at: datetime
    uses: int  # items that it answers; 0 only if it arrived after its item was abandoned


@dataclass(frozen=True, slots=True)
class CachePage:
    """One page of replies."""

    total: int  # matching replies
    lines: tuple[CachedReply, ...]


def stats(viewer: Viewer) -> tuple[CachedModel, ...]:
    """Return the cached replies by endpoint and model."""
    with consulting(viewer, Permission.REVIEW) as r:
        return tuple(CachedModel(**asdict(row)) for row in reply_lists.by_model(r.session))


def count(viewer: Viewer) -> int:
    """Return the number of cached replies of models, without baselines."""
    with consulting(viewer, Permission.REVIEW) as r:
        return reply_lists.count(r.session)


def replies(viewer: Viewer, model: str = "", *, offset: int = 0, limit: int = 50) -> CachePage:
    """Return one page of cached replies, newest first, of one model (by its name at the endpoint) or of all. Raises
    BadInput for an offset below 0 or a limit outside 1–500."""
    check_page(offset, limit)
    with consulting(viewer, Permission.REVIEW) as r:
        total, rows = reply_lists.page(r.session, model, offset, limit)
    return CachePage(total, tuple(CachedReply(**row._asdict()) for row in rows))
