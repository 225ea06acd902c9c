"""Scanner of a text from left to right; errors name the line."""

from __future__ import annotations

import re

from core.errors import InvalidGraph
from core.words import quoted

_BLANK = re.compile(r"\s*")
_QUOTED = re.compile(r'"([^"\\]*+(?:\\.?[^"\\]*+)*+)("?)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SHOWN = 40


class Scanner:
    """A text and the position up to which it is read; `line` is the number of its first line."""

    def __init__(self, text: str, line: int = 1) -> None:
        self.text = text
        self.place = 0
        self._first_line = line

    def at_end(self) -> bool:
        """Skip white space, and return True if nothing else is left."""
        self.skip_blank()
        return self.place == len(self.text)

    def skip_blank(self) -> None:
        blank = _BLANK.match(self.text, self.place)
        assert blank is not None, "nothing is white space too"
        self.place = blank.end()

    def skip(self, literal: str) -> bool:
        """Step over the literal, and over white space before it, if it comes next."""
        self.skip_blank()
        if not self.text.startswith(literal, self.place):
            return False
        self.place += len(literal)
        return True

    def need(self, literal: str) -> None:
        """Step over the literal. Raises InvalidGraph if something else comes next."""
        if not self.skip(literal):
            raise self.fault(quoted(literal))

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over the pattern's match at this position, if there is one."""
        token = pattern.match(self.text, self.place)
        if token is not None:
            self.place = token.end()
        return token

    def name(self, bare: re.Pattern[str], expected: str = "a name") -> str:
        """Return a name in quotation marks, or the match of `bare` without the blanks at its ends. Raises
        InvalidGraph."""
        self.skip_blank()
        if self.text.startswith('"', self.place):
            return self._quoted()
        match = self.match(bare)
        if match is None or not match.group().strip():
            raise self.fault(expected)
        return match.group().strip()

    def fault(self, expected: str) -> InvalidGraph:
        line = self._first_line + self.text.count("\n", 0, self.place)
        rest = self.text[self.place : self.place + _SHOWN + 1].split("\n", 1)[0].rstrip()
        shown = f"{rest[:_SHOWN]}…" if len(rest) > _SHOWN else rest
        shown_input = quoted(shown) if shown else "the end of the line" if self.place < len(self.text) else "the end"
        return InvalidGraph(f"Line {line}: found {shown_input}; expected {expected}.")

    def _quoted(self) -> str:
        begin = self.place
        match = self.match(_QUOTED)
        assert match is not None, "a quotation mark comes next"
        if not match[2]:
            self.place = begin
            raise self.fault("a quotation mark at the end of this name")
        wrong = next((each for each in _ESCAPE.finditer(match[1]) if each[1] not in '"\\'), None)
        if wrong is not None:
            self.place = begin + 1 + wrong.start()
            raise self.fault('\\" or \\\\ after a backslash in quotation marks')
        return _ESCAPE.sub(r"\1", match[1])
