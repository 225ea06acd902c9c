"""Backup and restore of a whole study: a zip of one consistent store and the files it names."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import select

from core.errors import BadInput, StoreTrouble
from core.people import May, Viewer
from services.acting import consulting
from services.study import Study
from store.engine import Store
from store.files import FileShelf
from store.migrate import NEWEST
from store.tables import FileRow

MANIFEST = "manifest.json"
DATABASE = "study.sqlite"
FORMAT = 1
LARGEST_MEMBER = 4 * 1024**3
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class BackupReport:
    path: Path
    files: int
    size_bytes: int


def backup(viewer: Viewer, target: Path) -> BackupReport:
    """Write a backup of the open study while people go on working.

    The database is copied by SQLite's own online backup, so it is one moment's state; each named file follows.
    Raises StoreTrouble for a PostgreSQL study (its server's own tools make the backup) or a target that exists.
    """
    with consulting(viewer, May.MANAGE) as r:
        study = r.study
    if study.store.path is None:
        raise StoreTrouble("This study lives in PostgreSQL; back it up with pg_dump, which takes the files along.")
    if target.exists():
        raise StoreTrouble(f"{target} exists already; name a new file.")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            copy = Path(folder) / DATABASE
            _copy_database(study.store.path, copy)
            count = _write_zip(study, copy, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return BackupReport(target, count, target.stat().st_size)


def _copy_database(source: Path, copy: Path) -> None:
    origin, into = sqlite3.connect(source), sqlite3.connect(copy)
    try:
        origin.backup(into)
        into.execute("PRAGMA journal_mode=DELETE")
    finally:
        into.close()
        origin.close()


def _write_zip(study: Study, copy: Path, partial: Path) -> int:
    kept = Store(str(copy))
    try:
        with kept.reading() as session:
            names = list(session.exec(select(FileRow.sha256)))
    finally:
        kept.close()
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        archive.write(copy, DATABASE)
        for sha256 in names:
            with study.store.reading() as session:
                archive.write(study.shelf.path(session, sha256), f"files/{sha256}", zipfile.ZIP_STORED)
        manifest = {
            "format": FORMAT,
            "revision": NEWEST,
            "made_at": study.clock().isoformat(),
            "database_sha256": hashlib.sha256(copy.read_bytes()).hexdigest(),
            "files": names,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return len(names)


def restore(source: Path, target: Path) -> int:
    """Unpack a backup into a new SQLite study at `target`; returns the number of files.

    Everything is checked first (manifest, hashes, member names, integrity) and put in place last, so a bad
    backup leaves nothing behind. Raises BadInput for a file that is no backup, StoreTrouble if `target` exists.
    """
    if target.exists():
        raise StoreTrouble(f"{target} exists already; a study is never overwritten. Name a new file.")
    try:
        archive = zipfile.ZipFile(source)
    except (OSError, zipfile.BadZipFile) as error:
        raise BadInput(f"{source.name} is not a backup: {error}.") from error
    with archive:
        manifest = _manifest(archive, source)
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            copy = Path(folder) / DATABASE
            copy.write_bytes(_member(archive, DATABASE, source))
            if hashlib.sha256(copy.read_bytes()).hexdigest() != manifest["database_sha256"]:
                raise BadInput(
                    f"{source.name}: the database differs from what the manifest says; the backup is damaged."
                )
            _check_database(copy, source)
            for sha256 in manifest["files"]:
                _unpack(archive, source, sha256, Path(folder))
            for sha256 in manifest["files"]:
                FileShelf.put_back(target.parent / "files", sha256, (Path(folder) / sha256).read_bytes())
            copy.replace(target)
    return len(manifest["files"])


def _check_database(copy: Path, source: Path) -> None:
    store = Store(str(copy))
    try:
        faults = store.check()
    except StoreTrouble as error:
        raise BadInput(f"{source.name}: the database is damaged: {error}") from error
    finally:
        store.close()
    if faults:
        raise BadInput(f"{source.name}: the database is damaged: {faults[0]}.")


def _manifest(archive: zipfile.ZipFile, source: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(_member(archive, MANIFEST, source))
    except ValueError as error:
        raise BadInput(f"{source.name}: {MANIFEST} is not JSON: {error}.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else None
        raise BadInput(f"{source.name}: made with backup format {found}; this reads format {FORMAT}.")
    files = manifest.get("files")
    if not isinstance(manifest.get("database_sha256"), str) or not isinstance(files, list):
        raise BadInput(f"{source.name}: {MANIFEST} does not say which database and files belong to the backup.")
    for name in files:
        if not isinstance(name, str) or not SHA256.fullmatch(name):
            raise BadInput(f"{source.name}: {MANIFEST} names a file {str(name)[:80]!r}, which is not a SHA-256.")
    return manifest


def _member(archive: zipfile.ZipFile, name: str, source: Path) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise BadInput(f"{source.name} is not a backup of a study: it holds no {name}.") from None
    if info.file_size > LARGEST_MEMBER:
        raise BadInput(f"{source.name}: {name} unpacks to {info.file_size:,} bytes; that is too large.")
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadInput(f"{source.name}: {name} cannot be unpacked ({error}); the backup is damaged.") from error


def _unpack(archive: zipfile.ZipFile, source: Path, sha256: str, folder: Path) -> None:
    content = _member(archive, f"files/{sha256}", source)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise BadInput(f"{source.name}: the file {sha256[:12]}… is damaged.")
    (folder / sha256).write_bytes(content)
