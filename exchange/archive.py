"""ZIP files: untrusted ones read in memory, with every size counted; Edgewise's own written reproducibly."""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import UnreadableFile
from core.words import quoted

MOST_MEMBERS = 2_000
MOST_BYTES = 200 * 1024**2
"""Total unpacked bytes of all members."""
MOST_MEMBER_BYTES = 50 * 1024**2
MOST_RATIO = 100
"""Unpacked bytes per packed byte; checked only for members above `RATIO_FROM`, since small ones are harmless."""
RATIO_FROM = 4 * 1024**2

_PIECE = 256 * 1024
_ZIP = b"PK\x03\x04"
_OFFICE = (".xlsx", ".xlsm", ".xltx", ".docx", ".pptx", ".ods", ".odt")  # packed as zips, and members like any other
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the only ones whose unpacking zipfile can stop in time
_ENCRYPTED = 0x1
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    name: str
    content: bytes


def open_archive(content: bytes, filename: str, *, allowance: int = MOST_BYTES) -> tuple[ArchiveMember, ...]:
    """Return every file of a ZIP in order, without folders.

    allowance: total bytes of all members, at most 200 MB. Sizes are counted while unpacking; the ZIP's own sizes are
    not trusted.
    Raises UnreadableFile, naming the member and the expectation, for a damaged ZIP, more than 2,000 members, too many
    bytes (50 MB per member; more than 100 per packed byte), paths outside the folder, duplicate names, links, encrypted
    members, compression other than deflate, and nested ZIPs.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _BROKEN as error:
        raise UnreadableFile(f"{filename} is damaged: it cannot be opened as a ZIP ({error}). Make it again.") from None
    with archive:
        return tuple(_members(archive, filename, min(allowance, MOST_BYTES)))


def write_archive(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP of (path, bytes) in order, without clock or owner: the same members give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(_new_member(name), content)
    return buffer.getvalue()


def stream_archive(file: BinaryIO, members: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write a ZIP of (path, pieces) into a file piece by piece, as `write_archive`. Each member is requested after
    the previous one is written."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in members:
            # The header precedes the pieces and reserves 64-bit sizes, since their total length is unknown.
            with archive.open(_new_member(name), "w", force_zip64=True) as written:
                for piece in pieces:
                    written.write(piece)


def _new_member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _FIRST_DAY)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3  # Unix, wherever it is written
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    return info


def _members(archive: zipfile.ZipFile, filename: str, allowance: int) -> Iterator[ArchiveMember]:
    infos = archive.infolist()
    if len(infos) > MOST_MEMBERS:
        raise UnreadableFile(f"{filename} contains {len(infos):,} members; the maximum is {MOST_MEMBERS:,}. Split it.")
    seen: set[str] = set()
    left = allowance
    for info in infos:
        name = _checked_name(info, filename)
        if name in seen:
            raise _refusal(filename, name, "is listed twice; keep one")
        seen.add(name)
        _check_kind(info, filename, name)
        if info.is_dir() or name.endswith("/"):
            continue
        unpacked = _unpacked(archive, info, filename, name, left)
        left -= len(unpacked)
        if unpacked.startswith(_ZIP) and not name.lower().endswith(_OFFICE):
            raise _refusal(filename, name, "is a ZIP inside the ZIP; unpack it and add its files")
        yield ArchiveMember(name, unpacked)


def _checked_name(info: zipfile.ZipInfo, filename: str) -> str:
    """Return the member's path with "/" between folders. A path that leads elsewhere is refused, not corrected: a
    renamed member is a different file."""
    written = info.orig_filename
    name = written.replace("\\", "/")
    if re.search(r"[\x00-\x1f\x7f]", name):
        raise _refusal(filename, written, "has a control character in its name; rename it")
    if name.startswith("/"):
        raise _refusal(filename, written, "has an absolute name; pack it with a name inside the folder")
    if re.match(r"[A-Za-z]:", name):
        raise _refusal(filename, written, "has a drive letter in its name; pack it with a name inside the folder")
    if ".." in name.split("/"):
        raise _refusal(filename, written, "leads out of the folder with ..; pack it with a name inside the folder")
    if not name.strip():
        raise _refusal(filename, written, "has no name; give it one")
    return name


def _check_kind(info: zipfile.ZipInfo, filename: str, name: str) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        word = "link" if stat.S_ISLNK(kind) else "device"
        raise _refusal(filename, name, f"is a {word}, not a file; pack the file itself")
    if info.flag_bits & _ENCRYPTED:
        raise _refusal(filename, name, "is encrypted; pack it without a password")
    if info.compress_type not in _METHODS:
        raise _refusal(
            filename, name, f"is compressed with method {info.compress_type}; compress it with the usual one (deflate)"
        )


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, filename: str, name: str, left: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    try:
        with archive.open(info) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > MOST_MEMBER_BYTES:
                    raise _refusal(
                        filename, name, f"unpacks to more than {_megabytes(MOST_MEMBER_BYTES)}; pack less into it"
                    )
                if size > left:
                    whole = _megabytes(MOST_BYTES)
                    raise _refusal(filename, name, f"takes the ZIP past {whole} unpacked; split the ZIP")
                if size > RATIO_FROM and size > MOST_RATIO * max(info.compress_size, 1):
                    raise _refusal(
                        filename, name, f"unpacks to more than {MOST_RATIO} times its size, as only a ZIP bomb does"
                    )
                pieces.append(piece)
    except _BROKEN as error:
        raise _refusal(filename, name, f"is damaged ({error}); make the ZIP again") from None
    return b"".join(pieces)


def _refusal(filename: str, name: str, wrong: str) -> UnreadableFile:
    shown = name if len(name) <= 120 else f"{name[:119]}…"
    return UnreadableFile(f"{filename}: the member {quoted(shown)} {wrong}. Nothing in the ZIP was read.")


def _megabytes(size: int) -> str:
    return f"{size // 1024**2} MB"
