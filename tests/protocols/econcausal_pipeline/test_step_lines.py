"""Files that steps wrote, read again: what each kind says, and every fault with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import BadRow
from protocols.econcausal_pipeline.step_lines import StepFile, clash, read_step_lines

CLAIM = {"treatment": "rain", "outcome": "yield", "sign": "+", "supporting_evidence": ["Rain raised yields."]}
META = {"paper_type": "empirical", "context": "Farms.", "identification_methods": ["RCT"]}
CANDIDATE = {
    "paper_id": "a",
    **CLAIM,
    "global_context": "Farms.",
    "global_identification_method": ["RCT"],
    "selection": {"context_selected": [], "id_method_selected": []},
}
SCORED = {**CANDIDATE, "per_model_scores": {"x": {"sign": 3}}, "per_model_reasons": {"x": {"sign": "Because."}}}


def lines(*rows: Any) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_each_kind_is_told_by_its_fields() -> None:
    runs = read_step_lines("f", lines({"paper_id": "a", "runs": [[CLAIM], []]}))
    assert (runs.kind, runs.papers) == (
        StepFile.RUNS,
        {"a": {"runs": [{"causal_relations": [CLAIM]}, {"causal_relations": []}]}},
    )
    agreed = {**CLAIM, "sign": None, "_consensus_count": 2, "_sign_votes": {"+": 1, "-": 1}}
    consensus = read_step_lines("f", lines({"paper_id": "a", "causal_relations": [agreed]}))
    (group,) = consensus.papers["a"]["groups"]
    assert consensus.kind is StepFile.CONSENSUS
    assert (group["sign"], group["runs"], group["votes"]) == (None, 2, {"+": 1, "-": 1})
    metadata = read_step_lines("f", lines({"paper_id": "a", "paper_metadata": {**META, "context": None}}))
    assert (metadata.kind, metadata.papers) == (StepFile.METADATA, {"a": {"metadata": {**META, "context": ""}}})
    context = read_step_lines("f", lines(CANDIDATE, {**CANDIDATE, "paper_id": "b"}, CANDIDATE))
    assert context.kind is StepFile.CONTEXT
    assert {key: len(said["candidates"]) for key, said in context.papers.items()} == {"a": 2, "b": 1}
    scored = read_step_lines("f", lines(SCORED))
    assert scored.kind is StepFile.CRITICS
    assert scored.papers["a"]["candidates"][0]["given"]["scores"] == {"x": {"sign": 3}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it has no line"),
        (b"[1]", "line 1: found '[1]'; expected a JSON object in each line"),
        (lines({"paper_id": "a"}), "expected runs, causal_relations, paper_metadata, selection or per_model_scores"),
        (lines({"paper_id": "a", "critics": {}}), "these are triplets; import them with edgewise.py triplets import"),
        (lines(CANDIDATE, {"paper_id": "a", "runs": []}), "line 2; a line of step1_runs; expected lines of step3"),
        (lines({"runs": [[CLAIM]]}), "line 1, paper_id; found nothing; expected a text of 1 to 200 characters"),
        (
            lines({"paper_id": "a", "runs": [[{**CLAIM, "sign": "up"}]]}),
            'line 1, runs[0][0].sign; found "up"; expected one of +, -, None, mixed',
        ),
        (lines(*[{"paper_id": "a", "paper_metadata": META}] * 2), "line 2, paper_id: found 'a'; this paper has a line"),
        (lines(CANDIDATE, {**CANDIDATE, "global_context": "Towns."}), "another one than in an earlier line of paper a"),
        (
            lines({**SCORED, "per_model_scores": {"x": {"sign": 4}}}),
            "line 1, per_model_scores.x.sign; found 4; expected a whole number from 0 to 3",
        ),
        (lines({**SCORED, "per_model_scores": [3]}), "expected an object with the scores of each critic"),
    ],
)
def test_what_no_step_wrote_is_refused_with_its_line(content: bytes, said: str) -> None:
    with pytest.raises(BadRow) as caught:
        read_step_lines("f", content)
    assert said in str(caught.value)


def test_files_that_say_the_same_do_not_go_together() -> None:
    assert clash([StepFile.CONSENSUS, StepFile.METADATA]) == ""
    assert clash([StepFile.RUNS, StepFile.CONSENSUS]).endswith("both say what is claimed. Leave one out.")
    assert clash([StepFile.METADATA, StepFile.CRITICS]) == "step4 says what step2 says. Leave one out."
    assert clash([StepFile.METADATA] * 2) == "Two files are of step2. Put their lines into one."
