"""Rows are known by their content: a folder with every file in both forms and once all together asks each row once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import edgewise
from core.analysis.groupings import task_name
from services.results import results
from services.runs import planning, reading
from services.runs.settings import RunConfig, SampleSource
from services.study import Study, use_study
from services.triplets import importing, lists, repeats
from tests.everything import EVERYTHING
from tests.pages.run_screens import draw_runs, drawn, opened, press, texts
from tests.runs.begun import work
from tests.services.run_parts import FILES, act, place_of, rows_of, start
from tests.sixty_rows import Row, as_jsonl, nine_files, sixty_files, write_files

BASELINES = ("always-plus",)
TASKS = ("task1", "task2", "task3")
SIXTY = {"task1": 36, "task2": 12, "task3": 12}


def bring(people: SimpleNamespace, files: dict[str, bytes]) -> tuple[str, ...]:
    viewer = people.researcher
    return tuple(
        importing.import_triplets(viewer, name, content, with_faulty=False, **act()).subject_id
        for name, content in files.items()
    )


def wanted(collections: tuple[str, ...], *variants: str) -> RunConfig:
    return RunConfig(
        title="All of them",
        source=SampleSource(collections),
        tasks=TASKS,
        variants=variants or ("context",),
        baselines=BASELINES,
    )


def test_nine_files_of_sixty_rows_are_sixty_samples_and_the_card_counts_the_repeats(
    study: Study, people: SimpleNamespace
) -> None:
    brought = bring(people, nine_files(sixty_files()))
    plan = planning.plan(people.researcher, wanted(brought))
    assert {each.task: each.samples for each in plan.tasks} == SIXTY
    assert not plan.faults and not plan.deviations and not plan.excluded
    assert any("count once: 72 of task1, context, 24 of task2, context, 24 of task3" in each for each in plan.notices)
    run_id = start(people.researcher, wanted(brought))
    work(study.store)
    card = reading.card(people.researcher, run_id)
    assert (card.run.samples, card.repeated) == (60, 120)
    (table,) = (each for each in results.results(people.researcher, [run_id], "main") if each.title == "Accuracy")
    totals = {column: table.cells["always-plus", column].n_total for column in table.column_labels}
    assert totals == {"Task 1, economics": 20, "Task 1, finance": 16, "Task 2": 12, "Task 3": 12}
    alone = planning.plan(people.researcher, wanted(brought[:4]))
    assert {each.task: each.samples for each in alone.tasks} == SIXTY


def test_rows_that_differ_in_context_or_examples_alone_are_never_joined(study: Study, people: SimpleNamespace) -> None:
    files = sixty_files()
    other_context = [{**row, "context": f"{row['context']} Later."} for row in files["task1_econ"]]
    other_examples = [
        {
            **row,
            "example_details": json.dumps(
                [{**each, "context": "Nowhere."} for each in json.loads(row["example_details"])]
            ),
        }
        for row in files["task2"]
    ]
    brought = bring(
        people,
        {
            "a.jsonl": as_jsonl(files["task1_econ"]),
            "b.jsonl": as_jsonl(other_context),
            "c.jsonl": as_jsonl(files["task2"]),
            "d.jsonl": as_jsonl(other_examples),
        },
    )
    # Without its context a question of a.jsonl reads as one of b.jsonl; they are two all the same.
    for variant in ("context", "no-context", "as-released"):
        plan = planning.plan(people.researcher, wanted(brought, "context", variant))
        found = {(each.task, each.variant): each.samples for each in plan.tasks}
        assert found["task1", variant] == 40 and found["task2", "context"] == 24
    assert [repeats.repeats_of(people.researcher, each).words for each in brought] == [""] * 4


@pytest.mark.both
def test_an_import_says_which_rows_stand_elsewhere(study: Study, people: SimpleNamespace) -> None:
    files = sixty_files()
    nine = nine_files(files)
    brought = dict(zip(nine, bring(people, nine), strict=True))
    said = {name: repeats.repeats_of(people.researcher, key).words for name, key in brought.items()}
    assert said["task2.csv"] == "the same 12 rows as task2.jsonl"
    assert said["together.jsonl"].startswith("all 60 rows are also in other files: task1_econ.csv (20), ")
    half = as_jsonl([*files["task2"][:5], {**files["task2"][5], "context": "Another one."}])
    look = importing.preview(people.researcher, "half.jsonl", half)
    found = repeats.compared(look.contents, look.elsewhere)
    assert (found.repeated, found.words) == (5, "5 of 6 rows are also in task2.csv")


@pytest.mark.skipif(not EVERYTHING, reason="an import says which rows stand elsewhere: above")
def test_the_command_line_counts_each_row_of_a_folder_once(
    study: Study, people: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    folder = write_files(tmp_path / "files", nine_files(sixty_files()))
    words = ["run", "--input-dir", str(folder), "--models", "always-plus", "--store", place_of(study)]
    done = CliRunner().invoke(edgewise.app, [*words, "--dry-run"])
    assert done.exit_code == 0, done.stderr
    for task, count in SIXTY.items():
        assert f"{task_name(task)}, with context: {count} samples" in done.stdout
    assert "count once: 72 of task1, context" in done.stdout
    assert "Read task2.jsonl: the same 12 rows as task2.csv. A dry run imports nothing." in done.stderr
    assert "Read together.jsonl: all 60 rows are also in other files" in done.stderr
    assert CliRunner().invoke(edgewise.app, words).exit_code == 0
    shown = CliRunner().invoke(edgewise.app, ["runs", "show", "1", "--store", place_of(study)]).stdout
    assert "60 of 60 answered" in shown and "120 duplicates left out" in shown


@pytest.mark.skipif(not EVERYTHING, reason="as the sixty rows above, with 2,061")
def test_the_release_beside_itself_in_nine_files_is_the_release(
    study: Study, people: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    files: dict[str, list[Row]] = {name: rows_of(name) for name in FILES}
    folder = write_files(tmp_path / "files", nine_files(files))
    words = ["run", "--input-dir", str(folder), "--models", "always-plus", "--store", place_of(study)]
    done = CliRunner().invoke(edgewise.app, words)
    assert done.exit_code == 0, done.stderr
    for said in (
        "Task 1, with context: 1,265 samples",
        "Task 2, with context: 199 samples",
        "Task 3, with context: 597 samples",
    ):
        assert said in done.stderr
    assert "Imported task1_econ.jsonl: the same 663 rows as task1_econ.csv." in done.stderr
    use_study(study)
    assert reading.card(people.researcher, "1").repeated == 2 * (663 + 602 + 199 + 597)
    tables = {
        preset: results.results(people.researcher, ["1"], preset, with_interval=False)[0]
        for preset in ("main", "jel", "year", "domain", "calibration")
    }
    main = tables["main"]
    totals = {column: main.cells["always-plus", column].n_total for column in main.column_labels}
    assert totals == {"Task 1, economics": 663, "Task 1, finance": 602, "Task 2": 199, "Task 3": 597}
    of_task1 = [*files["task1_econ"], *files["task1_finance"]]
    years = Counter(str(row["publication_year"]) for row in of_task1)
    assert {label: tables["year"].cells[label, "always-plus"].n_total for label in tables["year"].row_labels} == years
    for preset in ("jel", "year", "domain", "calibration"):
        assert (tables[preset].samples, tables[preset].of) == (663 + 602, "Task 1, with context")
    assert tables["calibration"].cells["always-plus", "all"].n_total == 663 + 602
    page = opened(draw_runs, people.researcher, show="new")
    (box,) = [each for each in page.multiselect if each.label == "Collections"]
    drawn(box.set_value([each.id for each in lists.collections(people.researcher)]))
    press(page, "Start dry run")
    assert "from 2,061 samples" in texts(page)
    assert "count once: 2,530 of task1, context, 398 of task2, context, 1,194 of task3" in texts(page)
