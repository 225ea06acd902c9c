"""`questions` and `run --protocol lee`: a file of relations becomes a set, a run and its tables, at a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import edgewise
from services.study import Study
from tests.everything import EVERYTHING
from tests.services.extraction.invented_abstracts import rows

RELATIONS = [
    {"X": "carbon tax", "d": "decrease", "Y": "emissions", "paper": "w1", "year": 2003, "letters": ["Q"]},
    {"X": "carbon tax", "d": "increase", "Y": "tax revenue", "paper": "w1", "year": 2003, "letters": ["H"]},
    {"X": "congestion charge", "d": "decrease", "Y": "emissions", "paper": "w2", "year": 2011, "letters": ["R"]},
    {"X": "school lunch", "d": "none", "Y": "test scores", "paper": "w3", "year": 2022, "letters": ["I"]},
]
# Type 1: 4. Types 2 and 3: one pair each, both ways. Type 4: w1 has one treatment, so none. Type 5: 4.
QUESTIONS = 4 + 2 + 2 + 4


@pytest.fixture
def place(store_url: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    return store_url


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(edgewise.app, [*map(str, words)])


def told(*words: str | Path) -> Any:
    done = call(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    relations = tmp_path / "relations.jsonl"
    relations.write_text("\n".join(map(json.dumps, RELATIONS)))
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(told("triplets", "questions", relations)))
    return path


def test_relations_become_a_set_that_is_listed_and_written_again(place: str, file: Path, tmp_path: Path) -> None:
    (tried,) = told("questions", "import", file, "--dry-run", "--store", place)
    assert (tried["questions"], tried["number"], tried["imported"]) == (QUESTIONS, None, False)
    assert call("questions", "list", "--store", place).stdout == "No question set in this study.\n"
    (done,) = told("questions", "import", file, "--store", place)
    assert (done["number"], done["imported"], done["faults"]) == (1, True, [])
    again = call("questions", "import", file, "--store", place)
    assert again.stdout.endswith("these questions are frozen already, as question set 1.\n")
    (listed,) = told("questions", "list", "--store", place)
    assert (listed["title"], listed["counts"]["1"], listed["counts"]["5"]) == (
        "mine",
        {"True": 4},
        {"increase": 1, "decrease": 2, "none": 1},
    )
    out = tmp_path / "out.jsonl"
    told("questions", "export", "1", "--out", out, "--store", place)
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(written, key=lambda each: each["id"]) == sorted(
        json.loads(file.read_text())["questions"], key=lambda each: each["id"]
    )


@pytest.mark.skipif(not EVERYTHING, reason="tests/cli/study/test_triplets.py")
def test_a_run_takes_a_file_by_itself_and_a_dry_run_keeps_nothing(place: str, file: Path, tmp_path: Path) -> None:
    wanted = ("run", "--protocol", "lee", "--variants", "closed,open", "--models", "baselines", "--store", place)
    plan = told(*wanted, "--questions", file, "--dry-run")
    assert (plan["samples"], plan["faults"]) == (2 * QUESTIONS, [])
    assert told("questions", "list", "--store", place) == []
    out = tmp_path / "out"
    done = call(*wanted, "--questions", file, "--output-dir", out)
    assert done.exit_code == 0, done.output
    assert "Froze mine.json as question set 1." in done.stderr
    tables = {each.name for each in out.iterdir() if each.suffix == ".csv"}
    assert any("models" in name for name in tables), tables
    assert any("books" in name for name in tables), tables
    missing = call(*wanted, "--questions", "7")
    assert missing.exit_code == 1
    assert "There is no question set 7 in this study." in missing.stderr


def test_a_faulty_file_is_told_and_its_good_rows_are_taken_only_if_asked(
    place: str, file: Path, tmp_path: Path
) -> None:
    rows = json.loads(file.read_text())["questions"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join(map(json.dumps, [*rows, {"type": 7}])))
    done = call("questions", "import", bad, "--store", place)
    assert done.exit_code == 1
    assert f"line {QUESTIONS + 1}, type: found '7'; one of 1, 2, 3, 4, 5" in done.stdout
    (taken,) = told("questions", "import", bad, "--skip-faulty", "--store", place)
    assert (taken["questions"], taken["imported"], len(taken["faults"])) == (QUESTIONS, True, 1)


def test_a_folder_of_abstracts_becomes_relations_entities_codes_and_questions(place: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "mine.jsonl").write_text("\n".join(map(json.dumps, rows(6))))
    (folder / "jel_codes.csv").write_text("code,title\nQ5,Environmental taxes and emissions\nI2,School test scores\n")
    wanted = ("run", "--protocol", "lee-pipeline", "--input-dir", folder, "--store", place)
    early = call(*wanted, "--dry-run")
    assert early.exit_code == 1
    assert "A dry run imports nothing; import it first." in early.stderr
    done = call(*wanted, "--output-dir", out)
    assert done.exit_code == 0, done.output
    assert "Imported mine.jsonl: 6 of 6 papers taken by runs." in done.stderr
    written = {each.name for each in out.iterdir()}
    assert written >= {"relations.jsonl", "entities.csv", "jel.csv", "questions.jsonl", "table_corpus.csv"}
    questions = [json.loads(line) for line in (out / "questions.jsonl").read_text().splitlines()]
    assert {each["type"] for each in questions} == {1, 2, 3, 4, 5}
    assert all(isinstance(each["is_easy"], bool) for each in questions)
    again = told("triplets", "questions", out / "relations.jsonl", "--seed", "1")
    assert {each["id"] for each in again["questions"]} == {each["id"] for each in questions}
    other = call("run", "--protocol", "lee-pipeline", "--input-dir", tmp_path / "none", "--store", place)
    assert "is not a folder" in other.stderr
