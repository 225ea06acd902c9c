"""Usage that cannot be true is shown wherever a run says what it used."""

from __future__ import annotations

import io
import json
import zipfile
from types import SimpleNamespace
from typing import Any

from benchmarks.running_server import running_server
from cli.study.runs import progress_words
from core.runs.filters import FailureFilters
from core.runs.states import RunState
from services.failures import failures
from services.runs import reading
from services.runs.exports.files import export_run
from services.runs.settings import BudgetSettings, RunConfig, SampleSource
from services.study import Study
from tests.services.run_parts import finished, set_up, start
from tests.services.scoring_parts import bring_in

LIE = {"prompt": 2**31 - 1, "completion": 2**31 - 1}
SAID = 'Reported usage {"prompt_tokens": 2147483647, "completion_tokens": 2147483647} cannot be true: '


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def test_progress_card_item_and_export_mark_usage_that_cannot_be_true(study: Study, people: SimpleNamespace) -> None:
    rows = [{"treatment": f"Cause {n}", "outcome": "It", "sign": "+", "context": f"Here {n}."} for n in range(3)]
    wanted = RunConfig(
        title="Lies",
        source=SampleSource((bring_in(people.researcher, rows),)),
        tasks=("task1",),
        variants=("context",),
        models=("liar",),
        budget=BudgetSettings(usd=0.05),
    )
    with running_server() as server:
        server.play({"rules": [{"matches": "Here 0", "sign": "+"}, {"sign": "+", "usage": LIE}]})
        set_up(people.owner, server, ["liar"], price_input=1.0, price_output=2.0)
        run_id = start(people.researcher, wanted)
        now = finished(study, people.researcher, run_id)
        again = start(people.researcher, wanted)  # answered by the stored replies
        assert finished(study, people.researcher, again).requests == 0
    assert (now.state, now.requests, now.implausible, now.unpriced) == (RunState.DONE, 3, 2, 0)
    assert 0 < now.tokens_in + now.tokens_out < 1_000 and 0 < (now.cost_usd or 0) < 0.001
    assert (now.spending.requests, now.spending.held) == (3, 2) and now.spending.held_usd < 0.02
    assert "Reported usage of 2 replies cannot be true and is not counted." in progress_words(now)
    card = reading.card(people.reviewer, run_id)
    assert card.implausible == len(card.implausible_usage) == 2
    assert all(each.message.startswith(SAID) for each in card.implausible_usage)
    for each_run in (run_id, again):
        listed = failures.failures(people.reviewer, FailureFilters(runs=(each_run,))).lines
        sheets = [failures.item(people.reviewer, line.item_id) for line in listed]
        assert sorted(sheet.usage_fault[: len(SAID)] for sheet in sheets) == ["", SAID, SAID]
        assert sorted(sheet.cost_usd is None for sheet in sheets) == [False, True, True]
    into = io.BytesIO()
    export_run(people.researcher, run_id, into)
    with zipfile.ZipFile(into) as archive:
        ledger, items = lines(archive.read("attempts.jsonl")), lines(archive.read("items.jsonl"))
    marked = [each for each in ledger if each["kind"] == "implausible_usage"]
    assert len(marked) == 2 and all(each["message"].startswith(SAID) and each["most_tokens"] for each in marked)
    assert [each["usage_fault"] for each in items].count(None) == 1
    flagged = next(each for each in items if each["usage_fault"])
    assert flagged["tokens_out"] is None and json.loads(flagged["raw"])["usage"]["completion_tokens"] == 2**31 - 1
