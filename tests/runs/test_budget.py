"""A budget of a whole run is kept by asking before: nothing is sent that might pass it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.running_server import RunningServer
from core.errors import BadInput
from core.messages import MessageSize
from core.runs.budget import Spending, account
from core.runs.states import RunState
from runs.budget import (
    Amount,
    Budget,
    BudgetTracker,
    ModelLimits,
    OverBudget,
    likely_in,
    most_tokens,
    read_budget,
)
from runs.endpoint.faults import FREE
from runs.queues import queue_of
from store.engine import Store
from store.runs import replies, runs
from tests.runs.begun import begin, model, now, rows, state, statuses, work

NOTHING = Spending()


def budget(**said: Any) -> Mapping[str, Any]:
    return {"usd": None, "tokens": None, "requests": None, **said}


# --- the purse ------------------------------------------------------------------------------------------------------


@given(usd=st.floats(0.1, 3.0), most=st.floats(0.01, 0.5), parts=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60))
def test_no_budget_is_ever_passed_whatever_requests_really_cost(usd: float, most: float, parts: list[float]) -> None:
    async def spend() -> float:
        purse, total = BudgetTracker(Budget(usd=usd), NOTHING, NOTHING), 0.0

        async def one(part: float) -> None:
            nonlocal total
            try:
                await purse.set_aside("m", Amount(10, most))
            except OverBudget:
                return
            await asyncio.sleep(0)
            total += most * part
            purse.settle(Amount(10, most), Amount(10, most * part))

        await asyncio.gather(*(one(part) for part in parts))
        return total

    assert asyncio.run(spend()) <= usd + 1e-6


def test_a_request_that_may_not_fit_beside_others_waits_for_them() -> None:
    async def act() -> None:
        purse = BudgetTracker(Budget(tokens=150), NOTHING, NOTHING)
        await purse.set_aside("m", Amount(100, None))
        second = asyncio.create_task(purse.set_aside("m", Amount(100, None)))
        await asyncio.sleep(0.01)
        assert not second.done()
        purse.settle(Amount(100, None), Amount(20, None))
        await asyncio.wait_for(second, 1)
        purse.settle(Amount(100, None), Amount(90, None))
        with pytest.raises(
            OverBudget, match=r"Budget of 150 tokens: 110 spent, 40 left; the next request may take 100\."
        ):
            await purse.set_aside("m", Amount(100, None))

    asyncio.run(act())


def test_requests_of_unknown_cost_leave_the_rest_of_a_budget() -> None:
    async def act(budget: Budget, message: str) -> None:
        held = Spending(requests=2, held=2, held_tokens=200)
        purse = BudgetTracker(budget, held, Spending())
        await purse.set_aside("m", Amount(100, None))  # the third
        purse.settle(Amount(100, None), None)
        with pytest.raises(OverBudget, match=message):
            await purse.set_aside("m", Amount(100, None))

    asyncio.run(act(Budget(requests=3), "3 requests"))
    asyncio.run(act(Budget(tokens=350), "350 tokens"))


def test_each_ended_request_counts_once_by_its_cost_or_as_held_and_one_given_back_not_at_all() -> None:
    async def act(budget: Budget) -> str:
        purse, most = BudgetTracker(budget, NOTHING, NOTHING), Amount(300, 0.3)
        for _ in range(3):
            await purse.set_aside("m", most)
        purse.refund(most)
        purse.settle(most, Amount(90, 0.2))
        purse.settle(most, None)
        for _ in range(2):  # with these, four requests are spent or under way
            await asyncio.wait_for(purse.set_aside("m", Amount(100, 0.1)), 1)
        with pytest.raises(OverBudget) as over:
            await asyncio.wait_for(purse.set_aside("m", Amount(700, 0.7)), 1)
        return str(over.value)

    numbers = r"\$?[\d,.]*\d"
    tokens, dollars = asyncio.run(act(Budget(tokens=1_000))), asyncio.run(act(Budget(usd=1.0)))
    assert re.findall(numbers, tokens) == ["1,000", "90", "300", "1", "610", "700"]
    assert re.findall(numbers, dollars) == ["$1.00", "$0.2000", "$0.3000", "1", "$0.5000", "$0.7000"]


def test_requests_under_way_are_counted_once_against_a_budget_of_requests() -> None:
    async def act() -> None:
        purse, most = BudgetTracker(Budget(requests=4), NOTHING, NOTHING), Amount(10, None)
        for _ in range(4):
            await asyncio.wait_for(purse.set_aside("m", most), 1)
        purse.settle(most, Amount(5, None))
        purse.settle(most, None)
        purse.refund(most)
        await asyncio.wait_for(purse.set_aside("m", most), 1)  # two ended, two under way
        waiting = asyncio.create_task(purse.set_aside("m", most))
        await asyncio.sleep(0)
        assert not waiting.done()
        for _ in range(2):
            purse.settle(most, None)
        with pytest.raises(OverBudget, match="4 requests"):
            await asyncio.wait_for(waiting, 1)

    asyncio.run(act())


def test_what_others_spend_meanwhile_counts_and_a_larger_budget_lets_go_on() -> None:
    async def act() -> None:
        purse = BudgetTracker(Budget(requests=3), NOTHING, NOTHING)
        purse.see(others=Spending(requests=3))
        with pytest.raises(OverBudget, match="3 requests"):
            await purse.set_aside("m", Amount(1, None))
        purse.see(budget=Budget(requests=4))
        await purse.set_aside("m", Amount(1, None))

    asyncio.run(act())


def test_dollars_cannot_be_kept_without_a_price() -> None:
    purse = BudgetTracker(Budget(usd=5.0), NOTHING, NOTHING)
    with pytest.raises(OverBudget, match=r"price .* m"):
        asyncio.run(purse.set_aside("m", Amount(1, None)))


def test_the_most_a_request_may_take_is_its_bytes_and_its_limit() -> None:
    size, limits = MessageSize((20, 3)), ModelLimits(context_length=8192)
    assert most_tokens(size, {"max_tokens": 50}, limits) == (20 + 3 + 2 * 16, 50)
    assert most_tokens(size, {"max_completion_tokens": 70}, limits)[1] == 70
    assert most_tokens(size, {}, limits)[1] == 8192
    assert most_tokens(size, {}, ModelLimits())[1] == 32_768


def test_pictures_and_pages_are_bounded_by_the_card_and_else_by_the_context() -> None:
    size, limit = MessageSize((20,), pictures=2, pages=(12, 3)), {"max_tokens": 50}
    card = ModelLimits(tokens_per_image=1_000, tokens_per_page=1_500)
    assert most_tokens(size, limit, card) == (20 + 16 + 2 * 1_000 + 15 * 1_500, 50)
    assert likely_in(size, card) == 5 + 4 + 2 * 1_000 + 15 * 1_500
    for unread in (size, MessageSize((20,), pages=(12, None))):
        part = ModelLimits(context_length=8192, tokens_per_image=1_000)
        assert most_tokens(unread, limit, part)[0] == 8192
        assert most_tokens(MessageSize((90_000,), pages=(1,)), limit, part)[0] == 90_016
    with pytest.raises(BadInput, match="neither tokens per page nor a context length, so the maximum cost of a PDF is"):
        most_tokens(MessageSize((20,), pages=(12,)), limit, ModelLimits())
    with pytest.raises(BadInput, match="neither tokens per picture nor a context length"):
        most_tokens(MessageSize((20,), pictures=1), limit, ModelLimits())
    with pytest.raises(BadInput, match="the number of pages of a PDF is unknown"):
        most_tokens(MessageSize((20,), pages=(None,)), limit, card)


@pytest.mark.parametrize("said", [{"usd": -1}, {"tokens": 1.5}, {"requests": True}, {"usd": "5"}])
def test_a_budget_that_is_none_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=re.escape(f"found {next(iter(said.values()))!r}")):
        read_budget(said)


# --- a run ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "column", "bound"),
    [
        ({"requests": 23}, "count(*)", 23),
        ({"tokens": 2000}, "sum(tokens_in + tokens_out)", 2000),
        ({"usd": 0.002}, "sum(cost_usd)", 0.002),
    ],
    ids=["requests", "tokens", "dollars"],
)
def test_a_run_stops_before_its_budget_is_passed_and_says_why(
    store: Store, model_server: RunningServer, said: dict[str, Any], column: str, bound: float
) -> None:
    run = begin(store, {"m": model(model_server.url, concurrency=6)}, 300, budget=budget(**said))
    work(store)
    end, reason = state(store, run.run_id)
    assert (end, reason.startswith("Budget of")) == (RunState.STOPPED, True)
    ((spent,),) = rows(store, f"SELECT {column} FROM attempt")
    assert bound * 0.6 < spent <= bound
    counted = statuses(store, run.run_id)
    assert counted["answered"] == model_server.log()["requests"]
    assert counted["answered"] + counted["pending"] == 300


@pytest.mark.both
def test_what_requests_of_unknown_end_may_have_cost_is_held_to_the_cent(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"matches": "Question [0-2]:", "fault": "no_usage"}]})
    run = begin(store, {"m": model(model_server.url, concurrency=1)}, 30, budget=budget(usd=0.0012))
    work(store)
    end, reason = state(store, run.run_id)
    assert end is RunState.STOPPED
    with store.reading() as session:
        kept = replies.spent(session, run.run_id, "", FREE)[1]
    asked = rows(store, "SELECT count(*), sum(most_usd) FROM attempt WHERE cost_usd IS NULL")
    assert (kept.held, kept.held_usd) == (3, pytest.approx(asked[0][1]))
    assert kept.held_usd == pytest.approx(3 * (90 * 1.0 + 50 * 2.0) / 1e6, rel=0.1)  # some 90 bytes in, 50 tokens out
    (told,) = account(Budget(usd=0.0012), kept)
    assert reason.startswith(f"{told}; the next request may cost $0.0002")


@pytest.mark.both(usually=False)
def test_a_stopped_run_goes_on_with_a_larger_budget_and_counts_what_it_spent_before(
    store: Store, model_server: RunningServer
) -> None:
    run = begin(store, {"m": model(model_server.url)}, 40, budget=budget(requests=10))
    work(store)
    for requests, answered in ((10, 10), (25, 25), (40, 40)):
        with store.writing() as session:
            row = runs.run_row(session, run.run_id)
            row.settings = {**row.settings, "budget": budget(requests=requests)}
            session.flush()
            runs.set_state(session, run.run_id, RunState.QUEUED, "", now(), only_from=[RunState.STOPPED])
            queue_of(store).submit(session, run.run_id, runs.pending_shards(session, run.run_id))
        work(store)
        assert statuses(store, run.run_id)["answered"] == answered == model_server.log()["requests"]
    assert state(store, run.run_id) == (RunState.DONE, "")


def test_answers_from_the_store_cost_nothing(store: Store, model_server: RunningServer) -> None:
    begin(store, {"m": model(model_server.url)}, 20)
    work(store)
    run = begin(store, {"m": model(model_server.url)}, 20, budget=budget(requests=0, usd=0.0, tokens=0))
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    assert statuses(store, run.run_id) == {"answered": 20}


@pytest.mark.both
@pytest.mark.parametrize("said", [2**31 - 1, 0], ids=["far too many", "none"])
def test_usage_that_cannot_be_true_is_neither_spent_nor_free_but_held(
    store: Store, model_server: RunningServer, said: int
) -> None:
    model_server.play({"rules": [{"sign": "+", "usage": {"prompt": said, "completion": said}}]})
    run = begin(store, {"m": model(model_server.url, concurrency=1)}, 6, budget=budget(usd=0.05))
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    ledger = rows(store, "SELECT state, kind, tokens_in, tokens_out, cost_usd FROM attempt")
    assert ledger == [("answered", "implausible_usage", None, None, None)] * 6
    ((message,),) = rows(store, "SELECT DISTINCT message FROM attempt")
    assert f'Reported usage {{"prompt_tokens": {said}, "completion_tokens": {said}}} cannot be true' in message
    assert rows(store, "SELECT DISTINCT tokens_in, tokens_out, cost_usd FROM reply") == [(None, None, None)]
    with store.reading() as session:
        found = replies.spent(session, run.run_id, "", FREE)[1]
    # some 90 bytes in, 50 tokens out
    assert (found.requests, found.tokens, found.usd, found.held) == (6, 0, 0.0, 6)
    assert found.held_usd == pytest.approx(6 * (90 * 1.0 + 50 * 2.0) / 1e6, rel=0.1)
    free = begin(store, {"m": model(model_server.url, concurrency=1)}, 40, budget=budget(usd=0.0012))
    work(store)
    assert state(store, free.run_id)[0] is RunState.STOPPED, "a provider that reports nothing true does not run on free"


def test_an_answer_that_does_not_say_its_tokens_counts_as_the_most_it_may_have_taken(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"fault": "no_usage"}]})
    run = begin(store, {"m": model(model_server.url, concurrency=1)}, 50, budget=budget(tokens=1000))
    work(store)
    assert state(store, run.run_id)[0] is RunState.STOPPED
    answered = statuses(store, run.run_id)["answered"]
    assert 3 <= answered <= 1000 // 100  # each may have taken 50 out and some 90 bytes in
