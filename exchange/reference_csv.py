"""Rows of a CSV file as fields of papers."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

from core.errors import BadRow
from exchange.reference_entries import Collector

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
    "jel": ("jel", "jel_codes"),
}
_LISTS = frozenset({"authors", "domains", "keywords"})


def read_csv(text: str, collector: Collector) -> None:
    """Read one paper per row, lists separated by ";". An unclosed quote ends the reading with a fault."""
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
                fields: dict[str, str | list[str]] = {
                    field: re.split(r"(?:(?<!\s)\s++)?;\s*", record[place]) if field in _LISTS else record[place]
                    for field, place in places.items()
                }
                collector.add(fields, line)
    except csv.Error:
        collector.fault(begins, "", "", "a quote is opened here and not closed; the rest of the file was not read")


def _csv_places(heading: list[str], file: str, line: int) -> dict[str, int]:
    named = [re.sub(r"[\s_-]+", "_", cell.strip().casefold()) for cell in heading]
    times = Counter(named)
    for cell in named:
        if cell and times[cell] > 1:
            raise BadRow(file, line, "", cell, f"two columns are named {cell}; rename one")
    places = {
        field: named.index(next(spelling for spelling in spellings if spelling in named))
        for field, spellings in _CSV.items()
        if any(spelling in named for spelling in spellings)
    }
    if "title" not in places:
        raise BadRow(file, line, "", "", f"needs a column title; found {', '.join(heading)[:300]}")
    return places
