"""Files of results as others read them: numbers are numbers, texts run no formula, and each names its slice."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from typer.testing import CliRunner

import edgewise
from core.analysis.slices import Slice
from core.errors import BadInput
from core.runs.states import ItemStatus
from protocols import PROTOCOLS
from services.files import TableForm
from services.results import files as result_files
from services.results import results
from services.results.results import OWN
from services.runs.settings import RunConfig, SampleSource
from services.study import Study
from tests.runs.begun import work
from tests.services.run_parts import place_of, start
from tests.services.scoring_parts import bring_in
from tests.shared_fixture import laid_once
from tests.sixty_rows import Row, sixty_files

PRESETS = tuple(PROTOCOLS["econcausal"].tables.presets)
BASELINES = ("always-plus", "majority", "copy-examples", "first-not-shown")
VARIANTS = ("context", "unknown")
ALL = Slice(("task1", "task2", "task3"), VARIANTS)
NUMERIC = ("value", "low", "high", "n_scored", "n_total", *(status.value for status in ItemStatus))


@pytest.fixture
def asked(study: Study, people: SimpleNamespace, request: pytest.FixtureRequest) -> str:
    """A run of every baseline over sixty rows of tasks 1, 2 and 3, task 1 also with `unknown`, worked off."""

    def make() -> str:
        brought = tuple(bring_in(people.researcher, rows) for rows in sixty_files().values())
        wanted = RunConfig(
            title="Sixty",
            source=SampleSource(brought),
            tasks=("task1", "task2", "task3"),
            variants=VARIANTS,
            baselines=BASELINES,
        )
        run_id = start(people.researcher, wanted)
        work(study.store)
        return run_id

    return laid_once(request, study, make, people)


def test_a_csv_of_every_preset_is_read_by_pandas_with_numbers_in_its_numeric_columns(
    asked: str, people: SimpleNamespace
) -> None:
    below_zero = 0
    for preset in PRESETS:
        content = result_files.export(people.researcher, [asked], preset, TableForm.CSV).content
        found = pd.read_csv(io.BytesIO(content), encoding="utf-8-sig")
        kinds = {name: found[name].dtype for name in NUMERIC}
        assert all(pd.api.types.is_numeric_dtype(kind) for kind in kinds.values()), (preset, kinds)
        below_zero += int((found["value"] < 0).sum())
    assert below_zero > 0, "a drop below zero is what was written as a text"


def rows_of(*tasks: str) -> list[Row]:
    """The rows of these tasks, from the files alone."""
    return [row for name, rows in sixty_files().items() for row in rows if name.startswith(tasks)]


def letters(row: Row) -> set[str]:
    """ "C, 820" is C and numeric."""
    return {"numeric" if code.strip().isdecimal() else code.strip()[0] for code in row["jel_codes"].split(",")}


COUNTED = {
    "main": ("task1", "task2", "task3"),
    "paired": ("task1", "task2", "task3"),
    "sign": ("task1", "task2", "task3"),
    "classes": ("task1", "task2", "task3"),
    "jel": ("task1",),
    "year": ("task1",),
    "domain": ("task1",),
    "mismatch": ("task2", "task3"),
    "calibration": ("task1",),
    "unknown": ("task1",),
    "confusion": ("task1", "task2", "task3"),
    "samples": ("task1",),
}
"""Preset → the tasks that the paper's table is of."""


@pytest.mark.both(usually=False)
def test_every_table_counts_the_rows_of_the_papers_slice_and_says_which(asked: str, people: SimpleNamespace) -> None:
    assert list(COUNTED) == list(PRESETS)
    for preset, tasks in COUNTED.items():
        for table in results.results(people.researcher, [asked], preset, with_interval=False):
            if preset == "paired" and "pooled" in table.of:  # the first, of all variants together
                assert table.samples == 60 + 36, table.of
                continue
            if preset == "paired":  # of all variants, each with tables of its own
                assert table.samples == len(rows_of(table.of.partition(",")[0].lower().replace(" ", ""))), table.of
                continue
            if preset == "confusion":  # a table of each model and task
                tasks = (f"task{table.title[-1]}",)
                assert sum(cell.n_total for cell in table.cells.values()) == table.samples
            assert table.samples == len(rows_of(*tasks)), table.title
            variant = "unknown allowed" if preset == "unknown" else "with context"
            numbers = " and ".join(", ".join(task[4:] for task in tasks).rsplit(", ", 1))
            assert table.of == f"{'Tasks' if len(tasks) > 1 else 'Task'} {numbers}, {variant}"

    def by(preset: str, model: str, wanted: Slice = OWN) -> dict[str, int]:
        (table,) = results.results(people.researcher, [asked], preset, wanted, with_interval=False)
        return {label: table.cells[label, model].n_total for label in table.row_labels}

    # A letter of the paper's own slice counts the rows of Task 1, and pooled ones only where they are named.
    for tasks, wanted in ((("task1",), OWN), (("task1", "task2"), Slice(("task1", "task2"), ("context",)))):
        assert by("jel", "always-plus", wanted) == Counter(each for row in rows_of(*tasks) for each in letters(row))
        years = Counter(str(row["publication_year"]) for row in rows_of(*tasks))
        assert by("year", "majority", wanted) == years
    (whole,) = results.results(people.researcher, [asked], "year", ALL, with_interval=False)
    assert (whole.of, whole.samples) == ("Tasks 1, 2 and 3, with context; Task 1, unknown allowed, pooled", 60 + 36)
    assert sum(whole.cells[label, "majority"].n_total for label in whole.row_labels) == 60 + 36
    calibration = results.results(people.researcher, [asked], "calibration")[0]
    assert calibration.cells["always-plus", "all"].n_total == 36
    assert len(results.reliability(people.researcher, [asked])["majority"].excluded) == 36


def test_tables_keep_tasks_apart_that_they_do_not_add_up(asked: str, people: SimpleNamespace) -> None:
    wanted = Slice(("task1", "task3"), VARIANTS)
    table = results.results(people.researcher, [asked], "main", wanted, with_interval=False)[0]
    totals = {column: table.cells["always-plus", column].n_total for column in table.column_labels}
    assert totals == {
        "Task 1, economics": 20,
        "Task 1, finance": 16,
        "Task 1 (unknown allowed), economics": 20,
        "Task 1 (unknown allowed), finance": 16,
        "Task 3": 12,
    }
    assert table.of == "Tasks 1 and 3, with context; Task 1, unknown allowed"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Slice(("task4",)), "no task “task4” in these runs; choose from task1, task2, task3"),
        (Slice((), ("no-context",)), "no variant “no-context” in these runs; choose from context, unknown"),
    ],
)
def test_a_slice_that_was_not_asked_is_refused_with_what_there_is(
    wanted: Slice, said: str, asked: str, people: SimpleNamespace
) -> None:
    with pytest.raises(BadInput, match=said):
        result_files.export(people.researcher, [asked], "jel", TableForm.CSV, wanted)


def test_files_name_their_slice(asked: str, people: SimpleNamespace) -> None:
    def made(form: TableForm, wanted: Slice = OWN) -> tuple[str, str]:
        found = result_files.export(people.researcher, [asked], "jel", form, wanted)
        return found.name, found.content.decode("utf-8-sig")

    pooled = Slice(("task1", "task2"), ("context",))
    name, content = made(TableForm.CSV)
    assert name.endswith("-run-1-jel.csv") and ',"Task 1, with context",36,accuracy,' in content
    name, content = made(TableForm.CSV, pooled)
    assert name.endswith("-run-1-jel-task1-task2-context.csv")
    assert ',"Tasks 1 and 2, with context, pooled",48,accuracy,' in content
    assert "Accuracy; Task 1, with context; run 1" in made(TableForm.LATEX)[1]
    assert "Accuracy; Tasks 1 and 2, with context, pooled; run 1" in made(TableForm.LATEX, pooled)[1]


def test_the_command_line_takes_and_names_the_slice(
    asked: str, study: Study, people: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))

    def called(*words: str) -> str:
        done = CliRunner().invoke(edgewise.app, ["runs", "results", "1", *words, "--store", place_of(study)])
        return done.stdout if done.exit_code == 0 else done.stderr

    def totals(content: str, model: str) -> dict[str, int]:
        found = pd.read_csv(io.StringIO(content.lstrip("\ufeff")))
        return {str(row): int(n) for row, n in found[found["column"] == model].set_index("row")["n_total"].items()}

    assert totals(called("--preset", "jel"), "majority") == Counter(
        each for row in rows_of("task1") for each in letters(row)
    )
    chosen = called("--preset", "jel", "--tasks", "task2,task3")
    assert totals(chosen, "majority") == Counter(each for row in rows_of("task2", "task3") for each in letters(row))
    assert "Tasks 2 and 3, with context, pooled" in chosen
    out = tmp_path / "year.tex"
    said = called("--preset", "year", "--tasks", "all", "--variants", "all", "--format", "tex", "--out", str(out))
    assert "Tasks 1, 2 and 3, with context; Task 1, unknown allowed, pooled." in said
    assert "Tasks 1, 2 and 3, with context; Task 1, unknown allowed, pooled" in out.read_text()
    assert "no task “task9” in these runs" in called("--tasks", "task9")
