"""Of a run of several steps those unparsable items are asked again on which no later step is based."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer
from core.errors import Refused
from core.runs.states import ItemStatus, RunState
from core.steps import Span, Step, StepKind
from protocols import PROTOCOLS
from services.runs import acts, reading
from services.study import current_study
from tests.runs.begun import model, work
from tests.runs.toy_protocol import TOY, Toy, begin
from tests.runs.toy_protocol import texts as toy_texts
from tests.services.run_parts import set_up
from tests.services.runs.toy_study import _toy, seen, server

__all__ = ["_toy", "server"]


class EndsWithAnswers(Toy):
    """Nothing follows from what the judge says."""

    def steps(self, settings: Mapping[str, Any]) -> tuple[Step, ...]:
        return (
            Step(name="ask", title="Answers", kind=StepKind.ASK, takes=("texts",)),
            Step(name="label", title="One label", kind=StepKind.MAKE, takes=("ask",), span=Span.GROUP),
            Step(name="order", title="Order", kind=StepKind.MAKE, takes=("label",), span=Span.ALL),
            Step(
                name="again", title="Again", kind=StepKind.ASK, takes=("order", "texts"), span=Span.GROUP, role="judge"
            ),
        )


@pytest.mark.usefixtures("sqlite_study", "_toy")
def test_only_what_no_later_step_is_based_on_is_asked_again(
    people: SimpleNamespace, server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each text is asked three times; one answer of the first is prose, and all that is said of its label."""
    monkeypatch.setitem(PROTOCOLS, TOY.name, EndsWithAnswers())
    set_up(people.owner, server, ["scripted:plus"])
    prose = {"answer": "It rises."}
    server.play({"rules": [{"matches": "number 0", "times": 1, **prose}, {"matches": "number 0. [+-]", **prose}]})
    run_id = begin(current_study().store, model(server.url, "scripted:plus"), toy_texts(2))
    work(current_study().store)
    assert reading.progress(people.owner, run_id).by_status[ItemStatus.UNPARSABLE] == 4

    server.play({})
    acts.retry_unparsable(people.owner, run_id, **seen(people.owner, run_id))
    assert reading.card(people.owner, run_id).acts[-1][1] == (
        "Unparsable items asked again: 3, 1 unchanged: later steps are based on them"
    )
    work(current_study().store)
    done = reading.progress(people.owner, run_id)
    assert (done.state, done.by_status[ItemStatus.UNPARSABLE]) == (RunState.DONE, 1)
    with pytest.raises(Refused, match="Later steps of run 1 are based on its 1 unparsable item"):
        acts.retry_unparsable(people.owner, run_id, **seen(people.owner, run_id))
