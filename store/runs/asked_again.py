"""Items that are asked again although a reply came: their replies give way to the next ones and stay in the store.

A reply is stored under the hash of its request. One that is replaced moves to a key of its own, and with it every other
item that was read from it, so that no item changes because another one is asked again. No function here commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, null, select, update
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.many import among
from store.runs.items import ATTEMPT, ItemOutcome, ScoredItem, kept_replies, samples_of_items
from store.runs.rounds import ROUND
from store.runs.runs import ITEM, REPLY, SAMPLE
from store.tables.runs import ReplyRow

_REPLACED = "replaced:"
"""How the key of a reply begins that was replaced: `replaced:1:` and the hash of its request, of the first."""
_IS_READ = and_(*(ITEM.c.status != each.value for each in (ItemStatus.PENDING, ItemStatus.FAILED, ItemStatus.EXCLUDED)))
# The bound finds them in the index: hashes are hexadecimal, and no digit of theirs comes after "r".
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
    """The key of the n-th reply to a request, from 1, once another one has taken its place."""
    return f"{_REPLACED}{number}:{request_hash}"


def sent_hash(key: str) -> str:
    """The hash of the request to which the reply of this key came."""
    return key.rpartition(":")[2]


def beside_key(reply_key: str, request_hash: str) -> str:
    """The key under which the reply to another request stands that came together with this one."""
    number, _, _ = reply_key.removeprefix(_REPLACED).partition(":")
    return replaced_key(request_hash, int(number)) if reply_key.startswith(_REPLACED) else request_hash


@dataclass(frozen=True, slots=True)
class UnparsableItem:
    """`group_id`: None in runs of one step."""

    id: str
    reply_key: str
    group_id: str | None


def unparsable(session: Session, run_id: str, models: Collection[str]) -> list[UnparsableItem]:
    """The items of a run whose replies could not be read, of these models."""
    query = (
        select(ITEM.c.id, ITEM.c.request_hash, SAMPLE.c.group_id)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .where(ITEM.c.run_id == run_id, ITEM.c.status == ItemStatus.UNPARSABLE.value, ITEM.c.model.in_(list(models)))
        .where(ITEM.c.request_hash.is_not(None))
    )
    return [UnparsableItem(*row) for row in session.execute(query.order_by(ITEM.c.id))]


def ask_again(session: Session, items: Sequence[UnparsableItem]) -> None:
    """Make unparsable items pending, with every reply that they were read from replaced. An item whose reply was
    replaced before takes the reply that came since, or waits for it."""
    ids = [each.id for each in items]
    further = select(ROUND.c.request_hash).where(among(session, ROUND.c.item_id, ids))
    keys = {each.reply_key for each in items} | set(session.execute(further).scalars())
    # First, since pending items keep the key of the request: they wait for its next reply.
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
    for number, found in by_number.items():
        for table, *where in ((REPLY,), (ITEM, _IS_READ), (ROUND, _ITEM_IS_READ)):
            key = table.c.request_hash
            moving = update(table).where(among(session, key, found), *where)
            session.execute(moving.values(request_hash=replaced_key("", number) + key))


def replaced_replies() -> Any:
    """The replies that were replaced, for a query: `attempt_id`, and tokens that were cached or reasoning."""
    columns = [REPLY.c[name] for name in ("attempt_id", "tokens_cached", "tokens_reasoning")]
    # No two are alike; DISTINCT has SQLite read them once and index them, in place of once for each attempt.
    return select(*columns).where(*_IS_REPLACED).distinct().subquery()


def _replaced(session: Session) -> Counter[str]:
    """Request → replies to it that were replaced."""
    keys = session.execute(select(REPLY.c.request_hash).where(*_IS_REPLACED)).scalars()
    return Counter(map(sent_hash, keys))


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """An item with earlier replies. `request_hash`: of its first request; `times`: how many replies came before the one
    it is read from."""

    model: str
    request_hash: str
    times: int


def items_asked_again(session: Session, run_id: str) -> dict[str, AskedAgain]:
    """Item → how it was asked again, of all items of a run that were: here, or in the run whose reply answers them."""
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
    """The items of a run that were asked again, each with the first reply to its request in place of its own."""
    again = items_asked_again(session, run_id)
    first = {item_id: replaced_key(each.request_hash, 1) for item_id, each in again.items()}
    found = kept_replies(session, list(first.values()))
    for item_id, model, repeat, sample in samples_of_items(session, again):
        yield ScoredItem(item_id, model, repeat, sample, found[first[item_id]], _UNPARSABLE)


def _number(key: str, replaced: Mapping[str, int]) -> int:
    """Which reply to its request this is, from 1."""
    return int(key.split(":")[1]) if key.startswith(_REPLACED) else replaced.get(key, 0) + 1


def earlier_replies(session: Session, item_ids: Iterable[str]) -> Iterator[tuple[str, list[ReplyRow]]]:
    """Item → the replies to its requests that were replaced, the oldest first; those to further requests as far as it
    sent them itself. Items without any are missing."""
    replaced = _replaced(session)
    for item_id in item_ids if replaced else ():
        first = select(ITEM.c.request_hash).where(ITEM.c.id == item_id)
        further = select(ROUND.c.request_hash).where(ROUND.c.item_id == item_id)
        sent = select(ATTEMPT.c.request_hash).where(ATTEMPT.c.item_id == item_id)
        found = {key for query in (first, further, sent) for key in session.execute(query).scalars() if key}
        # Of a request that the item sent, the key of the reply that it is read from comes last, and counts.
        own = {sent_hash(key): key for key in sorted(found)}.values()
        keys = [replaced_key(sent_hash(key), number) for key in own for number in range(1, _number(key, replaced))]
        if keys:
            rows = session.execute(select(ReplyRow).where(REPLY.c.request_hash.in_(keys))).scalars()
            yield item_id, sorted(rows, key=lambda row: row.received_at)
