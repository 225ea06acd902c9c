"""Releases, credit and identities at a terminal: what is printed where, exit status, and nothing unasked."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import edgewise
from core.people import Role, Viewer
from services.study import Study
from services.transcription import guidelines, transcribing
from store.tables import new_id
from tests.services.release_parts import lay_truth

NAME = "Zoë Quillfeather"
Run = Callable[..., Result]


@pytest.fixture
def run(
    sqlite_study: Study,
    people: SimpleNamespace,
    newcomer: Callable[..., Viewer],
    a_figure: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """`run("release", "list")` on a study with one transcription, one ground truth and a name in its guidelines."""
    someone = newcomer(NAME, Role.ANNOTATOR)
    work = transcribing.take(someone, a_figure.id, act_id=new_id()).subject_id
    transcribing.add_lines(someone, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_id())
    transcribing.submit(someone, work, seen=2, act_id=new_id())
    guidelines.save_guidelines(people.owner, f"Ask {NAME}.", seen=0, act_id=new_id())
    lay_truth(sqlite_study, a_figure.id, "Rain -> Harvest +; Harvest -> Price")
    place = str(sqlite_study.store.path)
    monkeypatch.setenv("EDGEWISE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EDGEWISE_STORE", place)

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(edgewise.app, list(arguments))

    return command


def document(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_single_transcriptions_and_an_imported_graph_are_released_by_their_origin(
    run: Run, another_figure: Callable[..., SimpleNamespace], people: SimpleNamespace, tmp_path: Path
) -> None:
    other, third = another_figure("Second"), another_figure("Third")
    work = transcribing.take(people.annotator, other.id, act_id=new_id()).subject_id
    transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, act_id=new_id())
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    assert document(run("release", "settings", "--json")) == {"single": "never"}
    wrong = run("release", "settings", "--single", "always")
    assert wrong.exit_code == 1 and "expected one of never, reviewed, submitted" in wrong.stderr
    assert run("release", "settings", "--single", "submitted").stdout == (
        "A single transcription is ground truth: submitted.\n"
    )
    file = tmp_path / "graph.csv"
    file.write_text("source,sink\nX,Y\n")
    assert "truth needs --figure" in run("import", str(file), "--as", "truth").output
    assert "is neither import nor truth" in run("import", str(file), "--as", "gold").output
    document(run("import", str(file), "--as", "truth", "--figure", third.id, "--json"))
    tried = run("release", "freeze", "--licence", "CC0-1.0", "--dry-run")
    assert "Ground truth: 1 adjudicated, 1 single, 1 imported. Agreement covers adjudicated" in tried.stdout


def test_a_release_is_tried_frozen_listed_exported_compared_and_checked(run: Run, tmp_path: Path) -> None:
    tried = document(run("release", "freeze", "--licence", "CC0-1.0", "--dry-run", "--json"))
    assert (tried["frozen"], tried["figures"], tried["edges"], tried["left_out"]) == (False, 1, 2, [])
    assert document(run("release", "list", "--json")) == []
    made = document(run("release", "freeze", "--licence", "CC0-1.0", "--title", "First", "--json"))
    (listed,) = document(run("release", "list", "--json"))
    assert (listed["number"], listed["title"], listed["sha256"]) == (1, "First", made["sha256"])
    out = tmp_path / "one.zip"
    written = document(run("release", "export", "1", "--out", str(out), "--json"))
    assert written["size_bytes"] == out.stat().st_size
    with zipfile.ZipFile(out) as archive:
        assert "default.parquet" in archive.namelist()
    assert run("release", "export", "1").stdout_bytes == out.read_bytes()
    assert len(document(run("release", "diff", "0", "1", "--json"))["added"]) == 1
    assert run("release", "diff", "1", "1").stdout == "Nothing changed.\n"
    assert document(run("release", "check", "1", "--json"))["faults"] == []


def test_what_cannot_be_released_is_said_on_standard_error(run: Run) -> None:
    run("release", "freeze", "--licence", "CC0-1.0")
    for arguments, said in (
        (("release", "freeze", "--licence", "CC0-1.0"), "Nothing has changed since release 1."),
        (("release", "freeze", "--licence", "CC0-1.0", "--unchanged", "--notes", f"By {NAME}"), "names"),
        (("release", "export", "9"), "There is no release 9 in this study"),
        (("release", "diff", "0", "9"), "There is no release 9 in this study"),
    ):
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (1, "")
        assert said in done.stderr
    for usage in (
        ("release", "export", "1", "--format", "xml"),
        ("release", "export", "1", "--json"),
        ("release", "freeze"),
        ("credit", "--out", "x"),
    ):
        assert run(*usage).exit_code == 2


def test_credit_prints_names_counts_and_shares(run: Run, tmp_path: Path) -> None:
    (row,) = [row for row in document(run("credit", "--json"))["people"] if row["nodes"]]
    assert (row["name"], row["nodes"], row["edges"], row["share_of_nodes"]) == (NAME, 2, 1, 1.0)
    out = tmp_path / "credit.csv"
    assert run("credit", "--csv", "--out", str(out)).exit_code == 0
    assert NAME in out.read_text("utf-8-sig")
    assert f"{NAME} (A7): 1 transcription, 2 nodes (100.0%)" in run("credit").stdout


def test_identities_are_destroyed_only_with_yes_and_a_second_run_says_so(run: Run, sqlite_study: Study) -> None:
    shown = run("destroy-identities", "--person", NAME.lower())
    assert f"{NAME} -> A7; Quillfeather (1 times alone)" in shown.stdout
    assert "Nothing was changed." in shown.stdout
    assert NAME in run("people", "list").stdout
    done = document(run("destroy-identities", "--person", NAME, "--yes", "--json"))
    assert done["destroyed"]
    assert NAME not in json.dumps(done, ensure_ascii=False)
    assert NAME not in run("people", "list").stdout
    again = run("destroy-identities", "--person", "A7", "--yes")
    assert (again.exit_code, again.stdout) == (1, "")
    assert "already has a pseudonym" in again.stderr


def test_people_can_be_left_out_and_parts_of_names_kept(run: Run) -> None:
    facts = document(run("destroy-identities", "--keep", "The owner", "--without-part", "quillfeather", "--json"))
    assert "A5" not in {each["pseudonym"] for each in facts["people"]}
    assert not facts["destroyed"]
    nobody = run("destroy-identities", "--person", "Nobody")
    assert (nobody.exit_code, nobody.stdout) == (1, "")
    assert "There is nobody called “Nobody”" in nobody.stderr
