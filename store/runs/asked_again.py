"""Items that are sent again although a reply exists. A replaced reply stays in the store under a key of its own, and
other items that were read from it move with it, so that they do not change. No function here commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, null, select, update
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs.items import ATTEMPT, ItemOutcome, ScoredItem, samples_of_items, stored_replies
from store.runs.rounds import ROUND
from store.runs.runs import ITEM, REPLY, SAMPLE
from store.sql_in import among
from store.tables.runs import ReplyRow

_REPLACED = "replaced:"
"""Prefix of a replaced reply's key: `replaced:1:` and the request hash for the first reply."""
_IS_READ = and_(*(ITEM.c.status != each.value for each in (ItemStatus.PENDING, ItemStatus.FAILED, ItemStatus.EXCLUDED)))
# The lower bound lets the index find them: no hexadecimal hash is greater than "r".
_IS_REPLACED = (REPLY.c.request_hash >= _REPLACED, REPLY.c.request_hash.startswith(_REPLACED))
_ITEM_IS_READ = select(ITEM.c.id).where(ITEM.c.id == ROUND.c.item_id, _IS_READ).exists()
_UNPARSABLE = ItemOutcome(status=ItemStatus.UNPARSABLE.value, is_right=False)
_OPEN: dict[str, Any] = {
    "status": ItemStatus.PENDING.value,
    "rung": "",
    "fault": "",
    "was_cached": False,
    **dict.fromkeys(("predicted", "repaired", "score", "is_right", "done_at")),
    **dict.fromkeys(("parsed", "probabilities", "parts", "flags"), null()),
}
_SEND_AGAIN = update(ITEM).where(ITEM.c.id == bindparam("item")).values(request_hash=bindparam("request"))


def replaced_key(request_hash: str, number: int) -> str:
    """Return the key of the n-th replaced reply to a request, from 1."""
    return f"{_REPLACED}{number}:{request_hash}"


def sent_hash(key: str) -> str:
    """Return the request hash of a reply's key."""
    return key.rpartition(":")[2]


def paired_key(reply_key: str, request_hash: str) -> str:
    """Return the key of the reply to another request that came at the same time as this one."""
    number, _, _ = reply_key.removeprefix(_REPLACED).partition(":")
    return replaced_key(request_hash, int(number)) if reply_key.startswith(_REPLACED) else request_hash


@dataclass(frozen=True, slots=True)
class UnparsableItem:
    id: str
    reply_key: str
    group_id: str | None  # None in runs of one step


def unparsable(session: Session, run_id: str, models: Collection[str]) -> list[UnparsableItem]:
    """Return the unparsable items of a run, of these models."""
    query = (
        select(ITEM.c.id, ITEM.c.request_hash, SAMPLE.c.group_id)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.UNPARSABLE.value, ITEM.c.model.in_(list(models)))
        .where(ITEM.c.request_hash.is_not(None))
    )
    return [UnparsableItem(*row) for row in session.execute(query.order_by(ITEM.c.id))]


def ask_again(session: Session, items: Sequence[UnparsableItem]) -> None:
    """Make unparsable items pending and replace every reply that they were read from. An item whose reply was
    replaced before uses the next reply, or waits for it."""
    ids = [each.id for each in items]
    further = select(ROUND.c.request_hash).where(among(session, ROUND.c.item_id, ids))
    keys = {each.reply_key for each in items} | set(session.execute(further).scalars())
    # Must come first: pending items keep the request's key, since they wait for its next reply.
    session.execute(update(ITEM).where(among(session, ITEM.c.id, ids)).values(_OPEN))
    moved = [
        {"item": each.id, "request": sent_hash(each.reply_key)}
        for each in items
        if each.reply_key.startswith(_REPLACED)
    ]
    if moved:
        session.connection().execute(_SEND_AGAIN, moved)
    before = _replaced(session)
    by_number: dict[int, list[str]] = {}
    for key in keys:
        if not key.startswith(_REPLACED):
            by_number.setdefault(before[key] + 1, []).append(key)
    for number, same_number in by_number.items():
        for table, *where in ((REPLY,), (ITEM, _IS_READ), (ROUND, _ITEM_IS_READ)):
            key = table.c.request_hash
            moving = update(table).where(among(session, key, same_number), *where)
            session.execute(moving.values(request_hash=replaced_key("", number) + key))


def replaced_replies() -> Any:
    """Return a subquery of replaced replies: `attempt_id`, and tokens that were cached or reasoning."""
    columns = [REPLY.c[name] for name in ("attempt_id", "tokens_cached", "tokens_reasoning")]
    # No two are alike; DISTINCT has SQLite read them once and index them, in place of once for each attempt.
    return select(*columns).where(*_IS_REPLACED).distinct().subquery()


def _replaced(session: Session) -> Counter[str]:
    """Return request → number of its replaced replies."""
    keys = session.execute(select(REPLY.c.request_hash).where(*_IS_REPLACED)).scalars()
    return Counter(map(sent_hash, keys))


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """An item with earlier replies."""

    model: str
    request_hash: str  # of its first request
    times: int  # replies before the current one


def items_asked_again(session: Session, run_id: str) -> dict[str, AskedAgain]:
    """Return item → its earlier replies, for all items of a run with any, from this run or a run that shares
    replies."""
    replaced = _replaced(session)
    if not replaced:
        return {}
    times = dict(replaced)
    times |= {
        replaced_key(request, number): number - 1 for request, many in replaced.items() for number in range(2, many + 1)
    }
    query = select(ITEM.c.id, ITEM.c.model, ITEM.c.request_hash).where(
        ITEM.c.run_id == run_id, among(session, ITEM.c.request_hash, times)
    )
    return {item_id: AskedAgain(model, sent_hash(key), times[key]) for item_id, model, key in session.execute(query)}


def with_first_replies(session: Session, run_id: str) -> Iterator[ScoredItem]:
    """Yield the items of a run that were sent again, each with the first reply to its request."""
    again = items_asked_again(session, run_id)
    first = {item_id: replaced_key(each.request_hash, 1) for item_id, each in again.items()}
    replies = stored_replies(session, list(first.values()))
    for item_id, model, repeat, sample in samples_of_items(session, again):
        yield ScoredItem(item_id, model, repeat, sample, replies[first[item_id]], _UNPARSABLE)


def _number(key: str, replaced: Mapping[str, int]) -> int:
    """Return the number of this reply to its request, from 1."""
    return int(key.split(":")[1]) if key.startswith(_REPLACED) else replaced.get(key, 0) + 1


def earlier_replies(session: Session, item_ids: Iterable[str]) -> Iterator[tuple[str, list[ReplyRow]]]:
    """Yield item → the replaced replies to its requests, the oldest first; for further requests, only those it sent
    itself. Items without any are missing."""
    replaced = _replaced(session)
    for item_id in item_ids if replaced else ():
        first = select(ITEM.c.request_hash).where(ITEM.c.id == item_id)
        further = select(ROUND.c.request_hash).where(ROUND.c.item_id == item_id)
        sent = select(ATTEMPT.c.request_hash).where(ATTEMPT.c.item_id == item_id)
        reply_keys = {key for query in (first, further, sent) for key in session.execute(query).scalars() if key}
        # Sorted, the key of the current reply to a request comes last, and overwrites earlier ones.
        own = {sent_hash(key): key for key in sorted(reply_keys)}.values()
        keys = [replaced_key(sent_hash(key), number) for key in own for number in range(1, _number(key, replaced))]
        if keys:
            rows = session.execute(select(ReplyRow).where(REPLY.c.request_hash.in_(keys))).scalars()
            yield item_id, sorted(rows, key=lambda row: row.received_at)
