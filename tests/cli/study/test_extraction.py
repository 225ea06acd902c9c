"""Triplets from papers on the command line: the demo's papers without a key, files, decisions, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import run
from tests.one_demo import copied

PROTOCOL = ("--protocol", "econcausal-pipeline")
FILES = {
    "step1_runs.jsonl",
    "step1.jsonl",
    "step2.jsonl",
    "step3.jsonl",
    "step4.jsonl",
    "triplets.jsonl",
    "funnel.csv",
    "decisions.csv",
}


@pytest.fixture(scope="module")
def home(made_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(copied(made_demo, tmp_path_factory.mktemp("home")).parent)


def test_the_demos_papers_end_in_a_collection_without_a_key(home: str, tmp_path: Path) -> None:
    words = ("--output-dir", str(tmp_path), "--collection", "From papers", "--consensus-runs", "3", "--json")
    done = run("run", *PROTOCOL, *words, EDGEWISE_HOME=home)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert (told["state"], told["requests"], told["by_status"]["failed"]) == ("done", 0, 0)
    assert [each["step"] for each in told["steps"]][:3] == ["extract", "phrases", "consensus"]
    assert {each.name for each in tmp_path.iterdir()} >= FILES
    rows = [json.loads(line) for line in (tmp_path / "triplets.jsonl").read_text().splitlines()]
    assert len(rows) >= 10
    assert {row["paper_id"] for row in rows} == {"broadband", "reservoir", "waiting-lists"}
    scored = [json.loads(line) for line in (tmp_path / "step4.jsonl").read_text().splitlines()]
    assert len(scored) == len(rows)
    exported = run("triplets", "export", told["collection"], EDGEWISE_HOME=home)
    assert exported.stdout == (tmp_path / "triplets.jsonl").read_bytes()
    again = run("triplets", "collect", str(told["number"]), "--title", "Again", EDGEWISE_HOME=home)
    assert again.returncode == 1
    assert "already in the study, as “From papers”" in again.stderr.decode()
    listed = run("triplets", "decide", str(told["number"]), "--list", "--json", EDGEWISE_HOME=home)
    assert json.loads(listed.stdout) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--models", "extractor=A,critics=B", "--models", "critics=B"], "Critics: B is chosen twice"),
        (
            ["--models", "extractor=cue-phrases,critics=A"],
            "The rule is of three critics; with one, no triplet is decided.",
        ),
        (["--models", "someone"], "asks models by role. Name them as extractor=CARD"),
        (["--consensus-threshold", "4"], "A triplet cannot be required in 4 of 3 runs."),
        (["--option", "pipeline_papers=nothing"], "No paper in use has the ID or the file name “nothing”"),
        (["--tasks", "extract"], "its tasks go together"),
        (["--input-dir", "nowhere"], "nowhere is not a folder"),
    ],
)
def test_what_cannot_be_run_is_refused(home: str, words: list[str], said: str) -> None:
    done = run("run", *PROTOCOL, *words, "--dry-run", EDGEWISE_HOME=home)
    assert done.returncode == 1
    assert said in (done.stdout + done.stderr).decode()
