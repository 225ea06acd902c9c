"""Ratings as a text table: a heading row, then one row per unit and one column per rater, or one row per rating
(rater, unit, value); empty means not rated."""

from __future__ import annotations

import csv
import io
import math
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadInput, BadRow, UnreadableFile
from core.words import counted, quoted
from exchange.decode import decode_text

UNIT_HEADINGS = ("", "unit", "units", "item", "items", "id")
"""Headings of a first column that names the units."""
RATERS = ("rater", "coder", "annotator", "judge", "reviewer", "observer", "expert", "evaluator", "worker")
_OF_RATERS = re.compile(rf"(?:{'|'.join(RATERS)})(?:[ _-]?(?:id|name))?")
_OF_VALUES = re.compile(r"value|rating|score|label|code|category")
"""A table with one heading of each kind has one row per rating."""
NONE = "none"
"""Answer that no column names the units."""

NOT_RATED = ("na", "n/a", "#n/a", "nan", "null", "<na>")
"""Empty-cell words of R, spreadsheets, pandas and SQL. None is not among them: it is a sign of triplets."""
NO_NUMBER = ("none", "-", ".", "?")
"""Also not rated, if the other cells are numbers."""
LEAST_ASKED = 3
"""Number of values from which a first column that differs from the others needs an answer."""

Value = str | int | float
Line = tuple[int, list[str]]
"""A row with the line of the file on which it ends."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """A table of ratings: one row per unit, one cell per rater, None = not rated. An empty `scale` means the values
    found. Values are numbers if all of them are, else words."""

    raters: tuple[str, ...]
    rows: tuple[tuple[Value | None, ...], ...]
    scale: tuple[Value, ...]
    notices: tuple[str, ...] = ()


def read_ratings(
    content: bytes, filename: str, *, encoding: str = "", scale: Sequence[str] = (), units: str = ""
) -> RatingTable:
    """Read CSV, also with semicolons or tabs. `scale`: every value in its order, as text. `units`: the heading of the
    column that names the units, NONE if the first one is a rater; default: a first column with a known heading.

    A blank line is no unit; a line of empty cells is an unrated unit. Raises UnreadableFile for what is empty or
    not text, UnknownEncoding, BadRow for a row with a wrong number of cells, for a value
    outside the scale and for a second rating of a unit by one rater, BadInput for a scale that lists a value twice, a
    missing column, and where `units` must be answered.

    >>> read_ratings(b"unit,first,second\\n1,2,\\n2,3,3\\n", "r.csv").rows
    ((2, None), (3, 3))
    """
    text, notices = decode_text(content, filename, encoding)
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    numbered = [(reader.line_num, [cell.strip() for cell in record]) for record in reader if record]
    if not numbered:
        raise UnreadableFile(f"{filename} is empty; expected a row of headings and one row per unit.")
    heading, lines = numbered[0][1], numbered[1:]
    for line, row in lines:
        if len(row) != len(heading):
            raise BadRow(filename, line, "", separator.join(row), f"{len(row)} cells, expected {len(heading)}")
    if units and units != NONE and units not in heading:
        raise BadInput(f"{filename} has no column {quoted(units)}; its columns are {', '.join(heading)}.")
    is_long = units != NONE and _is_long(heading)
    if is_long:
        rater, unit, value = _places_of_long(filename, heading, units)
        rated = [value]
        unread = [cell for place, cell in enumerate(heading) if place not in (rater, unit, value)]
        layout_notice = f"One row per rating: {heading[rater]}, {heading[unit]} and {heading[value]}."
        notices = (*notices, layout_notice + (f" Columns not read: {', '.join(unread)}." if unread else ""))
    else:
        names_units = not units and len(heading) > 1 and heading[0].casefold() in UNIT_HEADINGS
        unit = heading.index(units) if units and units != NONE else 0 if names_units else -1
        rated = [place for place in range(len(heading)) if place != unit]
        if unit >= 0 and heading[unit]:
            notices = (*notices, f"The column {heading[unit]} names the units.")
    lines, not_rated = _without_not_rated(lines, rated, scale)
    _check_scale(filename, lines, rated, scale, heading)
    if is_long:
        raters, cells = _wide(filename, heading, lines, (rater, unit, value))
    else:
        if unit < 0 and not units:
            notices = (*notices, *_doubt(filename, heading, lines))
        raters, cells = [heading[place] for place in rated], [[row[place] for place in rated] for _, row in lines]
    are_numbers = all(_number(cell) is not None for row in [list(scale), *cells] for cell in row if cell)
    rows = (tuple(_value(cell, are_numbers) for cell in row) for row in cells)
    levels = [level for cell in scale if (level := _value(cell.strip(), are_numbers)) is not None]
    return RatingTable(tuple(raters), tuple(rows), tuple(levels), (*notices, *not_rated))


def _is_long(heading: Sequence[str]) -> bool:
    """Return True for one row per rating: of at least three columns, one is of raters and one of values."""
    return len(heading) > 2 and all(len(_places(heading, kind)) == 1 for kind in (_OF_RATERS, _OF_VALUES))


def _places(heading: Sequence[str], kind: re.Pattern[str]) -> list[int]:
    return [place for place, cell in enumerate(heading) if kind.fullmatch(cell.casefold())]


def _without_not_rated(
    lines: Sequence[Line], rated: Sequence[int], scale: Sequence[str]
) -> tuple[list[Line], list[str]]:
    """Return the rows with cells emptied that mean "not rated", and a notice of them. Values of the scale are
    ratings."""
    values = {text.strip() for text in scale}
    cells = [row[place] for _, row in lines for place in rated if row[place] and row[place] not in values]
    known = {cell for cell in cells if cell.casefold() in NOT_RATED}
    if all(_number(cell) is not None or cell.casefold() in NO_NUMBER for cell in cells if cell not in known):
        known |= {cell for cell in cells if cell.casefold() in NO_NUMBER}
    emptied = Counter(cell for cell in cells if cell in known)
    if not emptied:
        return list(lines), []
    which = ", ".join(f"{cell} ({many:,})" for cell, many in emptied.items())
    notice = (
        f"{counted(emptied.total(), 'cell')} read as not rated: {which}. If that is a rating, list it in the scale."
    )
    without = [
        (line, ["" if place in rated and cell in known else cell for place, cell in enumerate(row)])
        for line, row in lines
    ]
    return without, [notice]


def _doubt(filename: str, heading: Sequence[str], lines: Sequence[Line]) -> list[str]:
    """Return a notice if the values of the first column are all different. Raises BadInput if it is unlikely to be a
    rater: if some of its values, or, for words, all of them, occur in no other column."""
    first = [row[0] for _, row in lines if row[0]]
    others = {cell for _, row in lines for cell in row[1:] if cell}
    is_rater = heading[0].casefold().startswith(RATERS)
    if len(first) < LEAST_ASKED or not others or is_rater:
        return []
    are_different = len(set(first)) == len(first)
    are_words = all(_number(cell) is None for cell in first)
    name = heading[0]
    if (are_different and not others.issuperset(first)) or (are_words and others.isdisjoint(first)):
        what = "its values are all different" if are_different else "none of its values is in another column"
        some = ", ".join(map(quoted, list(dict.fromkeys(first))[:3]))
        raise BadInput(
            f"{filename}, column {name} (the first): {what}, as {some}. Does it name the units? Answer with --units "
            f"{shlex.quote(name)}, or with --units {NONE} if {name} is a rater. A table with one row per rating needs "
            "the headings rater, unit and value."
        )
    if not are_different:
        return []
    return [f"The values of the first column, {name}, are all different; it is read as a rater, not as names of units."]


def _places_of_long(filename: str, heading: list[str], units: str) -> tuple[int, int, int]:
    """Return the columns of raters, units and values of a table with one row per rating. Raises BadInput if two
    columns could name the units."""
    ((rater,), (value,)) = (_places(heading, kind) for kind in (_OF_RATERS, _OF_VALUES))
    rest = [place for place in range(len(heading)) if place not in (rater, value)]
    named = [place for place in rest if heading[place].casefold() in UNIT_HEADINGS]
    unit_columns = [heading.index(units)] if units else named if len(named) == 1 else rest
    if len(unit_columns) > 1 or unit_columns[0] not in rest:
        raise BadInput(
            f"{filename} has one row per rating ({heading[rater]}, {heading[value]}). Which column names the units: "
            f"{', '.join(heading[place] for place in rest)}? Answer with --units, as in --units "
            f"{shlex.quote(heading[rest[0]])}."
        )
    return rater, unit_columns[0], value


def _wide(
    filename: str, heading: list[str], lines: Sequence[Line], places: tuple[int, int, int]
) -> tuple[list[str], list[list[str]]]:
    """Return the raters, and one row per unit, of a table with one row per rating. Raises BadRow for a row without
    rater or unit, and for a second rating of a unit by one rater."""
    rater, unit, value = places
    ratings: dict[tuple[str, str], Line] = {}
    for line, row in lines:
        for place in (rater, unit):
            if not row[place]:
                raise BadRow(filename, line, heading[place], "", "expected a name in every row")
        first, _ = ratings.setdefault((row[unit], row[rater]), (line, row))
        if first != line:
            expected = f"expected one rating of {row[unit]} by {row[rater]}, and line {first:,} has it"
            raise BadRow(filename, line, heading[value], row[value], expected)
    raters = list(dict.fromkeys(row[rater] for _, row in lines))
    units = dict.fromkeys(row[unit] for _, row in lines)
    absent: Line = (0, [""] * len(heading))
    return raters, [[ratings.get((each, name), absent)[1][value] for name in raters] for each in units]


def _check_scale(
    filename: str, lines: Sequence[Line], rated: Sequence[int], scale: Sequence[str], heading: Sequence[str]
) -> None:
    """Raise BadRow for a value outside the scale, if one is given; 1 and 1.0 are equal."""
    if not scale:
        return
    known = {_plain(text.strip()) for text in scale}
    if len(known) < len(scale):
        raise BadInput(f"The scale {', '.join(scale)} lists a value twice.")
    for line, row in lines:
        for place in rated:
            if row[place] and _plain(row[place]) not in known:
                raise BadRow(filename, line, heading[place], row[place], f"expected one of {', '.join(scale)}")


def _plain(text: str) -> str | float:
    number = _number(text)
    return text if number is None else float(number)


def _value(cell: str, is_number: bool) -> Value | None:
    return None if not cell else _number(cell) if is_number else cell


def _number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number
