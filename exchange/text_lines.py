"""Lines of a text file, decoded as they are read, and what is wrong with a broken CSV record in words."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice

from core.errors import UnreadableFile
from core.graphs.bounds import too_many
from exchange.decode import decode_text

MOST_LINES = 250_000
"""Of a table, blank ones and those inside of cells among them: beyond, nothing is split off."""
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")


def first_lines(text: str, most: int = MOST_LINES) -> list[str]:
    """At most so many lines of a text, with their ends: `\\n`, `\\r\\n` or `\\r`, as a table's rows have them."""
    return [found.group() for found in islice(_LINE.finditer(text), most)]


def refuse_more_lines(text: str, lines: list[str], filename: str) -> None:
    """Raise UnreadableFile if `first_lines` has left some of a text, all of which was to be read."""
    if len(lines) == MOST_LINES and sum(map(len, lines)) < len(text):
        raise too_many(filename, MOST_LINES, "lines")


def text_lines(content: bytes, filename: str, encoding: str = "", *, newline: str) -> Iterator[str]:
    """Lines with their ends, `newline` as in `io.TextIOWrapper`. UTF-8 is decoded piece by piece; anything else whole,
    which names its encoding or asks. Raises UnreadableFile, UnknownEncoding as `decode_text` does."""
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
    """What the csv module found, as what would be right."""
    if "unexpected end" in error:
        return "a quote is opened here and never closed; nothing after it was read"
    if "field larger" in error:
        return "a cell of at most 131,072 characters, or a quote that is closed"
    return "a quote that is closed; a quote inside a cell is doubled"
