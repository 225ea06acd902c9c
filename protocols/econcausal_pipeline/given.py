"""Steps that are not done but taken in, from the files that another run wrote: what each gives in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.runs.flow import parted
from core.runs.options import Settings
from core.steps import Span, Step, StepKind
from core.words import quoted
from protocols.econcausal_pipeline.making import candidate_in, evidence_in, paper_in, printed_in
from protocols.econcausal_pipeline.step_lines import StepFile, given_files
from protocols.econcausal_pipeline.tasks import (
    CONSENSUS,
    CRITICS,
    DECIDE,
    EVIDENCE,
    EXTRACT,
    FROM_FILES,
    LOCAL,
    METADATA,
    NOT_FOUND,
    PAPERS,
    PHRASES,
    TIE,
    chosen,
)
from protocols.making import Inputs, Made, Making

GIVES: Mapping[StepFile, tuple[str, ...]] = {
    StepFile.RUNS: (EXTRACT,),
    StepFile.CONSENSUS: (CONSENSUS,),
    StepFile.METADATA: (METADATA,),
    StepFile.CONTEXT: (EVIDENCE, METADATA, LOCAL),
    StepFile.CRITICS: (EVIDENCE, METADATA, LOCAL, CRITICS),
}
"""File → the steps that it stands for."""
_WITHOUT: Mapping[StepFile, tuple[str, ...]] = {
    StepFile.CONSENSUS: (EXTRACT, PHRASES),
    StepFile.CONTEXT: (EXTRACT, PHRASES, CONSENSUS),
    StepFile.CRITICS: (EXTRACT, PHRASES, CONSENSUS),
}
"""File → the steps before it, which nobody needs."""
_TAKES: Mapping[str, tuple[str, ...]] = {
    EXTRACT: (FROM_FILES,),
    CONSENSUS: (FROM_FILES,),
    METADATA: (FROM_FILES,),
    EVIDENCE: (FROM_FILES, PAPERS),
    LOCAL: (DECIDE, PAPERS),
    CRITICS: (LOCAL, DECIDE),
}


def given_steps(settings: Settings) -> frozenset[str]:
    """The steps whose values a run takes from files."""
    return frozenset(name for file in given_files(settings) for name in GIVES[file])


def with_given(steps: Sequence[Step], settings: Settings) -> tuple[Step, ...]:
    """The steps of a run, those that files stand for made of these, and without those that nobody needs then."""
    given, files = given_steps(settings), given_files(settings)
    left_out = {name for file in files for name in _WITHOUT.get(file, ())}
    return tuple(_taken_in(each) if each.name in given else each for each in steps if each.name not in left_out)


def _taken_in(step: Step) -> Step:
    takes = _TAKES[step.name]
    return Step(
        name=step.name,
        title=step.title,
        kind=StepKind.MAKE,
        takes=takes,
        span=step.span if step.beside else Span.GROUP,
        beside=tuple(name for name in takes if name in (DECIDE, LOCAL)),
        version=f"{step.version}, from a file",
    )


def make_given(step: Step, inputs: Inputs, settings: Settings) -> Making:
    """What a file says in place of a step. Raises BadInput where it says nothing of a paper, and for a candidate whose
    paper is not there."""
    match step.name:
        case name if name == EVIDENCE:
            return _candidates(inputs)
        case name if name == LOCAL:
            return Making((Made(parted(inputs.key, Span.EACH)[0], _given(inputs)["selection"]),))
        case name if name == CRITICS:
            return _scores(inputs)
    said = inputs.values[FROM_FILES][0].value
    if step.name == EXTRACT:
        return Making(tuple(Made(inputs.key, each) for each in said["runs"]))
    if step.name == CONSENSUS:
        of_runs = max([int(chosen(settings, "consensus_runs")), *(each["runs"] for each in said["groups"])])
        groups = said["groups"]
        value = {"runs": of_runs, "kept": groups, "dropped": [], "mentions": len(groups), "changed": {}}
        return Making((Made(inputs.key, value),))
    if "metadata" not in said:
        raise BadInput(f"The file with metadata says nothing of paper {quoted(inputs.key)}.")
    return Making((Made(inputs.key, said["metadata"]),))


def _candidates(inputs: Inputs) -> Making:
    paper = paper_in(inputs)
    printed = printed_in(paper)
    made = []
    for number, row in enumerate(inputs.values[FROM_FILES][0].value["candidates"], 1):
        evidence, is_found = evidence_in(row["supporting_evidence"], printed)
        value = {
            "number": number,
            "title": paper.title,
            "paper": paper.paper,
            **{name: row[name] for name in ("treatment", "outcome", "sign")},
            "votes": {},
            "runs": 0,
            "of_runs": 0,
            "members": [],
            "evidence": evidence,
            "given": row["given"],
        }
        flags = [TIE] * (row["sign"] is None) + [NOT_FOUND] * (not is_found)
        made.append(Made(inputs.key, value, flags=tuple(flags)))
    return Making(tuple(made))


def _given(inputs: Inputs) -> Mapping[str, Any]:
    paper, candidate = paper_in(inputs), candidate_in(inputs)
    if paper.trouble:
        raise BadInput(paper.trouble)
    assert candidate is not None, "else the group is empty"
    given: Mapping[str, Any] = candidate["given"]
    return given


def _scores(inputs: Inputs) -> Making:
    candidate = candidate_in(inputs)
    assert candidate is not None, "else the group is empty"
    key, given = parted(inputs.key, Span.EACH)[0], candidate["given"]
    return Making(
        tuple(
            Made(key, {"critic": critic, "scores": scores, "reasons": given["reasons"][critic]})
            for critic, scores in given["scores"].items()
        )
    )
