"""`run --protocol recite --tasks judge --of RUN` from the command line: the dry run of it, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

import edgewise
from benchmarks.running_server import RunningServer, running_server
from services.study import Study
from tests.services.run_parts import set_up
from tests.services.verdicts.judging_parts import answers

JUDGE = ("--protocol", "recite", "--tasks", "judge", "--models", "judge:honest", "--dry-run")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def place(store_url: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    return store_url


def call(place: str, *words: str) -> Result:
    return CliRunner().invoke(edgewise.app, ["run", *JUDGE, *words, "--store", place])


def test_a_dry_run_counts_four_requests_an_answer_and_four_a_control(
    place: str, study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 2, ("hub",))
    set_up(people.owner, server, ["judge:honest"])
    done = call(place, "--of", str(number), "--controls", "copy,foreign", "--json")
    assert done.exit_code == 0, done.output
    plan = json.loads(done.stdout)
    # Two answers and two controls of each of two samples, four sections each.
    assert (plan["faults"], plan["samples"], plan["requests"]) == ([], 24, 24)
    assert [each["name"] for each in plan["prompts"]] == ["recite/judge", "recite/judge_section", "recite/judge_again"]
    one = json.loads(call(place, "--of", str(number), "--samples", "1", "--json").stdout)
    assert one["requests"] == 4
    unknown = call(place, "--of", str(number), "--controls", "mirror")
    assert unknown.exit_code == 1
    assert "Unknown control “mirror”" in unknown.stdout
    assert "This study has no run 99." in call(place, "--of", "99").stdout
