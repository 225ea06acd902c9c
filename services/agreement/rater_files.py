"""Tables of rater agreement as downloads: CSV with every number, LaTeX as printed, a workbook with both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.estimate import Estimate
from core.people import Viewer
from core.triplets.rubric import Boundary
from core.words import counted, sentence_case
from exchange.edge_table import Cell, table_bytes
from exchange.latex import latex_table
from exchange.sheet_writing import NewSheet, write_sheets
from services.agreement.rater_material import words_of_collections
from services.agreement.rater_tables import (
    PAPER_AGREEMENT,
    PAPER_ERROR,
    RaterCell,
    RaterPart,
    RaterTable,
    Scale,
    rater_table,
)
from services.agreement.raters import INTERVALS, ScoringAgreement, scoring_agreement
from services.agreement.validation import ValidationAgreement, validation_agreement
from services.files import MEDIA, ExportedFile, TableForm
from services.study import current_study

NO_VALUE = "–"
CELLS = (
    "table",
    "line",
    "measure",
    "scale",
    "value",
    "low",
    "high",
    "n",
    "triplets",
    "note",
    "columns",
    "boundary",
)
BOUNDARIES = {
    Boundary.GE: "a total of exactly 15 is accepted (the paper)",
    Boundary.GT: "a total of exactly 15 is rejected (the README)",
}


def export_table(viewer: Viewer, part: RaterPart, boundary: Boundary, form: TableForm) -> ExportedFile:
    """Export one table. An undefined value is an en dash or an empty cell, with its reason."""
    scoring, validation = scoring_agreement(viewer, boundary), validation_agreement(viewer)
    grid = rater_table(part, scoring, validation)
    notes = _about(part, scoring, validation, boundary)
    return ExportedFile(name_of(part, boundary, form), MEDIA[form], _content(grid, notes, boundary, form))


def name_of(part: RaterPart, boundary: Boundary, form: TableForm) -> str:
    of = "" if part is RaterPart.VALIDATION else f"-{boundary.value}"
    return f"{current_study().name}-raters-{part.value}{of}.{form.value}"


def shown(estimate: Estimate, scale: Scale) -> str:
    """Format a number for tables: shares in per cent, whole counts, three decimals for the rest."""
    if estimate.value is None:
        return NO_VALUE
    if scale is Scale.COUNT:
        return f"{estimate.value:,.0f}"
    text = f"{100 * estimate.value:.1f}%" if scale is Scale.SHARE else f"{estimate.value:.3f}"
    return text.replace("-", "−")


def _content(grid: RaterTable, notes: list[str], boundary: Boundary, form: TableForm) -> bytes:
    rows = [[line.head, *(shown(cell.found, cell.scale) for cell in line.cells)] for line in grid.lines]
    numbers = [_numbers(grid, line.head, cell, boundary) for line in grid.lines for cell in line.cells]
    headings = (grid.corner, *grid.columns)
    if form is TableForm.CSV:
        return table_bytes(CELLS, numbers, safe=True)
    if form is TableForm.LATEX:
        return latex_table(headings, rows, caption=grid.title, label=f"tab:raters-{grid.part.value}", notes=notes)
    return write_sheets(
        [
            NewSheet("table", [(head, 20) for head in headings], rows),
            NewSheet("numbers", [(head, 18) for head in CELLS], [list(map(str, row)) for row in numbers]),
            NewSheet("about", [("about", 120)], [[line] for line in notes]),
        ]
    )


def _numbers(grid: RaterTable, head: str, cell: RaterCell, boundary: Boundary) -> list[Cell]:
    estimate = cell.found
    exact = ["" if value is None else value for value in (estimate.value, estimate.low, estimate.high)]
    of = "" if grid.part is RaterPart.VALIDATION else boundary.value
    return [
        grid.title,
        head,
        cell.measure,
        cell.scale.value,
        *exact,
        "" if estimate.n is None or cell.scale is Scale.COUNT else estimate.n,
        cell.triplets,
        estimate.reason,
        cell.note,
        of,
    ]


def _about(
    part: RaterPart, scoring: ScoringAgreement, validation: ValidationAgreement, boundary: Boundary
) -> list[str]:
    undefined = f"{NO_VALUE} means undefined; the CSV gives the reason."
    if part is RaterPart.VALIDATION:
        return [
            f"{validation.relations} relations scored by two, {validation.once} by one only; scores after the second "
            f"are not counted ({validation.further}).",
            *_pooled(validation.collections),
            "Intervals of the intraclass correlations: from the F distribution, 95%.",
            undefined,
        ]
    intervals = (
        "Intervals of the intraclass correlations: from the F distribution, 95%."
        if part is RaterPart.ICC
        else f"Intervals: bootstrap over papers, {INTERVALS.draws} draws, seed {INTERVALS.seed}, {INTERVALS.share:.0%}."
    )
    return [
        f"{counted(len(scoring.experts), 'expert')} scored {counted(scoring.triplets, 'triplet')}, "
        f"{scoring.twice:,} by two or more experts, {scoring.with_both:,} also by all critics; "
        f"the critics of {scoring.incomplete:,} are incomplete and left out.",
        *_pooled(scoring.collections),
        f"{counted(scoring.on_boundary, 'triplet')} with a critics' total of exactly 15; {BOUNDARIES[boundary]}.",
        f"EconCausal reports {PAPER_AGREEMENT:.1%} agreement of critics and experts and an overall MAE of "
        f"{PAPER_ERROR}.",
        *filter(None, [format_exposures(scoring)]),
        intervals,
        undefined,
    ]


def _pooled(collections: Sequence[str]) -> list[str]:
    words = words_of_collections(collections)
    return [f"{sentence_case(words)}."] if words else []


def format_exposures(scoring: ScoringAgreement) -> str:
    """Return the sentence about score sheets that were not blind to critics; "" if there are none."""
    if not scoring.not_blind:
        return ""
    whose = ", ".join(f"{who} ({number})" for who, number in sorted(Counter(scoring.not_blind).items()))
    are = "score sheet is" if len(scoring.not_blind) == 1 else "score sheets are"
    return (
        f"{len(scoring.not_blind)} {are} not fully blind, but counted like the others: before submitting, the expert "
        f"had exported the file with critics' scores: {whose}."
    )
