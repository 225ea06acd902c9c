"""Writer thread of a run's ledger, through which everything that happens reaches the store, many rows to a commit.

A commit waits for the disk, so one per row would cost more than the request that the row is about. Rows of about a
hundredth of a second are written together, and a caller continues when its row is stored. The order keeps replies safe:
an attempt is stored before its request leaves, a reply before it is read, its outcome last.

If the store cannot be written (locked, full, its server down), nothing is dropped: the writer retries until it can, and
no request leaves meanwhile, because no attempt is stored.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from core.errors import StoreUnavailable
from store.engine import Store
from store.runs import embeddings, items, replies, rounds, runs

LINGER_S = 0.01
MOST_ROWS = 100
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 5.0
log = logging.getLogger(__name__)
Row = Mapping[str, Any]


class NotStored(Exception):
    """The store refused this entry, or the writer was closed before it was stored."""


@dataclass(slots=True, kw_only=True)
class _Entry:
    """Rows stored together or not at all, and the caller that waits for them."""

    attempt: Row | None = None
    reply: Row | None = None
    end: Row | None = None
    count: Row | None = None
    outcome: Row | None = None
    texts: tuple[str, ...] = ()
    vectors: Sequence[Row] = ()
    round: Row | None = None
    rounds_end: Row | None = None
    waiting: asyncio.Future[bool] | None = None
    is_first: bool = True
    fault: Exception | None = None


class RequestLedger:
    """Writer of one process, used from one event loop between `start` and `close`. Rows are as in `store.runs.replies`,
    `store.runs.items`, `store.runs.rounds` and `store.runs.embeddings`."""

    def __init__(self, store: Store, *, linger_s: float = LINGER_S) -> None:
        self._store = store
        self._linger_s = linger_s
        self._entries: deque[_Entry] = deque()
        self._wake = threading.Event()
        self._give_up_at: float | None = None
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False
        self._in_hand = 0
        self._unkept = 0
        self.trouble = ""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def close(self, *, patience_s: float = 30.0) -> int:
        """Write what is left, trying for `patience_s`; return how many entries could not be stored."""
        self._give_up_at = time.monotonic() + patience_s
        self._wake.set()
        await asyncio.to_thread(self._thread.join)
        self._is_closed = True
        self._abandon(list(self._entries), StoreUnavailable("The worker has ended."))
        _resolve(list(self._entries))
        self._entries.clear()
        return self._unkept

    @property
    def unwritten(self) -> int:
        return self._in_hand + len(self._entries)

    # --- entries -------------------------------------------------------------------------------------------------
    # Each method returns at once. Await the future to know that the entry is stored; it raises NotStored if it cannot
    # be. Entries are stored in the order of the calls.

    def sent(self, attempt: Row) -> asyncio.Future[bool]:
        """Store an attempt; its request may leave only after that."""
        return self._push(_Entry(attempt=attempt))

    def answered(self, reply: Row, end: Row, vectors: Sequence[Row] = ()) -> asyncio.Future[bool]:
        """Store a reply, the end of its attempt and its vectors. The result is False if the request already had a
        reply: that one stays, and this body is stored with the attempt."""
        return self._push(_Entry(reply=reply, end=end, vectors=vectors))

    def failed(self, end: Row, count: Row) -> asyncio.Future[bool]:
        """Store the end of an attempt without an answer, and the item's count of attempts."""
        return self._push(_Entry(end=end, count=count))

    def asked_again(self, round_: Row, texts: Sequence[str]) -> asyncio.Future[bool]:
        """Store a further request of an item and its texts; it may be asked only after that."""
        return self._push(_Entry(round=round_, texts=tuple(texts)))

    def settled(self, outcome: Row, rounds_end: Row | None = None) -> asyncio.Future[bool]:
        """Store the outcome of an item, and of its rounds if its step has several."""
        return self._push(_Entry(outcome=outcome, rounds_end=rounds_end))

    async def store_replies(self, replies: Sequence[Row]) -> None:
        """Store replies that were not requested."""
        for future in [self._push(_Entry(reply=reply)) for reply in replies]:
            await future

    async def all_settled(self, outcomes: Sequence[tuple[Row, Row | None]]) -> None:
        for future in [self.settled(outcome, rounds_end) for outcome, rounds_end in outcomes]:
            await future

    def _push(self, entry: _Entry) -> asyncio.Future[bool]:
        assert self._loop is not None, "the ledger is used before its start"
        entry.waiting = self._loop.create_future()
        if self._is_closed:
            entry.waiting.set_exception(NotStored("The worker has ended."))
            return entry.waiting
        self._entries.append(entry)
        if not self._wake.is_set():
            self._wake.set()
        return entry.waiting

    # --- the thread ----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        assert self._loop is not None
        while True:
            self._wake.wait()
            if self._give_up_at is None and len(self._entries) < MOST_ROWS:
                time.sleep(self._linger_s)
            self._wake.clear()
            batch = [self._entries.popleft() for _ in range(min(MOST_ROWS, len(self._entries)))]
            if batch:
                self._in_hand = len(batch)
                self._keep(batch)
                self._in_hand = 0
                if not self._loop.is_closed():
                    self._loop.call_soon_threadsafe(_resolve, batch)
            if self._entries or self._give_up_at is not None:
                self._wake.set()
            if self._give_up_at is not None and not self._entries:
                return

    def _keep(self, batch: Sequence[_Entry]) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                with self._store.writing() as session:
                    _write(session, batch)
            except (StoreUnavailable, DBAPIError) as trouble:
                if isinstance(trouble, DBAPIError) and not trouble.connection_invalidated:
                    return self._one_by_one(batch, trouble)
                if self.trouble != str(trouble):
                    log.error("%d entries wait to be kept: %s", len(batch), trouble)
                self.trouble = str(trouble)
                if self._give_up_at is not None and time.monotonic() > self._give_up_at:
                    return self._abandon(batch, trouble)
                time.sleep(pause_s)
                pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
            except Exception as error:  # noqa: BLE001 - a value that no driver takes; the writer itself must not end
                return self._one_by_one(batch, error)
            else:
                if self.trouble:
                    log.warning("The store can be written again.")
                self.trouble = ""
                return None

    def _one_by_one(self, batch: Sequence[_Entry], error: Exception) -> None:
        """Store a refused batch entry by entry, so that only the faulty entry is lost."""
        if len(batch) == 1:
            log.error("An entry of the ledger was refused: %s", error)
            batch[0].fault = NotStored(f"The store refused it: {str(error).splitlines()[0]}")
            self._unkept += 1
            return
        for entry in batch:
            self._keep([entry])

    def _abandon(self, batch: Sequence[_Entry], trouble: Exception) -> None:
        for entry in batch:
            reply = entry.reply or {}
            if reply:
                log.critical("A reply could not be kept (request %s): %s", reply["request_hash"], trouble)
            entry.fault = NotStored(str(trouble))
        self._unkept += len(batch)


def _write(session: Session, batch: Sequence[_Entry]) -> None:
    further = [entry for entry in batch if entry.round]
    if further:
        runs.keep_texts(session, sorted({text for entry in further for text in entry.texts}))
        rounds.keep(session, [entry.round for entry in further if entry.round])
    embeddings.keep(session, [row for entry in batch for row in entry.vectors])
    replies.insert_attempts(session, [entry.attempt for entry in batch if entry.attempt])
    second = replies.insert_replies(session, [entry.reply for entry in batch if entry.reply])
    ends: list[Row] = []
    for entry in batch:
        if entry.end is None:
            continue
        entry.is_first = entry.reply is None or entry.reply["attempt_id"] not in second
        ends.append(entry.end if entry.is_first else {**entry.end, "raw": (entry.reply or {})["raw"]})
    replies.end_attempts(session, ends)
    items.count_attempts(session, [entry.count for entry in batch if entry.count])
    items.settle(session, [entry.outcome for entry in batch if entry.outcome])
    rounds.end(session, [entry.rounds_end for entry in batch if entry.rounds_end])


def _resolve(batch: Sequence[_Entry]) -> None:
    for entry in batch:
        if entry.waiting is None or entry.waiting.done():
            continue
        if entry.fault is not None:
            entry.waiting.set_exception(entry.fault)
        else:
            entry.waiting.set_result(entry.is_first)
