"""The replies that are kept: a request that was answered once is never sent again, in whichever run it is asked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from core.paging import check_page
from core.people import May, Viewer
from services.acting import consulting
from store.runs import reply_lists


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedModel:
    """Replies of one model at one endpoint. `characters`: of their bodies; `uses`: items that they answer, in `runs`
    runs; `cost_usd`: what they cost when they came, None where nobody said."""

    endpoint: str
    model: str
    replies: int
    characters: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    uses: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedReply:
    """One reply. `uses`: items that it answers; 0 only where a run's answer came after its item was given up."""

    request_hash: str
    endpoint: str
    model: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    received_at: datetime
    uses: int


@dataclass(frozen=True, slots=True)
class CachePage:
    """`total` replies match; `lines` are those of this page."""

    total: int
    lines: tuple[CachedReply, ...]


def stats(viewer: Viewer) -> tuple[CachedModel, ...]:
    """What is kept, by endpoint and model."""
    with consulting(viewer, May.REVIEW) as r:
        return tuple(CachedModel(**asdict(row)) for row in reply_lists.by_model(r.session))


def count(viewer: Viewer) -> int:
    """How many replies of models are kept; what a baseline says is none."""
    with consulting(viewer, May.REVIEW) as r:
        return reply_lists.count(r.session)


def replies(viewer: Viewer, model: str = "", *, offset: int = 0, limit: int = 50) -> CachePage:
    """One page of what is kept, the newest first, of one model (as its endpoint calls it) or of all.

    Raises BadInput for an offset below 0 or a limit outside 1–500.
    """
    check_page(offset, limit)
    with consulting(viewer, May.REVIEW) as r:
        total, found = reply_lists.page(r.session, model, offset, limit)
    return CachePage(total, tuple(CachedReply(**row._asdict()) for row in found))
