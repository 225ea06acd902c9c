"""The largest imports, and a backup meanwhile, while someone draws: nobody waits, and a kill shows nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from services.study import Study, open_study
from services.transcription import transcribing
from store.tables import new_id
from tests.services.test_large_imports import KINDS, bring, kill_an_import, made_file, rows_in, shown
from tests.soak.table import scaled

ROOT = Path(__file__).resolve().parents[2]
GATE_S = 0.5
ROWS = {"samples": scaled(100_000), "triplets": scaled(90_000)}
KILLS, ROWS_KILLED = scaled(10, least=2), 20_000
BETWEEN_S = 0.1


@dataclass
class Saves:
    """How long somebody's saves took, in seconds."""

    seconds: list[float] = field(default_factory=list)

    def figure(self, took_s: float) -> str:
        return f"{len(self.seconds):,} saves in {took_s:.0f} s, longest {max(self.seconds):.2f} s"


@contextmanager
def drawing(people: SimpleNamespace, figure_id: str) -> Iterator[Saves]:
    """Somebody who saves an edge ten times a second."""
    saves, enough = Saves(), threading.Event()
    work = transcribing.take(people.annotator, figure_id, act_id=new_id()).subject_id

    def draw() -> None:
        while not enough.wait(BETWEEN_S):
            number, began = len(saves.seconds), time.monotonic()
            line = f"A{number % 40} -> B{number // 40}"
            transcribing.add_lines(people.annotator, work, line, pasted=False, seen=number + 1, act_id=new_id())
            saves.seconds.append(time.monotonic() - began)

    thread = threading.Thread(target=draw)
    thread.start()
    try:
        yield saves
    finally:
        enough.set()
        thread.join()


def command(study: Study, home: Path, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "edgewise.py", *words, "--store", study.store.url.replace("sqlite:///", "")],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def name_of(study: Study) -> str:
    """The database's; the tests' PostgreSQL does not wait for the disk, but these measurements do."""
    if study.store.is_sqlite:
        return "SQLite"
    with study.store.write_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ALTER SYSTEM SET fsync = on"))
        connection.execute(text("SELECT pg_reload_conf()"))
    return "PostgreSQL"


@pytest.mark.both
@pytest.mark.parametrize("by", ["command line", "page"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.proof("T6", "someone saves during a large import", gate="no save over 0.5 s")
def test_nobody_waits_for_a_large_import(
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    kind: str,
    by: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    record_property("what", f"someone saves while {ROWS[kind]:,} {kind} are imported, {by}, {name_of(study)}")
    file = made_file(kind, ROWS[kind], is_scored=False)
    path = tmp_path / file[0]
    path.write_bytes(file[1])
    with drawing(people, a_figure.id) as saves:
        began = time.monotonic()
        if by == "page":
            bring(people.researcher, kind, file)
        else:
            command(study, tmp_path, kind, "import", str(path))
        took_s = time.monotonic() - began
    record_property("repetitions", len(saves.seconds))
    record_property("figure", saves.figure(took_s))
    assert len(shown(people.researcher, kind, ("x", b""))[0]) == 1
    assert max(rows_in(study)) == ROWS[kind]
    assert max(saves.seconds) < GATE_S


@pytest.mark.proof(
    "T6", "someone saves during backups of a large study, one during an import", gate="no save over 0.5 s"
)
def test_nobody_waits_for_a_backup(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    study = sqlite_study
    bring(people.researcher, "triplets", made_file("triplets", ROWS["triplets"], is_scored=False))
    path = tmp_path / "many.parquet"
    path.write_bytes(made_file("samples", ROWS["samples"])[1])
    with drawing(people, a_figure.id) as saves:
        began = time.monotonic()
        command(study, tmp_path, "backup", str(tmp_path / "alone.zip"))
        importing = threading.Thread(target=command, args=(study, tmp_path, "samples", "import", str(path)))
        importing.start()
        while not any(rows_in(study)[:1]) and importing.is_alive():
            time.sleep(BETWEEN_S)
        command(study, tmp_path, "backup", str(tmp_path / "beside.zip"))
        importing.join()
        took_s = time.monotonic() - began
    size = study.store.path.stat().st_size / 1e6 if study.store.path is not None else 0
    record_property("what", f"someone saves during backups of a study of {size:,.0f} MB, one during an import")
    record_property("repetitions", len(saves.seconds))
    record_property("figure", saves.figure(took_s))
    assert max(rows_in(study)) == ROWS["samples"]
    assert max(saves.seconds) < GATE_S


@pytest.mark.both
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.proof(
    "T1",
    "large import killed while someone saves",
    gate="0 rows shown, 0 left at the next start, no save over 0.5 s",
)
def test_kills_of_a_large_import_show_nothing(
    study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    kind: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    record_property("what", f"import of {ROWS_KILLED:,} {kind} killed while someone saves, {name_of(study)}")
    file = made_file(kind, ROWS_KILLED)
    before, nothing = rows_in(study), shown(people.researcher, kind, file)
    draw, most = random.Random(20261129), 0
    with drawing(people, a_figure.id) as saves:
        began = time.monotonic()
        for _ in range(KILLS):
            kill_an_import(study, kind, file, tmp_path, draw.randint(1, ROWS_KILLED // 1_000))
            left = rows_in(study)
            most = max(most, sum(left) - sum(before))
            assert left[-1] == 1
            assert shown(people.researcher, kind, ("x", b""))[:-1] == nothing[:-1]
            open_study(study.store.url, tmp_path).close()
            assert rows_in(study) == before
        took_s = time.monotonic() - began
    assert study.store.check() == []
    record_property("repetitions", KILLS)
    record_property("figure", f"0 shown, up to {most:,} rows removed at the next start; {saves.figure(took_s)}")
    assert max(saves.seconds) < GATE_S
