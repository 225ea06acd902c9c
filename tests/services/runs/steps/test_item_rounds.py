"""Items of several requests, as their page and a run's export show them: every round with its card, reply and fault."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.messages import text_hash
from core.runs.filters import FailureFilters
from core.runs.states import ItemStatus
from services.failures import failures
from services.runs import cache, reading
from services.runs.exports import files
from services.study import Study
from store.runs import runs, totals
from tests.runs.begun import work
from tests.runs.test_rounds import ITEMS, KINDS, PROSE_FAULT, SIGN_FAULT, begin_toy, rules
from tests.runs.toy import toy_protocol


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        running.play({"rules": rules()})
        yield running


@pytest.fixture
def run(study: Study, server: RunningServer) -> Iterator[str]:
    """A run of one planted item of each kind, ended."""
    with toy_protocol():
        found = begin_toy(study.store, server, ITEMS[: len(KINDS)])
        work(study.store)
        yield found.run_id


def item_of(people: SimpleNamespace, run: str, kind: str) -> tuple[str, int]:
    """(id, number) of the first item of a kind."""
    number = next(place for place, (each, _) in enumerate(ITEMS) if each == kind)
    page = failures.failures(people.reviewer, FailureFilters(runs=(run,)), limit=60)
    return next(line.item_id for line in page.lines if line.key.endswith(f"/{number}")), number


def test_an_item_shows_every_round_with_its_card_reply_and_fault(people: SimpleNamespace, run: str) -> None:
    item_id, number = item_of(people, run, "right in round three")
    sheet = failures.item(people.reviewer, item_id)
    sign_fault = SIGN_FAULT.replace("{n}", str(number))
    assert [(each.number, each.purpose, each.model, each.fault, each.status.value) for each in sheet.rounds] == [
        (1, "answer", "m", PROSE_FAULT, "answered"),
        (2, "form corrected", "form", sign_fault, "answered"),
        (3, "faults listed", "m", "", "answered"),
    ]
    first, second, third = sheet.rounds
    assert first.text == f"I believe that it rises, number {number}."
    assert [role for role, _ in second.messages] == ["user"]
    assert second.messages[0][1].endswith(first.text)
    assert [role for role, _ in third.messages] == ["system", "user", "assistant", "user"]
    assert sign_fault in third.messages[-1][1]
    assert (sheet.text, sheet.flags) == (third.text, ("answered in round 3",))
    assert sheet.messages == first.messages
    assert {each.number for each in sheet.attempts} == {1}
    assert len(sheet.attempts) == 3


def test_an_item_of_one_request_has_no_rounds_and_the_last_fault_of_another_is_the_item_s(
    people: SimpleNamespace, run: str
) -> None:
    assert failures.item(people.reviewer, item_of(people, run, "right")[0]).rounds == ()
    sheet = failures.item(people.reviewer, item_of(people, run, "never right")[0])
    assert sheet.line.status is ItemStatus.INCOMPLETE
    assert sheet.rounds[-1].fault == sheet.line.fault != ""
    assert sheet.line.is_right is None
    page = failures.failures(people.reviewer, FailureFilters(runs=(run,), statuses=(ItemStatus.INCOMPLETE,)))
    assert page.total == page.by_status[ItemStatus.INCOMPLETE] == 2


@pytest.mark.both(usually=False)
def test_what_a_run_used_counts_every_round_by_the_card_that_was_asked(
    study: Study, people: SimpleNamespace, run: str
) -> None:
    asked = sum(len(planted.answers) for planted in KINDS.values())
    seen = reading.progress(people.researcher, run)
    assert (seen.requests, seen.total, seen.by_status[ItemStatus.INCOMPLETE]) == (asked, len(KINDS), 2)
    with study.store.reading() as session:
        used = totals.totals(session, [run])[run]
    assert {name: each.requests for name, each in used.items()} == {"m": asked - 2, "form": 2}
    assert sum(each.tokens_in for each in used.values()) == seen.tokens_in
    assert sum(each.uses for each in cache.stats(people.researcher)) == asked
    assert sum(each.uses for each in cache.replies(people.researcher).lines) == asked


@pytest.mark.both(usually=False)
def test_an_export_holds_every_round_and_its_texts(study: Study, people: SimpleNamespace, run: str) -> None:
    with study.store.writing() as session:
        row = runs.run_row(session, run)
        row.settings = {**row.settings, "wanted": {"source": {"collections": []}}}
    found = io.BytesIO()
    files.export_run(people.reviewer, run, found)
    with zipfile.ZipFile(found) as archive:
        further, texts, items = (
            [json.loads(line) for line in archive.read(name).splitlines()]
            for name in ("rounds.jsonl", "texts.jsonl", "items.jsonl")
        )
        manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
    said = {each["hash"]: each["text"] for each in texts}
    assert len(further) == sum(len(planted.answers) - 1 for planted in KINDS.values())
    assert all(text_hash(text) == key for key, text in said.items())
    assert all(key in said for each in further for _, key in each["messages"])
    assert all(each["raw"] and each["fault_before"] for each in further)
    assert {each["item"] for each in further} < {each["item"] for each in items}
    assert "rounds.jsonl" in manifest["files"]
