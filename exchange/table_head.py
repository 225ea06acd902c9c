"""The top of a table, shown to a user who assigns its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.errors import BadInput
from exchange.decode import decode_text
from exchange.edge_meanings import EdgeRecordRow, meanings_of
from exchange.edge_rows import FIELDS, field_of, preference
from exchange.edge_table import records, split_heading
from exchange.forms import GraphForm
from exchange.graphs import recognised
from exchange.text_lines import first_lines

MOST_SAMPLES = 5
MOST_HEADINGS, LONGEST = 200, 300
"""Columns to choose from, and the limit of characters in headings and samples."""

_TABLES = (GraphForm.CSV, GraphForm.TSV)
_SHEETS = (GraphForm.XLSX, GraphForm.KUMU_XLSX)
_ARROW = re.compile(r"->|=>|<-|[→⇒←↔]")
_LIKELY = {
    "source": "driver|origin|start|parent|predictor|independent|exposure|treatment|input|influencer|determinant|x",
    "sink": "driven|destination|end|child|response|dependent|outcome|result|output|influenced|consequence|y",
}
"""Words of headings that often name the ends of an edge, but not reliably enough to be used without asking."""


@dataclass(frozen=True, slots=True)
class TableHead:
    """Non-empty headings, up to five rows below them, and the likely heading of each field."""

    headings: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...]
    suggested: Mapping[str, str] = field(default_factory=dict)  # Edgewise's field → heading
    guessed: frozenset[str] = frozenset()  # uncertain ones of these fields
    sheets: tuple[str, ...] = ()  # a workbook's non-empty sheets
    sheet: str = ""


def table_head(content: bytes, filename: str, *, encoding: str = "", sheet: str = "") -> TableHead | None:
    """Return the top of a CSV or TSV file or of a workbook's sheet; None if the file is no table or unreadable.
    Without a valid `sheet`, it is the sheet that would be read, or the first non-empty one."""
    try:
        form = recognised(content, filename, encoding=encoding)
        if form in _SHEETS:
            return _of_workbook(content, filename, sheet)
        if form in (*_TABLES, GraphForm.ARROWS):
            return _of_text(decode_text(content, filename, encoding)[0], is_sure=form in _TABLES)
    except BadInput:
        return None
    return None


def _of_workbook(content: bytes, filename: str, name: str) -> TableHead | None:
    from exchange.sheets import read_sheets
    from exchange.workbook import edge_header, likely_header

    filled = [sheet for sheet in read_sheets(content, filename) if sheet.rows]
    if not filled:
        return None
    chosen = next((sheet for sheet in filled if sheet.name == name), None)
    chosen = chosen or next((sheet for sheet in filled if edge_header(sheet) is not None), filled[0])
    header = edge_header(chosen)
    top = likely_header(chosen) if header is None else header
    rows = [row.cells for row in chosen.rows[top + 1 : top + 1 + MOST_SAMPLES]]
    return _head(chosen.rows[top].cells, rows, tuple(sheet.name for sheet in filled), chosen.name)


def _of_text(text: str, *, is_sure: bool) -> TableHead | None:
    """Return the top of a text table. `is_sure`: name or headings show that it is a table; otherwise its rows must
    agree."""
    lines = first_lines(text)
    start = next((place for place, line in enumerate(lines) if line.strip()), None)
    if start is None:
        return None
    declared = re.fullmatch(r"sep=(.)\s*", lines[start])
    start += declared is not None
    separator, heading = split_heading(lines[start : start + 1], declared.group(1) if declared else "", None)
    below = (row for _, row in records(lines, start + 1, separator) if isinstance(row, list) and any(row))
    rows = list(islice(below, MOST_SAMPLES))
    if not is_sure:
        agree = rows and len(heading) > 1 and all(len(row) == len(heading) for row in rows)
        if not agree or any(_ARROW.search(line) for line in lines[start : start + 1 + MOST_SAMPLES]):
            return None
    return _head(heading, rows)


def _head(
    cells: Sequence[str], rows: Sequence[Sequence[str]], sheets: tuple[str, ...] = (), sheet: str = ""
) -> TableHead | None:
    named = [(place, cell.strip()) for place, cell in enumerate(cells) if 0 < len(cell.strip()) <= LONGEST]
    named = named[:MOST_HEADINGS]
    if not named:
        return None
    headings = tuple(heading for _, heading in named)
    samples = tuple(tuple(row[place][:LONGEST] if place < len(row) else "" for place, _ in named) for row in rows)
    suggested: dict[str, str] = {}
    for heading in sorted(headings, key=lambda each: (field_of(each) == "type", preference(each))):
        known = field_of(heading)
        if known == "type":
            column = headings.index(heading)
            known = meanings_of([EdgeRecordRow({"type": sample[column]}) for sample in samples]).type
        if known is not None and known in FIELDS:
            suggested.setdefault(known, heading)
    guessed = _guess(headings, samples, suggested)
    in_order = {name: (suggested | guessed)[name] for name in FIELDS if name in suggested | guessed}
    return TableHead(headings, samples, in_order, frozenset(guessed), sheets, sheet)


def _guess(
    headings: tuple[str, ...], samples: tuple[tuple[str, ...], ...], suggested: Mapping[str, str]
) -> dict[str, str]:
    """Return headings for source and sink if none is spelt so: by likely words, else the first columns of text."""
    free = [heading for heading in headings if heading not in suggested.values()]
    guessed: dict[str, str] = {}
    missing = [end for end in ("source", "sink") if end not in suggested]
    for end in missing:
        words = re.compile(rf"(?<![^\W\d_])(?:{_LIKELY[end]})(?![^\W\d_])")
        likely = (one for one in free if words.search(one.casefold()))
        if (heading := next(likely, None)) is not None:
            guessed[end] = heading
            free.remove(heading)
    first = {heading: place for place, heading in reversed(list(enumerate(headings)))}
    texts = [one for one in free if any(re.search(r"[^\W\d_]", row[first[one]]) for row in samples)]
    for end in missing:
        if end not in guessed and (texts or free):
            guessed[end] = (texts or free)[0]
            free = [one for one in free if one != guessed[end]]
            texts = [one for one in texts if one != guessed[end]]
    return guessed
