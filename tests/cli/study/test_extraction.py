"""Triplets from papers on the command line: the demo's papers without a key, files, decisions, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import run
from tests.everything import EVERYTHING
from tests.one_demo import copied

LONG = pytest.mark.skipif(not EVERYTHING, reason="long: three papers asked about three times")
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


@pytest.fixture(scope="module")
def written(home: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a run over the demo's papers, and what the command told."""
    folder = tmp_path_factory.mktemp("written")
    words = ("--output-dir", str(folder), "--collection", "From papers", "--consensus-runs", "3", "--json")
    done = run("run", *PROTOCOL, *words, EDGEWISE_HOME=home)
    assert done.returncode == 0, done.stderr
    (folder / "told.json").write_bytes(done.stdout)
    return folder


@LONG
def test_the_demos_papers_end_in_a_collection_without_a_key(home: str, written: Path) -> None:
    told: dict[str, Any] = json.loads((written / "told.json").read_text())
    assert (told["state"], told["requests"], told["by_status"]["failed"]) == ("done", 0, 0)
    assert [each["step"] for each in told["steps"]][:3] == ["extract", "phrases", "consensus"]
    assert {each.name for each in written.iterdir()} >= FILES
    rows = [json.loads(line) for line in (written / "triplets.jsonl").read_text().splitlines()]
    assert len(rows) >= 10
    assert {row["paper_id"] for row in rows} == {"broadband", "reservoir", "waiting-lists"}
    scored = [json.loads(line) for line in (written / "step4.jsonl").read_text().splitlines()]
    assert len(scored) == len(rows)
    exported = run("triplets", "export", told["collection"], EDGEWISE_HOME=home)
    assert exported.stdout == (written / "triplets.jsonl").read_bytes()
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


@LONG
def test_what_others_reviewed_is_scored_and_a_paper_without_a_file_blocks_its_candidates(
    home: str, written: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (written / "step3.jsonl").read_text().splitlines()]
    for each in lines:
        each["paper_id"] = each["paper_id"].replace("reservoir", "nowhere")
    strange = sum(each["paper_id"] == "nowhere" for each in lines)
    changed = tmp_path / "step3.jsonl"
    changed.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    done = run("run", *PROTOCOL, "--from", str(changed), "--output-dir", str(tmp_path), "--json", EDGEWISE_HOME=home)
    told = json.loads(done.stdout)
    assert (done.returncode, told["state"]) == (1, "waiting")
    assert "extract" not in {each["step"] for each in told["steps"]}
    funnel = dict(line.split(",") for line in (tmp_path / "funnel.csv").read_text().splitlines())
    assert (funnel["papers"], funnel["candidates"]) == ("3", str(len(lines)))
    assert (funnel["blocked"], funnel["accepted"]) == (str(strange), str(len(lines) - strange))
    assert strange
    listed = run("triplets", "collect", str(told["number"]), "--title", "Without", "--json", EDGEWISE_HOME=home)
    reasons = {each["reason"] for each in json.loads(listed.stdout)["left_out"]}
    right = "Add the file, or give its folder with --input-dir."
    assert reasons == {f"blocked: No PDF with text is called “nowhere”. {right}"}


@LONG
def test_files_of_steps_that_do_not_fit_are_refused(home: str, written: Path) -> None:
    other = run("run", "--protocol", "econcausal", "--from", str(written / "step3.jsonl"), EDGEWISE_HOME=home)
    assert other.returncode == 2
    assert "does not take this" in " ".join(other.stderr.decode().split())
    both = ("--from", str(written / "step1.jsonl"), "--from", str(written / "step3.jsonl"))
    clash = run("run", *PROTOCOL, *both, "--dry-run", EDGEWISE_HOME=home)
    assert "step1 and step3 both say what is claimed. Leave one out." in (clash.stdout + clash.stderr).decode()
