"""Rounds of one item: request, model, reply and fault of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session

from core.messages import Message, read
from core.runs.states import ItemStatus
from runs.endpoint.redaction import keys_in, shown
from services.runs.shown_messages import shown_with_texts
from services.runs.views import RoundView
from store.runs import replies, rounds
from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow

FIRST_PURPOSE = "answer"


def rounds_of(
    session: Session, item: RunItemRow, first: ReplyRow | None, derived: Mapping[str, str] | None = None
) -> tuple[RoundView, ...]:
    """Return all requests of an item in order; empty if it has only one. `first`: reply to its first request;
    `derived`: texts that its run does not store, None if it stores all."""
    further = rounds.of_items(session, [item.id]).get(item.id, [])
    return _rounds(session, item, first, further, (), derived) if further else ()


def every_round(session: Session, item: RunItemRow, asked: Sequence[Any]) -> tuple[RoundView, ...]:
    """Return all requests of an item in order, also a single one. `asked`: stored messages, shown until there is a
    reply."""
    first = replies.reply(session, item.request_hash) if item.request_hash else None
    return _rounds(session, item, first, rounds.of_items(session, [item.id]).get(item.id, []), asked, None)


def _rounds(
    session: Session,
    item: RunItemRow,
    first: ReplyRow | None,
    further: Sequence[RunRoundRow],
    sample_messages: Sequence[Any],
    derived: Mapping[str, str] | None,
) -> tuple[RoundView, ...]:
    faults = [*(row.fault for row in further), item.fault]
    first_round = RunRoundRow(
        item_id=item.id,
        number=1,
        purpose=FIRST_PURPOSE,
        model=item.model,
        request_hash=item.request_hash or "",
        status=ItemStatus.ANSWERED.value if further else item.status,
        fault="",
    )
    views, before = list[RoundView](), tuple[Message, ...]()
    for row, fault in zip([first_round, *further], faults, strict=True):
        reply = first if row is first_round else replies.reply(session, row.request_hash)
        stored = (
            reply.request.get("messages", ()) if reply is not None else sample_messages if row is first_round else ()
        )
        messages = tuple(map(read, stored))
        views.append(_round(session, row, fault, reply, [each for each in messages if each not in before], derived))
        before = messages
    return tuple(views)


def _round(
    session: Session,
    row: RunRoundRow,
    fault: str,
    reply: ReplyRow | None,
    new: list[Message],
    derived: Mapping[str, str] | None,
) -> RoundView:
    keys = keys_in()
    return RoundView(
        number=row.number,
        purpose=row.purpose,
        model=row.model,
        status=ItemStatus(row.status),
        fault=fault,
        request_hash=row.request_hash,
        messages=shown_with_texts(session, new, derived),
        raw=shown(reply.raw, keys) if reply else "",
        text=shown(reply.text or reply.refusal, keys) if reply else "",
        reasoning=shown(reply.reasoning, keys) if reply else "",
        finish_reason=reply.finish_reason if reply else "",
        tokens_in=reply.tokens_in if reply else None,
        tokens_out=reply.tokens_out if reply else None,
        cost_usd=reply.cost_usd if reply else None,
        latency_s=reply.latency_s if reply else None,
        received_at=reply.received_at if reply else None,
        usage_fault=replies.usage_fault(session, reply),
    )
