"""Triplets of a study at a terminal: tried, imported, exported as they came; what experts scored; nothing unasked."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import edgewise
from cli.study.session import opened_study
from services.study import Study, use_study
from services.triplets import lists
from tests.services.scoring_parts import critics, hand_in, settle, six, take

ROW = {"paper_id": "9", "treatment": "Rain", "outcome": "Harvest", "sign": "+"}


def file_of(folder: Path, *rows: dict[str, Any], name: str = "mine.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def place(store_url: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An open study, on each database."""
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    return store_url


def call(place: str, *words: str | Path) -> Result:
    return CliRunner().invoke(edgewise.app, [*map(str, words), "--store", place])


def told(place: str, *words: str | Path) -> Any:
    done = call(place, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def titles(place: str) -> list[str]:
    with opened_study(place) as viewer:
        return [each.title for each in lists.collections(viewer)]


@pytest.mark.both(usually=False)
def test_triplets_are_tried_imported_and_exported_as_they_came(place: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, ROW | {"critics": critics(3, 3, 3, 3, 3, 3)}, ROW | {"outcome": "Price"})
    (tried,) = told(place, "triplets", "import", file, "--dry-run")
    assert (tried["triplets"], tried["papers"], tried["scores"], tried["imported"]) == (2, 1, 18, False)
    assert titles(place) == []
    done = call(place, "triplets", "import", file, "--title", "Mine")
    assert (done.exit_code, titles(place)) == (0, ["Mine"])
    assert done.stdout.startswith("Imported 2 triplets about 1 paper from mine.jsonl")
    assert call(place, "triplets", "import", file).stdout == "mine.jsonl is already in the study as “Mine”.\n"
    out = tmp_path / "out.jsonl"
    assert told(place, "triplets", "export", "Mine", "--out", out)["size_bytes"] == out.stat().st_size
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        ROW | {"critics": critics(3, 3, 3, 3, 3, 3)},
        ROW | {"outcome": "Price"},
    ]
    decided = CliRunner().invoke(edgewise.app, ["triplets", "filter", str(out), "--json"])
    assert [each["retained"] for each in json.loads(decided.stdout)] == [True, None]
    missing = call(place, "triplets", "export", "Yours")
    assert (missing.exit_code, missing.stderr) == (1, "No collection is called “Yours”; the study has “Mine”.\n")


def test_faulty_rows_are_all_named_and_keep_the_file_out_until_it_is_said_otherwise(place: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, ROW, ROW | {"sign": "up"}, ROW | {"outcome": " "})
    done = call(place, "triplets", "import", file)
    assert (done.exit_code, titles(place)) == (1, [])
    assert "Imported none" in done.stdout
    assert "line 2" in done.stdout and "line 3" in done.stdout
    assert call(place, "triplets", "import", file, "--skip-faulty").exit_code == 0
    assert titles(place) == ["mine"]
    assert call(place, "triplets", "import", tmp_path / "none.jsonl").exit_code == 1


def test_files_in_another_encoding_are_asked_about_over_telling_lines(place: str, tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    plain = "".join(f"Rain {number},Lake,+\n" for number in range(9))
    old.write_bytes(f"treatment,outcome,sign\n{plain}Ärger,Öl,+\n".encode("cp1252"))
    asked = [call(place, "triplets", "import", old).stdout, call(place, "import", old).stderr]
    for said in asked:
        assert "cp1252, Western Europe (Windows-1252, Latin-1): Ärger,Öl,+\n" in said
        assert "Name it with --encoding, as in --encoding cp1252.\n" in said
    assert call(place, "triplets", "import", old, "--encoding", "cp1252").exit_code == 0


def test_scores_of_experts_are_exported(study: Study, place: str, people: SimpleNamespace, tmp_path: Path) -> None:
    file = file_of(tmp_path, ROW)
    assert call(place, "triplets", "import", file).exit_code == 0
    use_study(study)
    settle(people.owner, per_year=None)
    hand_in(people.expert, take(people.expert), six(3, 3, 3, 3, 3, 2))
    done = call(place, "scores", "export")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["treatment"], row["score"], row["derived_verdict"]) for row in rows] == [
        ("Rain", score, "accept") for score in "333332"
    ]
    assert call(place, "scores", "export", "--rubric", "validation").stdout.count("\n") == 1


def test_no_dry_run_of_a_run_imports_anything(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    rows = [{**ROW, "paper_id": n, "context": f"Place {n}.", "answer": "+"} for n in range(3)]
    file_of(folder, *rows)
    words = ("run", "--input-dir", folder)
    plan = told(place, *words, "--dry-run")
    assert ([each["samples"] for each in plan["tasks"]], titles(place)) == ([3], [])
    assert "Read mine.jsonl. A dry run imports nothing." in call(place, *words, "--dry-run").stderr
    assert call(place, *words).exit_code == 0
    assert titles(place) == ["mine"]
    after = told(place, *words, "--dry-run")
    assert after == plan
