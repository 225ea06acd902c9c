"""Tables of agreement to take away: CSV with every number, LaTeX in the form of the paper, a workbook with both."""

from __future__ import annotations

from dataclasses import dataclass

from core.agreement.edges import View
from core.agreement.over_graphs import OverGraphs
from core.agreement.study_tables import TABLE_21, AgreementTable, GridLine, is_distance
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
"""Heads the column that names who of the two had seen others' work before submitting."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table twice: in the form in which it is printed, and with every number in a cell of its own."""

    title: str
    headings: tuple[str, ...]
    rows: list[list[str]]
    cells: tuple[str, ...]
    numbers: list[list[Cell]]
    rule_before: tuple[int, ...] = ()


def export_table(
    viewer: Viewer, part: AgreementTable, view: View, reference: Reference, form: TableForm
) -> ExportedFile:
    """One table as a file; an undefined value is an en dash or an empty cell, and the reason stands beside it."""
    found = study_agreement(viewer, reference)
    made = _counts_sheet(found, view) if part is AgreementTable.TABLE_21 else _grid_sheet(found, view, part)
    name = name_of(part, view, reference, form)
    return ExportedFile(name, MEDIA[form], _content(made, found, view, form))


def name_of(part: AgreementTable, view: View, reference: Reference, form: TableForm) -> str:
    """What the file of a table is called."""
    words = ("agreement", part.value, view.value.replace(" ", "-"), f"reference-{reference.value}")
    return f"{current_study().name}-{'-'.join(words)}.{form.value}"


def shown(cell: OverGraphs, decimals: int = 4) -> tuple[str, str]:
    """A cell as tables print it: "mean ± population sd", and the pooled value."""
    mean = cell.mean.value
    spread = NO_VALUE if mean is None else f"{_number(cell.mean, decimals)} ± {_number(cell.sd, decimals)}"
    return spread, _number(cell.pooled, 0 if is_distance(cell.measure) and _is_whole(cell.pooled) else decimals)


def why(cell: OverGraphs) -> str:
    """Why values are missing, or what else must be known of them; "" if nothing."""
    counted = [f"{reason} ({count} of {len(cell.per_graph)})" for reason, count in cell.undefined.items()]
    of = [
        f"mean: {cell.mean.reason}" if cell.mean.reason else "",
        f"pooled: {cell.pooled.reason}" if cell.pooled.reason else "",
    ]
    return "; ".join([*counted, *filter(None, of)])


def _content(made: _Sheet, found: StudyAgreement, view: View, form: TableForm) -> bytes:
    said = _about(found, view)
    if form is TableForm.CSV:
        return table_bytes(made.cells, made.numbers, safe=True)
    if form is TableForm.LATEX:
        return latex_table(
            made.headings,
            made.rows,
            caption=f"{made.title} ({view.value})",
            label="tab:agreement",
            notes=said,
            rule_before=made.rule_before,
        )
    sheets = [
        NewSheet("table", [(head, 18) for head in made.headings], made.rows),
        NewSheet("numbers", [(head, 18) for head in made.cells], [list(map(str, row)) for row in made.numbers]),
        NewSheet("disagreements", [(head, 24) for head in DISAGREEMENTS], _disagreements(found)),
        NewSheet("about", [("about", 120)], [[line] for line in said]),
    ]
    return write_sheets(sheets)


def words_of_looks(found: StudyAgreement) -> str:
    """How many figures were not submitted blind by both, and which; "" if all were."""
    if not found.not_blind:
        return ""
    are = "figure is" if len(found.not_blind) == 1 else "figures are"
    named = "; ".join(f"{figure.title} ({', '.join(figure.looked)})" for figure in found.not_blind)
    return (
        f"{len(found.not_blind)} {are} not fully blind, but counted like the others: before submitting, the "
        f"annotator in brackets had seen another transcription or an imported graph of the figure: {named}."
    )


def words_of_declined(found: StudyAgreement) -> str:
    """How many figures are in no table of edges since one of the two declined them; "" if none."""
    declined = found.verdicts.declined
    return f"{counted(declined, 'figure')} left out: declined by one annotator or both." if declined else ""


def export_verdicts(viewer: Viewer) -> ExportedFile:
    """The table of verdicts as a CSV: one row for each pair of what the two handed in, and kappa with its reason."""
    found = study_agreement(viewer).verdicts
    rows: list[list[Cell]] = [
        ["figures", first, second, found.counts[i][j], ""]
        for i, first in enumerate(KINDS)
        for j, second in enumerate(KINDS)
    ]
    for name, value in (("share alike", found.same), ("kappa", found.kappa)):
        rows.append([name, "", "", "" if value.value is None else value.value, value.reason or ""])
    content = table_bytes(("what", "first", "second", "value", "note"), rows, safe=True)
    return ExportedFile(f"{current_study().name}-agreement-verdicts.csv", "text/csv", content)


def _about(found: StudyAgreement, view: View) -> list[str]:
    whose = "the transcription submitted first" if found.reference is Reference.FIRST else "the second transcription"
    return [
        f"{counted(len(found.figures), 'figure')} transcribed twice; reference: {whose}; view: {view.value}.",
        "± is the population standard deviation over figures; pooled values add up all counts.",
        f"Intervals: bootstrap over figures, {INTERVALS.draws} draws, seed {INTERVALS.seed}, {INTERVALS.share:.0%}.",
        f"{NO_VALUE} means undefined; the CSV gives the reason.",
        *filter(None, [words_of_declined(found), words_of_looks(found)]),
    ]


def _grid_sheet(found: StudyAgreement, view: View, part: AgreementTable) -> _Sheet:
    made = table(found, view, part)
    rows = [row for line in made.lines for row in _printed(line)]
    numbers = [
        [
            made.title,
            line.head,
            cell.element.value,
            cell.measure.value,
            view.value,
            found.reference.value,
            len(line.figures),
            *_numbers(cell),
        ]
        for line in made.lines
        for cell in line.cells
    ]
    headings = (made.corner, "over", *made.columns)
    return _Sheet(made.title, headings, rows, CELLS, numbers, tuple(range(2, len(rows), 2)))


def _printed(line: GridLine) -> list[list[str]]:
    cells = [shown(cell) for cell in line.cells]
    return [
        [line.head, f"mean ± sd, {counted(len(line.figures), 'figure')}", *(mean for mean, _pooled in cells)],
        [line.head, "pooled", *(pooled for _mean, pooled in cells)],
    ]


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


def _counts_sheet(found: StudyAgreement, view: View) -> _Sheet:
    lines = table_21(found, view)
    rows = [[line.head, *map(str, line.cells)] for line in lines]
    looked = ["" if line.figure is None else ", ".join(found.figures[line.figure].looked) for line in lines]
    headings = ("figure", *TABLE_21)
    title = "What the second transcription adds and misses, by figure"
    if found.reference is Reference.SECOND:
        title = "What the first transcription adds and misses, by figure"
    return _Sheet(
        title,
        headings,
        rows,
        (*headings, "view", "reference", NOT_BLIND),
        [[*row, view.value, found.reference.value, who] for row, who in zip(rows, looked, strict=True)],
        (len(rows) - 1,),
    )


def _disagreements(found: StudyAgreement) -> list[list[str]]:
    return [
        [
            figure.title,
            each.kind.value,
            each.source,
            each.sink,
            each.first,
            each.second,
            each.name_class.value if each.name_class else "",
        ]
        for figure in found.figures
        for each in figure.disagreements
    ]


def _is_whole(estimate: Estimate) -> bool:
    """Whether it is a total of a count, which has no decimals."""
    return isinstance(estimate.value, int)


def _number(estimate: Estimate, decimals: int) -> str:
    return NO_VALUE if estimate.value is None else f"{estimate.value:.{decimals}f}"


def _exact(value: float | None) -> Cell:
    return "" if value is None else value
