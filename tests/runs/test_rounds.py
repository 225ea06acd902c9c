"""Items of several requests: faults listed and asked again, a form corrected by another card, a chain taken up."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import text

from benchmarks.running_server import RunningServer
from core.runs.states import RunState
from runs.endpoint.faults import RequestFault
from runs.endpoint.retrying import ATTEMPTS
from runs.rescoring import rescore
from store.engine import Store
from store.runs import runs
from store.runs.runs import Inserted
from tests.forking import WORKERS, Forked
from tests.runs.begun import ROOT, SIGNS, begin, fall_silent, model, rows, state, statuses, work
from tests.runs.gate import gate_to
from tests.runs.test_outage import await_, beside
from tests.runs.toy import FORM, FORM_TEXT, Toy, toy_protocol

EACH = 5
"""Items of each kind."""


@pytest.fixture
def toy() -> Iterator[Toy]:
    with toy_protocol() as found:
        yield found


def said(about: str, sign: str = "+", weight: Any = 0.5) -> str:
    return json.dumps({"links": [{"sign": sign, "weight": weight}], "about": about})


@dataclass(frozen=True)
class Planted:
    """`answers`: of each round, "right" for the true one. `fault`: of the item; `faults`: for which each further round
    was asked; `cards`: whom."""

    answers: Sequence[str]
    status: str = "answered"
    fault: str = ""
    faults: Sequence[str] = ()
    cards: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    is_cut: bool = False


WRONG = said("+", sign="up {n}")
SIGNS_RIGHT = "right would be one of +, -, None, mixed"
SIGN_FAULT = f'links[0].sign: found "up {{n}}"; {SIGNS_RIGHT}'
CUT = "found no answer (the reply was cut off by the token limit); right would be an object with links, about"
PROSE = "I believe that it rises, number {n}."
PROSE_FAULT = "found no JSON object with links, about; right would be an object with links, about"
KINDS: Mapping[str, Planted] = {
    "right": Planted(["right"]),
    "wrong word": Planted([WRONG, "right"], faults=[SIGN_FAULT], cards=["m"]),
    "missing key": Planted(['{"links": []}', "right"], faults=[f"about: found nothing; {SIGNS_RIGHT}"], cards=["m"]),
    "key twice": Planted(
        ['{"links": [], "about": "+", "about": "-"}', "right"],
        faults=['found the key "about" twice; right would be each key once'],
        cards=["m"],
    ),
    "NaN": Planted(
        [said("+", weight=float("nan")), "right"],
        faults=["links[0].weight: found NaN; right would be a number from 0 to 1"],
        cards=["m"],
    ),
    "two objects": Planted(
        [f"{said('+')} or {said('-')}", "right"],
        faults=["found 2 different answers; right would be one: an object with links, about"],
        cards=["m"],
    ),
    "prose": Planted([PROSE, "right"], faults=[PROSE_FAULT], cards=["form"]),
    "cut off": Planted([WRONG], "truncated", CUT, is_cut=True),
    "cut off later": Planted(
        [WRONG, WRONG],
        "truncated",
        CUT,
        faults=[SIGN_FAULT],
        cards=["m"],
        is_cut=True,
    ),
    "right in round three": Planted([PROSE, WRONG, "right"], faults=[PROSE_FAULT, SIGN_FAULT], cards=["form", "m"]),
    "never right": Planted([WRONG] * 3, "incomplete", SIGN_FAULT, faults=[SIGN_FAULT] * 2, cards=["m"] * 2),
    "asked for ever": Planted(
        [WRONG] * 3,
        "incomplete",
        f"no whole answer after 3 rounds: {SIGN_FAULT}",
        faults=[SIGN_FAULT] * 2,
        cards=["m"] * 2,
        facts={"endless": True},
    ),
}
ITEMS = [(kind, KINDS[kind]) for _ in range(EACH) for kind in KINDS]


def rules() -> list[dict[str, Any]]:
    found = []
    for number, (_, planted) in enumerate(ITEMS):
        for place, answer in enumerate(planted.answers):
            is_last = place == len(planted.answers) - 1
            found.append(
                {
                    "matches": f"item {number}, after {place}:" if place else f"Question {number}:",
                    "answer": said(SIGNS[number % 4]) if answer == "right" else answer.replace("{n}", str(number)),
                    "finish_reason": "length" if is_last and planted.is_cut else "stop",
                }
            )
    return found


def begin_toy(store: Store, server: RunningServer, items: Sequence[tuple[str, Planted]] = ITEMS) -> Inserted:
    models = {"m": model(server.url, "asked", concurrency=6), "form": model(server.url, "helper", concurrency=6)}
    facts = [planted.facts for _, planted in items]
    roles, prompts = {"format": "form"}, {FORM: FORM_TEXT}
    return begin(store, models, len(items), protocol="toy", roles=roles, prompts=prompts, facts=facts)


OUTCOMES = (  # of attempts, those that were lost with a worker stand beside the planted ones
    "SELECT s.place, i.status, i.fault, i.predicted, i.attempts - (SELECT count(*) FROM attempt a WHERE"
    " a.item_id = i.id AND a.state = 'uncertain'), i.was_cached, i.flags, i.id FROM run_item i"
    " JOIN run_sample s ON s.id = i.sample_id WHERE i.run_id = :run ORDER BY s.place"
)
ROUNDS = (
    "SELECT s.place, r.number, r.purpose, r.model, r.status, r.fault, r.request_hash FROM run_round r"
    " JOIN run_item i ON i.id = r.item_id JOIN run_sample s ON s.id = i.sample_id WHERE i.run_id = :run"
    " ORDER BY s.place, r.number"
)


def check_all(store: Store, run_id: str, *, was_cached: bool = False) -> None:
    """Every item ended as it was planted, with every round."""
    found = rows(store, OUTCOMES, run=run_id)
    of_item: dict[int, list[tuple[Any, ...]]] = {}
    for place, *rest in rows(store, ROUNDS, run=run_id):
        of_item.setdefault(place, []).append(tuple(rest))
    assert len(found) == len(ITEMS) == 60
    for (number, status, fault, predicted, attempts, cached, flags, _), (kind, planted) in zip(
        found, ITEMS, strict=True
    ):
        told = (kind, number)
        assert (status, fault) == (planted.status, planted.fault.replace("{n}", str(number))), told
        assert predicted == (SIGNS[number % 4] if status == "answered" else None), told
        assert (attempts, bool(cached)) == (0 if was_cached else len(planted.answers), was_cached), told
        many = len(planted.answers)
        flagged = [f"answered in round {many}"] if status == "answered" and many > 1 else None
        assert (json.loads(flags) if isinstance(flags, str) else flags) == flagged, told
        purposes = {"m": "faults listed", "form": "form corrected"}
        assert [row[:-1] for row in of_item.get(number, [])] == [
            (place, purposes[card], card, "answered", why.replace("{n}", str(number)))
            for place, (card, why) in enumerate(zip(planted.cards, planted.faults, strict=True), 2)
        ], told


@pytest.mark.both(usually=False)
def test_sixty_planted_answers_end_as_they_should_with_every_round_kept(
    store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": rules()})
    run = begin_toy(store, model_server)
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    check_all(store, run.run_id)
    asked = sum(len(planted.answers) for _, planted in ITEMS)
    entries = model_server.log()["entries"]
    assert len(entries) == asked == rows(store, "SELECT count(*) FROM attempt")[0][0]
    assert sum(entry["model"] == "helper" for entry in entries) == 2 * EACH
    by_model = dict(rows(store, "SELECT model, count(*) FROM attempt GROUP BY model"))
    assert by_model == {"m": asked - 2 * EACH, "form": 2 * EACH}
    assert {row[0] for row in rows(store, "SELECT number FROM attempt")} == {1}  # counted for each request

    # The same asked again, by another run: every round is answered from the store, and reading again changes nothing.
    model_server.forget()
    again = begin_toy(store, model_server)
    work(store)
    check_all(store, again.run_id, was_cached=True)
    found = rescore(store, run.run_id)
    assert (found.looked_at, found.changed, found.left) == (60, (), 0)
    assert model_server.log()["requests"] == 0


# --- crashes and limits -------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_worker_killed_between_rounds_asks_nothing_again_that_has_its_reply(
    store: Store, store_url: str, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": [{"matches": "item .* after", "latency_ms": 60_000}, *rules()]})
    run = begin_toy(store, model_server)
    process = Forked(WORKERS, [sys.executable, "-m", "tests.runs.toy_worker", store_url], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        waiting = "SELECT count(*) FROM run_round WHERE status = 'pending'"
        # Second rounds hold every place.
        while sum(not each["ended"] for each in model_server.log()["entries"]) < 6 or rows(store, waiting)[0][0] < 6:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    fall_silent(store)
    kept = {row[0] for row in rows(store, "SELECT request_hash FROM reply")}
    on_their_way = {row[0] for row in rows(store, "SELECT request_hash FROM attempt WHERE state = 'sent'")}
    assert kept
    assert len(on_their_way) == 6
    assert not kept & on_their_way
    assert rows(store, waiting)[0][0] >= 6
    model_server.play({"rules": rules()})
    model_server.forget()
    work(store)
    assert state(store, run.run_id) == (RunState.DONE, "")
    asked = sum(len(planted.answers) for _, planted in ITEMS)
    assert model_server.log()["requests"] == asked - len(kept)
    twice = "SELECT request_hash FROM attempt GROUP BY request_hash HAVING count(*) > 1"
    assert {row[0] for row in rows(store, twice)} == on_their_way
    check_all(store, run.run_id)


def begin_few(store: Store, server: RunningServer, count: int = 4, **given: Any) -> Inserted:
    """Items whose first answer is prose, so that the helper is asked next."""
    models = {"m": model(server.url, "asked"), "form": model(server.url, "helper")}
    given = {"protocol": "toy", "roles": {"format": "form"}, "prompts": {FORM: FORM_TEXT}} | given
    return begin(store, given.pop("models", models), count, **given)


TRIES = ATTEMPTS[RequestFault.SERVER_ERROR]
IN_PROSE = {"matches": "^Question", "answer": "It rises."}


def test_tries_are_counted_for_each_request_and_a_failed_round_is_asked_again_alone(
    sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    late = {"matches": "item 0, after 1", "fault": "server_error"}
    shaky = {"matches": "^Question 0", "times": TRIES - 1, "fault": "server_error"}
    model_server.play({"rules": [shaky, late, IN_PROSE, {"answer": said("+")}]})
    run = begin_few(sqlite_store, model_server)
    work(sqlite_store)
    assert statuses(sqlite_store, run.run_id) == {"answered": 3, "failed": 1}
    of_item = rows(sqlite_store, "SELECT attempts, fault FROM run_item WHERE status = 'failed'")[0]
    assert of_item[0] == 2 * TRIES  # the first request took all but one of its tries, and the second has its own
    assert of_item[1].startswith("server_error")
    assert rows(sqlite_store, "SELECT status, count(*) FROM run_round GROUP BY 1 ORDER BY 1") == [
        ("answered", 3),
        ("failed", 1),
    ]
    model_server.play({"rules": [IN_PROSE, {"answer": said("+")}]})
    model_server.forget()
    with sqlite_store.writing() as session:
        assert runs.reopen_failed(session, run.run_id) == 1
        session.execute(text("UPDATE run SET state = 'queued'"))
    work(sqlite_store)
    assert statuses(sqlite_store, run.run_id) == {"answered": 4}
    assert [entry["model"] for entry in model_server.log()["entries"]] == ["helper"]
    assert rows(sqlite_store, "SELECT DISTINCT status FROM run_round") == [("answered",)]


def test_every_round_takes_its_part_of_the_budget(sqlite_store: Store, model_server: RunningServer, toy: Toy) -> None:
    model_server.play({"rules": [IN_PROSE, {"answer": said("+")}]})
    run = begin_few(sqlite_store, model_server, 4, budget={"usd": None, "tokens": None, "requests": 6})
    work(sqlite_store)
    found, reason = state(sqlite_store, run.run_id)
    assert (found, reason) == (RunState.STOPPED, "Budget of 6 requests reached.")
    assert model_server.log()["requests"] == 6


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"roles": {}}, r"An item of run 1 needs the card of the role “format”, and the run has none\."),
        ({"roles": {"format": "b"}}, r"the role “format”, and the run has “b”, which cannot be asked\."),
    ],
)
def test_a_run_without_the_card_of_a_role_stops_and_says_so(
    given: dict[str, Any], told: str, sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": [IN_PROSE]})
    models = {"m": model(model_server.url, "asked"), "b": {"kind": "baseline", "baseline": "always-plus"}}
    run = begin_few(sqlite_store, model_server, 2, **given, models=models if given["roles"] else {"m": models["m"]})
    work(sqlite_store)
    found, reason = state(sqlite_store, run.run_id)
    assert found is RunState.STOPPED
    assert re.search(told, reason)


def test_a_run_stops_whose_helper_refuses_everything(
    sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": [IN_PROSE, {"model": "helper", "fault": "bad_request"}]})
    run = begin_few(sqlite_store, model_server, 30)
    work(sqlite_store)
    found, reason = state(sqlite_store, run.run_id)
    assert found is RunState.STOPPED
    assert reason.startswith("form, asked as “format” by items of all models: its first")


# --- read again ---------------------------------------------------------------------------------------------------


def test_a_later_version_that_needs_fewer_rounds_reads_the_replies_that_there_are(
    sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": rules()})
    run = begin_toy(sqlite_store, model_server)
    work(sqlite_store)
    model_server.forget()
    toy.is_lenient = True
    found = rescore(sqlite_store, run.run_id)
    several = {kind for kind, planted in KINDS.items() if len(planted.answers) > 1}
    assert (len(found.changed), found.left) == (EACH * len(several), 0)
    assert statuses(sqlite_store, run.run_id) == {"answered": 60 - EACH, "truncated": EACH}
    assert rows(sqlite_store, "SELECT count(*) FROM run_round") == [(0,)]
    toy.is_lenient = False
    assert len(rescore(sqlite_store, run.run_id).changed) == EACH * len(several)
    check_all(sqlite_store, run.run_id)
    assert model_server.log()["requests"] == 0


def test_an_item_that_would_be_asked_again_is_left_as_it_is(
    sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": [IN_PROSE]})
    toy.is_lenient = True
    run = begin_few(sqlite_store, model_server)
    work(sqlite_store)
    before = rows(sqlite_store, "SELECT * FROM run_item ORDER BY id")
    toy.is_lenient = False
    found = rescore(sqlite_store, run.run_id)
    assert (found.looked_at, found.changed, found.left) == (4, (), 4)
    assert rows(sqlite_store, "SELECT * FROM run_item ORDER BY id") == before


def test_items_wait_for_the_server_of_their_helper_and_then_go_on_with_that_round(
    sqlite_store: Store, model_server: RunningServer, toy: Toy
) -> None:
    model_server.play({"rules": [IN_PROSE, {"answer": said("+")}]})
    with gate_to(model_server) as gate:
        helper = model(gate.url, "helper")
        helper["endpoint"]["name"] = "elsewhere"
        models = {"m": model(model_server.url, "asked"), "form": helper}
        begin_few(sqlite_store, model_server, 1, models=models)
        work(sqlite_store)  # from now on the helper's server is known to be there
        gate.shut()
        model_server.forget()
        run = begin_few(sqlite_store, model_server, 4, models=models)

        def until_it_is_back() -> None:
            query = "SELECT CAST(hindered AS TEXT) FROM run WHERE id = :run"
            await_(lambda: "elsewhere" in rows(sqlite_store, query, run=run.run_id)[0][0])
            await_(lambda: rows(sqlite_store, "SELECT count(*) FROM reply")[0][0] == 5)
            assert statuses(sqlite_store, run.run_id) == {"answered": 1, "pending": 3}
            await_(lambda: state(sqlite_store, run.run_id)[0] is RunState.WAITING)
            assert "refuses connections" in state(sqlite_store, run.run_id)[1]
            gate.open()
            await_(lambda: state(sqlite_store, run.run_id)[0] is RunState.DONE)

        beside(sqlite_store, until_it_is_back)
    assert statuses(sqlite_store, run.run_id) == {"answered": 4}
    assert sorted(entry["model"] for entry in model_server.log()["entries"]) == ["asked"] * 3 + ["helper"] * 3
