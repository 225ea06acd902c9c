"""Restoring a study from its backup: sound parts are put in place last, faults are reported.

An existing study is moved aside, never deleted, and never left next to the restored one: SQLite would replay the log of
a killed program into it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from core.errors import BadInput, StoreUnavailable
from services.backups.archive import (
    DATABASE,
    SHA256,
    Archive,
    DamagedMember,
    FileFault,
    Manifest,
    named_files,
    opened_backup,
)
from services.backups.scratch import clear_leftovers, scratch
from services.backups.soundness import examine
from services.backups.study_lock import held_alone
from store.engine import study_file
from store.files import FileShelf, is_whole, restore_file
from store.sqlite import file as sqlite_file
from store.sqlite.disk import is_no_room
from store.sqlite.file import DATABASE_ERRORS

REPLACED = "replaced"  # part of the names of folders with what a restore moved aside


@dataclass(frozen=True, slots=True)
class RestoreReport:
    path: Path
    files: int  # of the study's, present and whole
    missing: tuple[FileFault, ...]
    faults: tuple[str, ...]  # of the database
    moved: Path | None = None  # folder with the study that was at `path` before
    set_aside: tuple[Path, ...] = ()  # files of the shared folder whose bytes did not match their names

    @property
    def is_sound(self) -> bool:
        return not self.missing and not self.faults


@dataclass(frozen=True, slots=True)
class Verified:
    """Result that restoring a backup would have, and the backup's date."""

    path: Path
    made_at: str
    files: int
    missing: tuple[FileFault, ...]
    faults: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        return not self.missing and not self.faults


def restore(source: Path, target: Path, *, replace: bool = False) -> RestoreReport:
    """Unpack a backup into a SQLite study at `target`.

    Everything is unpacked and checked next to the target first, so that a bad backup changes nothing; then the study is
    opened in place and read again, with every file's bytes.
    `replace`: first move an existing study, with its log, into a dated folder next to it. Raises BadInput for a file
    that is no backup or whose database is damaged, StoreUnavailable if a study or a log exists and is not to be
    replaced, if a process has it open, or if the disk is full.
    """
    study_path = study_file(str(target))
    if study_path is None:
        raise BadInput(f"{target} cannot be the file of a study; name a file such as study.edgewise.")
    target = study_path
    shelf = target.parent / "files"
    with opened_backup(source) as archive:
        _refuse_existing(target, replace=replace)
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent)
        with held_alone(target):
            with _readable_errors(target.parent), scratch(target.parent) as folder:
                copy, _faults = _unpack_database(archive, folder)
                lost = _unpack_files(archive, folder, shelf)
                _refuse_existing(target, replace=replace)
                aside = _store_files(archive.manifest.files, folder, shelf)
                moved = _replace_study(copy, target)
            faults = _read_back(target, moved)
        files, missing = _check_files(target, shelf, archive.manifest, lost)
        return RestoreReport(target, files, missing, _merge_faults(archive.manifest.faults, faults), moved, aside)


def verify(source: Path) -> Verified:
    """Restore a backup into a scratch folder, check all of it and leave nothing.

    Raises BadInput if it is no backup, or its database cannot be restored.
    """
    place = Path(tempfile.gettempdir())
    with _readable_errors(place), opened_backup(source) as archive:
        manifest = archive.manifest
        clear_leftovers(place)
        with scratch(place) as folder:
            copy, faults = _unpack_database(archive, folder)
            lost = _unpack_files(archive, folder, folder / "files")
            _store_files(manifest.files, folder, folder / "files")
            files, missing = _check_files(copy, folder / "files", manifest, lost)
    return Verified(source, manifest.made_at, files, missing, _merge_faults(manifest.faults, faults))


@contextmanager
def _readable_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, *DATABASE_ERRORS, SQLAlchemyError, StoreUnavailable) as error:
        if is_no_room(error):
            raise StoreUnavailable(
                f"Nothing was restored: the disk of {folder} is full or cannot be written."
            ) from error
        raise


def _refuse_existing(target: Path, *, replace: bool) -> None:
    existing = sqlite_file.parts_there(target)
    if not existing or replace:
        return
    names = ", ".join(map(str, existing))
    what = f"{names} exists" if len(existing) == 1 else f"{names} exist"
    is_log_alone = target not in existing
    log = " It is the log of a study that is gone; SQLite would write it into the restored one." if is_log_alone else ""
    raise StoreUnavailable(
        f"{what} already, and a study is never overwritten.{log} Name a new file, or use --replace, which moves the "
        f"existing study aside first: edgewise.py restore BACKUP.zip {target} --replace"
    )


def _unpack_database(archive: Archive, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the database in `folder`, of this version, and its faults. Raises BadInput if it cannot be restored."""
    copy = folder / DATABASE
    archive.unpack(DATABASE, copy, archive.manifest.database_sha256)
    try:
        checked = examine(copy)
    except StoreUnavailable as error:
        if is_no_room(error):
            raise
        raise BadInput(f"{archive.name}: {error}") from error
    if checked.foreign is not None:
        drop = checked.foreign.drop
        way = f" If it is yours, remove it from the study ({drop}) and write a new backup." if drop else ""
        raise BadInput(f"{archive.name} is not restored: {checked.faults[0]}. None of it was run.{way}")
    if not checked.is_whole:
        raise BadInput(
            f"{archive.name}: the database is damaged: {checked.faults[0]}. It cannot be restored; use an earlier "
            "backup (edgewise.py backup FILE --verify says which are sound)."
        )
    if sqlite_file.has_log(copy):
        raise StoreUnavailable(f"{copy} was not closed; nothing was restored.")
    return copy, checked.words


def _unpack_files(archive: Archive, folder: Path, shelf: Path) -> dict[str, str]:
    """Unpack what the files folder lacks; return hash → reason, for those that the backup should contain."""
    lost: dict[str, str] = {}
    for sha256 in archive.manifest.files:
        if is_whole(FileShelf.place_in(shelf, sha256), sha256):
            continue
        try:
            archive.unpack(f"files/{sha256}", folder / sha256, sha256)
        except DamagedMember:
            lost[sha256] = "it is damaged in the backup"
            (folder / sha256).unlink(missing_ok=True)
    return lost


def _store_files(named: Iterable[str], folder: Path, shelf: Path) -> tuple[Path, ...]:
    """Move unpacked files into the files folder, which other studies may share; return replaced files."""
    unpacked = [sha256 for sha256 in named if (folder / sha256).exists()]
    aside = [restore_file(shelf, sha256, folder / sha256) for sha256 in unpacked]
    return tuple(path for path in aside if path is not None)


def _replace_study(copy: Path, target: Path) -> Path | None:
    """Move an existing study into a dated folder, and the copy to `target`; all of it or nothing."""
    existing = sqlite_file.parts_there(target)
    moved = _dated_folder(target) if existing else None
    done: list[tuple[Path, Path]] = []
    with copy.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        for path in existing:
            assert moved is not None
            done.append((path, path.rename(moved / path.name)))
        copy.replace(target)
    except OSError:
        for path, now in reversed(done):
            now.rename(path)
        if moved is not None:
            moved.rmdir()
        raise
    _sync_folder(target.parent)
    return moved


def _dated_folder(target: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    number = 1
    while True:
        folder = target.with_name(f"{target.name}.{REPLACED}-{stamp}{f'-{number}' if number > 1 else ''}")
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


def _sync_folder(folder: Path) -> None:
    """Make the new names survive a power cut, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read_back(target: Path, moved: Path | None) -> tuple[str, ...]:
    """Read the restored study and return its faults. Raises StoreUnavailable if it is not what was written."""
    try:
        checked = examine(target)
        fault = "" if checked.is_whole else checked.faults[0]
    except (OSError, *DATABASE_ERRORS, SQLAlchemyError, StoreUnavailable) as error:
        fault = str(error)
    if not fault and sqlite_file.has_log(target):
        fault = "another program has written into it"
    if fault:
        where = f" The earlier study is now in {moved}." if moved else ""
        raise StoreUnavailable(
            f"{target} was restored but does not read back as it was written: {fault}. Do not use it; the disk may be "
            f"full or failing.{where}"
        )
    return checked.words


def _merge_faults(known: Iterable[str], current: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *current)))


def _check_files(
    database: Path, shelf: Path, manifest: Manifest, lost: Mapping[str, str]
) -> tuple[int, tuple[FileFault, ...]]:
    """Count the files that the database names and the files folder has whole; return the others as faults.

    Files that the backup lists and lacks are faults even if the database does not name them: one of the two is wrong.
    """
    named = named_files(database)
    missing = tuple(
        FileFault(sha256, lost.get(sha256) or _reason_missing(manifest, sha256), of)
        for sha256, of in named.items()
        if not (SHA256.fullmatch(sha256) and is_whole(FileShelf.place_in(shelf, sha256), sha256))
    )
    unnamed = tuple(
        FileFault(sha256, f"{lost.get(sha256) or _reason_missing(manifest, sha256)}; the database does not name it")
        for sha256 in sorted({*lost, *manifest.missing} - named.keys())
    )
    return len(named) - len(missing), (*missing, *unnamed)


def _reason_missing(manifest: Manifest, sha256: str) -> str:
    if sha256 in manifest.missing:
        return f"the backup lacks it: when the backup was made, {manifest.missing[sha256]}"
    return "the backup does not contain it"
