"""Open table of raters' agreement, its open cell, and reasons for undefined values."""

from __future__ import annotations

from components import state
from components.widgets.cells import choose_cell
from core.words import sentence_case
from pages.agreement.parts import PAGE, explain_undefined
from services.agreement.rater_files import shown
from services.agreement.rater_tables import RaterCell, RaterTable

ELSEWHERE = "it is computed criterion by criterion"

# Line headings on screens; files have the originals.
HEADS = {"all six": "All criteria"}


def show(table: RaterTable) -> RaterCell:
    texts = [[shown(cell.found, cell.scale) for cell in line.cells] for line in table.lines]
    heads = [line.head for line in table.lines]
    linked = tuple(state.read_param(name) for name in ("line", "column"))
    begin = tuple(int(text) if text.isdecimal() and len(text) < 6 else 0 for text in linked)
    place = choose_cell(
        sentence_case(table.corner),
        [HEADS.get(head, sentence_case(head)) for head in heads],
        [sentence_case(column) for column in table.columns],
        texts,
        name=state.key(PAGE, f"raters.cell.{table.part.value}"),
        begin=(begin[0], begin[1]),
        words=("Row", "Column"),
    )
    for name, now in zip(("line", "column"), place, strict=True):
        state.write_param(name, str(now) if now else "")
    explain_undefined(
        (line.head if len(table.columns) == 1 else f"{column} of {line.head}", cell.found.reason)
        for line in table.lines
        for cell, column in zip(line.cells, table.columns, strict=True)
        if cell.found.value is None and cell.found.reason != ELSEWHERE
    )
    return table.lines[place[0]].cells[place[1]]
