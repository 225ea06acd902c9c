"""`edgewise.py declined`: figures without a graph listed with the words of their annotators, taken out, returned."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import edgewise
from services.study import Study, use_study
from tests.services.transcription.test_declining import decline

Declined = Callable[..., Result]


@pytest.fixture
def declined(sqlite_study: Study) -> Declined:
    def run(*given: str) -> Result:
        done = CliRunner().invoke(edgewise.app, ["declined", "--store", str(sqlite_study.store.path), *given])
        use_study(sqlite_study)  # a command closes the one it opened
        return done

    return run


def told(done: Result) -> Any:
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_figures_are_listed_taken_out_and_returned(
    declined: Declined, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    assert declined().stdout == "Nobody has declined a figure.\n"
    decline(people.annotator, a_figure.id)
    (waits,) = told(declined("--json"))
    assert (waits["figure"], waits["outcome"], waits["decided"]) == (a_figure.id, "waiting", None)
    early = declined("--exclude", a_figure.id)
    assert (early.exit_code, early.stdout) == (1, "")
    assert "once two annotators" in early.stderr
    decline(people.colleague, a_figure.id)
    (found,) = told(declined("--json"))
    assert [(each["verdict"], each["reason"]) for each in found["verdicts"]] == [
        ("illegible", "The print is too grey.")
    ] * 2
    assert f"illegible, {people.colleague.name}: The print is too grey." in declined().stdout
    assert declined("--exclude", a_figure.id).stdout.endswith(f"({a_figure.id}), and its paper too.\n")
    (out,) = told(declined("--json"))
    assert out["is_out"]
    back = told(declined("--return", a_figure.id, "--comment", "The second panel is a graph.", "--json"))
    assert back == {"figure": a_figure.id, "declined": None}
    assert told(declined("--json")) == []


def test_a_wrong_use_and_an_unknown_figure_are_said(declined: Declined) -> None:
    assert declined("--return", "x").exit_code == 2
    assert declined("--return", "x", "--comment", "y", "--exclude", "x").exit_code == 2
    unknown = declined("--exclude", "x")
    assert (unknown.exit_code, unknown.stderr) == (
        1,
        "Nobody has declined figure x; edgewise.py declined lists the declined figures.\n",
    )
