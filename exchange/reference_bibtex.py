"""Entries of a BibTeX file as fields of papers."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.words import quoted
from exchange.reference_entries import Collector

if TYPE_CHECKING:
    from bibtexparser.middlewares import LatexDecodingMiddleware

_BIBTEX = {
    "title": ("title",),
    "source": ("journal", "journaltitle", "booktitle", "publisher"),
    "url": ("url",),
    "doi": ("doi",),
    "abstract": ("abstract",),
    "licence": ("license", "licence", "copyright"),
    "jel": ("jel", "jelcodes", "jel-codes"),
}
_PLAIN = re.compile(r"[\w\s.,:;()/+*=|\[\]]*")
"""Text without anything that LaTeX reads otherwise; decoding it would give it back, at a millisecond each."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_bibtex(text: str, collector: Collector) -> None:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware
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
    latex = LatexDecodingMiddleware()
    for entry in sorted(entries, key=lambda entry: entry.start_line or 0):
        line = (entry.start_line or 0) + 1
        raw = {field.key.lower(): str(field.value) for field in entry.fields}
        fields = _decoded(raw, latex)
        if isinstance(fields, str):
            collector.fault(line, "", fields, "LaTeX that can be read, or plain text")
            continue
        collector.add(fields, line)
        _check_month(raw, line, collector)


def _decoded(raw: Mapping[str, str], latex: LatexDecodingMiddleware) -> dict[str, str | list[str]] | str:
    """Our fields of one entry with LaTeX accents decoded, or the text that cannot be. Authors are split first: braces
    keep "{Barnes and Noble}" one author, and decoding takes the braces away."""
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

    parts: dict[str, list[str]] = {
        field: [next((raw[key] for key in keys if raw.get(key)), "")] for field, keys in _BIBTEX.items()
    }
    parts["url"] = []
    parts["authors"] = _split_outside_braces(raw.get("author", ""), r"(?<!\s)\s++and\s+")
    parts["keywords"] = _split_outside_braces(raw.get("keywords", ""), r"(?:(?<!\s)\s++)?[,;]\s*")
    values = {f"{name}-{place}": value for name, each in parts.items() for place, value in enumerate(each)}
    for key, value in values.items():
        if _PLAIN.fullmatch(value) is None:
            decoded = latex.transform(Library([Entry("article", "key", [Field(key, value)])]))
            if decoded.failed_blocks:
                return value
            values[key] = str(decoded.entries[0].fields[0].value)
    result: dict[str, str | list[str]] = {
        name: [values[f"{name}-{place}"] for place in range(len(each))] for name, each in parts.items()
    }
    result["url"] = raw.get("url", "").replace("\\", "")  # addresses hold % and ~, which LaTeX would eat
    result["doi"] = raw.get("doi", "").replace("\\_", "_")
    result["publication_date"] = raw.get("date") or _year_month(raw)
    return result


def _year_month(raw: Mapping[str, str]) -> str:
    year, month = raw.get("year", "").strip("{} "), raw.get("month", "").strip("{} .").lower()
    number = month if month.isdigit() else str(_MONTHS.index(month[:3]) + 1) if month[:3] in _MONTHS else ""
    return f"{year}-{number}" if year and number else year


def _check_month(raw: Mapping[str, str], line: int, collector: Collector) -> None:
    month = raw.get("month", "").strip("{} .")
    if month and not month.isdigit() and month.lower()[:3] not in _MONTHS:
        collector.notices.append(f"line {line}: the month {quoted(month)} was not understood; the year was kept.")


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
    return " ".join(str(error).split())[:160] or "it is not closed or has a field twice"


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0]
