"""Verdicts on the page of a run: a run of answers is judged from there, and what judges say stands in tables."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.runs.states import RunState
from services.study import Study
from tests.pages.run_screens import draw_runs, opened, texts
from tests.pages.screen import choose_row
from tests.services.run_parts import finished, set_up, start
from tests.services.verdicts.judging_parts import answers, to_judge

JUDGES = ("judge:honest", "judge:random")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_a_finished_run_is_judged_from_its_page_and_lists_its_answers_by_f1(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 2, ("random", "hub"))
    page = opened(draw_runs, people.researcher, run=str(number), part="verdicts")
    assert not page.exception
    assert "No judge has been asked about this run." in texts(page)
    assert "Judge this run" in [each.label for each in page.button]

    form = opened(draw_runs, people.researcher, show="new", protocol="recite", of=str(number))
    assert not form.exception
    (field,) = [each for each in form.text_input if each.label.startswith("Runs to judge")]
    assert field.value == str(number)
    assert not field.placeholder  # the protocol names no run
    # A release or a table is not asked for, and judging is the only task.
    assert not [each for each in form.selectbox if each.label == "Samples from"]
    (tasks,) = [each for each in form.button_group if each.label == "Tasks"]
    assert tasks.value == ["judge"]
    (variants,) = [each for each in form.button_group if each.label.startswith("Variants to judge")]
    assert variants.value == ["standard", "names"]

    server.play({})
    set_up(people.owner, server, JUDGES)
    run_id = start(people.researcher, to_judge(number, JUDGES, controls="copy"))
    judge = finished(study, people.researcher, run_id)
    assert judge.state is RunState.DONE
    page = opened(draw_runs, people.researcher, run=str(number), part="verdicts")
    assert not page.exception
    (listed,) = [each.value for each in page.dataframe if "judge:honest" in each.value.columns]
    shown = [float(each) for each in listed["judge:honest"]]
    assert len(shown) == 4
    assert any("wrong in control “copy”" in each.value for each in page.warning)
    assert "Open answer" not in [each.label for each in page.button]
    choose_row(page, "runs.judged", 1)
    assert "Open answer" in [each.label for each in page.button]

    page = opened(draw_runs, people.researcher, run=str(judge.number), part="verdicts")
    assert not page.exception
    (controls,) = [each.value for each in page.dataframe if "copy" in each.value.columns]
    assert list(controls["Judge"]) == sorted(JUDGES) and controls["copy"][0].startswith("0.0%")
    assert {"Scores of the answers", "Controls in Results"} <= {each.label for each in page.button}


def test_a_judge_without_controls_stands_there_as_not_checked(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 1, ("hub",))
    server.play({})
    set_up(people.owner, server, JUDGES[:1])
    run_id = start(people.researcher, to_judge(number, JUDGES[:1]))
    finished(study, people.researcher, run_id)
    page = opened(draw_runs, people.reviewer, run=run_id, part="verdicts")
    assert not page.exception
    assert "judge:honest: not checked" in texts(page)
    assert "Judge this run" not in [each.label for each in page.button]
