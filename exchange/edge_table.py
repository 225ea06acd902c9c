"""Edge lists as CSV: written exactly, or safe for spreadsheets; read from any table with a source and a sink column."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from core.errors import BadInput, BadRow, UnknownColumns
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.words import quoted
from exchange.edge_meanings import EdgeRecordRow, Meanings, add_rows, meanings_of
from exchange.edge_rows import (
    FIELDS,
    FORMULA_STARTS,
    EdgeCollector,
    ImportedGraph,
    field_of,
    in_order,
    listed,
    not_read,
    preference,
)
from exchange.text_lines import first_lines, refuse_more_lines

_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
Cell = str | int | float
"""A cell to write: a text, or a number, which is written as Python prints it and never guarded."""
LONGEST_HEADING = 1_000_000
"""Limit of characters in which a text's first line must end."""
_MOST_REPAIRS = 20  # each restarts the reader one line further on; a file with more is not a CSV file


def write_table(graph: CausalGraph, *, safe: bool = False, separator: str = ",") -> bytes:
    r"""Return the graph as CSV (or, by its separator, TSV) with the columns source, sink, sign, delay, flag, note.

    A node without edges, or out of order, is a row with a source and an empty sink. Canonical: UTF-8, `\\n`, read back
    exactly. `safe`: for spreadsheets, see `table_bytes`.
    """
    rows = [cells_of(item) for item in in_order(graph)]
    return table_bytes(FIELDS, rows, safe=safe, separator=separator)


def cells_of(item: Edge | str) -> list[str]:
    """Return one row of an edge table; a name alone declares a node."""
    if isinstance(item, str):
        return [item, "", "", "", "", ""]
    return [item.source, item.sink, item.sign or "", "yes" if item.delay else "", item.flag or "", item.note]


def table_bytes(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, safe: bool, separator: str = ",") -> bytes:
    r"""Return rows as CSV in UTF-8; every CSV file is written here. Canonical: `\\n` line ends, quotes only where
    needed, cells unchanged.

    safe: adds an apostrophe before texts that a spreadsheet could run as a formula, a byte order mark and `\\r\\n`, so
    that spreadsheets display the content. Numbers are not guarded: one guarded number would turn the column into text,
    so −34.45 must be passed as a number.
    """
    table = chain([header], rows)
    shown_rows = (
        ([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in table) if safe else table
    )
    end = "\r\n" if safe else "\n"
    lines = [line[:-2] + end for line in table_lines(shown_rows, separator)]
    return "".join(lines).encode("utf-8-sig" if safe else "utf-8", "surrogatepass")


class _Lines(list[str]):
    """A target for a csv writer, which writes each row whole."""

    write = list.append


def table_lines(rows: Iterable[Sequence[Cell]], separator: str = ",") -> list[str]:
    r"""Return rows as CSV, each ended by `\\r\\n`: the writer quotes `\\r` and `\\n` in cells only if its terminator
    contains both."""
    lines = _Lines()
    csv.writer(lines, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return lines


def read_table(
    text: str, filename: str, *, columns: Mapping[str, str] | None = None, was_marked: bool = False
) -> ImportedGraph:
    """Read an edge table; columns may have any spelling of `edge_rows.field_of`. `columns` maps Edgewise's fields to
    other headings. `was_marked`: the file began with a byte order mark; with exactly Edgewise's columns it is a
    spreadsheet-safe export, and its apostrophes are removed. Raises BadRow if a column is missing or repeated;
    BadInput if `columns` names an unknown field."""
    lines = first_lines(text)
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    declared = re.fullmatch(r"sep=(.)\s*", lines[start])
    if declared:
        start += 1
    separator, heading = split_heading(lines[start : start + 1], declared.group(1) if declared else "", columns)
    places = column_places(heading, filename, start + 1, columns)
    collector = EdgeCollector(filename)
    is_ours_safe = was_marked and tuple(heading) == FIELDS

    def rows() -> Iterator[EdgeRecordRow]:
        for line, record in records(lines, start + 1, separator):
            if isinstance(record, str):
                collector.fault(line, "", "", record)
            elif not any(cell.strip() for cell in record):
                continue
            elif len(record) != len(heading):
                collector.fault(line, "", separator.join(record), f"{len(record)} fields, expected {len(heading)}")
            else:
                cells = [unguarded(cell) for cell in record] if is_ours_safe else record
                yield EdgeRecordRow({field: cells[place] for field, place in places.items()}, line)

    if separator not in (",", "\t" if filename.lower().endswith(".tsv") else ","):
        collector.notices.append(f"The columns are separated by {_SEPARATORS.get(separator, repr(separator))}.")
    add_table(collector, rows(), heading, places, columns)
    refuse_more_lines(text, lines, filename)
    if is_ours_safe and any("'" in line for line in lines[start + 1 :]):
        collector.notices.append(
            "Read as a CSV for spreadsheets from Edgewise: the apostrophes before formulas were removed."
        )
    return collector.result()


def add_table(
    collector: EdgeCollector,
    rows: Iterable[EdgeRecordRow],
    heading: Sequence[str],
    places: Mapping[str, int],
    columns: Mapping[str, str] | None = None,
) -> None:
    """Add the rows of a table as edges, and notices of columns read under other names or not at all. Rows are held
    in memory only for a column `type` or `direction`, whose meaning needs all of them. `columns` are a user's
    answers: "no sign column" also keeps types from being read as signs."""
    meanings = Meanings()
    if {"type", "direction"} & places.keys():
        rows = list(rows)
        meanings = meanings_of(rows)
        if meanings.type == "sign" and (columns or {}).get("sign") == "":
            meanings = meanings._replace(type="")
    ignored = [cell for place, cell in enumerate(heading) if cell and place not in places.values()]
    collector.notices += not_read("Columns", ignored)
    in_place = sorted((place, meanings.type if field == "type" else field) for field, place in places.items())
    renamed = [f"{heading[place]} as {field}" for place, field in in_place if field and heading[place] != field]
    if renamed:
        collector.notices.append(f"Columns read: {listed(renamed)}.")
    add_rows(collector, rows, meanings)
    collector.faults.sort(key=lambda fault: fault.line or 0)


def has_table_header(line: str) -> bool:
    heading = split_heading([line], "", None)[1]
    fields = {field_of(cell) for cell in heading}
    return {"source", "sink"} <= fields


_FORMULA = rf"(['\"]*)(?=[{re.escape(''.join(sorted(FORMULA_STARTS)))}])"
_BEGINNING = re.compile(rf"(\A|[;\t\r\n]){_FORMULA}")
"""Start of a cell, or of a cell of a spreadsheet that splits at semicolons or tabs; quotation marks before a formula
are skipped."""
_MAY_BEGIN = re.compile(rf"['\"{re.escape(''.join(sorted(FORMULA_STARTS)))}]|.*[;\t\r\n]", re.DOTALL)
_GUARDED = re.compile(rf"(\A|[;\t\r\n])'{_FORMULA}")


def guarded(cell: str) -> str:
    """Return the cell with an apostrophe before a formula, even after apostrophes or quotation marks. A sign alone
    is no formula.

    >>> guarded("=1+1"), guarded("-5"), guarded("a;=1+1"), guarded("-"), guarded("+")
    ("'=1+1", "'-5", "a;'=1+1", '-', '+')
    """
    if cell in ("+", "-") or not _MAY_BEGIN.match(cell):
        return cell
    return _BEGINNING.sub(r"\1'\2", cell)


def unguarded(cell: str) -> str:
    return _GUARDED.sub(r"\1\2", cell)


def split_heading(lines: list[str], declared: str, columns: Mapping[str, str] | None) -> tuple[str, list[str]]:
    """Return the separator for which the heading has most of Edgewise's fields, else most columns; and that heading."""
    candidates = [declared] if declared else list(_SEPARATORS)
    headings = [(separator, _heading(lines, separator)) for separator in candidates]
    return max(headings, key=lambda entry: (len(_known(entry[1], columns)), len(entry[1])))


def _heading(lines: list[str], separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(lines, delimiter=separator, strict=True), [])]
    except csv.Error:
        return []


def _known(heading: list[str], columns: Mapping[str, str] | None) -> set[str]:
    fields = {field for cell in heading if (field := field_of(cell))}
    return fields | {field for field, cell in (columns or {}).items() if cell in heading}


def column_places(heading: list[str], file: str, line: int, columns: Mapping[str, str] | None) -> dict[str, int]:
    """Return the position of each field in a row, `type` and `direction` included. `columns` are a user's answers,
    "" for a field without a column. Raises BadRow for a missing or repeated column."""
    named = Counter(cell.casefold() for cell in heading)
    for cell in heading:
        if cell and named[cell.casefold()] > 1:
            raise BadRow(file, line, "", cell, f"two columns are named {cell}; rename one")
    places: dict[str, int] = {}
    for place in sorted(range(len(heading)), key=lambda place: preference(heading[place])):
        field = field_of(heading[place])
        if field in ("source", "sink") and field in places and not columns:
            both = f"{heading[places[field]]} and {heading[place]}"
            raise BadRow(file, line, "", both, f"two columns mean {field}; remove one")
        if field is not None:
            places.setdefault(field, place)
    for field, cell in (columns or {}).items():
        if field not in FIELDS:
            raise BadInput(f"There is no field {quoted(field)}; the fields are {', '.join(FIELDS)}.")
        if cell and cell not in heading:
            raise BadRow(file, line, field, cell, f"there is no such column; found {listed(heading)}")
        chosen = {field: heading.index(cell)} if cell else {}
        places = {
            other: position for other, position in places.items() if other != field and position not in chosen.values()
        }
        places |= chosen
    if not {"source", "sink"} <= places.keys():
        present = listed(heading) or "nothing"
        raise UnknownColumns(file, line, "", "", f"needs the columns source and sink; found {present}. Name them")
    return places


def records(lines: list[str], start: int, separator: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield records with the line they begin on (1-based), or the error there; after a broken record, reading
    continues at the next line, so that one open quote does not swallow the rest of the file."""
    for repair in range(_MOST_REPAIRS + 1):
        reader = csv.reader(islice(lines, start, None), delimiter=separator, strict=True)
        begins = start
        try:
            for record in reader:
                yield begins + 1, record
                begins = start + reader.line_num
            return
        except csv.Error as error:
            yield begins + 1, _broken(str(error))
        start = begins + 1
        if repair == _MOST_REPAIRS:
            yield start + 1, "reading stopped here: too many broken rows"


def _broken(error: str) -> str:
    if "unexpected end" in error:
        return "a quote is opened here and never closed"
    if "field larger" in error:
        return "a cell longer than 131,072 characters, or a quote that is never closed"
    return "a quote is not closed, or text follows a closing quote; a quote inside a cell is doubled"
