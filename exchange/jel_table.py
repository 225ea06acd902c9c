"""jel.csv of EconCausal's metadata: papers and their JEL codes, in the columns paper and jel. A paper is named "w"
and its number with four digits or more ("w0022"); codes are stored as printed, in file order, each once: letters,
letters with digits (two of them in lower case), and the numbers used before 1991 (some truncated)."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from core.errors import BadRow, UnreadableFile
from core.graphs.bounds import MOST_FAULTS, too_many
from exchange.text_lines import broken_record, text_lines
from exchange.triplet_cells import is_number

COLUMNS = ("paper", "jel")
MOST_ROWS = 1_000_000
_CODE = re.compile(r"[A-Za-z][0-9]{0,2}|[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class JelTable:
    codes: dict[str, tuple[str, ...]]
    rows: int
    faults: tuple[BadRow, ...]

    def of(self, paper_id: str) -> tuple[str, ...]:
        """Return the codes of a paper by its number in a task file ("22", "0022" or "w0022"); none if unknown.

        >>> JelTable({"w0022": ("H", "913")}, 2, ()).of("22")
        ('H', '913')
        """
        number = paper_id.strip().lower().removeprefix("w")
        return self.codes.get(f"w{int(number):04d}", ()) if is_number(number.lstrip("0") or "0") else ()


def read_jel(content: bytes, filename: str) -> JelTable:
    """Read the table. Raises UnreadableFile without its two columns, or with more than 1,000,000 rows or 10,000
    faulty ones."""
    reader = csv.reader(text_lines(content, filename, newline=""), strict=True)
    try:
        heading = [cell.strip().casefold() for cell in next(reader, [])]
    except csv.Error as error:
        raise UnreadableFile(f"{filename}, line 1: {broken_record(str(error))}.") from None
    if not set(COLUMNS) <= set(heading):
        raise UnreadableFile(f"{filename} has no columns paper and jel; EconCausal's jel.csv has these two.")
    paper_at, jel_at = (heading.index(name) for name in COLUMNS)
    codes: dict[str, dict[str, None]] = {}
    faults: list[BadRow] = []
    rows = 0
    try:
        for cells in reader:
            if not any(cells):
                continue
            rows += 1
            if rows > MOST_ROWS:
                raise too_many(filename, MOST_ROWS, "rows", reader.line_num)
            if len(faults) > MOST_FAULTS:
                raise too_many(filename, MOST_FAULTS, "faulty rows", reader.line_num)
            if len(cells) != len(heading):
                expected = f"{len(heading)} cells, as many as the heading has"
                faults.append(BadRow(filename, reader.line_num, "", ",".join(cells)[:60], expected))
            elif not _CODE.fullmatch(cells[jel_at].strip()):
                expected = "a letter with up to two digits, or up to three digits (before 1991)"
                faults.append(BadRow(filename, reader.line_num, "jel", cells[jel_at][:60], expected))
            else:
                codes.setdefault(cells[paper_at].strip().lower(), {})[cells[jel_at].strip()] = None
    except csv.Error as error:
        faults.append(BadRow(filename, reader.line_num, "", "", broken_record(str(error))))
    return JelTable({paper: tuple(each) for paper, each in codes.items()}, rows, tuple(faults))
