"""The shelf: files by the SHA-256 of their content, in a folder beside SQLite or in the server's database."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from sqlmodel import Session

from core.errors import Missing, StoreTrouble
from store.engine import Store
from store.tables import FileContentRow, FileRow


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class FileShelf:
    """Where the bytes lie. `cache` is a local folder that may be emptied at any time."""

    def __init__(self, store: Store, cache: Path) -> None:
        self._folder = store.path.parent / "files" if store.path else None
        self._cache = cache / "files"

    @property
    def folder(self) -> Path | None:
        return self._folder

    def put(self, session: Session, row: FileRow, content: bytes) -> FileRow:
        """Keep `content` and its row; content already there is left as it is (same hash, same bytes).

        The bytes are written before the row, so that a kill leaves at most an unnamed file, never a row
        without its file.
        """
        found = session.get(FileRow, row.sha256)
        if found is not None:
            return found
        if self._folder is not None:
            _write_once(self._place(self._folder, row.sha256), content)
            session.add(row)
        else:
            session.add(row)
            session.flush()
            session.add(FileContentRow(sha256=row.sha256, content=content))
        session.flush()
        return row

    def path(self, session: Session, sha256: str) -> Path:
        """A readable file with this content. Raises Missing if the study has no such file."""
        if session.get(FileRow, sha256) is None:
            raise Missing("There is no such file in this study.")
        place = self._place(self._folder or self._cache, sha256)
        if place.exists():
            return place
        stored = session.get(FileContentRow, sha256)
        if stored is None:
            raise StoreTrouble(
                f"The file {sha256[:12]}… is missing from the study's files folder; restore it from a backup."
            )
        _write_once(place, stored.content)
        return place

    @classmethod
    def put_back(cls, folder: Path, sha256: str, content: bytes) -> None:
        """Lay a file from a backup into a files folder; one that is there already is left alone."""
        _write_once(cls._place(folder, sha256), content)

    @staticmethod
    def _place(folder: Path, sha256: str) -> Path:
        return folder / sha256[:2] / sha256


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
