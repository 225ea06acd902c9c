"""kill -9 of the worker of a judge's run, five times: its tables are those of verdicts made here, without a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import RunState
from services.runs import planning
from services.study import Study
from tests.services.run_parts import finished, set_up, start
from tests.services.runs.narratives import narratives
from tests.services.verdicts.judging_parts import JUDGES, MODELS, model_answers, to_judge
from tests.services.verdicts.test_judging import ALL, held_against, in_process, kill_one
from tests.soak.table import scaled

KILLS = scaled(5, least=2)
NARRATIVES = scaled(30, least=6)


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.mark.proof(
    "T3",
    "worker of a judge's run killed while it asks",
    gate="every table equals that of verdicts made without a worker",
)
def test_kills_while_judges_are_asked_change_no_table(
    sqlite_study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    record_property: Callable[[str, object], None],
) -> None:
    set_up(people.owner, server, (*MODELS, *JUDGES))
    number = model_answers(sqlite_study, people, server, narratives()[:NARRATIVES])
    server.play({"latency_ms": 2})
    config = to_judge(number, controls=ALL)
    plan = planning.plan(people.researcher, config)
    run_id = start(people.researcher, config)
    for kill in range(1, KILLS + 1):
        kill_one(sqlite_study, people.researcher, run_id, at=kill * 2 * plan.samples // (KILLS + 2))
    assert finished(sqlite_study, people.researcher, run_id).state is RunState.DONE
    counts = held_against(in_process(sqlite_study, run_id), people.researcher, run_id)
    assert all(each.asked == each.scored for each in counts)
    record_property("repetitions", KILLS)
    record_property("figure", f"{KILLS} kills, {sum(each.asked for each in counts)} verdicts, every table the same")
