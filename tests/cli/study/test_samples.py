"""Tables of samples at a terminal: tried, imported, listed, and written byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import edgewise
from exchange.recite import ReciteRow, write_default
from services.study import Study


@pytest.fixture
def place(store_url: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    return store_url


def call(place: str, *words: str | Path) -> Result:
    return CliRunner().invoke(edgewise.app, ["samples", *map(str, words), "--store", place])


def told(place: str, *words: str | Path) -> Any:
    done = call(place, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def file_of(folder: Path, *rows: ReciteRow, name: str = "mine.parquet") -> Path:
    path = folder / name
    path.write_bytes(write_default(rows))
    return path


GOOD = ReciteRow(id=1, edges=(("A", "B"),), nodes=("A",), input_text="A makes B.")


def test_a_table_is_tried_imported_listed_and_exported_as_it_came(place: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD, ReciteRow(id=2, nodes=("A", "B"), edges=(("A", "B"),)))
    (tried,) = told(place, "import", file, "--dry-run")
    assert (tried["samples"], tried["with_text"], tried["odd"], tried["imported"]) == (2, 1, {"edges": 1}, False)
    assert "Row 1, edges: “B” is not among its nodes." in tried["notices"]
    assert call(place, "list").stdout == "No table of samples in this study.\n"
    done = call(place, "import", file, "--title", "Mine", "--licence", "CC0")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "Imported 2 samples, 1 with a text, from mine.parquet.")
    assert call(place, "import", file).stdout == "mine.parquet is already in the study as “Mine”.\n"
    (listed,) = told(place, "list")
    assert (listed["title"], listed["licence"], listed["samples"]) == ("Mine", "CC0", 2)
    out = tmp_path / "out.parquet"
    assert told(place, "export", "--form", "recite", "--out", out)["samples"] == 2
    assert out.read_bytes() == file.read_bytes()
    assert call(place, "export", listed["table"][:8], "--out", tmp_path / "again.parquet").exit_code == 0
    missing = call(place, "export", "Yours")
    assert (missing.exit_code, missing.stderr) == (
        1,
        "No table of samples is called “Yours”; the study has “Mine”.\n",
    )


def test_faulty_rows_keep_a_table_out_until_it_is_said_otherwise(place: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD, GOOD)
    done = call(place, "import", file)
    assert done.exit_code == 1
    assert "line 2, id" in done.stdout and "--skip-faulty" in done.stdout
    assert call(place, "import", file, "--skip-faulty").exit_code == 0
    assert told(place, "list")[0]["samples"] == 1


def test_a_dry_run_reads_a_table_that_is_not_imported_and_keeps_nothing_of_it(place: str, tmp_path: Path) -> None:
    tagged = ReciteRow(id=2, edges=(("B", "C"),), input_text="B makes </text> C.")
    file = file_of(tmp_path, GOOD, tagged, ReciteRow(id=3, edges=(("A", "B"),)))

    def dry_run() -> Result:
        words = ["run", "--protocol", "recite", "--table", str(file), "--dry-run", "--json", "--store", place]
        return CliRunner().invoke(edgewise.app, words)

    tried = dry_run()
    assert tried.exit_code == 0, tried.output
    assert "Read mine.parquet. A dry run imports nothing." in tried.stderr
    found = json.loads(tried.stdout)
    assert (found["samples"], [each["key"] for each in found["excluded"]]) == (2, ["3"])
    assert call(place, "list").stdout == "No table of samples in this study.\n"
    assert call(place, "import", file).exit_code == 0
    known = dry_run()
    assert (json.loads(known.stdout), "Read mine" in known.stderr) == (found, False)


def test_a_dry_run_says_what_is_wrong_with_a_table(place: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD, GOOD)
    words = ["run", "--protocol", "recite", "--table", str(file), "--dry-run", "--store", place]
    done = CliRunner().invoke(edgewise.app, words)
    assert done.exit_code == 1 and "mine.parquet, line 2, id" in done.stderr
