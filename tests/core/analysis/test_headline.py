"""The sentence above a table: the ends of its main figure, and each answer once."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.headline import headline
from core.estimate import undefined
from protocols.recite.tables import TABLES
from tests.protocols.recite.analyses.planted import corpus, prepared

FRAME = corpus(samples=6)


def test_the_ends_are_the_lowest_and_highest_values_of_rows_that_are_no_means() -> None:
    for key in ("main", "names", "judges"):
        for table in TABLES.preset(key).tables(*prepared(FRAME)):
            about = headline(table)
            values = [table.cells[place].estimate.value for place in about.ends]
            rows = [row for row in table.row_labels if row not in table.means]
            same = [column for column in table.column_labels if table.figure(column) == about.figure]
            every = [table.cells[row, column].estimate.value for row in rows for column in same]
            known = [value for value in every if value is not None]
            assert values == ([min(known), max(known)] if len(known) > 1 else known), (key, table.title)
            assert about.asked is None or 0 <= about.left_out <= about.asked


def test_without_a_defined_value_there_are_no_ends() -> None:
    table = next(iter(TABLES.preset("main").tables(*prepared(FRAME))))
    cells = {place: replace(cell, estimate=undefined("no score")) for place, cell in table.cells.items()}
    assert headline(replace(table, cells=cells)).ends == ()
