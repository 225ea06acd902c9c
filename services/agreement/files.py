"""Agreement tables as downloads: CSV with every number, LaTeX as in the paper, a workbook with both."""

from __future__ import annotations

from dataclasses import dataclass

from core.agreement.edges import View
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import TABLE_21, AgreementTable, is_distance
from core.agreement.verdicts import KINDS
from core.estimate import Estimate
from core.people import Viewer
from core.words import counted
from exchange.edge_table import Cell, table_bytes
from exchange.latex import latex_table
from exchange.sheet_writing import NewSheet, write_sheets
from services.agreement.annotators import INTERVALS, Reference, StudyAgreement, study_agreement, table, table_21
from services.files import MEDIA, ExportedFile, TableForm
from services.study import current_study

NO_VALUE = "–"
CELLS = (
    "table",
    "line",
    "element",
    "measure",
    "view",
    "reference",
    "figures",
    "defined in",
    "mean over figures",
    "population sd",
    "mean low",
    "mean high",
    "pooled",
    "pooled low",
    "pooled high",
    "note",
    "interval",
)
DISAGREEMENTS = ("figure", "what", "source or name", "sink", "A", "B", "class of the name's difference")
NOT_BLIND = "not fully blind"
"""Heading of the column with annotators who saw others' work before they submitted."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table as printed, and with every number in its own cell."""

    title: str
    headings: tuple[str, ...]
    rows: list[list[str]]
    cells: tuple[str, ...]
    numbers: list[list[Cell]]
    rule_before: tuple[int, ...] = ()


def export_table(
    viewer: Viewer, part: AgreementTable, view: View, reference: Reference, form: TableForm
) -> ExportedFile:
    """Export one table. An undefined value is an en dash or an empty cell, with its reason."""
    agreement = study_agreement(viewer, reference)
    sheet = _counts_sheet(agreement, view) if part is AgreementTable.TABLE_21 else _grid_sheet(agreement, view, part)
    name = name_of(part, view, reference, form)
    return ExportedFile(name, MEDIA[form], _content(sheet, agreement, view, form))


def name_of(part: AgreementTable, view: View, reference: Reference, form: TableForm) -> str:
    words = ("agreement", part.value, view.value.replace(" ", "-"), f"reference-{reference.value}")
    return f"{current_study().name}-{'-'.join(words)}.{form.value}"


def shown(cell: OverGraphs, decimals: int = 4) -> tuple[str, str]:
    """A cell as tables print it: "mean ± population sd", and the pooled value."""
    mean = cell.mean.value
    spread = NO_VALUE if mean is None else f"{_number(cell.mean, decimals)} ± {_number(cell.sd, decimals)}"
    decimals = 0 if is_distance(cell.measure) and isinstance(cell.pooled.value, int) else decimals  # a total of a count
    return spread, _number(cell.pooled, decimals)


def why(cell: OverGraphs) -> str:
    """Return the reasons for missing values and further notes; "" if there are none."""
    counted = [f"{reason} ({count} of {len(cell.per_graph)})" for reason, count in cell.undefined.items()]
    of = [
        f"mean: {cell.mean.reason}" if cell.mean.reason else "",
        f"pooled: {cell.pooled.reason}" if cell.pooled.reason else "",
    ]
    return "; ".join([*counted, *filter(None, of)])


def _content(sheet: _Sheet, agreement: StudyAgreement, view: View, form: TableForm) -> bytes:
    notes = _about(agreement, view)
    if form is TableForm.CSV:
        return table_bytes(sheet.cells, sheet.numbers, safe=True)
    if form is TableForm.LATEX:
        return latex_table(
            sheet.headings,
            sheet.rows,
            caption=f"{sheet.title} ({view.value})",
            label="tab:agreement",
            notes=notes,
            rule_before=sheet.rule_before,
        )
    disagreements = [
        [
            figure.title,
            each.kind.value,
            each.source,
            each.sink,
            each.first,
            each.second,
            each.name_class.value if each.name_class else "",
        ]
        for figure in agreement.figures
        for each in figure.disagreements
    ]
    sheets = [
        NewSheet("table", [(head, 18) for head in sheet.headings], sheet.rows),
        NewSheet("numbers", [(head, 18) for head in sheet.cells], [list(map(str, row)) for row in sheet.numbers]),
        NewSheet("disagreements", [(head, 24) for head in DISAGREEMENTS], disagreements),
        NewSheet("about", [("about", 120)], [[line] for line in notes]),
    ]
    return write_sheets(sheets)


def format_exposures(agreement: StudyAgreement) -> str:
    """Return the sentence about figures that were not submitted blind by both; "" if there are none."""
    if not agreement.not_blind:
        return ""
    are = "figure is" if len(agreement.not_blind) == 1 else "figures are"
    named = "; ".join(f"{figure.title} ({', '.join(figure.looked)})" for figure in agreement.not_blind)
    return (
        f"{len(agreement.not_blind)} {are} not fully blind, but counted like the others: before submitting, the "
        f"annotator in brackets had seen another transcription or an imported graph of the figure: {named}."
    )


def words_of_declined(agreement: StudyAgreement) -> str:
    """Return the sentence about figures that an annotator declined; "" if there are none."""
    declined = agreement.verdicts.declined
    return f"{counted(declined, 'figure')} left out: declined by one annotator or both." if declined else ""


def export_verdicts(viewer: Viewer) -> ExportedFile:
    """Export the table of verdicts as CSV: a row for each pair of answers, and κ with its reason."""
    table = study_agreement(viewer).verdicts
    rows: list[list[Cell]] = [
        ["figures", first, second, table.counts[i][j], ""]
        for i, first in enumerate(KINDS)
        for j, second in enumerate(KINDS)
    ]
    for name, value in (("share alike", table.same), ("kappa", table.kappa)):
        rows.append([name, "", "", "" if value.value is None else value.value, value.reason or ""])
    content = table_bytes(("what", "first", "second", "value", "note"), rows, safe=True)
    return ExportedFile(f"{current_study().name}-agreement-verdicts.csv", "text/csv", content)


def _about(agreement: StudyAgreement, view: View) -> list[str]:
    whose = (
        "the transcription submitted first" if agreement.reference is Reference.FIRST else "the second transcription"
    )
    return [
        f"{counted(len(agreement.figures), 'figure')} transcribed twice; reference: {whose}; view: {view.value}.",
        "± is the population standard deviation over figures; pooled values add up all counts.",
        f"Intervals: bootstrap over figures, {INTERVALS.draws} draws, seed {INTERVALS.seed}, {INTERVALS.share:.0%}.",
        f"{NO_VALUE} means undefined; the CSV gives the reason.",
        *filter(None, [words_of_declined(agreement), format_exposures(agreement)]),
    ]


def _grid_sheet(agreement: StudyAgreement, view: View, part: AgreementTable) -> _Sheet:
    printed = table(agreement, view, part)
    rows = []
    for line in printed.lines:
        cells = [shown(cell) for cell in line.cells]
        over = f"mean ± sd, {counted(len(line.figures), 'figure')}"
        rows.append([line.head, over, *(mean for mean, _pooled in cells)])
        rows.append([line.head, "pooled", *(pooled for _mean, pooled in cells)])
    numbers = [
        [
            printed.title,
            line.head,
            cell.element.value,
            cell.measure.value,
            view.value,
            agreement.reference.value,
            len(line.figures),
            *_numbers(cell),
        ]
        for line in printed.lines
        for cell in line.cells
    ]
    headings = (printed.corner, "over", *printed.columns)
    return _Sheet(printed.title, headings, rows, CELLS, numbers, tuple(range(2, len(rows), 2)))


def _numbers(cell: OverGraphs) -> list[Cell]:
    mean, pooled = cell.mean, cell.pooled
    has_interval = mean.low is not None or pooled.low is not None
    return [
        mean.n or 0,
        *map(_exact, (mean.value, cell.sd.value, mean.low, mean.high)),
        *map(_exact, (pooled.value, pooled.low, pooled.high)),
        why(cell),
        f"bootstrap over figures, {INTERVALS.draws} draws, seed {INTERVALS.seed}" if has_interval else "",
    ]


def _counts_sheet(agreement: StudyAgreement, view: View) -> _Sheet:
    lines = table_21(agreement, view)
    rows = [[line.head, *map(str, line.cells)] for line in lines]
    looked = ["" if line.figure is None else ", ".join(agreement.figures[line.figure].looked) for line in lines]
    headings = ("figure", *TABLE_21)
    title = "What the second transcription adds and misses, by figure"
    if agreement.reference is Reference.SECOND:
        title = "What the first transcription adds and misses, by figure"
    return _Sheet(
        title,
        headings,
        rows,
        (*headings, "view", "reference", NOT_BLIND),
        [[*row, view.value, agreement.reference.value, who] for row, who in zip(rows, looked, strict=True)],
        (len(rows) - 1,),
    )


def _number(estimate: Estimate, decimals: int) -> str:
    return NO_VALUE if estimate.value is None else f"{estimate.value:.{decimals}f}"


def _exact(value: float | None) -> Cell:
    return "" if value is None else value
