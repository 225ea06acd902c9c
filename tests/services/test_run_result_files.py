"""Files of results as others read them: numbers are numbers, texts run no formula, and each names its slice."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pandas as pd
import pytest

from core.results.presets import PRESETS
from core.runs import ItemStatus
from services import run_result_files
from services.agreement_files import TableForm
from services.run_wanted import RunWanted, Source
from services.study import Study
from tests.runs.begun import work
from tests.services.run_parts import start
from tests.services.scoring_parts import bring_in
from tests.sixty_rows import sixty_files

BASELINES = ("always-plus", "majority", "copy-examples", "first-not-shown")
VARIANTS = ("context", "unknown")
NUMERIC = ("value", "low", "high", "n_scored", "n_total", *(status.value for status in ItemStatus))


@pytest.fixture
def asked(study: Study, people: SimpleNamespace) -> str:
    """A run of every baseline over sixty rows of tasks 1, 2 and 3, task 1 also with `unknown`, worked off."""
    brought = tuple(bring_in(people.researcher, rows) for rows in sixty_files().values())
    wanted = RunWanted("Sixty", Source(brought), ("task1", "task2", "task3"), VARIANTS, baselines=BASELINES)
    run_id = start(people.researcher, wanted)
    work(study.store)
    return run_id


def test_a_csv_of_every_preset_is_read_by_pandas_with_numbers_in_its_numeric_columns(
    asked: str, people: SimpleNamespace
) -> None:
    below_zero = 0
    for preset in PRESETS:
        content = run_result_files.export(people.researcher, [asked], preset, TableForm.CSV).content
        found = pd.read_csv(io.BytesIO(content), encoding="utf-8-sig")
        kinds = {name: found[name].dtype for name in NUMERIC}
        assert all(pd.api.types.is_numeric_dtype(kind) for kind in kinds.values()), (preset, kinds)
        below_zero += int((found["value"] < 0).sum())
    assert below_zero > 0, "a drop below zero is what was written as a text"
