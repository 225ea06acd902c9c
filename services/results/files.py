"""Export of result tables: CSV with every number and every status, LaTeX as printed. Screens print cells with the same
functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from core.analysis.analyse import INTERVALS
from core.analysis.presets import PublishedTable
from core.analysis.printed import shown, shown_interval
from core.analysis.slices import Slice
from core.analysis.table_charts import chart_at
from core.analysis.tables import ResultTable
from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from core.words import counted
from exchange.chart_file import PICTURE_MEDIA, PictureForm, write_chart
from exchange.edge_table import Cell, table_bytes
from exchange.latex import latex_table
from exchange.result_frame import FRAME_MEDIA, FrameForm, write_frame
from runs.item_outcomes import protocol_of
from services.acting import consulting
from services.files import MEDIA, ExportedFile, TableForm
from services.results.frame import frame
from services.results.results import FIRST_REPLIES, OWN, require_one_protocol, results, runs_of
from services.runs.judge_exposure import record_run_exposure, refuse_run

PARTS = ("empty", "as_zero", "left_out")
"""Of `AnswerCounts`: those that no status tells. `n_scored` has the first two in it."""
NUMBERS = (
    "table",
    "of",
    "samples",
    "metric",
    "unit",
    "row",
    "column",
    "value",
    "low",
    "high",
    "n_scored",
    "n_total",
    *PARTS,
    *(status.value for status in ItemStatus),
    "asked_again",
    "note",
    "computed",
)
PUBLISHED = "published"
"""A further column, of the tables of whose protocol a paper prints values; its rows without a value are the paper's."""


def export(
    viewer: Viewer,
    run_ids: Sequence[str],
    preset: str,
    form: TableForm,
    wanted: Slice = OWN,
    *,
    with_intervals: bool = False,
) -> ExportedFile:
    """Export the tables of a preset as one file: CSV (a line per cell, always with intervals) or LaTeX, with or without
    intervals. Each table names its tasks and variants (`wanted`). Raises as `run_results.results`, and ValueError for
    another form."""
    if form not in (TableForm.CSV, TableForm.LATEX):
        raise ValueError(f"result tables are exported as CSV or LaTeX, not as {form.value}")
    with consulting(viewer, Permission.EXPORT) as r:
        rows = runs_of(r.session, run_ids)
        of_protocol = protocol_of(rows[0].protocol).tables
        numbers, drawn = [row.number for row in rows], of_protocol.drawn
        study = r.study.name
    tables = results(viewer, run_ids, preset, wanted)
    name = f"{study}-{name_of(numbers, preset, wanted, form)}"
    printed = of_protocol.presets[preset].published
    if form is TableForm.CSV:
        content = csv_of(tables, printed)
    else:
        content = latex_of(tables, rows[0].protocol, preset, numbers, with_intervals=with_intervals, drawn=drawn)
    return ExportedFile(name, MEDIA[form], content)


def export_chart(
    viewer: Viewer, run_ids: Sequence[str], preset: str, part: int, form: PictureForm, wanted: Slice = OWN
) -> ExportedFile:
    """Export the chart of one table of a preset, the first for `part` 1, with its intervals. Raises as `results`, and
    BadInput for a table that there is not, or one without a value."""
    with consulting(viewer, Permission.EXPORT) as r:
        rows = runs_of(r.session, run_ids)
        numbers, study = [row.number for row in rows], r.study.name
        of = protocol_of(rows[0].protocol).tables.preset(preset)
    content = write_chart(chart_at(results(viewer, run_ids, preset, wanted), part, of.chart, of.in_time), form)
    return ExportedFile(f"{study}-{name_of(numbers, preset, wanted, form, part)}", PICTURE_MEDIA[form], content)


def export_items(viewer: Viewer, run_ids: Sequence[str], form: FrameForm) -> tuple[ExportedFile, int]:
    """Export the whole frame of runs of one protocol; return it and its number of items. Raises as `results`, and
    Refused while the viewer labels verdicts of these runs or about them."""
    with consulting(viewer, Permission.EXPORT) as r:
        rows = runs_of(r.session, run_ids)
        require_one_protocol(rows)
        for row in rows:
            refuse_run(r, row.id)
            record_run_exposure(r, row.settings, row.id)
        items = frame(r.session, rows, is_whole=True)
        numbers, study = [row.number for row in rows], r.study.name
    name = f"{study}-run-{'-'.join(map(str, sorted(numbers)))}-items.{form.value}"
    return ExportedFile(name, FRAME_MEDIA[form], write_frame(items, form)), len(items)


def name_of(
    numbers: Sequence[int], preset: str, wanted: Slice, form: TableForm | PictureForm, part: int | None = None
) -> str:
    """Return the file name of a preset's tables, or of the chart of one; it includes a slice that the user chose."""
    further = ["first-replies"] if wanted.is_first else []
    further += [wanted.by.rpartition(".")[2].replace(":", "-")] if wanted.by else []
    further += [f"failures-{wanted.failures.value}"] if wanted.failures else []
    further += ["same-samples"] if wanted.is_same else []
    further += ["without-flagged"] if wanted.is_unflagged else []
    place = [] if part is None else [str(part)]
    words = ("run", *map(str, sorted(numbers)), preset, *place, *wanted.tasks, *wanted.variants, *further)
    return f"{'-'.join(words)}.{form.value}"


def csv_of(tables: Sequence[ResultTable], printed: Sequence[PublishedTable]) -> bytes:
    """Return tables as CSV, a line for each cell; with `printed`, a further line for each value of a paper's row that
    this study lacks."""
    lines: list[dict[str, Cell | None]] = []
    for table in tables:
        theirs = next((each for each in printed if each.metric == table.metric.name), None)
        for row, column in product(table.row_labels, table.column_labels):
            lines.append(_line(table, row, column) | {PUBLISHED: theirs.value(row, column) if theirs else None})
        if theirs is not None:
            about = {"table": table.title, "metric": table.metric.name, "unit": table.metric.unit}
            lines += [
                {**about, "row": row, "column": column, "note": theirs.source, PUBLISHED: value}
                for row, column in product(theirs.others(table.row_labels), table.column_labels)
                if (value := theirs.value(row, column)) is not None
            ]
    names = (*NUMBERS, PUBLISHED) if printed else NUMBERS
    rows = [["" if (cell := line.get(name)) is None else cell for name in names] for line in lines]
    return table_bytes(names, rows, safe=True)


def _line(table: ResultTable, row: str, column: str) -> dict[str, Cell | None]:
    cell, found, figure = table.cells[row, column], table.cells[row, column].estimate, table.figure(column)
    value = figure.exact(found)
    spread = "" if found.sd is None else f"population standard deviation {found.sd}"
    return {
        "table": table.title,
        "metric": figure.name,
        "unit": figure.unit,
        "of": table.of,
        "samples": table.samples,
        "row": row,
        "column": column,
        "value": value if value is None or isinstance(value, str) else float(value),
        "low": found.low,
        "high": found.high,
        "n_scored": cell.n_scored,
        "n_total": cell.n_total,
        **{part: getattr(cell.counts, part) for part in PARTS},
        **{status.value: cell.statuses.get(status.value, 0) for status in ItemStatus},
        "asked_again": cell.asked_again,
        "note": "; ".join(filter(None, [found.reason, spread])),
        "computed": figure.told,
    }


def latex_of(
    tables: Sequence[ResultTable],
    protocol: str,
    preset: str,
    numbers: Sequence[int],
    with_intervals: bool,
    drawn: str,
) -> bytes:
    runs = ", ".join(map(str, sorted(numbers)))
    made = []
    for number, table in enumerate(tables, start=1):
        first_mean = [table.row_labels.index(table.means[0])] if table.means else []
        made.append(
            latex_table(
                (table.row_title, *table.column_labels),
                [
                    [row, *(printed_cell(table, row, column, with_intervals) for column in table.column_labels)]
                    for row in table.row_labels
                ],
                caption=f"{table.title}; {table.of}; run {runs}",
                label=f"tab:{protocol}-{preset}-{number}",
                notes=table_notes(table, with_intervals, drawn),
                rule_before=first_mean,
            ).decode()
        )
    return "\n".join(made).encode()


def printed_cell(table: ResultTable, row: str, column: str, with_intervals: bool) -> str:
    """A cell as LaTeX and reports print it: with the number of its scored items where not all are."""
    cell = table.cells[row, column]
    text = shown(cell.estimate, table.figure(column))
    interval = shown_interval(cell.estimate, table.figure(column)) if with_intervals else ""
    text = f"{text} [{interval}]" if interval else text
    return f"{text} ({cell.n_scored:,}/{cell.n_total:,})" if cell.n_scored != cell.n_total else text


def asked_again_words(table: ResultTable) -> str:
    """Describe the number of items of each model that were asked again and the reply that counts; empty without any."""
    if not table.asked_again:
        return ""
    many = ", ".join(f"{model} {count:,}" for model, count in sorted(table.asked_again.items()))
    items = counted(sum(table.asked_again.values()), "item")
    return (
        f"{items} asked again after a reply that could not be read ({many}); "
        f"the latest reply counts, unless the heading says “{FIRST_REPLIES}”."
    )


def table_notes(table: ResultTable, with_intervals: bool, drawn: str) -> list[str]:
    """Sentences below a table: its figures, sums, intervals, and items that were asked again."""
    where = "In square brackets: intervals," if with_intervals else "The intervals are in the CSV:"
    drawing = f"bootstrap over {drawn}, {INTERVALS.draws:,} draws, seed {INTERVALS.seed}, "
    how = f"{'' if table.is_of_pairs else drawing}{INTERVALS.share:.0%}"
    return [
        *(figure.told for figure in table.figures.values() or (table.metric,)),
        "In round brackets, where they differ: scored items of all items; the CSV gives the status of the others.",
        *(f"{', '.join(rows)}: {counts}." for counts, rows in table.sums.items()),
        f"{where} {how}.",
        *filter(None, [table.undefined_words, asked_again_words(table), table.uneven]),
    ]
