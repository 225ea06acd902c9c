"""The pipeline's four answers: what is read, what is asked for again, and what is only flagged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.messages import message
from core.runs.states import ItemStatus
from core.triplets.criteria import Criterion
from protocols.econcausal_pipeline.readers import read_metadata, read_relations, read_scores, read_selection
from protocols.exchanges import Answered, Ask

ROW = {"treatment": "minimum wage", "outcome": "employment", "sign": "None", "supporting_evidence": ["It did not."]}
ASKED = {"treatment": "minimum wage", "outcome": "employment", "sign": "None"}
SIX = {each.value: 3 for each in Criterion}
WHY = {each.value: "It says so." for each in Criterion}


def reply(said: Any, finish: str = "stop") -> Answered:
    text = said if isinstance(said, str) else json.dumps(said)
    return Answered(ask=Ask((message("user", "?"),)), text=text, finish_reason=finish)


# --- extraction --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ([ROW], [ROW]),
        ({"causal_relations": [ROW]}, [ROW]),
        (f"Here they are:\n```json\n{json.dumps([ROW])}\n```", [ROW]),
        ([], []),
        ({"causal_relations": []}, []),
        ("<think>[1]</think> []", []),
        ([{**ROW, "sign": "−"}], [{**ROW, "sign": "-"}]),
        ([{**ROW, "treatment": "  minimum\n wage "}], [ROW]),
        ([{**ROW, "effect_size": 0.3}], [ROW]),
    ],
)
def test_a_paper_claims_what_the_list_says_or_nothing(said: Any, rows: list[Any]) -> None:
    read = read_relations(reply(said))
    assert (read.status, read.value, read.faults) == (ItemStatus.ANSWERED, {"causal_relations": rows}, ())


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ([ROW, {**ROW, "sign": None}], "[1].sign: found null; right would be one of +, -, None, mixed"),
        ([{**ROW, "sign": "up"}], '[0].sign: found "up"; right would be one of +, -, None, mixed'),
        ([{**ROW, "outcome": " "}], '[0].outcome: found " "; right would be a text of 1 to 400 characters'),
        ([{**ROW, "outcome": "—"}], '[0].outcome: found "—"; right would be a phrase with a letter or a digit'),
        ([{"treatment": "a", "outcome": "b", "sign": "+"}], "[0].supporting_evidence: found nothing; right would be"),
        ([{**ROW, "supporting_evidence": "text"}], '[0].supporting_evidence: found "text"; right would be a list'),
        ("The paper claims much.", "found no JSON list of objects"),
    ],
)
def test_a_faulty_row_makes_the_whole_list_faulty(said: Any, fault: str) -> None:
    read = read_relations(reply(said))
    assert (read.status, read.value) == (ItemStatus.UNPARSABLE, None)
    assert read.faults[0].startswith(fault), read.faults


def test_a_list_that_was_cut_off_is_not_read_as_a_shorter_one() -> None:
    assert read_relations(reply([ROW], "length")).status is ItemStatus.TRUNCATED


def test_long_phrases_and_much_evidence_are_flags() -> None:
    nine, ten = " ".join(["word"] * 9), " ".join(["word"] * 10)
    row = {**ROW, "treatment": ten, "outcome": nine, "supporting_evidence": ["a", "b", "c", "d"]}
    read = read_relations(reply([{**ROW, "supporting_evidence": []}, row]))
    assert read.status is ItemStatus.ANSWERED
    assert read.flags == (
        "1: there is no evidence",
        "2: the treatment has ten words or more",
        "2: there are more than three paragraphs of evidence",
    )


# --- metadata ----------------------------------------------------------------------------------------------------

META = {"paper_type": "empirical", "context": "Farms in Kenya.", "identification_methods": ["RCT"]}


def test_metadata_is_read_with_its_wrapper_and_without_and_methods_in_any_case() -> None:
    for said in (META, {"paper_metadata": META}, {**META, "identification_methods": ["rct", "RCT"]}):
        assert read_metadata(reply(said)).value == META
    assert read_metadata(reply({**META, "context": None})).value == {**META, "context": ""}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({**META, "identification_methods": ["RCT", "Bayesian"]}, "identification_methods[1]"),
        ({**META, "paper_type": "mixed"}, "paper_type"),
        ({"paper_type": "empirical", "context": "x"}, "identification_methods"),
        ({**META, "identification_methods": "RCT; IV"}, "identification_methods"),
    ],
)
def test_a_method_outside_the_eleven_is_a_fault(said: Any, place: str) -> None:
    read = read_metadata(reply(said))
    assert read.status is ItemStatus.UNPARSABLE
    assert read.faults[0].startswith(f"{place}: found")


def test_a_context_of_more_than_a_hundred_words_is_a_flag() -> None:
    hundred = " ".join(["word"] * 100)
    assert read_metadata(reply({**META, "context": hundred})).flags == ()
    assert read_metadata(reply({**META, "context": f"{hundred} more"})).flags == (
        "the context has more than 100 words",
    )


# --- local context -----------------------------------------------------------------------------------------------


def test_an_empty_selection_keeps_and_one_paragraph_edits() -> None:
    empty = {"context_selected": [], "id_method_selected": []}
    assert read_selection(reply({"selection": empty}), is_last=False).value == empty
    edit = {"context_selected": ["Farms in 1990."], "id_method_selected": ["iv"]}
    assert read_selection(reply(edit), is_last=False).value == {**edit, "id_method_selected": ["IV"]}


def test_several_paragraphs_are_asked_for_again_and_in_the_last_round_joined_and_flagged() -> None:
    two = {"context_selected": ["One.", "Two."], "id_method_selected": []}
    read = read_selection(reply(two), is_last=False)
    assert (read.status, read.is_object) == (ItemStatus.UNPARSABLE, True)
    assert read.faults == (
        "context_selected: found a list of 2; right would be a list of one paragraph, or an empty one",
    )
    read = read_selection(reply(two), is_last=True)
    assert read.value == {"context_selected": ["One.; Two."], "id_method_selected": []}
    assert read.flags == ("2 paragraphs of context were joined",)


# --- critics -----------------------------------------------------------------------------------------------------


def test_six_scores_with_reasons_are_read_and_two_point_zero_is_two() -> None:
    said = {"triplet": {**ASKED, "treatment": "Minimum  wage"}, "scores": {**SIX, "sign": 2.0}, "reasons": WHY}
    read = read_scores(reply(said), ASKED, tuple(Criterion))
    assert read.value == {"scores": {**SIX, "sign": 2}, "reasons": WHY}
    assert type(read.value["scores"]["sign"]) is int


def without(said: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key != name}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"scores": {**SIX, "sign": 2.5}, "reasons": WHY}, "scores.sign: found 2.5"),
        ({"scores": {**SIX, "sign": "3"}, "reasons": WHY}, 'scores.sign: found "3"'),
        ({"scores": {**SIX, "sign": 4}, "reasons": WHY}, "scores.sign: found 4"),
        ({"scores": {**SIX, "sign": -1}, "reasons": WHY}, "scores.sign: found -1"),
        ({"scores": {**SIX, "sign": True}, "reasons": WHY}, "scores.sign: found true"),
        ({"scores": {**SIX, "sign": None}, "reasons": WHY}, "scores.sign: found null"),
        ({"scores": without(SIX, "causality"), "reasons": WHY}, "scores.causality: found nothing"),
        ({"scores": SIX, "reasons": without(WHY, "causality")}, "reasons.causality: found nothing"),
        ({"scores": SIX, "reasons": {**WHY, "sign": ""}}, 'reasons.sign: found ""'),
        ('{"scores": {"sign": 3, "sign": 2}, "reasons": {}}', 'scores: found the key "sign" twice'),
        ({"triplet": {**ASKED, "sign": "+"}, "scores": SIX, "reasons": WHY}, 'triplet.sign: found "+"'),
        ({"triplet": {**ASKED, "outcome": "hours"}, "scores": SIX, "reasons": WHY}, 'triplet.outcome: found "hours"'),
    ],
)
def test_a_score_outside_0_to_3_a_missing_or_double_criterion_and_another_triplet_are_faults(
    said: Any, place: str
) -> None:
    read = read_scores(reply(said), ASKED, tuple(Criterion))
    assert (read.status, read.value) == (ItemStatus.UNPARSABLE, None)
    assert any(each.startswith(place) for each in read.faults), read.faults


def test_one_criterion_alone_is_read_where_it_is_asked_alone() -> None:
    last = Criterion.CONTEXT_APPROPRIATENESS
    said = {"scores": {last.value: 1}, "reasons": {last.value: "It gives away the sign."}}
    assert read_scores(reply(said), ASKED, (last,)).value == said
    assert read_scores(reply(said), ASKED, tuple(Criterion)).status is ItemStatus.UNPARSABLE
