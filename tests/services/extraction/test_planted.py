"""Twenty papers with planted answers, over the loopback server: every case ends as its table says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from typer.testing import CliRunner

from benchmarks.running_server import RunningServer, running_server
from cli.files import triplets as triplets_command
from core.people import Viewer
from core.runs.states import ItemStatus, RunState
from core.steps import GroupState
from services.extraction import collecting, decisions, summaries
from services.extraction.candidates import CandidateLine, CandidateState
from services.extraction.funnel import funnel
from services.extraction.step_files import step_files
from services.runs import acts, reading
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.runs.steps import lists as steps
from services.runs.steps import redoing
from services.study import Study
from services.triplets import lists
from tests.everything import EVERYTHING
from tests.services.extraction.laid_papers import lay_papers
from tests.services.extraction.planted_papers import CASES, CRITICS, EXTRACT, PAPERS, READ, rules_of
from tests.services.run_parts import act, finished, set_up, start

ROLES = {"extractor": (EXTRACT,), "reader": (READ,), "critics": CRITICS}
DECIDED = {"paper-02": {2: "mixed", 3: None, 5: "-"}}
"""What a person says of the ties: paper → number of the candidate → its sign, None for one that is left out."""
Function = TypeVar("Function", bound=Callable[..., None])


def on_both_with_everything(test: Function) -> Function:
    return pytest.mark.both(test) if EVERYTHING else test


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def config(**other: Any) -> RunConfig:
    options = {"embedder": "lab/words", "vectors": "yes", **other.pop("options", {})}
    return RunConfig(
        title="Planted",
        source=SampleSource(),
        tasks=("extract", "metadata", "local", "critics"),
        variants=("standard",),
        protocol="econcausal-pipeline",
        roles=ROLES,
        options=options,
        **other,
    )


@pytest.fixture
def owner(study: Study, people: SimpleNamespace, server: RunningServer) -> Viewer:
    """Of a study with the planted papers; the server answers as planted."""
    server.play({"rules": [rule for paper in PAPERS for rule in rules_of(paper)]})
    server.forget()
    models = [EXTRACT, READ, *CRITICS, "critic-d"]
    set_up(people.owner, server, models, price_input=1.0, price_cached=0.5, price_output=2.0)
    lay_papers(study, people.owner.person_id, {each.key: each.texts for each in PAPERS})
    found: Viewer = people.owner
    return found


def candidates(viewer: Viewer, run_id: str) -> tuple[CandidateLine, ...]:
    from services.extraction.candidates import candidates_in
    from services.study import current_study

    with current_study().store.reading() as session:
        return candidates_in(session, run_id)


def decide(study: Study, viewer: Viewer, run_id: str) -> None:
    waiting = {(each.paper, each.number): each for each in decisions.decisions(viewer, run_id)}
    for paper, said in DECIDED.items():
        for number, sign in said.items():
            each = waiting.pop((paper, number))
            decisions.decide(viewer, each, sign, "as the table has it", is_dropped=sign is None, **act())
    assert not waiting
    finished(study, viewer, run_id)


def told(each: CandidateLine) -> dict[str, Any]:
    """What a case may say of a candidate."""
    value: Mapping[str, Any] = each.value
    evidence = value["evidence"]
    return {
        **value,
        "state": each.state.value,
        "flags": each.flags,
        "members": len(value["members"]),
        "evidence": len(evidence),
        "match": evidence[0]["match"] if evidence else None,
        "pages": evidence[0]["pages"] if evidence else None,
        "critics": len(value.get("per_model_scores", ())),
        "boundary": value.get("otherwise", {}).get("boundary"),
        "floor": value.get("otherwise", {}).get("floor"),
        "context_words": len(value.get("context", "").split()),
    }


def wrong(found: Mapping[str, list[CandidateLine]], blocked: Mapping[str, str], case: Any) -> str:
    """What a case is not as its table says; empty where it is."""
    name, paper, treatment, said = case
    if not treatment:
        now: dict[str, Any] = {"candidates": len(found.get(paper, ()))}
        now["blocked"] = said.get("blocked") if said.get("blocked", "?") in blocked.get(paper, "") else None
        now["claims"] = "nothing"
        return "" if all(now[key] == value for key, value in said.items()) else f"{name}: {now}, {blocked}"
    those = [each for each in found.get(paper, ()) if each.value["treatment"] == treatment]
    if said.get("is_there") is False:
        return f"{name}: is there" if those else ""
    if len(those) != 1:
        return f"{name}: {len(those)} candidates have this treatment"
    now = told(those[0])
    return "; ".join(
        f"{name}: {key} is {now.get(key)!r} instead of {value!r} ({those[0].reason})"
        for key, value in said.items()
        if now.get(key) != value
    )


def test_there_are_sixty_cases() -> None:
    assert len(CASES) >= 60


@on_both_with_everything
def test_every_planted_case_ends_as_its_table_says(
    study: Study, owner: Viewer, server: RunningServer, tmp_path: Path
) -> None:
    run_id = _a_budget_stops_at_its_last_request_and_with_more_nothing_is_asked_twice(study, owner, server)
    early = _collecting_waits_for_decisions_unless_it_is_told_to_leave_them(owner, run_id)
    decide(study, owner, run_id)
    found: dict[str, list[CandidateLine]] = {}
    for each in candidates(owner, run_id):
        found.setdefault(each.paper, []).append(each)
    blocked = {
        key: steps.group(owner, run_id, "consensus", key).reason
        for key in (paper.key for paper in PAPERS)
        if steps.group(owner, run_id, "consensus", key).state is GroupState.BLOCKED
    }
    assert list(filter(None, (wrong(found, blocked, case) for case in CASES))) == []
    now = funnel(owner, run_id)
    assert (now["papers"], now["extracted in full"], now["papers that claim nothing"]) == (20, 19, 1)
    assert now["candidates"] == sum(map(len, found.values()))

    files = step_files(owner, run_id)
    _consensus_and_filter_say_the_same(files, list(candidates(owner, run_id)), tmp_path)

    lines = {each.step: each for each in steps.steps(owner, run_id)}
    spent = sum(each.cost_usd or 0 for each in lines.values())
    assert spent == pytest.approx(reading.progress(owner, run_id).cost_usd)
    told_of = summaries.costs(owner, run_id)
    assert [each.used.step for each in told_of] == ["extract", "phrases", "metadata", "local", "critics"]
    assert sum(each.used.cost_usd or 0 for each in told_of) == pytest.approx(spent)
    (venue,) = summaries.venues(owner, run_id)
    assert (venue.venue, venue.domain, venue.candidates) == ("journal of planting", "", sum(map(len, found.values())))
    assert venue.papers == sum(bool(some) for some in found.values())

    receipt, left_out = collecting.collect(owner, run_id, "Later", "CC0-1.0", **act())
    states = [each.state for each in candidates(owner, run_id)]
    kept = {each.title: each for each in lists.collections(owner)}
    accepted = states.count(CandidateState.ACCEPTED)
    later = kept["Later"]
    assert (later.id, later.triplets, later.run, later.licence) == (receipt.subject_id, accepted, 1, "CC0-1.0")
    assert len(left_out) == len(states) - accepted
    assert sum(later.signs.values()) == accepted
    plan = collecting.plan(owner, run_id)
    assert plan.same == {"Early": kept["Early"].triplets, "Later": accepted}
    assert early != plan.collection == receipt.subject_id
    _a_redo_of_critics_with_another_card_extracts_nothing_again_and_rulings_stay(study, owner, server, run_id)


def _a_budget_stops_at_its_last_request_and_with_more_nothing_is_asked_twice(
    study: Study, owner: Viewer, server: RunningServer
) -> str:
    run_id = start(owner, config(budget=BudgetSettings(requests=100)))
    now = finished(study, owner, run_id)
    assert (now.state, now.requests, server.log()["requests"]) == (RunState.STOPPED, 100, 100)
    acts.set_budget(owner, run_id, BudgetSettings(), seen=now.version, **act())
    acts.resume(owner, run_id, seen=reading.progress(owner, run_id).version, **act())
    now = finished(study, owner, run_id)
    assert now.state is RunState.WAITING
    assert server.log()["requests"] == now.requests
    assert not now.by_status[ItemStatus.FAILED]
    return run_id


def _a_redo_of_critics_with_another_card_extracts_nothing_again_and_rulings_stay(
    study: Study, owner: Viewer, server: RunningServer, run_id: str
) -> None:
    before = len(server.log()["entries"])
    changes = redoing.StepChanges(models=("critic-a", "critic-b", "critic-d"))
    redone = redoing.redo(owner, run_id, "critics", changes, **act()).subject_id
    now = finished(study, owner, redone)
    after = [each["model"] for each in server.log()["entries"][before:]]
    assert set(after) == {"critic-d"}
    assert {each.step: each.requests for each in steps.steps(owner, redone)}["extract"] == 0
    ruled = [each for each in candidates(owner, redone) if each.ruling is not None]
    assert {each.ruling["from_run"] for each in ruled} == {run_id}
    assert len(ruled) == 3
    assert not any(each.state is CandidateState.DECIDING for each in candidates(owner, redone))
    assert now.state is RunState.WAITING  # for paper-15, whose extraction cannot be read


def _collecting_waits_for_decisions_unless_it_is_told_to_leave_them(owner: Viewer, run_id: str) -> str:
    with pytest.raises(Exception, match=r"3 candidates wait for a decision; collect the other \d+, or decide first\."):
        collecting.collect(owner, run_id, "Early", "", **act())
    assert lists.collections(owner) == ()
    first, _ = collecting.collect(owner, run_id, "Early", "", leaves_open=True, **act())
    with pytest.raises(Exception, match="already in the study, as “Early”"):
        collecting.collect(owner, run_id, "Again", "", leaves_open=True, **act())
    return first.subject_id


def _consensus_and_filter_say_the_same(files: Mapping[str, bytes], found: list[CandidateLine], folder: Path) -> None:
    """The commands on the written files give the run's own groups and verdicts, all of them."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    runs = [line for line in files["step1_runs.jsonl"].decode().splitlines() if len(json.loads(line)["runs"]) == 3]
    (folder / "whole.jsonl").write_text("\n".join(runs))
    ran = CliRunner().invoke(triplets_command.app, ["consensus", str(folder / "whole.jsonl"), "--json"])
    agreed = {
        (paper["paper_id"], group["members"][0]["treatment"]): (group["votes"], group["sign"], len(group["members"]))
        for paper in json.loads(ran.stdout)
        for group in paper["kept"]
    }
    own = {
        (each.paper, each.value["treatment"]): (
            each.value["votes"],
            None if "tie" in each.flags else each.value["sign"],
            len(each.value["members"]),
        )
        for each in found
    }
    assert agreed == own
    ran = CliRunner().invoke(triplets_command.app, ["filter", str(folder / "step4.jsonl"), "--json"])
    verdicts = {True: "accepted", False: "rejected", None: "incomplete"}
    scored = [json.loads(line) for line in files["step4.jsonl"].decode().splitlines()]
    assert [verdicts[each["retained"]] for each in json.loads(ran.stdout)] == [each["verdict"] for each in scored]
    assert len(scored) == sum(each.final is not None for each in found)
