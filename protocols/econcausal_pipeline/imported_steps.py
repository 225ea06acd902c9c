"""Steps imported from files of another run instead of being done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from protocols.step_values import Inputs, Making, StepOutput

GIVES: Mapping[StepFile, tuple[str, ...]] = {
    StepFile.RUNS: (EXTRACT,),
    StepFile.CONSENSUS: (CONSENSUS,),
    StepFile.METADATA: (METADATA,),
    StepFile.CONTEXT: (EVIDENCE, METADATA, LOCAL),
    StepFile.CRITICS: (EVIDENCE, METADATA, LOCAL, CRITICS),
}
"""File → the steps that it replaces."""
_WITHOUT: Mapping[StepFile, tuple[str, ...]] = {
    StepFile.CONSENSUS: (EXTRACT, PHRASES),
    StepFile.CONTEXT: (EXTRACT, PHRASES, CONSENSUS),
    StepFile.CRITICS: (EXTRACT, PHRASES, CONSENSUS),
}
"""File → earlier steps that become unnecessary."""
_TAKES: Mapping[str, tuple[str, ...]] = {
    EXTRACT: (FROM_FILES,),
    CONSENSUS: (FROM_FILES,),
    METADATA: (FROM_FILES,),
    EVIDENCE: (FROM_FILES, PAPERS),
    LOCAL: (DECIDE, PAPERS),
    CRITICS: (LOCAL, DECIDE),
}


def given_steps(settings: Settings) -> frozenset[str]:
    """Return the steps whose values a run imports from files."""
    return frozenset(name for file in given_files(settings) for name in GIVES[file])


def with_given(steps: Sequence[Step], settings: Settings) -> tuple[Step, ...]:
    """Return the steps of a run: imported ones become making steps, unnecessary ones are dropped."""
    imported, files = given_steps(settings), given_files(settings)
    unnecessary = {name for file in files for name in _WITHOUT.get(file, ())}
    return tuple(
        _import_step(each) if each.name in imported else each for each in steps if each.name not in unnecessary
    )


def _import_step(step: Step) -> Step:
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
    """Return the imported value of a step. Raises BadInput for a paper that the file or the study does not have."""
    match step.name:
        case name if name == EVIDENCE:
            return _candidates(inputs)
        case name if name == LOCAL:
            trouble, candidate = paper_in(inputs).trouble, candidate_in(inputs)
            if trouble:
                raise BadInput(trouble)
            assert candidate is not None, "else the group is empty"
            return Making((StepOutput(parted(inputs.key, Span.EACH)[0], candidate["given"]["selection"]),))
        case name if name == CRITICS:
            candidate = candidate_in(inputs)
            assert candidate is not None, "else the group is empty"
            key, imported = parted(inputs.key, Span.EACH)[0], candidate["given"]
            outputs = [
                StepOutput(key, {"critic": critic, "scores": scores, "reasons": imported["reasons"][critic]})
                for critic, scores in imported["scores"].items()
            ]
            return Making(tuple(outputs))
    content = inputs.values[FROM_FILES][0].value
    if step.name == EXTRACT:
        return Making(tuple(StepOutput(inputs.key, each) for each in content["runs"]))
    if step.name == CONSENSUS:
        of_runs = max([int(chosen(settings, "consensus_runs")), *(each["runs"] for each in content["groups"])])
        groups = content["groups"]
        value = {"runs": of_runs, "kept": groups, "dropped": [], "mentions": len(groups), "changed": {}}
        return Making((StepOutput(inputs.key, value),))
    if "metadata" not in content:
        raise BadInput(f"The file with metadata says nothing of paper {quoted(inputs.key)}.")
    return Making((StepOutput(inputs.key, content["metadata"]),))


def _candidates(inputs: Inputs) -> Making:
    paper = paper_in(inputs)
    printed = printed_in(paper)
    candidates = []
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
        candidates.append(StepOutput(inputs.key, value, flags=tuple(flags)))
    return Making(tuple(candidates))
