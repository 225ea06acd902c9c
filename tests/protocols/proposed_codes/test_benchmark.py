"""Proposed codes: what is sent of a failure, and which proposals are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.errors import BadInput
from core.runs.codebook import Code
from core.runs.states import ItemStatus
from prompts.loader import load, read_prompt
from protocols.exchanges import Answered, Ask, Reading
from protocols.proposed_codes.answers import NO_CODE, NO_QUOTATION, NOT_IN_REPLY, TWICE
from protocols.proposed_codes.benchmark import PROTOCOL
from protocols.proposed_codes.samples import Failure, sample_of
from protocols.proposed_codes.tasks import ASK, FAILURES, PLACEHOLDERS, PROPOSE, SLOTS, TASK, VARIANT
from protocols.protocol import first_messages
from protocols.step_values import Inputs, Value

FAILURE = Failure(
    item="i1",
    answered_at="2026-12-01T10:00:00+00:00",
    list_id="l1",
    run=3,
    title="Rain and harvest",
    codebook=2,
    codes=(Code("s", "Wrong sign", "It is the other."), Code("m", "Misread", "The text says otherwise.")),
    question="Does rain raise the harvest?",
    truth="−",
    answer="+",
    reply="It rises\n  with rain, since <reply> crops grow.",
    reasoning="The text says: floods destroy crops.",
)
SAMPLE = sample_of(FAILURE)
PROMPTS = {PROPOSE: load(PROPOSE, placeholders=PLACEHOLDERS)}
SETTINGS: dict[str, Any] = {"tasks": [TASK], "variants": [VARIANT], "seed": 1, "most_samples": None}


def after(reply: Any, **how: Any) -> Reading:
    text = reply if isinstance(reply, str) else json.dumps({"codes": reply})
    answered = Answered(ask=Ask(first_messages(PROTOCOL, SAMPLE, PROMPTS)), text=text, **how)
    reading = PROTOCOL.next(replace(SAMPLE, slots={}), {}, [answered])
    assert isinstance(reading, Reading)
    return reading


def proposal(code: str, quotation: str) -> dict[str, str]:
    return {"code": code, "quotation": quotation}


def test_a_failure_is_sent_with_its_codebook_question_truth_answer_reply_and_reasoning() -> None:
    sent = "\n".join(part.text for each in first_messages(PROTOCOL, SAMPLE, PROMPTS) for part in each.parts)  # type: ignore[union-attr]
    for text in ("- Wrong sign: It is the other.", FAILURE.question, "−", "+", "since", FAILURE.reasoning):
        assert text in sent
    assert sent.count("<reply>") == 1  # a reply cannot open or close its own tags
    with pytest.raises(BadInput):
        PROTOCOL.check_prompt(TASK, VARIANT, read_prompt(PROPOSE, "{reply}", "", "x.txt", PLACEHOLDERS))
    PROTOCOL.check_prompt(TASK, VARIANT, PROMPTS[PROPOSE])
    assert set(SAMPLE.slots) == set(SLOTS)


def test_a_quotation_is_in_the_reply_or_its_reasoning_with_any_white_space() -> None:
    reading = after([proposal("misread", "floods   destroy\ncrops"), proposal("Wrong sign", "It rises with rain")])
    assert reading.status is ItemStatus.ANSWERED and reading.flags == ()
    assert reading.value == {
        "proposals": [proposal("Wrong sign", "It rises with rain"), proposal("Misread", "floods destroy crops")],
        "refused": [],
    }


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (proposal("Wrong sign", "it rises with rain"), NOT_IN_REPLY),
        (proposal("Wrong sign", "Does rain raise the harvest?"), NOT_IN_REPLY),
        (proposal("Wrong sign", " \n"), NO_QUOTATION),
        (proposal("Sign", "It rises"), "the codebook has no code “Sign”"),
        (proposal("Misread", "It rises"), TWICE),
    ],
)
def test_what_is_refused_has_its_reason_and_is_no_proposal(entry: dict[str, str], reason: str) -> None:
    reading = after([proposal("Misread", "floods destroy crops"), entry])
    assert [each["code"] for each in reading.value["proposals"]] == ["Misread"]
    assert [each["reason"] for each in reading.value["refused"]] == [reason]
    assert reading.flags == ("1 proposal refused",)


def test_an_answer_may_propose_nothing_and_a_faulty_one_proposes_nothing() -> None:
    assert (after([]).status, after([]).flags) == (ItemStatus.ANSWERED, (NO_CODE,))
    for text in ("I think so.", '{"codes": "Misread"}', '{"codes": [{"code": "Misread"}]}'):
        assert after(text).status is ItemStatus.UNPARSABLE
    assert after('{"codes": [', finish_reason="length").status is ItemStatus.TRUNCATED
    assert PROTOCOL.score(SAMPLE, after([])) is None


def test_failures_that_are_not_sent_are_excluded_with_their_reason() -> None:
    other = replace(FAILURE, item="i2", title="Snow", trouble="it is coded without proposals", reply="")
    values = tuple(Value(key=each.item, value=each, hash=each.item) for each in (FAILURE, other))
    samples = PROTOCOL.samples(ASK, Inputs("", {FAILURES: values}), SETTINGS)
    assert [each.key for each in samples.samples] == ["i1"]
    assert [(each.key, each.reason) for each in samples.excluded] == [("Snow", "it is coded without proposals")]
    with pytest.raises(BadInput, match="whole list"):
        PROTOCOL.samples(ASK, Inputs("", {FAILURES: values}), {**SETTINGS, "most_samples": 1})
    with pytest.raises(BadInput):
        PROTOCOL.prompt_names("other", VARIANT)
