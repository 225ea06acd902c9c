"""The writer keeps everything in order, many rows to a commit, and drops nothing when the store cannot be written."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from core.errors import StoreUnavailable
from runs.budget import Amount
from runs.endpoint.faults import RequestFault, SendError
from runs.endpoint.reply import ModelReply
from runs.ledger import NotStored, RequestLedger
from runs.ledger_rows import answered_row, error_row, outcome_row, reply_row, sent_row
from store import engine
from store.engine import Store
from store.runs import replies
from store.runs.items import ItemOutcome
from tests.runs.begun import begin, model, now, rows

pytestmark = pytest.mark.both

HASH = "0" * 63


@pytest.fixture
def item(store: Store) -> tuple[str, str]:
    """A run and one of its items, with a worker `w` to send."""
    run = begin(store, {"m": model("http://127.0.0.1:9/v1")}, 2)
    with store.writing() as session:
        replies.begin_worker(session, "w", "here", 1, now())
    return run.run_id, str(rows(store, "SELECT id FROM run_item ORDER BY id")[0][0])


def reply_of(text: str = "said") -> ModelReply:
    return ModelReply(
        raw='{"raw": 1}' + text,
        text=text,
        reasoning=None,
        refusal=None,
        finish_reason="stop",
        logprobs=None,
        tokens_in=5,
        tokens_out=2,
        tokens_cached=None,
        tokens_reasoning=None,
        provider_model="model",
        provider_id="id",
        latency_s=0.01,
    )


def sent(item: tuple[str, str], number: int = 1) -> dict[str, Any]:
    return sent_row(
        attempt_id=f"attempt {number}",
        run_id=item[0],
        item_id=item[1],
        request_hash=f"{HASH}{number}",
        number=number,
        endpoint="loopback",
        model="m",
        worker_id="w",
        most=Amount(100, 0.01),
        now=now(),
    )


def replied(number: int = 1, text: str = "said", request: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows of a reply to an attempt; `request`: whose request it answers, if not its own."""
    name, reply = f"attempt {number}", reply_of(text)
    return (
        reply_row(
            request_hash=f"{HASH}{request or number}",
            canonical={},
            endpoint="loopback",
            model="model",
            attempt_id=name,
            reply=reply,
            usd=0.5,
            now=now(),
        ),
        answered_row(name, reply, 0.5, now()),
    )


def with_ledger(store: Store, act: Callable[[RequestLedger], Awaitable[None]], **given: Any) -> int:
    async def run() -> int:
        ledger = RequestLedger(store, **given)
        ledger.start()
        try:
            await act(ledger)
        finally:
            unkept = await ledger.close(patience_s=0.5)
        return unkept

    return asyncio.run(run())


def test_what_is_waited_for_is_there_for_everybody(store: Store, item: tuple[str, str]) -> None:
    async def act(ledger: RequestLedger) -> None:
        await ledger.sent(sent(item))
        assert rows(store, "SELECT id, state FROM attempt") == [("attempt 1", "sent")]
        assert await ledger.answered(*replied())
        assert rows(store, "SELECT state, tokens_in, cost_usd FROM attempt") == [("answered", 5, 0.5)]
        assert rows(store, "SELECT text, attempt_id FROM reply") == [("said", "attempt 1")]
        row = outcome_row(
            item[1],
            f"{HASH}1",
            ItemOutcome(status="answered", predicted="+", rung="strict", parsed={"a": 1}),
            1,
            False,
            now(),
        )
        await ledger.settled(row)
        assert rows(store, "SELECT status, predicted, attempts FROM run_item WHERE id = :id", id=item[1]) == [
            ("answered", "+", 1)
        ]

    assert with_ledger(store, act) == 0


def test_of_two_replies_to_one_request_the_first_stays_and_the_second_is_kept_with_its_attempt(
    store: Store, item: tuple[str, str]
) -> None:
    async def act(ledger: RequestLedger) -> None:
        await asyncio.gather(ledger.sent(sent(item, 1)), ledger.sent(sent(item, 2)))
        kept = await asyncio.gather(
            ledger.answered(*replied(1, "first", request=1)), ledger.answered(*replied(2, "second", request=1))
        )
        assert kept == [True, False]

    assert with_ledger(store, act) == 0
    assert rows(store, "SELECT text FROM reply") == [("first",)]
    assert rows(store, "SELECT id, state, raw FROM attempt ORDER BY id") == [
        ("attempt 1", "answered", None),
        ("attempt 2", "answered", '{"raw": 1}second'),
    ]


def test_an_item_that_has_its_outcome_gets_no_other(store: Store, item: tuple[str, str]) -> None:
    async def act(ledger: RequestLedger) -> None:
        for outcome in (ItemOutcome(status="answered", predicted="+"), ItemOutcome(status="failed", fault="late")):
            await ledger.settled(outcome_row(item[1], None, outcome, 1, False, now()))

    with_ledger(store, act)
    assert rows(store, "SELECT status, predicted, fault FROM run_item WHERE id = :id", id=item[1]) == [
        ("answered", "+", "")
    ]


def test_many_rows_go_into_one_commit(store: Store, item: tuple[str, str]) -> None:
    commits = 0

    def count(_connection: object) -> None:
        nonlocal commits
        commits += 1

    async def act(ledger: RequestLedger) -> None:
        await asyncio.gather(*(ledger.sent(sent(item, number)) for number in range(1, 81)))

    event.listen(store.write_engine, "commit", count)
    with_ledger(store, act, linger_s=0.1)
    assert rows(store, "SELECT count(*) FROM attempt") == [(80,)]
    assert commits <= 3


def test_a_row_that_the_store_refuses_does_not_take_its_neighbours_with_it(store: Store, item: tuple[str, str]) -> None:
    refused: list[BaseException] = []

    async def act(ledger: RequestLedger) -> None:
        stranger = {**sent(item, 2), "item_id": "there is no such item"}
        found = await asyncio.gather(
            ledger.sent(sent(item, 1)), ledger.sent(stranger), ledger.sent(sent(item, 3)), return_exceptions=True
        )
        refused.extend(each for each in found if isinstance(each, BaseException))

    assert with_ledger(store, act, linger_s=0.1) == 1
    assert [type(each) for each in refused] == [NotStored]
    assert rows(store, "SELECT id FROM attempt ORDER BY id") == [("attempt 1",), ("attempt 3",)]


def test_an_error_is_kept_with_its_body_and_counted(store: Store, item: tuple[str, str]) -> None:
    error = SendError(RequestFault.HTML, "A page\x00 came.", http_status=200, raw="<html>\x00\ud800", retry_after_s=1.5)

    async def act(ledger: RequestLedger) -> None:
        await ledger.sent(sent(item))
        await ledger.failed(error_row("attempt 1", error, now()), {"item": item[1], "attempts": 1})

    assert with_ledger(store, act) == 0
    assert rows(store, "SELECT state, kind, message, raw, retry_after_s FROM attempt") == [
        ("error", "html", "A page\ufffd came.", "<html>\ufffd\ufffd", 1.5)
    ]
    assert rows(store, "SELECT attempts, status FROM run_item WHERE id = :id", id=item[1]) == [(1, "pending")]


# --- a store that cannot be written ---------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A locked store is noticed after a moment, not after half a minute."""
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 200)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_reply_waits_for_a_locked_store_and_is_kept_when_it_opens(
    impatient: None, store: Store, item: tuple[str, str]
) -> None:
    lock = sqlite3.connect(str(store.path), isolation_level=None, check_same_thread=False)

    async def act(ledger: RequestLedger) -> None:
        await ledger.sent(sent(item))
        lock.execute("BEGIN EXCLUSIVE")
        keeping = ledger.answered(*replied())
        asking = ledger.sent(sent(item, 2))
        for _ in range(300):
            if ledger.trouble:
                break
            await asyncio.sleep(0.02)
        assert "is using the store" in ledger.trouble
        assert not keeping.done()
        assert not asking.done()  # nothing leaves before it is kept
        lock.execute("ROLLBACK")
        assert await keeping
        await asking
        assert ledger.trouble == ""

    assert with_ledger(store, act) == 0
    lock.close()
    assert rows(store, "SELECT text FROM reply") == [("said",)]


class Full:
    """Makes a store's commits fail as a full disk does, from a moment on."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = threading.Event()
        writing = store.writing
        monkeypatch.setattr(store, "writing", lambda: self._writing(writing))

    def _writing(self, writing: Callable[[], Any]) -> Any:
        if self.is_full.is_set():
            raise StoreUnavailable("Not saved: the disk is full or cannot be written.")
        return writing()


def test_a_reply_that_can_not_be_kept_to_the_end_is_told_and_its_attempt_stays_open(
    store: Store, item: tuple[str, str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full = Full(store, monkeypatch)

    async def act(ledger: RequestLedger) -> None:
        await ledger.sent(sent(item))
        full.is_full.set()
        keeping = ledger.answered(*replied())
        await asyncio.sleep(0.1)
        assert await ledger.close(patience_s=0.3) == 1
        with pytest.raises(NotStored, match="full"):
            await keeping

    with_ledger(store, act)
    full.is_full.clear()
    assert [f"request {HASH}1" in record.message for record in caplog.records if record.levelname == "CRITICAL"] == [
        True
    ]
    # The next worker finds it: uncertain, sent again, and listed.
    assert rows(store, "SELECT state FROM attempt") == [("sent",)]


def test_a_disk_that_is_really_full_loses_nothing_that_was_kept(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    run = begin(store, {"m": model("http://127.0.0.1:9/v1")}, 2)
    with store.writing() as session:
        replies.begin_worker(session, "w", "here", 1, now())
    one = (run.run_id, str(rows(store, "SELECT id FROM run_item ORDER BY id")[0][0]))

    def limit(connection: Any, _record: Any) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 8}")

    async def act(ledger: RequestLedger) -> None:
        kept = 0
        with pytest.raises(asyncio.TimeoutError):
            for number in range(1, 60):
                await ledger.sent(sent(one, number))
                await asyncio.wait_for(ledger.answered(*replied(number, "x" * 3000)), 1.5)
                kept += 1
        assert "disk is full" in ledger.trouble
        assert rows(store, "SELECT count(*) FROM reply") == [(kept,)]
        assert kept > 1

    store.close()  # connections made from now on find the disk all but full
    event.listen(store.write_engine, "connect", limit)
    assert with_ledger(store, act) >= 1
    store.close()
