"""Paper metadata from BibTeX, RIS and CSV: the good entries as references, every fault with its line and field."""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from core.errors import BadRow, UnreadableFile
from core.papers import PaperReference
from exchange.decode import decode_text

LONGEST_TITLE = 1_000


@dataclass(frozen=True, slots=True)
class ImportedReferences:
    """What a file of references held; an entry with any fault is not among `references`. `lines` gives the
    line on which each reference begins, in the same order."""

    references: tuple[PaperReference, ...]
    lines: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()
    faults: tuple[BadRow, ...] = ()


def read_references(content: bytes, filename: str, *, encoding: str = "") -> ImportedReferences:
    """Read a `.bib`, `.ris` or `.csv` file; with another ending the content decides.

    Every entry needs a title. A second entry with the same DOI is a fault that names the first. Raises
    UnreadableFile if the file is empty, not text, none of the three or without entries; BadRow if a CSV has no
    title column.

    >>> read = read_references(b"title,doi\\nA paper,https://doi.org/10.1371/X.1\\n", "papers.csv")
    >>> read.references[0].doi
    '10.1371/x.1'
    """
    text, notices = decode_text(content, filename, encoding)
    collector = _Collector(filename, list(notices))
    {"bib": _read_bibtex, "ris": _read_ris, "csv": _read_csv}[_kind(text, filename)](text, collector)
    read = collector.result()
    if not read.references and not read.faults:
        raise UnreadableFile(f"{filename}: no entries were found.")
    return read


def bare_doi(text: str) -> str:
    """A DOI without its resolver, in lower case (DOIs do not depend on case).

    Raises ValueError if it is none.

    >>> bare_doi("https://doi.org/10.1371/Journal.pone.0195141")
    '10.1371/journal.pone.0195141'
    """
    doi = re.sub(r"^(https?://)?(dx\.|www\.)?doi\.org/|^doi:\s*", "", text.strip(), flags=re.IGNORECASE)
    if not re.fullmatch(r"10\.\d{4,9}/\S{1,200}", doi):
        raise ValueError(text)
    return doi.lower()


def partial_date(text: str) -> str:
    """YYYY, YYYY-MM or YYYY-MM-DD, from any of these, also with slashes and with words of RIS behind them.

    Raises ValueError if it is none or no such day exists.

    >>> partial_date("2020/5/"), partial_date("2020-05-12")
    ('2020-05', '2020-05-12')
    """
    found = re.fullmatch(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?:/{1,3}\D*)?", text.strip())
    if found is None:
        raise ValueError(text)
    year, month, day = found.groups()
    date(int(year), int(month or 1), int(day or 1))
    return "-".join([year, *(part.zfill(2) for part in (month, day) if part)])


_Fields = Mapping[str, str | list[str]]
"""Raw fields of one entry, by the names of PaperReference; authors, domains and keywords are lists."""


class _Collector:
    """Checks entries one by one; keeps the good ones and every fault."""

    def __init__(self, file: str, notices: list[str]) -> None:
        self.file = file
        self.notices = notices
        self._kept: list[tuple[int, PaperReference]] = []
        self._faults: list[BadRow] = []
        self._line_of_doi: dict[str, int] = {}

    def fault(self, line: int | None, field: str, value: str, expected: str) -> None:
        self._faults.append(BadRow(self.file, line, field, value[:120], expected))

    def add(self, fields: _Fields, line: int) -> None:
        count = len(self._faults)
        reference = PaperReference(
            title=self._title(_one(fields, "title"), line),
            authors=_many(fields, "authors"),
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

    def _doi(self, text: str, line: int) -> str:
        if not text:
            return ""
        try:
            doi = bare_doi(text)
        except ValueError:
            self.fault(line, "doi", text, "a DOI looks like 10.1371/journal.pone.0195141")
            return ""
        if doi in self._line_of_doi:
            self.fault(
                line, "doi", doi, f"the same DOI as the entry in line {self._line_of_doi[doi]}; keep one of them"
            )
        return doi

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


def _kind(text: str, filename: str) -> str:
    suffix = PurePath(filename).suffix.lower()
    if suffix in (".bib", ".ris", ".csv"):
        return suffix[1:]
    if re.search(r"^\s*@\w+\s*[{(]", text, re.MULTILINE):
        return "bib"
    if re.search(r"^TY {2}- ", text, re.MULTILINE):
        return "ris"
    if "title" in text.lstrip().split("\n", 1)[0].lower():
        return "csv"
    raise UnreadableFile(f"{filename}: neither BibTeX nor RIS nor a CSV file with a title column.")


# BibTeX

_BIBTEX = {
    "title": ("title",),
    "source": ("journal", "journaltitle", "booktitle", "publisher"),
    "url": ("url",),
    "doi": ("doi",),
    "abstract": ("abstract",),
    "licence": ("license", "licence", "copyright"),
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _read_bibtex(text: str, collector: _Collector) -> None:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateBlockKeyBlock, Entry

    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # its warnings repeat what we return as faults
    library = parse_string(text)
    entries = list(library.entries)
    for block in library.failed_blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, DuplicateBlockKeyBlock) and isinstance(block.ignore_error_block, Entry):
            collector.notices.append(f"line {line}: the key {block.key} is used twice in this file.")
            entries.append(block.ignore_error_block)
        else:
            collector.fault(line, "", _first_line(block.raw), f"not a BibTeX entry: {_reason(block.error)}")
    for entry in sorted(entries, key=lambda entry: entry.start_line or 0):
        line = (entry.start_line or 0) + 1
        raw = {field.key.lower(): str(field.value) for field in entry.fields}
        collector.add(_decoded(raw), line)
        _check_month(raw, line, collector)


def _decoded(raw: Mapping[str, str]) -> dict[str, str | list[str]]:
    """Our fields of one entry with LaTeX accents decoded. Authors are split first: braces keep "{Barnes and Noble}"
    one author, and decoding takes the braces away."""
    from bibtexparser.library import Library
    from bibtexparser.middlewares import LatexDecodingMiddleware
    from bibtexparser.model import Entry, Field

    parts: dict[str, list[str]] = {
        field: [next((raw[key] for key in keys if raw.get(key)), "")] for field, keys in _BIBTEX.items()
    }
    parts["url"] = []
    parts["authors"] = _split_outside_braces(raw.get("author", ""), r"\s+and\s+")
    parts["keywords"] = _split_outside_braces(raw.get("keywords", ""), r"\s*[,;]\s*")
    fields = [Field(f"{name}-{place}", value) for name, values in parts.items() for place, value in enumerate(values)]
    decoded = LatexDecodingMiddleware().transform(Library([Entry("article", "key", fields)]))
    values = {field.key: str(field.value) for field in decoded.entries[0].fields}
    result: dict[str, str | list[str]] = {
        name: [values[f"{name}-{place}"] for place in range(len(listed))] for name, listed in parts.items()
    }
    result["url"] = raw.get("url", "").replace("\\", "")  # addresses hold % and ~, which LaTeX would eat
    result["doi"] = raw.get("doi", "").replace("\\_", "_")
    result["publication_date"] = raw.get("date") or _year_month(raw)
    return result


def _year_month(raw: Mapping[str, str]) -> str:
    year, month = raw.get("year", "").strip("{} "), raw.get("month", "").strip("{} .").lower()
    number = month if month.isdigit() else str(_MONTHS.index(month[:3]) + 1) if month[:3] in _MONTHS else ""
    return f"{year}-{number}" if year and number else year


def _check_month(raw: Mapping[str, str], line: int, collector: _Collector) -> None:
    month = raw.get("month", "").strip("{} .")
    if month and not month.isdigit() and month.lower()[:3] not in _MONTHS:
        collector.notices.append(f"line {line}: the month {month!r} was not understood; the year was kept.")


def _split_outside_braces(text: str, separator: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for found in re.finditer(rf"[{{}}]|{separator}", text):
        if found.group() in "{}":
            depth += 1 if found.group() == "{" else -1
        elif depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return [part for part in (*parts, text[start:]) if part.strip()]


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:160] or "it is not closed or holds a field twice"


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0]


# RIS

_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: |$)")


def _read_ris(text: str, collector: _Collector) -> None:
    """Records are cut here and read one by one: the parser drops a record without its end mark silently."""
    import rispy

    for line, record, is_closed in _ris_records(text, collector):
        if not is_closed:
            collector.fault(line, "ER", "", "the record is not ended by a line ER  - ")
            continue
        for fields in rispy.loads(record):
            collector.add(_from_ris(fields, line, collector), line)


def _ris_records(text: str, collector: _Collector) -> Iterator[tuple[int, str, bool]]:
    begun, lines = 0, list[str]()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        tag = found.group(1) if (found := _RIS_LINE.match(line)) else ""
        if tag == "TY":
            if begun:
                yield begun, "\n".join(lines), False
            begun, lines = number, [line]
        elif begun:
            lines.append(line)
        elif line.strip():
            collector.fault(number, "", line, "a record begins with a line TY  - ")
        if tag == "ER" and begun:
            yield begun, "\n".join(lines) + "\n", True
            begun, lines = 0, []
    if begun:
        yield begun, "\n".join(lines), False


def _from_ris(fields: Mapping[str, object], line: int, collector: _Collector) -> dict[str, str | list[str]]:
    def first(*keys: str) -> str:
        return next((_text(fields[key]) for key in keys if _text(fields.get(key))), "")

    published, year = first("date"), first("year", "publication_year")
    if published and year and not _is_date(published):
        collector.notices.append(f"line {line}: the date {published!r} was not understood; the year was kept.")
        published = year
    return {
        "title": first("title", "primary_title", "short_title"),
        "authors": [*_listed(fields.get("authors")), *_listed(fields.get("first_authors"))],
        "source": first("journal_name", "secondary_title", "alternate_title3", "alternate_title1", "publisher"),
        "url": first("urls", "url"),
        "doi": first("doi"),
        "publication_date": published or year,
        "abstract": first("abstract", "notes_abstract"),
        "keywords": _listed(fields.get("keywords")),
    }


def _is_date(text: str) -> bool:
    try:
        return bool(partial_date(text))
    except ValueError:
        return False


# CSV

_CSV = {
    "title": ("title",),
    "authors": ("authors", "author"),
    "source": ("source", "journal", "venue", "publisher"),
    "url": ("url", "link"),
    "doi": ("doi",),
    "publication_date": ("publication_date", "date", "year", "publication_year"),
    "abstract": ("abstract",),
    "domains": ("domains", "domain", "field"),
    "licence": ("licence", "license"),
    "keywords": ("keywords",),
}
_LISTS = frozenset({"authors", "domains", "keywords"})


def _read_csv(text: str, collector: _Collector) -> None:
    """One paper a row, lists separated by ";". A quote that is never closed ends the reading with a fault."""
    first = text.lstrip().split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    if separator != ",":
        collector.notices.append(f"The columns are separated by {'a tab' if separator == chr(9) else 'a semicolon'}.")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    places: dict[str, int] = {}
    width = 0
    try:
        for record in reader:
            line, begins = begins, reader.line_num + 1
            if not any(cell.strip() for cell in record):
                continue
            if not places:
                places, width = _csv_places(record, collector.file, line), len(record)
            elif len(record) != width:
                collector.fault(line, "", separator.join(record), f"{len(record)} fields, expected {width}")
            else:
                collector.add(_from_csv(record, places), line)
    except csv.Error:
        collector.fault(begins, "", "", "a quote is opened here and not closed; the rest of the file was not read")


def _csv_places(heading: list[str], file: str, line: int) -> dict[str, int]:
    named = [re.sub(r"[\s_-]+", "_", cell.strip().casefold()) for cell in heading]
    for cell in named:
        if cell and named.count(cell) > 1:
            raise BadRow(file, line, "", cell, f"two columns are named {cell}; rename one")
    places = {
        field: named.index(next(spelling for spelling in spellings if spelling in named))
        for field, spellings in _CSV.items()
        if any(spelling in named for spelling in spellings)
    }
    if "title" not in places:
        raise BadRow(file, line, "", "", f"needs a column title; found {', '.join(heading)}")
    return places


def _from_csv(record: list[str], places: Mapping[str, int]) -> dict[str, str | list[str]]:
    return {
        field: re.split(r"\s*;\s*", record[place]) if field in _LISTS else record[place]
        for field, place in places.items()
    }


# Values


def _one(fields: _Fields, name: str) -> str:
    return _text(fields.get(name, ""))


def _many(fields: _Fields, name: str) -> tuple[str, ...]:
    listed = _listed(fields.get(name))
    return tuple(tidy for value in listed if (tidy := _tidy(value)))


def _text(value: object) -> str:
    if isinstance(value, list):
        value = next((entry for entry in value if entry), "")
    return _tidy(str(value)) if value is not None else ""


def _listed(value: object) -> list[str]:
    if value is None:
        return []
    entries: Iterable[object] = value if isinstance(value, list) else [value]
    return [str(entry) for entry in entries]


def _tidy(text: str) -> str:
    """Single spaces, and no control characters, which neither a page nor a database column should hold."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]+", " ", text).split())
