"""`score evaluations` as a shell sees it: counts that add up, scores that differ, rows that cannot be read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.cli.calling import run as run_command
from tests.cli.calling import said
from tests.protocols.recite.judge.test_evaluations import made, parquet, row

run = partial(run_command, "score", "evaluations")


def test_counts_add_up_and_differences_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "evaluations.parquet"
    file.write_bytes(parquet(made()[:60]))
    done = run(str(file), "--json")
    found = said(done)
    assert done.returncode == 0
    assert found["rows"] == 60 == found["whole"] + found["faulty"] + found["unreadable"] + found["others"]
    assert (len(found["differing"]), len(found["unread"])) == (found["different"], found["unreadable"])
    assert found["unread"][0]["why"].endswith(".")
    assert run(str(file)).stdout.decode().startswith("60 evaluations: ")


def test_a_row_of_no_response_is_told_and_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "one.parquet"
    file.write_bytes(parquet([row(1, "fine_grained", "{}", 0.0), {**row(2, "x", "{}", 0.0), "response_id": None}]))
    assert len(said(run(str(file), "--json"))["faults"]) == 1
    file.write_bytes(b"PAR1")
    assert run(str(file)).returncode == 1
