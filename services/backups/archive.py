"""A backup's zip: its manifest, and its members, read piece by piece and never trusted."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from core.errors import BadInput, StoreUnavailable
from core.words import quoted
from store.migrate import NEWEST, pre_release_fault
from store.sqlite.file import connected

MANIFEST = "manifest.json"
DATABASE = "study.sqlite"
FORMAT = 1
CHUNK = 1024 * 1024
LONGEST_MANIFEST = 64 * 1024**2
SHA256 = re.compile(r"[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9]{4}")
# Errors of a damaged zip's reader.
BAD_ZIP = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    ValueError,
    OverflowError,
    RuntimeError,
    NotImplementedError,
)


@dataclass(frozen=True, slots=True)
class FileFault:
    """A missing or changed file. `of` is the title of its paper, "" if unknown."""

    sha256: str
    why: str
    of: str = ""

    def __str__(self) -> str:
        return f"{f'“{self.of}” ' if self.of else ''}({self.sha256[:12]}…): {self.why}"


class DamagedMember(BadInput):
    """A member of a backup that cannot be read, or differs from the manifest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    made_at: str
    revision: str
    database_sha256: str
    files: tuple[str, ...]  # hashes
    missing: dict[str, str]  # hash → why the backup lacks that file
    faults: tuple[str, ...]  # of the database, as known when the backup was made
    last_act: tuple[int, str] | None  # place and id of the last act in its history


class Archive:
    def __init__(self, name: str, members: zipfile.ZipFile) -> None:
        self.name = name
        self._members = members
        if self._info(MANIFEST).file_size > LONGEST_MANIFEST:
            raise BadInput(f"{name}: {MANIFEST} is larger than {LONGEST_MANIFEST:,} bytes; the backup is damaged.")
        self.manifest = _read_manifest(name, b"".join(self._pieces(MANIFEST)))

    def unpack(self, member: str, target: Path, sha256: str) -> None:
        """Write a member to `target`, piece by piece.

        Raises DamagedMember if it is missing, unreadable or has another hash, StoreUnavailable if the disk is too
        small.
        """
        size, room = self._info(member).file_size, shutil.disk_usage(target.parent).free
        if size > room:
            raise StoreUnavailable(
                f"{self.name}: {member} takes {size:,} bytes; {target.parent} has room for {room:,}."
            )
        digest = hashlib.sha256()
        with target.open("wb") as file:
            for piece in self._pieces(member):
                digest.update(piece)
                file.write(piece)
        if digest.hexdigest() != sha256:
            raise DamagedMember(f"{self.name}: {member} differs from what the manifest says; the backup is damaged.")

    def _info(self, member: str) -> zipfile.ZipInfo:
        try:
            return self._members.getinfo(member)
        except KeyError:
            raise DamagedMember(f"{self.name} is not a complete backup of a study: it contains no {member}.") from None

    def _pieces(self, member: str) -> Iterator[bytes]:
        try:
            file = self._members.open(self._info(member))
        except BAD_ZIP as error:
            raise self._damaged(member, error) from error
        with file:
            while piece := self._piece(file, member):
                yield piece

    def _piece(self, file: IO[bytes], member: str) -> bytes:
        try:
            return file.read(CHUNK)
        except BAD_ZIP as error:
            raise self._damaged(member, error) from error

    def _damaged(self, member: str, error: Exception) -> DamagedMember:
        return DamagedMember(f"{self.name}: {member} cannot be unpacked ({error}); the backup is damaged.")


@contextmanager
def opened_backup(source: Path) -> Iterator[Archive]:
    """Open a backup and read its manifest. Raises BadInput if it is none, or of a newer or pre-release version."""
    try:
        members = zipfile.ZipFile(source)
    except FileNotFoundError as error:
        raise BadInput(f"There is no file {source}; name the ZIP that `edgewise.py backup` wrote.") from error
    except BAD_ZIP as error:
        raise BadInput(f"{source.name} is not a backup: {error}.") from error
    with members:
        yield Archive(source.name, members)


def _read_manifest(name: str, content: bytes) -> Manifest:
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name}: {MANIFEST} is not JSON: {error}.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        version = manifest.get("format") if isinstance(manifest, dict) else None
        raise BadInput(f"{name}: made with backup format {version}; this Edgewise reads format {FORMAT}.")
    revision, files, missing = manifest.get("revision"), manifest.get("files"), manifest.get("missing", [])
    if not isinstance(manifest.get("database_sha256"), str) or not isinstance(files, list):
        raise BadInput(f"{name}: {MANIFEST} does not say which database and files belong to the backup.")
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        raise BadInput(f"{name}: {MANIFEST} does not say which version's tables the database has.")
    fault = pre_release_fault(f"backup {name}", revision)
    if fault:
        raise BadInput(fault)
    if revision > NEWEST:
        raise BadInput(
            f"{name} was made by a newer Edgewise (revision {revision}; this one knows {NEWEST}). Update first."
        )
    for sha256 in files:
        if not isinstance(sha256, str) or not SHA256.fullmatch(sha256):
            raise BadInput(f"{name}: {MANIFEST} names a file {quoted(str(sha256)[:80])}, which is not a SHA-256.")
    faults = manifest.get("faults", [])
    if not isinstance(missing, list) or not isinstance(faults, list) or not all(isinstance(m, dict) for m in missing):
        raise BadInput(f"{name}: {MANIFEST} does not say what the backup lacks.")
    return Manifest(
        made_at=_parse_date(manifest.get("made_at")),
        revision=revision,
        database_sha256=manifest["database_sha256"],
        files=tuple(dict.fromkeys(files)),
        missing={_printable(each.get("sha256")): _printable(each.get("why")) for each in missing},
        faults=tuple(map(_printable, faults)),
        last_act=_parse_act(manifest.get("last_act")),
    )


def _parse_date(value: object) -> str:
    try:
        return datetime.fromisoformat(str(value)).isoformat()
    except ValueError:
        return "unknown"


def _printable(value: object) -> str:
    # A manifest may come from a stranger and contain codes that terminals obey.
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(value)[:500])


def _parse_act(value: object) -> tuple[int, str] | None:
    """Return place and id of an act, None if no database could contain it."""
    match value:
        case [int(seq), str(act_id)] if 0 <= seq < 2**63 and act_id.isascii():
            return seq, act_id
    return None


def named_files(database: Path) -> dict[str, str]:
    """Return hash → title of its paper ("" without one), for every file that a study's database names.

    Raises sqlite3.DatabaseError if the database is too damaged.
    """
    query = (
        "SELECT file.sha256, coalesce(min(paper.title), '') FROM file "
        "LEFT JOIN paper ON paper.file_sha256 = file.sha256 GROUP BY file.sha256 ORDER BY file.sha256"
    )
    with closing(connected(database)) as connection:
        connection.text_factory = lambda found: found.decode(errors="replace")
        return {str(sha256): str(title) for sha256, title in connection.execute(query)}
