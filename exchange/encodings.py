"""Possible encodings of a text that is not UTF-8, each shown on lines of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

ENCODINGS = {
    "cp1252": "Western Europe (Windows-1252, Latin-1)",
    "cp1250": "Central Europe (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "mac_roman": "Old Macintosh (Mac Roman)",
    "cp437": "Old DOS (code page 437)",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
    "euc_kr": "Korean (EUC-KR)",
}
_BYTE_PAIRS = ("shift_jis", "gb18030", "big5", "euc_kr")
"""Two bytes per character: suggested only if bytes beyond ASCII are mostly consecutive."""
_LOOKED_AT = 100_000
_TELLING = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class EncodingSample:
    """An encoding in which a file can be read, and three sample lines in it."""

    encoding: str
    words: str
    lines: tuple[str, ...]


def encoding_samples(content: bytes) -> tuple[EncodingSample, ...]:
    """Return the encodings in which every byte is valid, likeliest first, each with the first three lines that
    contain more than ASCII, where encodings differ."""
    lines = telling_lines(content)
    alone = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", content[:_LOOKED_AT]))
    in_pairs = 2 * alone < len(_TELLING.findall(content[:_LOOKED_AT]))
    samples = []
    for encoding, words in ENCODINGS.items():
        if encoding in _BYTE_PAIRS and not in_pairs:
            continue
        try:
            content.decode(encoding)
            shown = tuple(line.decode(encoding, errors="replace").strip()[:120] for line in lines)
        except UnicodeDecodeError:
            continue
        if not any((ord(mark) < 32 and mark != "\t") or 0x7F <= ord(mark) < 0xA0 for line in shown for mark in line):
            samples.append(EncodingSample(encoding, words, shown))
    return tuple(samples)


def telling_lines(content: bytes) -> list[bytes]:
    """Return the first three lines of a file that contain more than ASCII."""
    first = _TELLING.search(content)
    if first is None:
        return []
    # From the line of the first such byte, since splitting the whole file is far slower.
    start = max(content.rfind(b"\n", 0, first.start()), content.rfind(b"\r", 0, first.start())) + 1
    part = content[max(start, first.start() - _LOOKED_AT) : first.start() + _LOOKED_AT]
    return [line for line in part.splitlines() if not line.isascii()][:3]
