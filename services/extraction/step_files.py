"""What each step of a run gave as files, with the fields of EconCausal's first release; its funnel; its decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlmodel import Session

from core.people import May, Viewer
from exchange.econcausal_writing import json_line
from exchange.edge_table import table_bytes
from protocols.econcausal_pipeline.making import phrases_of
from protocols.econcausal_pipeline.tasks import CONSENSUS, EXTRACT, LOCAL, METADATA, chosen
from protocols.making import VECTORS
from runs.steps.inputs import read_inputs
from runs.steps.stepped_run import SteppedRun, stepped_run
from services.acting import Reading, consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.extraction.collecting import row_of
from services.extraction.funnel import funnel_in
from services.extraction.said import said
from services.pseudonyms import pseudonyms
from store.runs import groups
from store.tables import PaperRow

DECISION_COLUMNS = ("paper_id", "number", "treatment", "outcome", "why_asked", "sign", "dropped", "why", "by", "at")


def step_files(viewer: Viewer, run_id: str) -> dict[str, bytes]:
    """Name → content of each file; `run_id` may be the run's number. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        run = stepped_run(r.session, row.id)
        assert run is not None, "the pipeline has several steps"
        found = candidates_in(r.session, row.id)
        extracted = _answers(r.session, run, EXTRACT)
        metadata = {key: values[0] for key, values in _answers(r.session, run, METADATA).items() if values}
        local = _local(r.session, run)
        papers = {each.paper: r.session.get(PaperRow, each.value["paper"]) for each in found if each.value["paper"]}
        accepted = [each for each in found if each.state is CandidateState.ACCEPTED]
        return {
            "step1_runs.jsonl": _lines(_runs(r.session, run, extracted)),
            "step1.jsonl": _lines(_consensus(r.session, run)),
            "step2.jsonl": _lines({"paper_id": key, "paper_metadata": said} for key, said in metadata.items()),
            "step3.jsonl": _lines(
                _reviewed(each, metadata[each.paper], local[each.key])
                for each in found
                if each.key in local and each.paper in metadata
            ),
            "step4.jsonl": _lines(
                {**_reviewed(each, metadata[each.paper], local[each.key]), **_scored(each)}
                for each in found
                if each.final is not None
            ),
            "triplets.jsonl": _lines(row_of(each, papers.get(each.paper)) for each in accepted),
            "funnel.csv": table_bytes(("stage", "count"), funnel_in(r.session, row.id, found).items(), safe=True),
            "decisions.csv": table_bytes(DECISION_COLUMNS, _decisions(r, found), safe=True),
        }


def _answers(session: Session, run: SteppedRun, step: str) -> dict[str, list[Any]]:
    """Paper → what a step gave of it, in the order of repeats."""
    there = [each for each in groups.of_run(session, run.plan.run_id) if each.step == step]
    kept = said(session, [each.id for each in there])
    return {each.key: kept.get(each.id, []) for each in sorted(there, key=lambda each: each.key)}


def _local(session: Session, run: SteppedRun) -> dict[str, Any]:
    """Candidate → its local review."""
    return {key: values[0] for key, values in _answers(session, run, LOCAL).items() if values}


def _runs(session: Session, run: SteppedRun, extracted: Mapping[str, Sequence[Any]]) -> Iterable[dict[str, Any]]:
    with_vectors = chosen(run.wanted, "vectors") == "yes"
    vectors = _vectors(session, run) if with_vectors else {}
    for key, runs in extracted.items():
        yield {
            "paper_id": key,
            "runs": [
                [
                    {**row, **(_row_vectors(row, vectors.get(key, {})) if with_vectors else {})}
                    for row in each["causal_relations"]
                ]
                for each in runs
            ],
        }


def _row_vectors(row: Mapping[str, Any], vectors: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {f"{name}_vector": list(vectors.get(row[name], ())) for name in ("treatment", "outcome")}


def _vectors(session: Session, run: SteppedRun) -> dict[str, dict[str, Sequence[float]]]:
    """Paper → phrase → its vector, as the consensus took them."""
    flow = run.flow(session)
    found: dict[str, dict[str, Sequence[float]]] = defaultdict(dict)
    for each in groups.of_run(session, run.plan.run_id):
        if each.step == CONSENSUS and flow.may_begin(each):
            inputs = read_inputs(session, run, flow, each).inputs
            known = {value.key: value.value for value in inputs.values.get(VECTORS, ())}
            found[each.key] = {phrase: known[phrase] for phrase in phrases_of(inputs) if phrase in known}
    return found


def _consensus(session: Session, run: SteppedRun) -> Iterable[dict[str, Any]]:
    there = [each for each in groups.of_run(session, run.plan.run_id) if each.step == CONSENSUS]
    kept = groups.values(session, [each.id for each in there])
    for each in sorted(there, key=lambda each: each.key):
        for value in kept.get(each.id, ()):
            yield {
                "paper_id": each.key,
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


def _scored(each: CandidateLine) -> dict[str, Any]:
    means = {name: None if mean is None else float(Fraction(*mean)) for name, mean in each.value["means"].items()}
    return {
        "scores": means,
        "per_model_scores": each.value["per_model_scores"],
        "per_model_reasons": each.value["per_model_reasons"],
        "successful_models": list(each.value["per_model_scores"]),
        "verdict": each.value["verdict"],
    }


def _decisions(r: Reading, found: Sequence[CandidateLine]) -> Iterable[Sequence[Any]]:
    called = pseudonyms(r)
    for each in found:
        if each.ruling is None:
            continue
        dropped = bool(each.ruling.get("left_out"))
        yield (
            each.paper,
            each.number,
            each.value["treatment"],
            each.value["outcome"],
            "; ".join(each.flags),
            "" if dropped else each.value["sign"],
            "yes" if dropped else "no",
            each.ruling["why"],
            called.get(each.ruling["by"], ""),
            each.ruling["at"],
        )


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json_line(dict(row)) for row in rows)
