"""Lines of a text file, decoded while reading, and messages for broken CSV records."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice

from core.errors import UnreadableFile
from core.graphs.bounds import too_many
from exchange.decode import decode_text

MOST_LINES = 250_000
"""Limit for a table, counting blank lines and lines inside cells."""
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")


def first_lines(text: str, most: int = MOST_LINES) -> list[str]:
    r"""Return at most `most` lines of a text with their ends: `\\n`, `\\r\\n` or `\\r`, as in tables."""
    return [match.group() for match in islice(_LINE.finditer(text), most)]


def refuse_more_lines(text: str, lines: list[str], filename: str) -> None:
    """Raise UnreadableFile if `first_lines` omitted part of a text that must be read whole."""
    if len(lines) == MOST_LINES and sum(map(len, lines)) < len(text):
        raise too_many(filename, MOST_LINES, "lines")


def text_lines(content: bytes, filename: str, encoding: str = "", *, newline: str) -> Iterator[str]:
    """Yield lines with their ends, `newline` as in `io.TextIOWrapper`. UTF-8 is decoded in pieces; other encodings
    as a whole. Raises UnreadableFile, UnknownEncoding as `decode_text`."""
    is_marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    if encoding or is_marked or b"\x00" in content[:64] or not content.strip():
        text, _notices = decode_text(content, filename, encoding)
        yield from io.StringIO(text, newline=newline)
        return
    try:
        yield from io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline=newline)
    except UnicodeDecodeError:
        decode_text(content, filename, encoding)
        raise UnreadableFile(f"{filename} is not UTF-8; save it as UTF-8.") from None


def broken_record(error: str) -> str:
    """Return the expectation for an error of the csv module."""
    if "unexpected end" in error:
        return "a quote is opened here and never closed; nothing after it was read"
    if "field larger" in error:
        return "a cell of at most 131,072 characters, or a quote that is closed"
    return "a quote that is closed; a quote inside a cell is doubled"
