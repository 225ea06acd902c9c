"""Responses and evaluations at a terminal: tried, imported as runs, and written as they came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import edgewise
from services.study import Study
from tests.services.runs import public_parts as made


@pytest.fixture
def place(store_url: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    return store_url


def call(place: str, *words: str | Path) -> Result:
    return CliRunner().invoke(edgewise.app, [*map(str, words), "--store", place])


def told(place: str, *words: str | Path) -> Any:
    done = call(place, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_tables_go_in_as_runs_and_out_as_they_came(place: str, tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.parquet" for name in ("default", "responses", "evaluations")}
    files["default"].write_bytes(made.samples())
    files["responses"].write_bytes(made.parquet(made.responses(), made.RESPONSES))
    files["evaluations"].write_bytes(made.parquet(made.evaluations(), made.EVALUATIONS))
    early = call(place, "runs", "import", files["responses"])
    assert early.exit_code == 1
    assert early.stdout.startswith("No table of samples is in the study.")
    assert call(place, "samples", "import", files["default"]).exit_code == 0
    (tried,) = told(place, "runs", "import", files["responses"], "--dry-run")
    assert (tried["fit"], tried["runs"], tried["imported"]) == (6, [], False)
    done = told(place, "runs", "import", files["responses"], files["evaluations"], "--licence", "CC-BY-4.0")
    assert [each["runs"] for each in done] == [[1, 2, 3], [4]]
    assert "1 of 3 differ (row 2)" in " ".join(done[1]["notices"])
    again = call(place, "runs", "import", files["evaluations"])
    assert again.stdout == "evaluations.parquet is already in the study as run 4.\n"
    written = told(place, "runs", "export", "--form", "recite", "--out", tmp_path / "out")
    assert [each["rows"] for each in written["files"]] == [2, 6, 7]
    for name, file in files.items():
        before, after = pq.read_table(file), pq.read_table(tmp_path / "out" / f"{name}.parquet")
        assert (after.schema, after.to_pylist()) == (before.schema, before.to_pylist())


def test_what_is_no_such_table_and_a_run_that_is_missing_are_told(place: str, tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    other.write_bytes(made.samples())
    wrong = call(place, "runs", "import", other)
    assert (wrong.exit_code, wrong.stderr) == (
        1,
        "other.parquet holds no finished runs of a benchmark; expected responses or evaluations (Parquet).\n",
    )
    assert call(place, "runs", "export", "--form", "recite").stderr.startswith("There is no finished run of graphs")
    assert "name one run" in call(place, "runs", "export").stderr
