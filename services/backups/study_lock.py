"""Locks of study files: one server per study, and no replacement of a study in use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreUnavailable
from services.backups.scratch import clear_leftovers
from store.engine import Store, study_file
from store.migrate import migrate
from store.sqlite import file as sqlite_file
from store.sqlite import lock as file_lock
from store.sqlite.lock import FileLock

_serving: dict[Path, FileLock] = {}


def begin_serving(place: str) -> None:
    """Lock the study for this process, which serves it from now on, and migrate it. Idempotent in a process.

    A log left by a killed program is checked before SQLite applies it. Raises StoreUnavailable if another process
    serves the study, if it is damaged, or if it cannot be opened.
    """
    store = Store(place)
    path = store.path
    if path in _serving:
        return
    lock = _lock_study(path) if path is not None else None
    try:
        if path is not None:
            clear_leftovers(path.parent)
            _refuse_damage(path)
        migrate(store)
    except BaseException:
        if lock is not None:
            lock.release(remove=True)
        raise
    finally:
        store.close()
    if path is not None and lock is not None:
        _serving[path] = lock


def end_serving(place: str) -> None:
    path = study_file(place)
    lock = _serving.pop(path, None) if path is not None else None
    if lock is not None:
        lock.release(remove=True)


def _lock_study(path: Path) -> FileLock:
    place = sqlite_file.serving_place(path)
    lock = file_lock.take(place)
    if lock is None:
        by = file_lock.holder(place)
        raise StoreUnavailable(
            f"The study {path} is already being served{f' (process {by})' if by else ''}; stop that server first. "
            "A study has one server."
        )
    return lock


def _refuse_damage(path: Path) -> None:
    # The log of a live process is not checked; one without an owner may belong to an earlier study of this name.
    if not sqlite_file.has_log(path) or sqlite_file.is_open_elsewhere(path):
        return
    fault = sqlite_file.quick_fault(path)
    if fault:
        raise StoreUnavailable(
            f"The study {path} is damaged together with the log that a killed program left beside it "
            f"({sqlite_file.log_of(path).name}): {fault}. Nothing was changed. Restore your last backup; the damaged "
            f"study is moved aside: edgewise.py restore BACKUP.zip {path} --replace"
        )


def refuse_old_log(path: Path) -> None:
    """Raise StoreUnavailable if an earlier study of this name left its log: SQLite would write it into the new one."""
    left = sqlite_file.parts_there(path)
    if left:
        names = " and ".join(map(str, left))
        raise StoreUnavailable(f"There is no study at {path}, but an earlier one left {names}. Move that away first.")


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """Keep the study at `path` from being served meanwhile. Raises StoreUnavailable while any process has it open."""
    lock = _lock_study(path)
    try:
        if file_lock.is_held(sqlite_file.worker_place(path)):
            raise StoreUnavailable(f"A worker of model runs has the study {path} open; stop it first.")
        if sqlite_file.is_open_elsewhere(path):
            raise StoreUnavailable(f"Another program has the study {path} open; close it first.")
        yield
    finally:
        lock.release(remove=True)
