"""What asks a paper and a candidate, and the rounds that an answer takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.messages import File, Messages, Text, TextByHash, text_hash, with_stored_texts
from core.runs.states import ItemStatus
from core.steps import Step
from core.triplets.criteria import Criterion
from prompts.loader import Prompt, load
from protocols.econcausal_pipeline.benchmark import PROTOCOL
from protocols.econcausal_pipeline.tasks import PROMPTS, steps_of
from protocols.exchanges import Answered, Ask, Reading
from protocols.samples import Sample
from protocols.step_values import Inputs, Value

PAPER = {"key": "p", "title": "Wages", "paper": "id", "file": "f" * 64, "pages": ["Wages rose.", "Jobs fell."]}
PAPER |= {"page_count": 2, "trouble": ""}
CANDIDATE = {
    "number": 2,
    "treatment": "minimum wage",
    "outcome": "employment",
    "sign": "-",
    "evidence": [{"text": "Jobs fell.", "match": "word for word", "pages": [2]}],
}
META = {"paper_type": "empirical", "context": "Kenya.", "identification_methods": ["RCT", "IV"]}
KEEPS = {"context_selected": [], "id_method_selected": []}
SETTINGS: dict[str, Any] = {"roles": {"extractor": ["a"], "critics": ["a", "b", "c"]}}
SIX = {each.value: 3 for each in Criterion}
WHY = {each.value: "It says so." for each in Criterion}


def prompts(folder: Path | None = None) -> dict[str, Prompt]:
    names = {name for some in PROMPTS.values() for name in some}
    return {
        name: load(name, placeholders=PROTOCOL.placeholders, folder=folder, also=PROTOCOL.released_names.get(name, ()))
        for name in names
    }


def step(name: str, settings: dict[str, Any] = SETTINGS) -> Step:
    return next(each for each in steps_of(settings) if each.name == name)


def sample(name: str, settings: dict[str, Any] = SETTINGS, **other: Any) -> Sample:
    values = {"pipeline_papers": PAPER, "decide": CANDIDATE, "metadata": META, "local": KEEPS, **other}
    inputs = Inputs("p", {key: (Value(key="p", value=value, hash=key),) for key, value in values.items()})
    (found,) = PROTOCOL.samples(step(name, settings), inputs, settings).samples
    return found


def kept(messages: Messages) -> Messages:
    """As a run keeps what was sent: every text by its hash."""
    known: dict[str, TextByHash] = {}
    return tuple(with_stored_texts(each, known) for each in messages)


def asked(each: Sample, *replies: Any, folder: Path | None = None) -> Ask | Reading:
    """What becomes of a sample with these replies, each to what was asked before it."""
    known, so_far = prompts(folder), list[Answered]()
    said = PROTOCOL.next(each, known, ())
    for reply in replies:
        assert isinstance(said, Ask)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        so_far.append(Answered(ask=Ask(kept(said.messages), said.purpose, said.role, said.faults), text=text))
        said = PROTOCOL.next(each, known, so_far)
    return said


def words(said: Ask | Reading) -> str:
    assert isinstance(said, Ask)
    return "".join(part.text for each in said.messages for part in each.parts if isinstance(part, Text))


def test_the_paper_is_a_part_of_its_own_before_what_is_asked_about_it() -> None:
    for name in ("extract", "metadata", "local", "critics"):
        said = asked(sample(name))
        assert isinstance(said, Ask)
        user = said.messages[-1]
        assert Text("Wages rose.\n\nJobs fell.") in user.parts
        assert user.parts.index(Text("Wages rose.\n\nJobs fell.")) == 1


def test_a_candidate_is_asked_about_with_all_that_holds_for_it() -> None:
    said = words(asked(sample("local")))
    for each in ("minimum wage", "employment", "sign: -", "[1] Jobs fell.", "context: Kenya.", "RCT; IV"):
        assert each in said
    edited = {"context_selected": ["Kenya in 1990."], "id_method_selected": ["IV"]}
    said = words(asked(sample("critics", local=edited)))
    assert "context: Kenya in 1990." in said


def test_the_pdf_takes_the_place_of_the_text() -> None:
    said = asked(sample("extract", {**SETTINGS, "paper_as": "pdf"}))
    assert isinstance(said, Ask)
    assert [part for each in said.messages for part in each.parts if isinstance(part, File)] == [
        File("f" * 64, "application/pdf", pages=2)
    ]
    assert "Wages rose" not in words(said)


def test_only_the_first_pages_are_sent_where_a_run_says_so() -> None:
    said = words(asked(sample("extract", {**SETTINGS, "most_pages": 1})))
    assert "Wages rose." in said
    assert "Jobs fell." not in said


def test_a_theoretical_paper_has_no_candidate_to_ask_about() -> None:
    values = {"pipeline_papers": PAPER, "decide": CANDIDATE, "metadata": {**META, "paper_type": "theoretical"}}
    inputs = Inputs("p", {key: (Value(key="p", value=value, hash=key),) for key, value in values.items()})
    found = PROTOCOL.samples(step("local"), inputs, SETTINGS)
    [excluded] = found.excluded
    assert found.samples == ()
    assert "theoretical" in excluded.reason


def test_a_faulty_answer_is_asked_for_twice_more_with_its_faults_and_is_incomplete_then() -> None:
    bad = {"scores": {**SIX, "sign": 7}, "reasons": WHY}
    each = sample("critics")
    said = asked(each, bad)
    assert isinstance(said, Ask)
    assert said.faults == ("scores.sign: found 7; right would be a number from 0 to 3",)
    assert "- scores.sign: found 7; right would be a number from 0 to 3." in words(said)
    assert [message.role for message in said.messages] == ["system", "user", "assistant", "user"]
    right = asked(each, bad, bad, {"scores": SIX, "reasons": WHY})
    assert isinstance(right, Reading)
    assert (right.status, right.value["scores"], right.flags) == (ItemStatus.ANSWERED, SIX, ("answered in round 3",))
    wrong = asked(each, bad, bad, bad)
    assert isinstance(wrong, Reading)
    assert (wrong.status, wrong.value) == (ItemStatus.INCOMPLETE, None)


def test_prose_without_an_object_is_unparsable_in_the_end() -> None:
    said = asked(sample("extract"), "No.", "No.", "No.")
    assert isinstance(said, Reading)
    assert said.status is ItemStatus.UNPARSABLE


def test_five_criteria_and_one_are_two_requests_of_one_answer() -> None:
    settings = {**SETTINGS, "criteria": "five-and-one"}
    each, last = sample("critics", settings), Criterion.CONTEXT_APPROPRIATENESS.value
    five = {name: value for name, value in SIX.items() if name != last}
    why = {name: value for name, value in WHY.items() if name != last}
    first = {"scores": five, "reasons": why}
    assert "context: Kenya." not in words(asked(each))
    second = asked(each, first)
    assert isinstance(second, Ask)
    assert "context: Kenya." in words(second)
    assert second.messages[-1].parts[1] == TextByHash(text_hash("Wages rose.\n\nJobs fell."))
    one = {"scores": {last: 1}, "reasons": {last: "It is another place."}}
    done = asked(each, first, {"scores": {}}, one)
    assert isinstance(done, Reading)
    assert done.status is ItemStatus.ANSWERED
    assert done.value == {"scores": {**five, last: 1}, "reasons": {**why, last: "It is another place."}}
    half = asked(each, first, "No.", "No.", "No.")
    assert isinstance(half, Reading)
    assert half.status is ItemStatus.INCOMPLETE


def test_a_prompt_of_others_without_a_place_for_the_paper_gets_it_before_its_own_text(tmp_path: Path) -> None:
    (tmp_path / "step1_extract_causal_relations.txt").write_text("List the claims.")
    (tmp_path / "step4_context_evaluation.txt").write_text(
        '{treatment} {outcome} {sign} {evidence_paragraphs} {context_selected} as {{"scores": {{"sign": 0}}}}'
    )
    said = asked(sample("extract"), folder=tmp_path)
    assert isinstance(said, Ask)
    assert said.messages[0].parts == (Text("Wages rose.\n\nJobs fell."), Text("\n\n"), Text("List the claims."))
    assert 'minimum wage employment - [1] Jobs fell. Kenya. as {"scores": {"sign": 0}}' in words(
        asked(sample("critics"), folder=tmp_path)
    )


def test_a_prompt_that_lacks_the_triplet_or_leaves_open_what_nobody_fills_is_refused(tmp_path: Path) -> None:
    (tmp_path / "step4_context_evaluation.txt").write_text("Score {treatment} and {outcome}.")
    with pytest.raises(BadInput, match=r"no {context_selected}, .*/critics"):
        PROTOCOL.check_prompt("critics", "standard", prompts(tmp_path)["econcausal_pipeline/critics"])
    (tmp_path / "extract.txt").write_text("{paper} and {treatment}")
    with pytest.raises(BadInput, match=r"has {treatment}, .*/extract"):
        PROTOCOL.check_prompt("extract", "standard", prompts(tmp_path)["econcausal_pipeline/extract"])


@pytest.mark.parametrize(
    ("settings", "words_of_it"),
    [
        ({"roles": {"critics": ["a", "b"]}}, "The rule is of three critics; with two, no triplet is decided."),
        ({"consensus_threshold": 4}, "A triplet cannot be required in 4 of 3 runs."),
        ({"tasks": ["extract"]}, "its tasks go together"),
        ({"repeats": 3}, "Repeats: found 3; expected 1."),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], words_of_it: str) -> None:
    with pytest.raises(BadInput, match=words_of_it):
        PROTOCOL.steps(settings)


def test_a_rule_of_two_is_one_that_two_critics_fill_and_the_plain_critic_is_its_own() -> None:
    PROTOCOL.steps({"roles": {"critics": ["a", "b"]}, "rule_critics": 2})
    PROTOCOL.steps({"roles": {"critics": ["plain-critic"]}})
