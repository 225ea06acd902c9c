"""Entries of a file of references, checked one by one: DOIs, dates, titles and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from core.errors import BadRow
from core.graphs.bounds import MOST_FAULTS, too_many
from core.papers.papers import PaperReference
from core.words import quoted

LONGEST_TITLE = 1_000
MOST_ENTRIES = 50_000
AND_OTHERS = ("others", "and others", "et al", "et alii", "et alia")

Fields = Mapping[str, str | list[str]]
"""Raw fields of one entry, by the names of PaperReference; authors, domains and keywords are lists."""


@dataclass(frozen=True, slots=True)
class ImportedReferences:
    """The references of a file without faulty entries, with their lines."""

    references: tuple[PaperReference, ...]
    lines: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()
    faults: tuple[BadRow, ...] = ()


class Collector:
    """Validates entries one by one and collects valid ones and faults. `add` and `fault` raise UnreadableFile beyond
    50,000 entries or 10,000 faults."""

    def __init__(self, file: str, notices: list[str]) -> None:
        self.file = file
        self.notices = notices
        self._kept: list[tuple[int, PaperReference]] = []
        self._faults: list[BadRow] = []
        self._line_of_doi: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def fault(self, line: int | None, field: str, value: str, expected: str) -> None:
        self._faults.append(BadRow(self.file, line, field, value[:120], expected))
        if len(self._faults) > MOST_FAULTS:
            raise too_many(self.file, MOST_FAULTS, "faults", line)

    def add(self, fields: Fields, line: int) -> None:
        count = len(self._faults)
        reference = PaperReference(
            title=self._title(_one(fields, "title"), line),
            authors=self._authors(_many(fields, "authors"), line),
            source=_one(fields, "source"),
            url=self._url(_one(fields, "url"), line),
            doi=self._doi(_one(fields, "doi"), line),
            publication_date=self._date(_one(fields, "publication_date"), line),
            abstract=_one(fields, "abstract"),
            domains=_many(fields, "domains"),
            licence=_one(fields, "licence"),
            keywords=_many(fields, "keywords"),
        )
        if len(self._faults) > count:
            return
        if reference.doi:
            self._line_of_doi[reference.doi] = line
        self._kept.append((line, reference))
        if len(self._kept) > MOST_ENTRIES:
            raise too_many(self.file, MOST_ENTRIES, "entries", line)

    def result(self) -> ImportedReferences:
        faults = sorted(self._faults, key=lambda fault: fault.line or 0)
        return ImportedReferences(
            tuple(reference for _, reference in self._kept),
            tuple(line for line, _ in self._kept),
            tuple(self.notices),
            tuple(faults),
        )

    def _title(self, text: str, line: int) -> str:
        if not text:
            self.fault(line, "title", "", "every paper needs a title")
        elif len(text) > LONGEST_TITLE:
            self.fault(line, "title", text, f"a title has at most {LONGEST_TITLE:,} characters")
        return text

    def _authors(self, names: tuple[str, ...], line: int) -> tuple[str, ...]:
        """Return the names without a final "and others", which represents unnamed authors."""
        if len(names) < 2 or names[-1].casefold().rstrip(".") not in AND_OTHERS:
            return names
        more = f"the list of authors ends with {quoted(names[-1])}, which is no author; there are more than are named."
        self.notices.append(f"line {line}: {more}")
        return names[:-1]

    def _doi(self, text: str, line: int) -> str:
        if not text:
            return ""
        try:
            doi = bare_doi(text)
        except ValueError:
            self.fault(line, "doi", text, "a DOI looks like 10.1371/journal.pone.0195141")
            return ""
        self._check_repeat(doi, line)
        return doi

    def _check_repeat(self, doi: str, line: int) -> None:
        if doi in self._line_of_doi:
            self.fault(
                line, "doi", doi, f"the same DOI as the entry in line {self._line_of_doi[doi]}; keep one of them"
            )

    def _date(self, text: str, line: int) -> str:
        if not text:
            return ""
        try:
            return partial_date(text)
        except ValueError:
            self.fault(line, "publication_date", text, "a date is YYYY, YYYY-MM or YYYY-MM-DD")
            return ""

    def _url(self, text: str, line: int) -> str:
        if text and not re.fullmatch(r"https?://\S{1,2000}", text, flags=re.IGNORECASE):
            self.fault(line, "url", text, "a web address begins with https:// or http://")
        return text


def bare_doi(text: str) -> str:
    """Return a DOI without its resolver, in lower case (DOIs ignore case).

    Raises ValueError if it is none.

    >>> bare_doi("https://doi.org/10.1371/Journal.pone.0195141")
    '10.1371/journal.pone.0195141'
    """
    doi = re.sub(r"^(https?://)?(dx\.|www\.)?doi\.org/|^doi:\s*", "", text.strip(), flags=re.IGNORECASE)
    if not re.fullmatch(r"10\.\d{4,9}/\S{1,200}", doi):
        raise ValueError(text)
    return doi.lower()


def partial_date(text: str) -> str:
    """Return YYYY, YYYY-MM or YYYY-MM-DD, from any of these, also with slashes and followed by words of RIS.

    Raises ValueError if it is none or no such day exists.

    >>> partial_date("2020/5/"), partial_date("2020-05-12")
    ('2020-05', '2020-05-12')
    """
    match = re.fullmatch(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?:/{1,3}\D*)?", text.strip())
    if match is None:
        raise ValueError(text)
    year, month, day = match.groups()
    date(int(year), int(month or 1), int(day or 1))
    return "-".join([year, *(part.zfill(2) for part in (month, day) if part)])


def _one(fields: Fields, name: str) -> str:
    return text_of(fields.get(name, ""))


def _many(fields: Fields, name: str) -> tuple[str, ...]:
    values = listed(fields.get(name))
    return tuple(tidy for value in values if (tidy := _tidy(value)))


def text_of(value: object) -> str:
    if isinstance(value, list):
        value = next((entry for entry in value if entry), "")
    return _tidy(str(value)) if value is not None else ""


def listed(value: object) -> list[str]:
    if value is None:
        return []
    entries: Iterable[object] = value if isinstance(value, list) else [value]
    return [str(entry) for entry in entries]


def _tidy(text: str) -> str:
    """Return single spaces and no control characters, which neither a page nor a database column should contain."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]+", " ", text).split())
