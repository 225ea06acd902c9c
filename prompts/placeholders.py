"""What a protocol's prompt files may leave open, and how a file marks it: {name}, [name] or NAME."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The names of one protocol, by how its files write them. `braces`: {name}, where a name that is not known is a
    fault; `brackets`: [name]; `capitals`: NAME as a word of its own. Anything else in brackets or capitals is text."""

    braces: frozenset[str] = frozenset()
    brackets: frozenset[str] = frozenset()
    capitals: frozenset[str] = frozenset()

    def written(self, name: str) -> str:
        """The placeholder as a file writes it."""
        if name in self.braces:
            return f"{{{name}}}"
        return f"[{name}]" if name in self.brackets else name

    @property
    def listed(self) -> str:
        return ", ".join(sorted(map(self.written, self.braces | self.brackets | self.capitals)))


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a prompt: text as it is sent, or the name of a placeholder. `is_brace`: of one written {name}."""

    text: str = ""
    name: str = ""
    is_brace: bool = False


def pieces(text: str, known: Placeholders, *, is_doubled: bool) -> Iterator[Piece]:
    """A prompt's text in order. `is_doubled`: {{ and }} are read as single braces, as Python's `str.format` does.

    >>> [each.name or each.text for each in pieces("{{{a}}} of [b]", Placeholders(frozenset("a")), is_doubled=True)]
    ['{', 'a', '}', ' of [b]']
    """
    end = 0
    for found in _pattern(known, is_doubled).finditer(text):
        if found.start() > end:
            yield Piece(text[end : found.start()])
        end = found.end()
        kind = found.lastgroup or ""
        yield Piece(found[0][0]) if kind == "doubled" else Piece(name=found[kind], is_brace=kind == "brace")
    if end < len(text):
        yield Piece(text[end:])


@cache
def _pattern(known: Placeholders, is_doubled: bool) -> re.Pattern[str]:
    marks = [r"(?P<doubled>\{\{|\}\})"] if is_doubled else []
    if known.braces:
        marks.append(r"\{(?P<brace>[A-Za-z_][A-Za-z0-9_]*)\}")
    if known.brackets:
        marks.append(rf"\[(?P<bracket>{_any_of(known.brackets)})\]")
    if known.capitals:
        marks.append(rf"(?<![A-Za-z0-9_])(?P<capital>{_any_of(known.capitals)})(?![A-Za-z0-9_])")
    return re.compile("|".join(marks) or r"(?!)")


def _any_of(names: frozenset[str]) -> str:
    return "|".join(map(re.escape, sorted(names)))
