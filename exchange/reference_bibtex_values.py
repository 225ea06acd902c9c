"""Values of BibTeX fields: text in braces or quotes, numbers and abbreviations, joined by #; and a comma left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Abbreviations that every style defines; other programs write them in full."""

_BARE = re.compile(r'[^\s{}"#=]+')
_MARK = re.compile(r'(?<!\\)[{}"]')


class NoValue(Exception):
    """What is wrong with a value, within a sentence."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field and its text. `is_unparted`: there is no comma in front of it. `undefined`: abbreviations that stand for
    nothing in the file, of which the name is taken."""

    key: str
    text: str
    is_unparted: bool = False
    undefined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a value: `kind` is "text", "bare", "#" or "="."""

    kind: str
    text: str


def field_values(key: str, raw: str, strings: Mapping[str, str]) -> Iterator[FieldValue]:
    """The field as it is meant, and those behind it in front of which a comma is left out. `strings`: the file's own
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
            found = _BARE.match(raw, place)
            assert found is not None, "every other character begins a bare part"
            yield _Part("bare", found[0])
            place = found.end()


def _end_of_text(raw: str, start: int) -> int:
    """Where the brace or the quote closes; quotes within braces close nothing. Marks behind a backslash are text."""
    depth = 0
    for found in _MARK.finditer(raw, start):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if depth == 0 and raw[start] == "{":
                return found.start()
        elif depth == 0 and found.start() > start and raw[start] == '"':
            return found.start()
    raise NoValue(f"{raw[start]} is not closed")
