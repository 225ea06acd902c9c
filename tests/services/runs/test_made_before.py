"""A study with eleven runs, made by the code of before, opens here and tells the same to the digit.

`tests/old_studies/README.md` says what it is and how it was made.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from services.acting import terminal_viewer
from services.backups.archive import DATABASE
from services.runs import acts, reading
from services.study import use_study
from store import history
from store.tables import new_id
from tests.everything import EVERYTHING, usual
from tests.old_studies.checking import HERE, NAME, opened, told_before
from tests.old_studies.copying import copy_to
from tests.old_studies.told import PARTS, Told, differences, lost_of_export
from tests.postgresql import new_database

MOST_BYTES = 1_000_000
STATUSES = ("pending", "answered", "unparsable", "truncated", "refused", "excluded", "failed")
PRESETS = ("main", "sign", "classes", "jel", "year", "domain", "mismatch", "calibration", "unknown", "confusion")
ME = terminal_viewer()


@pytest.fixture(scope="module", params=usual(["sqlite", "postgresql"], "postgresql"))
def opened_once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """The study of before, for all tests of this file: the file in the backup, or its rows copied to PostgreSQL."""
    place = tmp_path_factory.mktemp("before")
    with zipfile.ZipFile(HERE / f"{NAME}.zip") as archive:
        file = archive.extract(DATABASE, place)
    if request.param == "sqlite":
        yield from _opened(file, place)
        return
    with new_database(request.getfixturevalue("cluster"), "template0") as url:
        copy_to(Path(file), url)
        yield from _opened(url, place)


def _opened(url: str, place: Path) -> Iterator[SimpleNamespace]:
    told, exports = told_before()
    with opened(url, place / "home") as study:
        yield SimpleNamespace(study=study, now=Told(ME), before=told, exports=exports)


@pytest.fixture
def made(opened_once: SimpleNamespace) -> Iterator[SimpleNamespace]:
    use_study(opened_once.study)
    yield opened_once
    use_study(None)


BY_OTHERS = ("tables", "reliability", "filters", "choices", "compared", "sheets", "dry runs")
"""Of rows that lists of runs, the exports and the count of items read on PostgreSQL."""
SOME = ("tables", "reliability", "filters", "compared", "sheets")
"""A ninth of each is told, unless everything is asked for."""

MEANS = r"\b[Mm]ean of "
"""Rows of means over models: release 0.1.0 names the models and runs in them, and takes each model once."""


def test_everything_is_told_as_it_was(made: SimpleNamespace) -> None:
    found: list[str] = []
    for part in PARTS:
        before = made.before[part]
        if EVERYTHING:
            found += differences(before, made.now.tell(part, before), part)
        elif part not in SOME:
            if made.study.store.path is not None or part not in BY_OTHERS:
                found += differences(before, made.now.tell(part, before), part)
        elif made.study.store.path is not None:
            some = before[::9] if isinstance(before, list) else {key: before[key] for key in sorted(before)[::9]}
            assert len(some) > 1, part
            found += differences(some, made.now.tell(part, some, only=some), part)
    assert [line for line in found if not re.search(MEANS, line)] == []


def test_nothing_that_was_told_is_left_unasked(made: SimpleNamespace) -> None:
    assert made.before.keys() == set(PARTS)
    assert made.exports.keys() == set(made.now.numbers)


def test_exports_have_every_row_and_field_as_they_were(made: SimpleNamespace) -> None:
    for number, members in made.exports.items():
        assert list(lost_of_export(members, made.now.exports[number])) == [], f"run {number}"


def test_planned_again_a_run_sends_only_what_no_reply_was_kept_of(made: SimpleNamespace) -> None:
    for number in made.now.numbers:
        asked = [row for row in made.now.exports[number]["items.jsonl"] if row["kind"] != "baseline"]
        unkept = {row["request_hash"] for row in asked if row["raw"] is None}
        planned = made.before["dry runs"][number]
        assert (planned["requests"], planned["faults"]) == (len(unkept), []), f"run {number}"
        assert planned["cached"] == len(asked) - len(unkept), f"run {number}"
        title = made.before["runs"][number]["title"]
        assert bool(unkept) == (title in ("Failures", "Stopped", "Cancelled")), title


def test_scored_again_no_item_changes(made: SimpleNamespace) -> None:
    for line in made.now.lines:
        receipt = acts.rescore(ME, line.id, seen=line.version, act_id=new_id())
        with made.study.store.reading() as session:
            (event,) = [each for each in history.events_about(session, line.id) if each.seq == receipt.seq]
        rows = made.now.exports[str(line.number)]["items.jsonl"]
        replied = sum(row["raw"] is not None and row["status"] != "pending" for row in rows)
        assert (event.payload["looked_at"], event.payload["changed"]) == (replied, 0), f"run {line.number}"


def test_the_study_is_small_and_has_one_of_everything(made: SimpleNamespace) -> None:
    assert sum(file.stat().st_size for file in HERE.glob(f"{NAME}*")) <= MOST_BYTES
    runs = made.before["runs"].values()
    statuses = sum((Counter(run["by_status"]) for run in runs), Counter[str]())
    assert statuses.keys() == set(STATUSES)
    assert {run["state"][0] for run in runs} == {"done", "stopped", "cancelled"}
    first = made.before["runs"]["1"]
    assert [len(names) for names in first["models"]] == [3, 4] and first["tasks"] == ["task1", "task2", "task3"]
    variants = {tuple(each[:2]) for plan in made.before["dry runs"].values() for each in plan["tasks"]}
    assert len(variants) == 9, "every variant of every task"
    assert any(run["repeats"] > 1 for run in runs) and any(run["is_archived"] for run in runs)
    assert any(made.before["reliability"][row]["bins"] for row in made.before["reliability"])
    presets = {key.split(" ")[1] for key in made.before["tables"]}
    assert presets == set(PRESETS)
    assert sum(len(table["cells"]) for tables in made.before["tables"].values() for table in tables) > 2_000
    assert reading.runs(ME)[0].number == 10, "the archived one is not in the list"


def test_a_further_field_of_an_export_is_no_loss_but_another_value_or_a_missing_row_is() -> None:
    before: dict[str, list[dict[str, Any]]] = {
        "items.jsonl": [{"status": "answered", "cost_usd": 0.25, "parsed": {"sign": "+"}}],
        "manifest.json": [{"settings": {"seed": 1}, "files": {"items.jsonl": "a hash"}}],
    }
    now: dict[str, list[dict[str, Any]]] = {
        "items.jsonl": [{**before["items.jsonl"][0], "score": 1.0}],
        "manifest.json": [{"settings": {"seed": 1, "options": {}}, "files": {}}],
        "rounds.jsonl": [],
    }
    assert list(lost_of_export(before, now)) == []
    changes: list[dict[str, list[dict[str, Any]]]] = [
        {"items.jsonl": [{**before["items.jsonl"][0], "cost_usd": 0.25000001}]},
        {"items.jsonl": [{**before["items.jsonl"][0], "parsed": {"sign": "+", "why": ""}}]},
        {"items.jsonl": [{"status": "answered", "parsed": {"sign": "+"}}]},
        {"items.jsonl": []},
        {"manifest.json": [{"settings": {}}]},
    ]
    for changed in changes:
        assert len(list(lost_of_export(before, {**now, **changed}))) == 1, changed
