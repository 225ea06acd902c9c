"""Papers with their abstracts from CSV, JSON lines, RIS and BibTeX: the good entries, every fault with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.errors import BadRow, UnreadableFile
from core.papers.papers import PaperReference
from core.triplets.corpus import CorpusPaper
from exchange.decode import decode_text
from exchange.reference_bibtex import read_bibtex
from exchange.reference_csv import read_csv
from exchange.reference_entries import Collector, Fields, listed, text_of
from exchange.reference_ris import read_ris
from exchange.references import kind_of_references
from exchange.relations import rows_of
from exchange.triplet_rows import Row, TripletForm, form_of

_KEYS = {
    "title": ("title", "display_name"),
    "authors": ("authors", "author"),
    "source": ("journal", "source", "venue", "published_venue"),
    "url": ("url", "link", "paper_url"),
    "doi": ("doi",),
    "publication_date": ("year", "publication_year", "publication_date", "date"),
    "abstract": ("abstract",),
    "jel": ("jel", "jel_codes"),
}
"""Edgewise's fields → keys of a row; the first that is not empty counts."""


@dataclass(frozen=True, slots=True)
class AbstractFile:
    """Papers in file order, without faulty entries. `entries`: the number of entries in the file."""

    entries: int
    papers: tuple[CorpusPaper, ...]
    notices: tuple[str, ...]
    faults: tuple[BadRow, ...]


def read_abstracts(content: bytes, filename: str) -> AbstractFile:
    """Read a file of papers. Every entry needs a title; other fields may be missing. Raises UnreadableFile for a
    file of another format or without entries, BadRow for a CSV without a title column."""
    collector = _Abstracts(filename, [])
    if form_of(content, filename) is not TripletForm.CSV and content.lstrip()[:1] in (b"{", b"["):
        rows, faults = rows_of(content, filename)
        for line, row in rows:
            collector.add(_fields(row), line)
    else:
        faults = []
        text, notices = decode_text(content, filename, "")
        collector.notices.extend(notices)
        kind = kind_of_references(text, filename)
        {"bib": read_bibtex, "ris": read_ris, "csv": read_csv}[kind](text, collector)
    read = collector.result()
    papers = tuple(map(_paper, read.references, collector.jel))
    every = sorted((*faults, *read.faults), key=lambda fault: fault.line or 0)
    if not papers and not every:
        raise UnreadableFile(f"{filename}: no entries were found.")
    faulty = len({fault.line for fault in every})
    return AbstractFile(len(papers) + faulty, papers, read.notices, tuple(every))


class _Abstracts(Collector):
    """Collector of papers of a corpus, in which a paper may occur twice. `jel`: codes of each stored entry."""

    def __init__(self, file: str, notices: list[str]) -> None:
        super().__init__(file, notices)
        self.jel: list[tuple[str, ...]] = []

    def add(self, fields: Fields, line: int) -> None:
        before = len(self)
        super().add(fields, line)
        if len(self) > before:
            codes = (code for each in listed(fields.get("jel")) for code in re.split(r"[,;\s]+", each) if code)
            self.jel.append(tuple(dict.fromkeys(codes)))

    def _check_repeat(self, doi: str, line: int) -> None:
        """Accept repeats: they are no fault."""


def _fields(row: Row) -> dict[str, str | list[str]]:
    def as_text(value: Any) -> str | list[str]:
        if isinstance(value, list):
            return [str(each) for each in value]
        return "" if value is None else text_of(value)

    fields_by_name: dict[str, str | list[str]] = {}
    for field, keys in _KEYS.items():
        fields_by_name[field] = next((as_text(row[key]) for key in keys if row.get(key) not in (None, "")), "")
    return fields_by_name


def _paper(reference: PaperReference, jel: tuple[str, ...]) -> CorpusPaper:
    return CorpusPaper(
        title=reference.title,
        abstract=reference.abstract,
        authors=reference.authors,
        year=int(reference.publication_date[:4]) if reference.publication_date else None,
        journal=reference.source,
        doi=reference.doi,
        url=reference.url,
        jel=jel,
    )
