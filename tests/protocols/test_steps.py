"""Which steps a run goes through is what it keeps of them, whatever its protocol would have it go through today."""

from __future__ import annotations

from typing import Any

import pytest

from core.steps import Step, StepKind
from protocols.steps import names_of_steps, steps_of_settings
from tests.runs.toy_embedding import STEPS, TOY

ASK = Step(name="ask", title="Questions", kind=StepKind.ASK, takes=("near",))


def test_a_run_that_names_no_steps_has_the_one_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: dict[str, Any] = {"wanted": {}}
    assert steps_of_settings(TOY, {**wanted, **names_of_steps(STEPS)}) == STEPS
    assert [(step.name, step.title) for step in steps_of_settings(TOY, wanted)] == [("ask", "Answers")]
    monkeypatch.setattr(TOY, "steps", lambda settings: (*STEPS, ASK), raising=False)
    assert steps_of_settings(TOY, wanted) == (ASK,)
    assert steps_of_settings(TOY, {**wanted, **names_of_steps((*STEPS, ASK))})[-1] == ASK
    monkeypatch.setattr(TOY, "steps", lambda settings: STEPS[:1], raising=False)
    assert steps_of_settings(TOY, wanted) == STEPS[:1]
    assert names_of_steps(STEPS[:1]) == {}, "a run of one step keeps what it always kept"
