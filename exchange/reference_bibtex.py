"""Entries of a BibTeX file as fields of papers."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from core.words import quoted
from exchange.reference_bibtex_values import MONTHS, NoValue, field_values
from exchange.reference_entries import Collector, partial_date

if TYPE_CHECKING:
    from bibtexparser.middlewares import LatexDecodingMiddleware
    from bibtexparser.model import Entry, String

_BIBTEX = {
    "title": ("title",),
    "source": ("journal", "journaltitle", "booktitle", "publisher"),
    "url": ("url",),
    "doi": ("doi",),
    "abstract": ("abstract",),
    "licence": ("license", "licence", "copyright"),
    "jel": ("jel", "jelcodes", "jel-codes"),
}
_READ = frozenset({*(key for keys in _BIBTEX.values() for key in keys), "author", "keywords", "date", "year"})
"""BibTeX fields that are read."""
_PLAIN = re.compile(r"[\w\s.,:;()/+*=|\[\]]*")
"""Text that LaTeX does not change; decoding it takes a millisecond each."""
_DATED_MONTH = re.compile(r"(?:(\d{1,2})[~.\s]*)?([a-z]{3})[a-z]*\.?(?:[~\s]*(\d{1,2}))?")
"""A month with or without its day: "oct", "12~oct", "October 12"."""


def read_bibtex(text: str, collector: Collector) -> None:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware
    from bibtexparser.model import DuplicateBlockKeyBlock, Entry

    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # its warnings repeat what we return as faults
    library = parse_string(text, parse_stack=[])
    entries = list(library.entries)
    for block in library.failed_blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, DuplicateBlockKeyBlock) and isinstance(block.ignore_error_block, Entry):
            collector.notices.append(f"line {line}: the key {block.key} is used twice in this file.")
            entries.append(block.ignore_error_block)
        else:
            reason = " ".join(str(getattr(block.error, "abort_reason", "") or block.error).split())[:160]
            expected = f"not a BibTeX entry: {reason or 'it has a field twice'}"
            collector.fault(line, "", _first_line(block.raw), expected)
    strings = _strings(library.strings, collector)
    latex = LatexDecodingMiddleware()
    for entry in sorted(entries, key=lambda entry: entry.start_line or 0):
        line = (entry.start_line or 0) + 1
        try:
            raw = _raw_fields(entry, strings, collector)
        except NoValue as fault:
            collector.fault(line, "", _first_line(entry.raw), f"not a BibTeX entry: {fault}")
            continue
        fields = _decoded(raw, latex)
        if isinstance(fields, str):
            collector.fault(line, "", fields, "LaTeX that can be read, or plain text")
            continue
        collector.add(fields, line)
        month = raw.get("month", "").strip("{} .")
        match = _DATED_MONTH.fullmatch(month.lower())
        if month and not month.isdigit() and (match is None or match[2] not in MONTHS):
            collector.notices.append(f"line {line}: the month {quoted(month)} was not understood; the year was kept.")


def _strings(blocks: Iterable[String], collector: Collector) -> dict[str, str]:
    """Return the file's abbreviations in lower case; each may use earlier ones."""
    strings = dict[str, str]()
    for block in blocks:
        line = (block.start_line or 0) + 1
        try:
            (value,) = field_values(block.key, str(block.value), strings)
        except (NoValue, ValueError) as fault:
            collector.fault(line, "", _first_line(block.raw), f"not a BibTeX abbreviation: {fault}")
            continue
        strings[block.key.lower()] = value.text
    return strings


def _raw_fields(entry: Entry, strings: Mapping[str, str], collector: Collector) -> dict[str, str]:
    raw = dict[str, str]()
    for field in entry.fields:
        line = (field.start_line or 0) + 1
        for each in field_values(field.key, str(field.value), strings):
            key = each.key.lower()
            if raw.setdefault(key, each.text) != each.text:
                collector.notices.append(f"line {line}: there are two fields {each.key}; the first was kept.")
            if each.is_unparted:
                collector.notices.append(
                    f"line {line}: a comma is missing before {each.key}; read as if it were there."
                )
            if key in _READ:
                collector.notices += [
                    f"line {line}, {each.key}: the abbreviation {name} is not defined in this file; its name was kept."
                    for name in each.undefined
                ]
    return raw


def _decoded(raw: Mapping[str, str], latex: LatexDecodingMiddleware) -> dict[str, str | list[str]] | str:
    """Return Edgewise's fields of one entry with LaTeX accents decoded, or the text that cannot be. Authors are
    split first: braces keep "{Barnes and Noble}" one author, and decoding removes them."""
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
    if month.isdigit():
        return f"{year}-{month}" if year else ""
    match = _DATED_MONTH.fullmatch(month)
    if not year or match is None or match[2] not in MONTHS:
        return year
    dated = f"{year}-{MONTHS.index(match[2]) + 1}"
    try:
        return partial_date(f"{dated}-{match[1] or match[3]}")
    except ValueError:  # no day, or not of this month
        return dated


def _split_outside_braces(text: str, separator: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[{{}}]|{separator}", text):
        if match.group() in "{}":
            depth += 1 if match.group() == "{" else -1
        elif depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [part for part in (*parts, text[start:]) if part.strip()]


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0]
