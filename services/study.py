"""The open study: its store, its files and the document readers. One per process."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreUnavailable
from documents import child_errors
from documents.limits import PICTURES
from documents.pool import Pool
from documents.reader import Reader
from services.exchange.file_pool import file_pool
from store.engine import Store
from store.files import FileShelf
from store.migrate import migrate
from store.settings import ensure_secret, secret, setting, title_in
from store.unfinished_imports import remove_left_behind


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Study:
    store: Store
    shelf: FileShelf
    cache: Path  # may be emptied at any time
    reader: Reader
    pool: Pool  # reads documents
    picture_pool: Pool
    file_pool: Pool  # reads other files of strangers
    secret: str = field(repr=False)  # links and forms are derived from it
    clock: Callable[[], datetime] = _now  # replaced in tests

    @property
    def name(self) -> str:
        """Name of the study's file or database; files that are downloaded bear it."""
        return self.store.name

    @property
    def title(self) -> str:
        """Name that the owner gave the study, else that of its file."""
        with self.store.reading() as session:
            return title_in(session) or self.name

    @property
    def cookie(self) -> str:
        """Name of the session cookie, unique per study: two studies on one host must not share a sign-in."""
        return "edgewise_" + hashlib.sha256(self.store.url.encode()).hexdigest()[:10]

    def close(self) -> None:
        self.pool.close()
        self.picture_pool.close()
        self.file_pool.close()
        self.store.close()


def open_study(place: str, home: Path, *, clock: Callable[[], datetime] = _now) -> Study:
    """Open the study at a SQLite path or PostgreSQL URL; create or migrate its tables, remove unfinished imports.

    Readers of documents start when needed, or before with `pool.start_ahead()`. Raises StoreUnavailable if it cannot be
    opened, with the remedy.
    """
    store = Store(place)
    if store.path is not None:
        store.path.parent.mkdir(parents=True, exist_ok=True)
    migrate(store)
    with store.reading() as session:
        stored_secret = setting(session, "secret")
    if stored_secret is None:
        with store.writing() as session:
            ensure_secret(session)
            stored_secret = secret(session)
    remove_left_behind(store)
    cache = home / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    pool = Pool(prestart=0)
    picture_pool = Pool(
        limits=PICTURES, size=2, prestart=0, requests_per_child=1, restarts=False, sentences=child_errors.PICTURES
    )
    return Study(
        store=store,
        shelf=FileShelf(store, cache),
        cache=cache,
        reader=Reader(pool, cache / "pages", picture_pool),
        pool=pool,
        picture_pool=picture_pool,
        file_pool=file_pool(),
        secret=stored_secret,
        clock=clock,
    )


def store_answers() -> bool:
    """Return whether the open study can be read now."""
    try:
        store = current_study().store
        if store.path is not None and not store.path.is_file():
            return False
        with store.reading() as session:
            return setting(session, "secret") is not None
    except StoreUnavailable:
        return False


_lock = threading.Lock()
_current: Study | None = None


def use_study(study: Study | None) -> None:
    """Make `study` the one that this process serves; called once by entry points, and once per test."""
    global _current
    with _lock:
        _current = study


def current_study() -> Study:
    if _current is None:
        raise StoreUnavailable("No study is open in this process.")
    return _current
