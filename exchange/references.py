"""Paper metadata from BibTeX, RIS and CSV: valid entries as references, every fault with its line and field."""

from __future__ import annotations

import re
from pathlib import PurePath

from core.errors import UnreadableFile
from exchange.decode import decode_text
from exchange.reference_bibtex import read_bibtex
from exchange.reference_csv import read_csv
from exchange.reference_entries import Collector, ImportedReferences
from exchange.reference_ris import TAG_LINE, read_ris


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
    collector = Collector(filename, list(notices))
    {"bib": read_bibtex, "ris": read_ris, "csv": read_csv}[kind_of_references(text, filename)](text, collector)
    read = collector.result()
    if not read.references and not read.faults:
        raise UnreadableFile(f"{filename}: no entries were found.")
    return read


def kind_of_references(text: str, filename: str) -> str:
    """Return bib, ris or csv. Raises UnreadableFile for other text."""
    suffix = PurePath(filename).suffix.lower()
    if suffix in (".bib", ".ris", ".csv"):
        return suffix[1:]
    if re.search(r"^[^\S\n]*@\w+\s*[{(]", text, re.MULTILINE):
        return "bib"
    if any(match[1] == "TY" for match in map(TAG_LINE.fullmatch, text.splitlines()) if match):
        return "ris"
    if "title" in text.lstrip().split("\n", 1)[0].lower():
        return "csv"
    raise UnreadableFile(f"{filename}: neither BibTeX nor RIS nor a CSV file with a title column.")
