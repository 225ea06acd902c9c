"""What tests of backups share: a drawn study, zips rewritten by hand, damaged bytes, and a program that was killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from services.study import Study
from services.transcription import transcribing
from store.tables import metadata, new_id

Members = dict[str, bytes]


def draw(people: SimpleNamespace, work: str, number: int) -> None:
    transcribing.add_lines(people.annotator, work, f"A{number} -> B", pasted=False, seen=number, act_id=new_id())


def content_of(study: Study) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with study.store.reading() as session:
        return {
            table.name: sorted((tuple(map(repr, row)) for row in session.execute(table.select())), key=str)
            for table in metadata.sorted_tables
        }


# --- zips -------------------------------------------------------------------------------------------------------


def rewritten(source: Path, change: Callable[[Members], None]) -> Path:
    """A copy of a backup whose members `change` has altered."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    target = source.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


def manifest_with(**changed: object) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), **changed}).encode()

    return change


def manifest_of(source: Path) -> dict[str, object]:
    with zipfile.ZipFile(source) as archive:
        said: dict[str, object] = json.loads(archive.read("manifest.json"))
    return said


# --- damage -----------------------------------------------------------------------------------------------------


def flip(path: Path, at: int, mask: int = 0xFF) -> None:
    with path.open("rb+") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ mask]))


def settled(path: Path) -> Path:
    """The study's file with its log written into it."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def root_of(path: Path, name: str) -> int:
    """Where the root page of a table or index begins in the file."""
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [name]).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    return int((page - 1) * size)


# --- other programs ---------------------------------------------------------------------------------------------

WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode=WAL")
for number in range(int(sys.argv[2])):
    connection.execute("INSERT INTO run_text VALUES (?, ?)", (f"{number} {sys.argv[3]}", "A long text. " * 400))
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def other_program(study: Path, rows: int = 1, word: str = "x") -> Iterator[subprocess.Popen[str]]:
    """A program that has written rows into the study and keeps it open, until the end or until it is killed."""
    command = [sys.executable, "-c", WRITER, str(study), str(rows), word]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def leave_a_log(study: Path, rows: int = 200) -> None:
    """Have a program write into the study and kill it, so that its log stays behind."""
    with other_program(study, rows) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert study.with_name(study.name + "-wal").stat().st_size > rows * 4096
