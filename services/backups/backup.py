"""Backup of a whole study: a zip of a consistent store and of every file it names that matches its hash."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from core.errors import StoreUnavailable
from core.people import Permission, Viewer
from services.acting import consulting
from services.backups.archive import CHUNK, DATABASE, FORMAT, MANIFEST, SHA256, FileFault, named_files
from services.backups.comparing import BackupComparison, compare_with_last
from services.backups.scratch import clear_leftovers, scratch
from services.backups.soundness import examine
from services.study import Study
from store.files import sha256_of_file
from store.migrate import NEWEST
from store.sqlite.definitions import ForeignDefinition
from store.sqlite.disk import is_no_room
from store.sqlite.file import DATABASE_ERRORS
from store.tamper_check import StoredAct, last_act


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    path: Path
    files: int  # in the backup
    size_bytes: int
    missing: tuple[FileFault, ...] = ()
    faults: tuple[str, ...] = ()  # of the database
    is_restorable: bool = True  # possibly with the faulty rows as they are; never with a `foreign` definition
    compared_with: Path | None = None  # earlier backup, compared for changes of unchangeable rows
    foreign: ForeignDefinition | None = None  # a definition that a restore would run

    @property
    def is_sound(self) -> bool:
        return not self.missing and not self.faults


def backup(viewer: Viewer, target: Path) -> BackupReport:
    """Write a backup of the open study while people continue to work, and check everything in it.

    SQLite's online backup copies the database at one moment; each file that the copy names follows if it matches its
    hash. Damaged parts are left out or kept as they are, and reported. Raises StoreUnavailable for a PostgreSQL study
    (use its server's tools), a target that exists, or a full disk.
    """
    with consulting(viewer, Permission.MANAGE) as r:
        study = r.study
    if study.store.path is None:
        raise StoreUnavailable("This study lives in PostgreSQL; back it up with pg_dump, which includes the files.")
    if target.exists():
        raise StoreUnavailable(f"{target} exists already; name a new file.")
    with _readable_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent)
        with scratch(target.parent) as folder:
            copy, partial = folder / DATABASE, folder / "backup.zip"
            with closing(sqlite3.connect(study.store.path)) as origin, closing(sqlite3.connect(copy)) as into:
                origin.backup(into)
                into.execute("PRAGMA journal_mode=DELETE")
            checked = examine(copy)
            compared = compare_with_last(copy, target.parent, folder) if checked.is_whole else BackupComparison()
            is_native = checked.foreign is None
            files, missing = _write_zip(study, copy, partial, (*checked.faults, *compared.faults), is_native=is_native)
            partial.replace(target)
    faults = (*checked.words, *compared.faults)
    return BackupReport(
        path=target,
        files=files,
        size_bytes=target.stat().st_size,
        missing=missing,
        faults=faults,
        is_restorable=checked.is_whole,
        compared_with=compared.path,
        foreign=checked.foreign,
    )


@contextmanager
def _readable_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, *DATABASE_ERRORS, SQLAlchemyError, StoreUnavailable) as error:
        if is_no_room(error):
            raise StoreUnavailable(
                f"No backup was written: the disk of {target.parent} is full or cannot be written. Free space, or name "
                "a file on another disk."
            ) from error
        if isinstance(error, DATABASE_ERRORS):
            raise StoreUnavailable(
                f"No backup was written: the study's file cannot be copied ({error}). If it is damaged, put your last "
                "backup in its place: edgewise.py restore BACKUP.zip STUDY --replace"
            ) from error
        raise


def _write_zip(
    study: Study, copy: Path, partial: Path, faults: Sequence[str], *, is_native: bool
) -> tuple[int, tuple[FileFault, ...]]:
    """Write the zip. Unless `is_native`, the database is not queried and all files of its folder are written."""
    written_files: list[str] = []
    missing: list[FileFault] = []
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        archive.write(copy, DATABASE)
        for sha256, of in (_named_or_all_files(study, copy) if is_native else _in_folder(study)).items():
            fault = _add_file(archive, study.shelf.place(sha256), sha256)
            if fault:
                missing.append(FileFault(sha256, fault, of))
            else:
                written_files.append(sha256)
        manifest = {
            "format": FORMAT,
            "revision": NEWEST,
            "made_at": study.clock().isoformat(),
            "database_sha256": sha256_of_file(copy),
            "files": written_files,
            "missing": [{"sha256": each.sha256, "why": each.why} for each in missing],
            "faults": list(faults),
            "last_act": _last_act(copy) if is_native else None,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    with partial.open("rb+") as zip_file:
        os.fsync(zip_file.fileno())
    return len(written_files), tuple(missing)


def _named_or_all_files(study: Study, copy: Path) -> dict[str, str]:
    try:
        return named_files(copy)
    except DATABASE_ERRORS:
        return _in_folder(study)


def _in_folder(study: Study) -> dict[str, str]:
    folder = study.shelf.folder
    return {path.name: "" for path in sorted(folder.glob("??/*")) if SHA256.fullmatch(path.name)} if folder else {}


def _last_act(copy: Path) -> StoredAct | None:
    try:
        return last_act(copy)
    except DATABASE_ERRORS:
        return None  # the report already says that such a database cannot be restored


def _add_file(archive: zipfile.ZipFile, place: Path, sha256: str) -> str:
    """Write one file into the zip unless it is damaged; return its fault, "" if there is none."""
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
