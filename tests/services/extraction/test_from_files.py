"""What the steps of a run wrote, taken in by another run in place of these steps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.people import Viewer
from core.runs.states import RunState
from core.steps import StepKind
from protocols.econcausal_pipeline.tasks import STEP_FILES
from services.extraction.candidates import CandidateState
from services.extraction.lanes import papers_of
from services.extraction.step_files import step_files
from services.protocols.econcausal_pipeline.pipeline_steps import read_step_file
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from services.runs.steps import lists as steps
from services.study import Study
from tests.everything import usual
from tests.services.extraction.laid_papers import lay_papers
from tests.services.run_parts import act, finished

PAPERS = {
    "rain": ["We study farms by a randomized trial. More rain increased crop yields by a tenth.", "Nothing more."],
    "tram": ["A tram line raised rents nearby. In a placebo test, bus lines had no effect on rents."],
}
ROLES: dict[str, tuple[str, ...]] = {"extractor": ("cue-phrases",), "critics": ("plain-critic",)}
OF_CRITICS = {"rule_critics": 1}
"""The plain critic alone is its own rule; that it scored is not known of a file."""


def config(options: dict[str, Any], roles: dict[str, tuple[str, ...]]) -> RunConfig:
    return RunConfig(
        title="From files",
        source=SampleSource(),
        tasks=("extract", "metadata", "local", "critics"),
        variants=("standard",),
        protocol="econcausal-pipeline",
        roles=roles,
        options=options,
    )


def files_of(study: Study, owner: Viewer) -> dict[str, bytes]:
    lay_papers(study, owner.person_id, PAPERS)
    first = planning.start(owner, config({}, ROLES), **act()).subject_id
    assert finished(study, owner, first).state is RunState.DONE
    return step_files(owner, first)


def taken_in(study: Study, owner: Viewer, files: dict[str, bytes], names: tuple[str, ...], **options: Any) -> str:
    read = [read_step_file(name, files[name]) for name in names]
    named = ",".join(f"{each.lines.kind}:{each.id}" for each in read)
    wanted = config({STEP_FILES: named, **options}, ROLES if "step4.jsonl" not in names else {})
    run_id = planning.start(owner, wanted, {each.id: each for each in read}, **act()).subject_id
    finished(study, owner, run_id)
    return run_id


STEPS = [
    (("step1_runs.jsonl",), {}, set(), {"extract"}),
    (("step1.jsonl", "step2.jsonl"), {}, {"extract", "phrases"}, {"consensus", "metadata"}),
    (("step2.jsonl",), {}, set(), {"metadata"}),
    (("step3.jsonl",), {}, {"extract", "phrases", "consensus"}, {"metadata", "local"}),
    (("step4.jsonl",), OF_CRITICS, {"extract", "phrases", "consensus"}, {"metadata", "local", "critics"}),
]


@pytest.mark.parametrize(("names", "options", "left_out", "made"), usual(STEPS, *STEPS[1:4]))
def test_the_file_of_any_step_stands_for_it_and_ends_in_the_same_triplets(
    study: Study,
    people: SimpleNamespace,
    names: tuple[str, ...],
    options: dict[str, Any],
    left_out: set[str],
    made: set[str],
) -> None:
    files = files_of(study, people.owner)
    assert files["triplets.jsonl"]
    run_id = taken_in(study, people.owner, files, names, **options)
    kinds = {each.step: each.kind for each in steps.steps(people.owner, run_id)}
    assert not kinds.keys() & left_out
    assert {kinds[name] for name in made} == {StepKind.MAKE}
    again = step_files(people.owner, run_id)
    assert [again[name] for name in (*names, "triplets.jsonl")] == [files[name] for name in (*names, "triplets.jsonl")]


def test_metadata_that_say_nothing_of_a_paper_block_its_candidates(study: Study, people: SimpleNamespace) -> None:
    files = files_of(study, people.owner)
    files["step2.jsonl"] = files["step2.jsonl"].splitlines(keepends=True)[0]
    run_id = taken_in(study, people.owner, files, ("step1.jsonl", "step2.jsonl"))
    states = {
        paper: {(each.state, each.reason) for each in found} for paper, found in papers_of(people.owner, run_id).items()
    }
    why = "The file with metadata says nothing of paper “tram”."
    assert states["tram"] == {(CandidateState.BLOCKED, why)}
    assert {state for state, _ in states["rain"]} == {CandidateState.ACCEPTED}
