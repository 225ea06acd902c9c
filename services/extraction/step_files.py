"""Outputs of each step of a run as files with the fields of EconCausal's first release; funnel and decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlmodel import Session

from core.people import Permission, Viewer
from exchange.econcausal_writing import json_line
from exchange.edge_table import table_bytes
from protocols.econcausal_pipeline.making import phrases_of
from protocols.econcausal_pipeline.tasks import CONSENSUS, EXTRACT, LOCAL, METADATA, chosen
from protocols.step_values import VECTORS
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun, stepped_run
from services.acting import ReadContext, consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.extraction.collecting import row_of
from services.extraction.funnel import funnel_in
from services.extraction.step_outputs import step_outputs
from services.pseudonyms import pseudonyms
from store.runs import groups
from store.tables import PaperRow

DECISION_COLUMNS = ("paper_id", "number", "treatment", "outcome", "why_asked", "sign", "dropped", "why", "by", "at")


def step_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Return name → content of each file; `run_id` may be the run's number. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        run = stepped_run(r.session, row.id)
        assert run is not None, "the pipeline has several steps"
        candidates = candidates_in(r.session, row.id)
        extracted = _answers(r.session, run, EXTRACT)
        metadata = {key: values[0] for key, values in _answers(r.session, run, METADATA).items() if values}
        local = {key: values[0] for key, values in _answers(r.session, run, LOCAL).items() if values}  # by candidate
        papers = {
            each.paper: r.session.get(PaperRow, each.value["paper"]) for each in candidates if each.value["paper"]
        }
        accepted = [each for each in candidates if each.state is CandidateState.ACCEPTED]
        return {
            "step1_runs.jsonl": _lines(_extraction_rows(r.session, run, extracted)),
            "step1.jsonl": _lines(_consensus_rows(r.session, run)),
            "step2.jsonl": _lines({"paper_id": key, "paper_metadata": value} for key, value in metadata.items()),
            "step3.jsonl": _lines(
                _reviewed(each, metadata[each.paper], local[each.key])
                for each in candidates
                if each.key in local and each.paper in metadata
            ),
            "step4.jsonl": _lines(
                {**_reviewed(each, metadata[each.paper], local[each.key]), **_scores(each)}
                for each in candidates
                if each.final is not None
            ),
            "triplets.jsonl": _lines(row_of(each, papers.get(each.paper)) for each in accepted),
            "funnel.csv": table_bytes(("stage", "count"), funnel_in(r.session, row.id, candidates).items(), safe=True),
            "decisions.csv": table_bytes(DECISION_COLUMNS, _decision_rows(r, candidates), safe=True),
        }


def _answers(session: Session, run: SteppedRun, step: str) -> dict[str, list[Any]]:
    stored_groups = [each for each in groups.of_run(session, run.plan.run_id) if each.step == step]
    outputs = step_outputs(session, [each.id for each in stored_groups])
    return {each.key: outputs.get(each.id, []) for each in sorted(stored_groups, key=lambda each: each.key)}


def _extraction_rows(
    session: Session, run: SteppedRun, extracted: Mapping[str, Sequence[Any]]
) -> Iterable[dict[str, Any]]:
    with_vectors = chosen(run.wanted, "vectors") == "yes"
    vectors: dict[str, dict[str, Sequence[float]]] = {}
    if with_vectors:
        flow = run.flow(session)
        for stored_group in groups.of_run(session, run.plan.run_id):
            if stored_group.step == CONSENSUS and flow.may_begin(stored_group):
                inputs = read_inputs(session, run, flow, stored_group).inputs
                known = {value.key: value.value for value in inputs.values.get(VECTORS, ())}
                vectors[stored_group.key] = {phrase: known[phrase] for phrase in phrases_of(inputs) if phrase in known}
    ends = ("treatment", "outcome") if with_vectors else ()
    for key, runs in extracted.items():
        of_paper = vectors.get(key, {})
        yield {
            "paper_id": key,
            "runs": [
                [
                    {
                        **row,
                        **{f"{name}_vector": list(of_paper.get(row[name], ())) for name in ends},
                    }
                    for row in each["causal_relations"]
                ]
                for each in runs
            ],
        }


def _consensus_rows(session: Session, run: SteppedRun) -> Iterable[dict[str, Any]]:
    stored_groups = [each for each in groups.of_run(session, run.plan.run_id) if each.step == CONSENSUS]
    values_by_group = groups.values(session, [each.id for each in stored_groups])
    for stored_group in sorted(stored_groups, key=lambda stored_group: stored_group.key):
        for value in values_by_group.get(stored_group.id, ()):
            yield {
                "paper_id": stored_group.key,
                "causal_relations": [
                    {
                        **{name: group["members"][0][name] for name in ("treatment", "outcome")},
                        "sign": group["sign"],
                        "supporting_evidence": group["members"][0]["supporting_evidence"],
                        "_consensus_count": group["runs"],
                        "_sign_votes": group["votes"],
                    }
                    for group in value.value["kept"]
                ],
            }


def _reviewed(each: CandidateLine, metadata: Mapping[str, Any], local: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "paper_id": each.paper,
        "treatment": each.value["treatment"],
        "outcome": each.value["outcome"],
        "sign": each.value["sign"],
        "supporting_evidence": [one["text"] for one in each.value["evidence"]],
        "global_context": metadata["context"],
        "global_identification_method": list(metadata["identification_methods"]),
        "selection": dict(local),
    }


def _scores(each: CandidateLine) -> dict[str, Any]:
    means = {name: None if mean is None else float(Fraction(*mean)) for name, mean in each.value["means"].items()}
    return {
        "scores": means,
        "per_model_scores": each.value["per_model_scores"],
        "per_model_reasons": each.value["per_model_reasons"],
        "successful_models": list(each.value["per_model_scores"]),
        "verdict": each.value["verdict"],
    }


def _decision_rows(r: ReadContext, candidates: Sequence[CandidateLine]) -> Iterable[Sequence[Any]]:
    called = pseudonyms(r)
    for candidate in candidates:
        if candidate.ruling is None:
            continue
        dropped = bool(candidate.ruling.get("left_out"))
        yield (
            candidate.paper,
            candidate.number,
            candidate.value["treatment"],
            candidate.value["outcome"],
            "; ".join(candidate.flags),
            "" if dropped else candidate.value["sign"],
            "yes" if dropped else "no",
            candidate.ruling["why"],
            called.get(candidate.ruling["by"], ""),
            candidate.ruling["at"],
        )


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json_line(dict(row)) for row in rows)
