"""A model whose first requests are all refused in the same words is asked no more; the others of its run go on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from protocols import PROTOCOLS
from runs.active_run import ActiveRun
from runs.budget import NOTHING, Budget, BudgetTracker
from runs.endpoint.faults import RequestFault, SendError
from runs.refusing_models import ALIKE, FirstRequests
from runs.requester import Requester
from runs.run_plan import RunPlan
from runs.scripted.replies import INVALID_MODEL
from runs.worker import Worker, WorkerHeartbeat
from store.engine import Store
from store.runs import runs
from tests.runs.begun import begin, model, now, rows, state, statuses, work
from tests.runs.test_supervisor import until
from tests.runs.test_worker import move

TYPO = {"rules": [{"model": "typo", "fault": "invalid_model"}]}
REFUSED = f"The provider rejects the request (HTTP 400): /chat/completions: {INVALID_MODEL}"
WHY = f"its first {ALIKE} requests were all refused alike: {REFUSED}"


def refusal(words: str = "No such model.", kind: RequestFault = RequestFault.BAD_REQUEST, raw: str = "{}") -> SendError:
    return SendError(kind, words, http_status=400, raw=raw)


def ended(first: FirstRequests, *errors: SendError | None) -> list[bool]:
    """Send as many requests at once, then let them end in this order."""
    for number in range(len(errors)):
        first.sent("m", f"hash {number}")
    return [first.ended("m", f"hash {number}", error) for number, error in enumerate(errors)]


def test_the_first_requests_refused_alike_stop_their_model() -> None:
    assert ended(FirstRequests(), *[refusal()] * (ALIKE + 2)) == [False] * (ALIKE - 1) + [True, False, False]


@pytest.mark.parametrize(
    "other",
    [
        None,
        refusal("Something else."),
        refusal(kind=RequestFault.TOO_LONG),
        refusal(raw='{"error": {"code": "context_length_exceeded"}}'),
        refusal(raw='{"error": {"code": "content_filter"}}'),
    ],
)
@pytest.mark.parametrize("place", [0, ALIKE - 1])
def test_one_that_ends_otherwise_says_that_each_stands_for_itself(other: SendError | None, place: int) -> None:
    ends: list[SendError | None] = [refusal()] * ALIKE
    ends[place] = other
    assert not any(ended(FirstRequests(), *ends))


def test_whichever_comes_back_first_it_is_the_first_that_were_sent_which_decide() -> None:
    first = FirstRequests()
    for number in range(30):
        first.sent("m", f"hash {number}")
    # Refusals are quick and answers slow: those of later requests say nothing while an early one is still on its way.
    assert not any(first.ended("m", f"hash {number}", refusal()) for number in range(1, 30))
    assert not first.ended("m", "hash 0", None)


def test_ids_of_requests_in_the_words_do_not_make_them_differ_and_numbers_do() -> None:
    words = [
        f"No such model. Request id: req_{number:012x}4f (0f8fad5b-d9cb-469f-a165-{number:012x})" for number in range(5)
    ]
    assert ended(FirstRequests(), *map(refusal, words))[-1]
    assert not any(
        ended(FirstRequests(), *(refusal(f"{number} tokens are too many") for number in range(9_000, 9_005)))
    )


def test_a_model_that_has_answered_before_is_never_stopped_by_this() -> None:
    assert not any(ended(FirstRequests(["m"]), *[refusal()] * 9))


def test_a_misspelt_model_behind_a_proxy_stops_with_the_servers_words_and_the_others_go_on(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play(TYPO)
    models = {"Typo": model(model_server.url, "typo", concurrency=4), "Good": model(model_server.url, concurrency=5)}
    run = begin(store, models, 150)
    work(store)
    assert state(store, run.run_id) == (RunState.STOPPED, f"Typo: {WHY}")
    found = dict(rows(store, "SELECT model || ' ' || status, count(*) FROM run_item GROUP BY model, status"))
    asked = found["Typo failed"]
    assert ALIKE <= asked < ALIKE + 4  # those that were on their way when the fifth came back
    assert found == {"Good answered": 150, "Typo failed": asked, "Typo pending": 150 - asked}
    assert model_server.log()["requests"] == 150 + asked
    assert rows(store, "SELECT DISTINCT cost_usd FROM attempt WHERE model = 'Typo'") == [(0.0,)]
    assert rows(store, "SELECT act FROM event") == [("run.stop",)]


@pytest.mark.both(usually=False)
def test_a_resumed_run_asks_the_model_again_and_goes_on_if_it_is_known_by_then(
    store: Store, model_server: RunningServer
) -> None:
    model_server.play(TYPO)
    run = begin(store, {"Typo": model(model_server.url, "typo", concurrency=1)}, 60)
    work(store)
    assert state(store, run.run_id)[0] is RunState.STOPPED
    assert model_server.log()["requests"] == ALIKE
    move(store, run.run_id, RunState.QUEUED, RunState.STOPPED)
    work(store)
    assert state(store, run.run_id)[0] is RunState.STOPPED
    assert model_server.log()["requests"] == 2 * ALIKE
    model_server.play({"rules": [{"model": "typo", "sign": "+"}]})
    with store.writing() as session:
        assert runs.reopen_failed(session, run.run_id) == 2 * ALIKE
    move(store, run.run_id, RunState.QUEUED, RunState.STOPPED)
    work(store)
    assert (state(store, run.run_id)[0], statuses(store, run.run_id)) == (RunState.DONE, {"answered": 60})


def test_a_new_worker_leaves_a_stopped_model_alone(sqlite_store: Store, model_server: RunningServer) -> None:
    model_server.play(TYPO)
    models = {"Typo": model(model_server.url, "typo", concurrency=1), "Good": model(model_server.url)}
    run = begin(sqlite_store, models, 20)
    since = now().isoformat()
    with sqlite_store.writing() as session:
        row = runs.run_row(session, run.run_id)
        row.state, row.hindered = "running", {"models": {"Typo": {"why": WHY, "since": since}}}
    work(sqlite_store)
    assert state(sqlite_store, run.run_id) == (RunState.STOPPED, f"Typo: {WHY}")
    assert statuses(sqlite_store, run.run_id) == {"answered": 20, "pending": 20}
    assert model_server.log()["requests"] == 20


def test_a_model_whose_later_requests_are_refused_is_asked_to_the_end(
    sqlite_store: Store, model_server: RunningServer
) -> None:
    model_server.play({"rules": [{"matches": "Question (?!0:)", "fault": "bad_request"}]})
    run = begin(sqlite_store, {"m": model(model_server.url, concurrency=1)}, 20)
    work(sqlite_store)
    assert state(sqlite_store, run.run_id) == (RunState.DONE, "")
    assert statuses(sqlite_store, run.run_id) == {"answered": 1, "failed": 19}


def test_a_look_at_the_store_that_began_before_does_not_bring_a_model_back(
    sqlite_store: Store, model_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_server.play(TYPO)
    look, kept = Worker._look, Requester._confirm
    looks = []

    def slow(worker: Worker, lives: tuple[str, ...]) -> WorkerHeartbeat:
        seen = look(worker, lives)
        if lives and not looks:
            looks.append(until(lambda: [live for live in worker._runner.lives.values() if live.stopped]))
        return seen

    async def late(requester: Requester, *what: Any) -> Any:
        got = await kept(requester, *what)
        await asyncio.sleep(0.3)  # so that the store learns of it after the look
        return got

    monkeypatch.setattr(Worker, "_look", slow)
    monkeypatch.setattr(Requester, "_confirm", late)
    monkeypatch.setattr("runs.worker.WATCH_S", 0.0)
    run = begin(sqlite_store, {"Typo": model(model_server.url, "typo", concurrency=1)}, 20)
    work(sqlite_store)
    assert state(sqlite_store, run.run_id) == (RunState.STOPPED, f"Typo: {WHY}")
    assert model_server.log()["requests"] == ALIKE


def test_what_was_found_here_is_known_better_than_a_look_until_it_is_kept() -> None:
    live = ActiveRun(
        plan=RunPlan(run_id="r", number=1, protocol="p", models={}, budget=Budget()),
        protocol=PROTOCOLS["econcausal"],
        budget=BudgetTracker(Budget(), NOTHING, NOTHING),
    )
    began = live.findings
    live.abandon("m", "why")
    assert (live.may_ask("m"), live.knows_more(began), live.knows_more(live.findings)) == (False, True, True)
    live.mark_stored("m")
    assert (live.knows_more(began), live.knows_more(live.findings)) == (True, False)
    live.follow({})  # a person resumed the run
    assert live.may_ask("m")
