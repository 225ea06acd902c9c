"""Backup of a whole study: a zip of one consistent store and of every file it names that is what its name says."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from core.errors import StoreTrouble
from core.people import May, Viewer
from services.acting import consulting
from services.backups.archive import CHUNK, DATABASE, FORMAT, MANIFEST, SHA256, FileFault, named_files
from services.backups.comparing import BackupComparison, compare_with_last
from services.backups.scratch import clear_leftovers, scratch
from services.backups.soundness import examine
from services.study import Study
from store.files import sha256_of_file
from store.migrate import NEWEST
from store.sqlite.definitions import Foreign
from store.sqlite.disk import is_no_room
from store.sqlite.file import DATABASE_ERRORS
from store.unchanged import RecordedAct, last_act


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """What was written. `files`: how many the backup holds; `missing`: those it lacks; `faults`: of the database.

    `is_restorable`: the database can be brought back, if need be with the rows that `faults` name as they are; it
    cannot with something `foreign`, which a restore would run;
    `compared_with`: the earlier backup that witnessed what nobody has changed since, None without one.
    """

    path: Path
    files: int
    size_bytes: int
    missing: tuple[FileFault, ...] = ()
    faults: tuple[str, ...] = ()
    is_restorable: bool = True
    compared_with: Path | None = None
    foreign: Foreign | None = None

    @property
    def is_sound(self) -> bool:
        return not self.missing and not self.faults


def backup(viewer: Viewer, target: Path) -> BackupReport:
    """Write a backup of the open study while people go on working, and look at everything that goes into it.

    The database is copied by SQLite's own online backup, so it is one moment's state, and the copy is looked at; each
    file it names follows, if its bytes have its hash. What is damaged is left out or kept as it is, and named.
    Raises StoreTrouble for a PostgreSQL study (its server's own tools make the backup), a target that exists, or a
    full disk.
    """
    with consulting(viewer, May.MANAGE) as r:
        study = r.study
    if study.store.path is None:
        raise StoreTrouble("This study lives in PostgreSQL; back it up with pg_dump, which includes the files.")
    if target.exists():
        raise StoreTrouble(f"{target} exists already; name a new file.")
    with _told(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent)
        with scratch(target.parent) as folder:
            copy, partial = folder / DATABASE, folder / "backup.zip"
            _copy_database(study.store.path, copy)
            found = examine(copy)
            compared = compare_with_last(copy, target.parent, folder) if found.is_whole else BackupComparison()
            is_ours = found.foreign is None
            files, missing = _write_zip(study, copy, partial, (*found.faults, *compared.faults), is_ours=is_ours)
            partial.replace(target)
    faults = (*found.words, *compared.faults)
    return BackupReport(
        path=target,
        files=files,
        size_bytes=target.stat().st_size,
        missing=missing,
        faults=faults,
        is_restorable=found.is_whole,
        compared_with=compared.path,
        foreign=found.foreign,
    )


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """Turn a full disk, and whatever else SQLite says, into one sentence."""
    try:
        yield
    except (OSError, *DATABASE_ERRORS, SQLAlchemyError, StoreTrouble) as error:
        if is_no_room(error):
            raise StoreTrouble(
                f"No backup was written: the disk of {target.parent} is full or cannot be written. Free space, or name "
                "a file on another disk."
            ) from error
        if isinstance(error, DATABASE_ERRORS):
            raise StoreTrouble(
                f"No backup was written: the study's file cannot be copied ({error}). If it is damaged, put your last "
                "backup in its place: edgewise.py restore BACKUP.zip STUDY --replace"
            ) from error
        raise


def _copy_database(source: Path, copy: Path) -> None:
    with closing(sqlite3.connect(source)) as origin, closing(sqlite3.connect(copy)) as into:
        origin.backup(into)
        into.execute("PRAGMA journal_mode=DELETE")


def _write_zip(
    study: Study, copy: Path, partial: Path, faults: Sequence[str], *, is_ours: bool
) -> tuple[int, tuple[FileFault, ...]]:
    """`is_ours`: the database may be asked; else all files of its folder go along."""
    held: list[str] = []
    missing: list[FileFault] = []
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        archive.write(copy, DATABASE)
        for sha256, of in (_named(study, copy) if is_ours else _in_folder(study)).items():
            fault = _add_file(archive, study.shelf.place(sha256), sha256)
            if fault:
                missing.append(FileFault(sha256, fault, of))
            else:
                held.append(sha256)
        archive.writestr(MANIFEST, json.dumps(_manifest(study, copy, held, missing, faults, is_ours), indent=1))
    with partial.open("rb+") as written:
        os.fsync(written.fileno())
    return len(held), tuple(missing)


def _named(study: Study, copy: Path) -> dict[str, str]:
    """The study's files; all that lie in its folder where the database is too damaged to name them."""
    try:
        return named_files(copy)
    except DATABASE_ERRORS:
        return _in_folder(study)


def _in_folder(study: Study) -> dict[str, str]:
    folder = study.shelf.folder
    return {path.name: "" for path in sorted(folder.glob("??/*")) if SHA256.fullmatch(path.name)} if folder else {}


def _manifest(
    study: Study, copy: Path, held: list[str], missing: list[FileFault], faults: Sequence[str], is_ours: bool
) -> Mapping[str, Any]:
    return {
        "format": FORMAT,
        "revision": NEWEST,
        "made_at": study.clock().isoformat(),
        "database_sha256": sha256_of_file(copy),
        "files": held,
        "missing": [{"sha256": each.sha256, "why": each.why} for each in missing],
        "faults": list(faults),
        "last_act": _last_act(copy) if is_ours else None,
    }


def _last_act(copy: Path) -> RecordedAct | None:
    try:
        return last_act(copy)
    except DATABASE_ERRORS:
        return None  # the report says of a database so damaged that it cannot be restored


def _add_file(archive: zipfile.ZipFile, place: Path, sha256: str) -> str:
    """Write one file into the zip; what is wrong with it, "" if nothing. One that is damaged is not written."""
    if not SHA256.fullmatch(sha256):
        return "its name in the database is not a hash"
    try:
        if sha256_of_file(place) != sha256:
            return "its bytes have changed"
        file = place.open("rb")
    except FileNotFoundError:
        return "it is not in the study's files folder"
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    digest = hashlib.sha256()
    with file, archive.open(zipfile.ZipInfo(f"files/{sha256}"), "w", force_zip64=True) as member:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            member.write(chunk)
    return "" if digest.hexdigest() == sha256 else "its bytes changed while it was read"
