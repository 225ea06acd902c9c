"""The error tree. Every error a user can cause says what is wrong, where, and what is expected.

EdgewiseError
├── BadInput                 input that cannot be accepted
│   ├── BadRow               one row or line of an import
│   │   └── UnknownColumns   a heading whose source and sink a person must name
│   ├── InvalidGraph         a graph or a change to one breaks a rule
│   ├── InvalidName          a variable's or a person's name that is not allowed
│   ├── UnknownSign          a sign outside the vocabulary
│   ├── TooLarge              more than the limit
│   ├── UnreadableDocument   a PDF or picture that cannot be opened
│   └── UnreadableFile       an import file that cannot be opened
│       └── UnknownEncoding  a text file whose encoding a person must name
├── Refused                  the person may not do this
│   └── SignedOut            there is no live session
├── Conflict                 the thing changed since the person saw it
├── Busy                     too many requests at once; retry later
├── Missing                  no such paper, figure, graph or person
└── StoreUnavailable             the store cannot be opened or written now"""

from __future__ import annotations

from dataclasses import dataclass


class EdgewiseError(Exception):
    """Base of every error raised on purpose; its text is written for the user."""


class BadInput(EdgewiseError):
    """Something a person gave cannot be taken as it is."""


@dataclass
class BadRow(BadInput):
    """One faulty row: file, line (1-based), field, the value found and what was expected."""

    file: str
    line: int | None
    field: str
    value: str
    expected: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        column = f", {self.field}" if self.field else ""
        shown_value = f": found {self.value!r}" if self.value else ""
        return f"{place}{column}{shown_value}; {self.expected}"


class UnknownColumns(BadRow):
    """A table's heading without recognised source and sink; a person must name the columns."""


class InvalidGraph(BadInput):
    """A graph, or a change to one, breaks a rule."""


class InvalidName(BadInput):
    """A name, of a variable or a person, that is empty, too long or contains a forbidden character."""


class UnknownSign(BadInput):
    """A sign outside the vocabulary of its place."""


class TooLarge(BadInput):
    """Input that is more, or larger, than the current limit."""


class UnreadableDocument(BadInput):
    """A PDF or picture that cannot be opened or drawn; `kind` is a stable word for tests and filters."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type[UnreadableDocument], tuple[str, str]]:
        return (type(self), (self.kind, str(self)))  # crosses the process boundary of the document pool


class UnreadableFile(BadInput):
    """An import file that cannot be read in any supported format."""


class UnknownEncoding(UnreadableFile):
    """A text file that is not UTF-8; a person must name its encoding."""


class Refused(EdgewiseError):
    """The person's role, or the state of the thing, does not allow this act."""


class SignedOut(Refused):
    """There is no live session: never signed in, expired, signed out elsewhere, or deactivated."""


class Conflict(EdgewiseError):
    """The subject changed since the user saw it; `seen` and `found` are its version then and now."""

    def __init__(self, message: str, *, seen: int, found: int) -> None:
        super().__init__(message)
        self.seen = seen
        self.found = found


class Busy(EdgewiseError):
    """Too many simultaneous requests for one thing; retry after `again_s` seconds."""

    def __init__(self, message: str, again_s: int) -> None:
        super().__init__(message)
        self.again_s = again_s


class Missing(EdgewiseError):
    """No such paper, figure, graph or person in this study."""


class StoreUnavailable(EdgewiseError):
    """The store cannot be opened or written now (locked, full disk, wrong version)."""
