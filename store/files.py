"""Files by the SHA-256 of their content, in a folder next to SQLite or in the server's database."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from sqlmodel import Session

from core.errors import Missing, StoreUnavailable
from store.engine import Store
from store.tables import FileContentRow, FileRow


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sha256_of_file(path: Path) -> str:
    """Return the hash of a file of any size. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FileShelf:
    """Content-addressed file storage. `cache` is a local folder that may be emptied at any time."""

    def __init__(self, store: Store, cache: Path) -> None:
        self._folder = store.path.parent / "files" if store.path else None
        self._cache = cache / "files"

    @property
    def folder(self) -> Path | None:
        return self._folder

    def place(self, sha256: str) -> Path:
        return self.place_in(self._folder or self._cache, sha256)

    def put(self, session: Session, row: FileRow, content: bytes) -> FileRow:
        """Store `content` and its row, unless they exist."""
        existing = session.get(FileRow, row.sha256)
        if existing is not None:
            return existing
        # The bytes are written first: a crash leaves at most an unnamed file, never a row without its file.
        if self._folder is not None:
            _write_once(self.place(row.sha256), content)
            session.add(row)
        else:
            session.add(row)
            session.flush()
            session.add(FileContentRow(sha256=row.sha256, content=content))
        session.flush()
        return row

    def path(self, session: Session, sha256: str) -> Path:
        """Return a readable file with this content. Raises Missing if the study has no such file."""
        if session.get(FileRow, sha256) is None:
            raise Missing("There is no such file in this study.")
        place = self.place(sha256)
        if place.exists():
            return place
        stored = session.get(FileContentRow, sha256)
        if stored is None:
            raise StoreUnavailable(
                f"The file {sha256[:12]}… is missing from the study's files folder; restore it from a backup."
            )
        _write_once(place, stored.content)
        return place

    def repair(self, sha256: str, content: bytes) -> bool:
        """Restore the bytes of a known file that are lost or changed; return True if they were."""
        if self._folder is None or is_whole(self.place(sha256), sha256):
            return False
        set_aside(self.place(sha256))
        _write_once(self.place(sha256), content)
        return True

    @staticmethod
    def place_in(folder: Path, sha256: str) -> Path:
        return folder / sha256[:2] / sha256


def read_file(store: Store, session: Session, sha256: str) -> bytes:
    """Return the bytes of a file of the study. Raises Missing if they are lost or changed."""
    known = session.get(FileRow, sha256)
    if known is None:
        raise Missing(f"There is no file {sha256[:12]}… in this study.")
    if store.path is not None:
        place = FileShelf.place_in(store.path.parent / "files", sha256)
        content = place.read_bytes() if place.is_file() else b""
    else:
        row = session.get(FileContentRow, sha256)
        content = row.content if row is not None else b""
    if sha256_of(content) != sha256:
        called = known.original_name or f"{sha256[:12]}…"
        raise Missing(f"The file {called} is missing from the study's files, or changed; restore it from a backup.")
    return content


def is_whole(place: Path, sha256: str) -> bool:
    try:
        return sha256_of_file(place) == sha256
    except OSError:
        return False


def set_aside(place: Path) -> Path | None:
    """Rename a file within its folder and return the new path, None if there is none."""
    if not os.path.lexists(place):
        return None
    number = 1
    while os.path.lexists(aside := place.with_name(f"{place.name}.damaged-{number}")):
        number += 1
    return place.rename(aside)


def restore_file(folder: Path, sha256: str, source: Path) -> Path | None:
    """Move a file with this hash into a files folder on the same disk, unless it is there. Returns the new name of a
    file with other bytes that was in its place, or None."""
    place = FileShelf.place_in(folder, sha256)
    if is_whole(place, sha256):
        return None
    place.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb+") as file:
        os.fsync(file.fileno())
    aside = set_aside(place)
    source.replace(place)
    return aside


def _write_once(place: Path, content: bytes) -> None:
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
