"""Values of BibTeX fields: text in braces or quotes, numbers and abbreviations, joined by #; commas may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Abbreviations that every style defines; other programs write the names in full."""

_BARE = re.compile(r'[^\s{}"#=]+')
_MARK = re.compile(r'(?<!\\)[{}"]')


class NoValue(Exception):
    """The fault of a value, as part of a sentence."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    key: str
    text: str
    is_unparted: bool = False  # no comma precedes it
    undefined: tuple[str, ...] = ()  # unknown abbreviations, used as text


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a value: `kind` is "text", "bare", "#" or "="."""

    kind: str
    text: str


def field_values(key: str, raw: str, strings: Mapping[str, str]) -> Iterator[FieldValue]:
    """Yield the field, and those after it without a comma between. `strings`: the file's own
    abbreviations, in small letters.

    Raises NoValue for text that is not closed, and for two texts with nothing between them.

    >>> [(each.key, each.text) for each in field_values("title", '"A" # { and B} year = 2020', {})]
    [('title', 'A and B'), ('year', '2020')]
    """
    parts = list(_parts(raw))
    start, is_unparted = 0, False
    while True:
        end = next((place - 1 for place in range(start + 1, len(parts)) if parts[place].kind == "="), len(parts))
        if end < len(parts) and parts[end].kind != "bare":
            raise NoValue(f"found = behind {parts[end].text[:40]}; expected a comma, # or the end of the field")
        yield _joined(key, parts[start:end], strings, is_unparted)
        if end == len(parts):
            return
        key, start, is_unparted = parts[end].text, end + 2, True


def _joined(key: str, parts: list[_Part], strings: Mapping[str, str], is_unparted: bool) -> FieldValue:
    if all(part.kind == "bare" for part in parts) and len(parts) > 1:
        return FieldValue(key, " ".join(part.text for part in parts), is_unparted)  # no BibTeX, yet legible
    undefined = list[str]()
    texts = list[str]()
    for place, part in enumerate(parts):
        if (part.kind == "#") != bool(place % 2):
            near = parts[place - 1].text[:40] if place else part.text[:40]
            raise NoValue(f"two texts with nothing between them, at {near}; expected # or a comma")
        if part.kind == "bare":
            name = part.text.lower()
            is_plain = name.isdigit() or name in MONTHS or not name[0].isalpha()
            if name not in strings and not is_plain:
                undefined.append(part.text)
            texts.append(strings.get(name, part.text))
        elif part.kind == "text":
            texts.append(part.text)
    if parts and len(parts) % 2 == 0:
        raise NoValue("nothing is behind the last #; expected a text")
    return FieldValue(key, "".join(texts), is_unparted, tuple(undefined))


def _parts(raw: str) -> Iterator[_Part]:
    place = 0
    while place < len(raw):
        letter = raw[place]
        if letter.isspace():
            place += 1
        elif letter in "#=":
            yield _Part(letter, letter)
            place += 1
        elif letter in '{"':
            end = _end_of_text(raw, place)
            yield _Part("text", raw[place + 1 : end])
            place = end + 1
        elif letter == "}":
            raise NoValue("a brace is closed that was not opened")
        else:
            match = _BARE.match(raw, place)
            assert match is not None, "every other character begins a bare part"
            yield _Part("bare", match[0])
            place = match.end()


def _end_of_text(raw: str, start: int) -> int:
    """Return where the brace or quote closes; quotes within braces and marks after a backslash are text."""
    depth = 0
    for match in _MARK.finditer(raw, start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0 and raw[start] == "{":
                return match.start()
        elif depth == 0 and match.start() > start and raw[start] == '"':
            return match.start()
    raise NoValue(f"{raw[start]} is not closed")
