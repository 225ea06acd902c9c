"""Unparsable items are asked again on request, and nothing of it is hidden: both replies stay, every count says so."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.analysis.slices import Slice
from core.errors import Refused
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.states import AttemptState, ItemStatus, RunState
from services.backups import soundness
from services.failures import failures
from services.files import TableForm
from services.results import files as result_files
from services.results import results
from services.runs import acts, cache, planning, reading
from services.runs.exports import files
from services.runs.settings import RunConfig, SampleSource
from services.runs.views import ItemSheet, RunProgress
from services.study import Study
from store.tamper_check import faults_since
from tests.services.odd_provider import OddServer, Sent, odd_server, says
from tests.services.run_parts import act, finished, place_of, set_up, start, work_here
from tests.services.scoring_parts import bring_in, rows_of

PLUS = says('{"predicted_sign": "+", "reasoning": "x"}')
PROSE = says("I believe that it rises.")
BROKEN: Sent = (500, {"error": {"message": "down"}}, {})
FIRST = Slice(is_first=True)


@contextmanager
def asked(people: SimpleNamespace, said: dict[str, list[Sent]], rows: int = 1) -> Iterator[tuple[OddServer, RunConfig]]:
    """Models that say this one after the other, and what to ask them: as many samples, of which the first is a plus."""
    with odd_server(said) as server:
        set_up(people.owner, server, list(said), price_input=1.0, price_output=1.0)
        collection = bring_in(people.owner, rows_of(rows, context="A country."))
        yield (
            server,
            RunConfig(
                title="Odd",
                source=SampleSource((collection,)),
                tasks=("task1",),
                variants=("context",),
                models=tuple(said),
            ),
        )


def again(study: Study, viewer: Viewer, run_id: str) -> RunProgress:
    acts.retry_unparsable(viewer, run_id, seen=reading.progress(viewer, run_id).version, **act())
    return finished(study, viewer, run_id)


def sheet_of(viewer: Viewer, run_id: str, model: str = "m") -> ItemSheet:
    (line,) = failures.failures(viewer, FailureFilters(runs=(run_id,), models=(model,)), limit=5).lines
    return failures.item(viewer, line.item_id)


def accuracy(viewer: Viewer, run_id: str, wanted: Slice = results.OWN) -> Any:
    """The cell of the model m in the table of accuracy."""
    table = next(each for each in results.results(viewer, [run_id], "main", wanted) if "accuracy" in each.metric.name)
    return next(cell for (row, _column), cell in table.cells.items() if row.startswith("m"))


@pytest.mark.both(usually=False)
def test_asking_again_changes_the_score_and_both_replies_stay(study: Study, people: SimpleNamespace) -> None:
    owner = people.owner
    with asked(people, {"m": [PROSE, PLUS]}) as (server, wanted):
        run_id = start(people.researcher, wanted)
        before = finished(study, people.researcher, run_id)
        assert (before.unparsable, sheet_of(owner, run_id).line.is_right) == (1, False)
        assert accuracy(owner, run_id).estimate.value == 0.0
        assert results.slices(owner, [run_id], "main").asked_again == 0
        after = again(study, people.researcher, run_id)
    assert (after.state, after.requests, after.unparsable, server.requests["m"]) == (RunState.DONE, 2, 0, 2)
    sheet = sheet_of(owner, run_id)
    assert (sheet.line.status, sheet.line.is_right, sheet.line.predicted) == (ItemStatus.ANSWERED, True, "+")
    assert [(each.number, each.state) for each in sheet.attempts] == [(n, AttemptState.ANSWERED) for n in (1, 2)]
    assert [each.text for each in sheet.earlier] == ["I believe that it rises."]
    assert "predicted_sign" in sheet.text

    # Every count says so, and the score by first replies is one switch away.
    latest, first = accuracy(owner, run_id), accuracy(owner, run_id, FIRST)
    assert (latest.estimate.value, latest.asked_again, latest.statuses) == (1.0, 1, {"answered": 1})
    assert (first.estimate.value, first.asked_again, first.statuses) == (0.0, 1, {"unparsable": 1})
    table, of_first = (results.results(owner, [run_id], "main", each)[0] for each in (results.OWN, FIRST))
    assert table.asked_again == of_first.asked_again == {"m": 1}
    assert not table.of.endswith("by first replies") and of_first.of.endswith("; by first replies")
    assert results.slices(owner, [run_id], "main").asked_again == 1
    card = reading.card(owner, run_id)
    assert [(each.name, each.asked_again, each.requests) for each in card.models] == [("m", 1, 2)]
    assert (card.models[0].tokens_in, card.models[0].tokens_out) == (20, 10)
    assert card.acts[-2][1] == "Unparsable items asked again: 1"
    for form, words in ((TableForm.CSV, "asked_again"), (TableForm.LATEX, "1 item asked again")):
        assert words in result_files.export(owner, [run_id], "main", form).content.decode()
    made = result_files.export(owner, [run_id], "main", TableForm.CSV, FIRST)
    assert made.name.endswith("-main-first-replies.csv")
    lines = list(csv.DictReader(io.StringIO(made.content.decode("utf-8-sig"))))
    assert {(each["asked_again"], each["unparsable"]) for each in lines if each["row"] == "m"} == {("1", "1")}

    exported = members(owner, run_id)
    (item,), (replaced,) = exported["items.jsonl"], exported["replaced.jsonl"]
    assert (item["asked_again"], item["is_right"]) == (1, True)
    assert (replaced["item"], replaced["reply"], replaced["text"]) == (item["item"], 1, "I believe that it rises.")
    assert replaced["request_hash"] == item["request_hash"]
    assert {each["request_hash"] for each in exported["attempts.jsonl"]} == {item["request_hash"]}
    assert replaced["attempt"] == exported["attempts.jsonl"][0]["id"]


def members(viewer: Viewer, run_id: str) -> dict[str, list[dict[str, Any]]]:
    into = io.BytesIO()
    files.export_run(viewer, run_id, into)
    with zipfile.ZipFile(into) as archive:
        named = [name for name in archive.namelist() if name.endswith(".jsonl")]
        return {name: [json.loads(line) for line in archive.read(name).splitlines()] for name in named}


@pytest.mark.both(usually=False)
def test_another_run_keeps_the_reply_that_it_was_read_from_until_it_is_asked_again_itself(
    study: Study, people: SimpleNamespace
) -> None:
    """Nothing in a run changes because another one was asked again, and none gains by it unseen."""
    with asked(people, {"m": [PROSE, PLUS]}) as (server, wanted):
        first = start(people.researcher, wanted)
        finished(study, people.researcher, first)
        second = start(people.researcher, wanted)
        assert finished(study, people.researcher, second).by_status[ItemStatus.UNPARSABLE] == 1
        again(study, people.researcher, first)
        kept = sheet_of(people.owner, second)
        assert (kept.line.status, kept.text, kept.earlier) == (ItemStatus.UNPARSABLE, "I believe that it rises.", ())
        acts.rescore(people.researcher, second, seen=reading.progress(people.owner, second).version, **act())
        assert sheet_of(people.owner, second).line.status is ItemStatus.UNPARSABLE
        assert accuracy(people.owner, second).asked_again == 0
        # A run that begins now is answered by the later reply, and says that there was one before.
        third = start(people.researcher, wanted)
        assert (finished(study, people.researcher, third).requests, server.requests["m"]) == (0, 2)
        found = accuracy(people.owner, third), accuracy(people.owner, third, FIRST)
        assert [(each.estimate.value, each.asked_again) for each in found] == [(1.0, 1), (0.0, 1)]
        # The second run takes the later reply too, once it is asked for.
        assert (again(study, people.researcher, second).requests, server.requests["m"]) == (0, 2)
    sheet = sheet_of(people.owner, second)
    assert (sheet.line.is_right, len(sheet.earlier), accuracy(people.owner, second).asked_again) == (True, 1, 1)
    assert cache.stats(people.owner)[0].replies == 2


def test_a_backup_from_before_finds_nothing_that_no_act_has_changed(
    sqlite_study: Study, people: SimpleNamespace, tmp_path: Path
) -> None:
    def copied(name: str) -> Path:
        with closing(sqlite3.connect(place_of(sqlite_study))) as connection:
            connection.execute("VACUUM INTO ?", [str(tmp_path / name)])
        return tmp_path / name

    with asked(people, {"m": [PROSE, PLUS]}) as (_server, wanted):
        run_id = start(people.researcher, wanted)
        finished(sqlite_study, people.researcher, run_id)
        finished(sqlite_study, people.researcher, start(people.researcher, wanted))
        before = copied("before")
        again(sqlite_study, people.researcher, run_id)
    assert faults_since(copied("after"), before) == []
    with sqlite_study.store.reading() as session:
        assert soundness._reply_faults(session) == []


def test_an_item_that_is_asked_three_times_keeps_its_first_reply(study: Study, people: SimpleNamespace) -> None:
    with asked(people, {"m": [PROSE, says("It falls."), PLUS]}) as (_server, wanted):
        run_id = start(people.researcher, wanted)
        finished(study, people.researcher, run_id)
        again(study, people.researcher, run_id)
        assert accuracy(people.owner, run_id).estimate.value == 0.0
        again(study, people.researcher, run_id)
    sheet = sheet_of(people.owner, run_id)
    assert [each.text for each in sheet.earlier] == ["I believe that it rises.", "It falls."]
    assert members(people.owner, run_id)["items.jsonl"][0]["asked_again"] == 2
    assert accuracy(people.owner, run_id, FIRST).estimate.value == 0.0


def test_an_item_that_gets_no_reply_this_time_has_failed_and_its_first_reply_still_counts(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    with asked(people, {"m": [PROSE, BROKEN]}) as (_server, wanted):
        run_id = start(people.researcher, wanted)
        finished(sqlite_study, people.researcher, run_id)
        assert again(sqlite_study, people.researcher, run_id).by_status[ItemStatus.FAILED] == 1
    assert accuracy(people.owner, run_id).statuses == {"failed": 1}
    assert accuracy(people.owner, run_id).asked_again == 1
    assert accuracy(people.owner, run_id, FIRST).statuses == {"unparsable": 1}


def test_only_what_could_not_be_read_is_asked_again(sqlite_study: Study, people: SimpleNamespace) -> None:
    with asked(people, {"m": [PLUS], "cut": [says("{", "length")], "broken": [BROKEN]}) as (server, wanted):
        run_id = start(people.researcher, wanted)
        done = finished(sqlite_study, people.researcher, run_id)
        sent = server.requests.total()
        with pytest.raises(Refused, match="unparsable"):
            acts.retry_unparsable(people.researcher, run_id, seen=done.version, **act())
        with pytest.raises(Refused):
            acts.retry_unparsable(people.reviewer, run_id, seen=done.version, **act())
        work_here(sqlite_study)
        assert server.requests.total() == sent
    assert reading.progress(people.owner, run_id).by_status == done.by_status


def test_the_dry_run_of_a_later_run_counts_a_replaced_reply_as_not_cached_until_the_next_one_is_there(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    with asked(people, {"m": [PROSE, PLUS]}) as (_server, wanted):
        run_id = start(people.researcher, wanted)
        finished(sqlite_study, people.researcher, run_id)
        seen = reading.progress(people.researcher, run_id).version
        acts.retry_unparsable(people.researcher, run_id, seen=seen, **act())
        assert planning.plan(people.researcher, wanted).cached == 0
        work_here(sqlite_study)
        assert planning.plan(people.researcher, wanted).cached == 1
