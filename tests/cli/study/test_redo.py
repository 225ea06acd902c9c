"""`runs redo` and `runs rule`: a step of a run is redone, and people decide, from the command line."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import edgewise
from benchmarks.running_server import RunningServer
from cli.study import runs as runs_commands
from protocols import PROTOCOLS
from services.acting import terminal_viewer
from services.study import current_study
from tests.everything import EVERYTHING
from tests.runs.begun import model, work
from tests.runs.toy_protocol import TOY, begin, texts
from tests.services.run_parts import set_up
from tests.services.runs.toy_study import _toy, server

__all__ = ["_toy", "server"]


@pytest.fixture
def _run(people: SimpleNamespace, _toy: None, server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run over two texts that waits for people, in a study that is open already."""

    class Opened:
        def __enter__(self) -> Any:
            return terminal_viewer()

        def __exit__(self, *_: object) -> None: ...

    server.play({})
    set_up(people.owner, server, ["scripted:plus"], price_input=1.0, price_output=2.0)
    begin(current_study().store, model(server.url), texts(2))
    work(current_study().store)
    server.forget()
    assert TOY.name in PROTOCOLS
    monkeypatch.setattr(runs_commands, "opened_study", lambda store: Opened())


def call(*words: str) -> str:
    result = CliRunner().invoke(edgewise.app, ["runs", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.usefixtures("_run")
@pytest.mark.skipif(not EVERYTHING, reason="tests/services/runs/steps/test_redoing.py")
def test_a_step_is_redone_after_a_dry_run_that_sends_nothing(server: RunningServer) -> None:
    redo = ("redo", "1", "again", "--models", "scripted:plus", "--group", "p01")
    assert call(*redo, "--dry-run") == (
        "Step again of run 1, changed: cards: scripted:plus; 1 group\n"
        "  ask (Answers): 3 items, 0 requests, 3 cached\n"
        "  again (Asked again): about 3 items, about 3 requests, 0 cached, about $0.0001\n"
    )
    assert server.log()["requests"] == 0 and len(json.loads(call("list", "--json"))) == 1
    said = json.loads(call(*redo, "--json"))
    assert {name: said[name] for name in ("run", "state", "based_on", "step")} == {
        "run": 2,
        "state": "queued",
        "based_on": 1,
        "step": "again",
    }
    work(current_study().store)
    assert server.log()["requests"] == 3
    older, newer = (json.loads(call("show", run, "--json")) for run in ("1", "2"))
    assert (older["redone_from"], older["redone_as"]) == (None, [{"run": 2, "step": "Asked again"}])
    assert (newer["redone_from"], newer["redone_as"]) == ({"run": 1, "step": "Asked again"}, [])
    assert "  Redone from run 1, step Asked again\n" in call("show", "2")
    assert "3 values made; 3 to decide" in call("steps", "2")
    assert call(*redo[:-2]).startswith("Run 3 redoes step again of run 1. It is queued now.")


@pytest.mark.usefixtures("_run")
def test_people_decide_on_numbered_values_until_none_is_left() -> None:
    listed = json.loads(call("rule", "1", "rule", "--json"))
    assert (listed["state"], listed["left"], len(listed["values"])) == ("waiting", 6, 6)
    said = call("rule", "1", "rule", "1", "--leave-out", "--why", "not printed")
    assert said.splitlines()[0].endswith("→ left out")
    for number in range(2, 7):
        said = call("rule", "1", "rule", str(number), "--as", '"+"', "--why", "as printed")
    assert said.endswith('→ "+"\n0 values left to decide; the run is queued now.\n')
    for words, fault in ((("7", "--as", "1"), "expected a number from 1 to 6"), (("1", "--as", "+"), "is not JSON")):
        result = CliRunner().invoke(edgewise.app, ["runs", "rule", "1", "rule", *words])
        assert result.exit_code == 2 and fault in " ".join(result.output.split())
    result = CliRunner().invoke(edgewise.app, ["runs", "rule", "1", "decide"])
    assert result.exit_code == 2 and "“decide”: expected one of" in " ".join(result.output.split())
