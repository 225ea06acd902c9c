"""Ratings as a table of text: a row of headings, then one row per unit and one column per rater; empty is not rated."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadInput, BadRow, UnreadableFile
from exchange.decode import decode_text

UNIT_HEADINGS = ("", "unit", "units", "item", "items", "id")
"""A first column with one of these headings names the units; any other is a rater."""

Value = str | int | float


@dataclass(frozen=True, slots=True)
class RatingTable:
    """`rows`: one a unit, one cell a rater, None = not rated. `scale` is empty if none was given: then the values found
    are the scale. Values are numbers if all of them are, else words."""

    raters: tuple[str, ...]
    rows: tuple[tuple[Value | None, ...], ...]
    scale: tuple[Value, ...]
    notices: tuple[str, ...] = ()


def read_ratings(content: bytes, filename: str, *, encoding: str = "", scale: Sequence[str] = ()) -> RatingTable:
    """Read a CSV (or with semicolons or tabs). `scale`: every value in its order, as text.

    A blank line is no unit; a line of empty cells is one that nobody rated. Raises UnreadableFile for what is empty or
    no text, UnknownEncoding as for every text, BadRow for a row with more or fewer cells than headings and for a value
    outside the scale, BadInput for a scale that lists a value twice.

    >>> read_ratings(b"unit,first,second\\n1,2,\\n2,3,3\\n", "r.csv").rows
    ((2, None), (3, 3))
    """
    text, notices = decode_text(content, filename, encoding)
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    numbered = [(reader.line_num, [cell.strip() for cell in record]) for record in reader if record]
    if not numbered:
        raise UnreadableFile(f"{filename} is empty; expected a row of headings and one row per unit.")
    heading = numbered[0][1]
    start = int(len(heading) > 1 and heading[0].casefold() in UNIT_HEADINGS)
    for line, row in numbered[1:]:
        if len(row) != len(heading):
            raise BadRow(filename, line, "", separator.join(row), f"{len(row)} cells, expected {len(heading)}")
    cells = [row[start:] for _line, row in numbered[1:]]
    _check_scale(filename, [(line, row[start:]) for line, row in numbered[1:]], scale, heading[start:])
    are_numbers = all(_number(cell) is not None for row in [list(scale), *cells] for cell in row if cell)
    rows = (tuple(_value(cell, are_numbers) for cell in row) for row in cells)
    levels = [value for cell in scale if (value := _value(cell.strip(), are_numbers)) is not None]
    if start and heading[0]:
        notices = (*notices, f"The column {heading[0]} names the units.")
    return RatingTable(tuple(heading[start:]), tuple(rows), tuple(levels), notices)


def _separator(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def _check_scale(
    filename: str, rows: Sequence[tuple[int, Sequence[str]]], scale: Sequence[str], heading: Sequence[str]
) -> None:
    """Every value stands on the scale, if one is given; 1 and 1.0 are one value."""
    if not scale:
        return
    known = {_plain(text.strip()) for text in scale}
    if len(known) < len(scale):
        raise BadInput(f"The scale {', '.join(scale)} lists a value twice.")
    for line, row in rows:
        for rater, cell in zip(heading, row, strict=True):
            if cell and _plain(cell) not in known:
                raise BadRow(filename, line, rater, cell, f"expected one of {', '.join(scale)}")


def _plain(text: str) -> str | float:
    number = _number(text)
    return text if number is None else float(number)


def _value(cell: str, is_number: bool) -> Value | None:
    return None if not cell else _number(cell) if is_number else cell


def _number(text: str) -> int | float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    if not math.isfinite(found):
        return None
    return int(found) if found.is_integer() else found
