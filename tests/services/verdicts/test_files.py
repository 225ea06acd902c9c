"""Tables of verdicts as files: every value of the screen is in the CSV, and LaTeX says how many were judged whole."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Refused
from core.verdicts.judged import COLUMNS
from services.files import TableForm
from services.study import Study
from services.verdicts import files, tables
from tests.services.run_parts import finished, set_up, start
from tests.services.verdicts.judging_parts import answers, to_judge

JUDGES = ("judge:honest", "judge:stubborn")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_every_value_is_in_the_csv_and_what_was_not_judged_whole_is_said_in_latex(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 3, ("hub",))
    server.play({})
    set_up(people.owner, server, JUDGES)
    run_id = start(people.researcher, to_judge(number, JUDGES, controls="copy"))
    run = finished(study, people.researcher, run_id).number
    made = tables.judge_run(people.researcher, run_id).tables

    found = files.export(people.researcher, run_id, TableForm.CSV)
    assert found.name.endswith(f"run-{run}-verdicts.csv")
    rows = list(csv.DictReader(found.content.decode("utf-8-sig").splitlines()))
    scores = [row for row in rows if row["row"] == "hub" and row["unit"] == "number" and row["table"] != "pairs"]
    assert len(scores) == len(COLUMNS) * len(JUDGES)
    for each in made.models:
        said = {row["column"]: row for row in scores if (row["table"], row["judge"]) == ("default", each.judge)}
        mean = each.means["default", "overall_f1"]
        cell = said["Overall F1"]
        assert (cell["value"], cell["low"]) == tuple("" if at is None else repr(at) for at in (mean.value, mean.low))
        assert [int(cell[name]) for name in files.COUNTS] == [getattr(each.counts, name) for name in files.COUNTS]
    # A judge that never gives the first item has no score; why is said, and that its controls were not read.
    (stubborn,) = [
        row for row in scores if (row["judge"], row["table"]) == (JUDGES[1], "shd") and row["column"] == "Total"
    ]
    assert (stubborn["value"], stubborn["asked"], stubborn["scored"], stubborn["incomplete"]) == ("", "3", "0", "3")
    assert stubborn["note"] == "no answer was judged whole"
    assert [(row["judge"], row["row"], row["value"]) for row in rows if row["table"] == "controls"] == [
        ("judge:honest", "copy", "0.0"),
        ("judge:stubborn", "copy", ""),
    ]

    latex = files.export(people.researcher, run_id, TableForm.LATEX).content.decode()
    assert latex.count("\\begin{table}") == 9
    incomplete = (
        "3 asked = 0 scored (0 of them unparsable or empty) + 0 counted as 0 or left out + 3 incomplete + 0 excluded"
    )
    assert f"hub, names given, by judge:stubborn: {incomplete}" in latex
    whole = next(each for each in made.models if each.judge == JUDGES[0]).means["default", "overall_f1"]
    assert f"{whole.value:.3f}" in latex
    with pytest.raises(Refused):
        files.export(people.annotator, run_id, TableForm.CSV)
