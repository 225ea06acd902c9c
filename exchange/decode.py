"""Bytes of an import file to text: the byte order mark decides, then UTF-8; no encoding is guessed silently."""

from __future__ import annotations

import codecs

from core.errors import UnknownEncoding, UnreadableFile
from exchange.encodings import telling_lines

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", ""),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),  # before UTF-16, whose mark is a prefix of this one
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_OTHER_FORMATS = ((b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP or Excel file"), (b"\x89PNG", "a picture"))


def decode_text(content: bytes, filename: str, encoding: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the text of a file and notices about its decoding; `encoding` is a user's answer and takes precedence.
    Raises UnreadableFile for an empty file, a binary file, a web page, an unknown encoding name, and for bytes that
    are not UTF-8: then the message asks for the encoding and shows three sample lines in the likeliest."""
    if not content.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise UnreadableFile(f"{filename}: the file is empty.")
    for start, kind in _OTHER_FORMATS:
        if content.startswith(start):
            raise UnreadableFile(f"{filename} is {kind}, not text; choose a CSV, JSON or text file.")
    text, notices = _decode(content, filename, encoding)
    if not text.strip():
        raise UnreadableFile(f"{filename}: the file is empty.")
    if text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        raise UnreadableFile(f"{filename} is a web page, not a list; download the file itself.")
    return text, notices


def _decode(content: bytes, filename: str, encoding: str) -> tuple[str, tuple[str, ...]]:
    if encoding:
        return _decode_as(content, filename, encoding), (f"{filename} was read as {encoding}.",)
    for mark, codec, shown in _MARKS:
        if content.startswith(mark):
            return _decode_as(content, filename, codec), ((f"{filename} was read as {shown}.",) if shown else ())
    if (unmarked := _unmarked_utf16(content)) is not None:
        return _decode_as(content, filename, unmarked), (f"{filename} was read as UTF-16.",)
    try:
        return content.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        preview = " / ".join(telling.decode("cp1252", errors="replace").strip() for telling in telling_lines(content))
        raise UnknownEncoding(
            f"{filename}, line {line}: not UTF-8. Which encoding is it? As Windows-1252 (Latin-1, Western Europe) "
            f"it has these lines: {preview[:240]}"
        ) from None


def _decode_as(content: bytes, filename: str, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except (LookupError, UnicodeError):
        raise UnreadableFile(f"{filename} cannot be read as {encoding}; choose another encoding.") from None


def _unmarked_utf16(content: bytes) -> str | None:
    """Return the codec of UTF-16 without a mark: its ASCII letters have a zero in every other byte, unlike UTF-8."""
    sample = content[:2000]
    for place, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        high, low = sample[place::2], sample[1 - place :: 2]
        if len(sample) >= 8 and high.count(0) > 0.6 * len(high) and low.count(0) < 0.1 * len(low):
            return codec
    return None
