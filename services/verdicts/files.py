"""Export of verdict tables: CSV with every value, interval and count, LaTeX as printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from core.estimate import Estimate
from core.people import Permission, Viewer
from core.runs.answer_counts import AnswerCounts
from core.verdicts.forms import FAILURE_RULE, FORM_TITLES, FORMS_TOLD, figure_title, figures_of
from core.verdicts.judge_tables import ControlScores, JudgeTables, ModelScores
from core.verdicts.judged import AnswerVariant
from core.verdicts.pairs import JudgePair
from core.words import ends
from exchange.edge_table import Cell, table_bytes
from exchange.latex import latex_table
from services.acting import consulting
from services.files import MEDIA, ExportedFile, TableForm
from services.verdicts.tables import INTERVALS, JudgeRun, judge_run

NO_VALUE = "–"
COUNTS = tuple(each.name for each in fields(AnswerCounts))
COLUMNS = (
    "table",
    "review",
    "variant",
    "judge",
    "row",
    "column",
    "value",
    "low",
    "high",
    "n",
    "unit",
    *COUNTS,
    "check",
    "note",
    "computed",
)
SHARE, NUMBER = "share", "number"
BEFORE, AFTER = "judge only", "after review"
UNREVIEWED = ("controls", "pairs")
"""Tables that are about judges as they are."""
PATTERNS = {"correct": "direction correct", "reversed": "direction reversed", "supported": "supported by the text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """`variant`: of the judged answers, empty for a control; `row`: the judged model, a control, or the other judge."""

    variant: str
    judge: str
    row: str
    cells: tuple[Estimate, ...]
    counts: AnswerCounts
    check: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    key: str
    title: str
    of_rows: str
    columns: tuple[str, ...]
    rows: tuple[_Row, ...]
    told: str
    unit: str = NUMBER
    review: str = BEFORE


def export(viewer: Viewer, run_id: str, form: TableForm) -> ExportedFile:
    """Every table of a run of judges as one file. Raises Missing if there is no such run, ValueError for another form
    than CSV and LaTeX."""
    if form not in (TableForm.CSV, TableForm.LATEX):
        raise ValueError(f"tables of verdicts are exported as CSV or LaTeX, not as {form.value}")
    with consulting(viewer, Permission.EXPORT) as r:
        study = r.study.name
    run = judge_run(viewer, run_id)
    tables = tuple(_tables(run))
    if run.reviewed is not None:
        after = replace(run, tables=run.reviewed)
        tables += tuple(
            replace(each, review=AFTER, told=f"{each.told} {run.settings.description}")
            for each in _tables(after)
            if each.key not in UNREVIEWED
        )
    content = _csv(tables) if form is TableForm.CSV else _latex(tables, run.number)
    return ExportedFile(f"{study}-{name_of(run.number, form)}", MEDIA[form], content)


def name_of(number: int, form: TableForm) -> str:
    return f"run-{number}-verdicts.{form.value}"


def _tables(run: JudgeRun) -> Iterator[_Table]:
    made = run.tables
    checks = {judge: check.words(run.limit) for judge, check in made.checks.items()}
    for form, title in FORM_TITLES.items():
        names = figures_of(form)
        yield _Table(
            key=form,
            title=f"Scores by judges, {title[0].lower()}{title[1:]}" if form != "shd" else title,
            of_rows="Model",
            columns=tuple(map(figure_title, names)),
            rows=tuple(_model(each, form, names, checks) for each in made.models),
            told=f"{FORMS_TOLD[form]} {FAILURE_RULE}",
        )
    yield _Table(
        key="predicted edges",
        title="Predicted edges by labels",
        of_rows="Model",
        columns=("match the graph", *PATTERNS.values(), *(f"{words}, of matched" for words in PATTERNS.values())),
        rows=tuple(_patterns(each, checks) for each in made.models),
        told="Shares of all predicted edges of the answers that were judged whole; of matched: of those that match the "
        "graph.",
        unit=SHARE,
    )
    yield _Table(
        key="controls",
        title="Wrong labels in controls",
        of_rows="Control",
        columns=("wrong",),
        rows=tuple(_control(each, checks) for each in made.controls),
        told="Share of the planted labels that a judge gave wrong.",
        unit=SHARE,
    )
    yield _pairs(made)


def _model(each: ModelScores, form: str, names: Sequence[str], checks: dict[str, str]) -> _Row:
    cells = tuple(each.means[form, name] for name in names)
    return _Row(
        variant=each.variant.title,
        judge=each.judge,
        row=each.judged,
        cells=cells,
        counts=each.counts,
        check=checks[each.judge],
    )


def _patterns(each: ModelScores, checks: dict[str, str]) -> _Row:
    found = each.patterns
    cells = (
        found.graph_match,
        *(found.of_all[name] for name in PATTERNS),
        *(found.of_matched[name] for name in PATTERNS),
    )
    return _Row(
        variant=each.variant.title,
        judge=each.judge,
        row=each.judged,
        cells=cells,
        counts=each.counts,
        check=checks[each.judge],
    )


def _control(each: ControlScores, checks: dict[str, str]) -> _Row:
    return _Row(
        variant="",
        judge=each.judge,
        row=each.control,
        cells=(each.errors,),
        counts=each.counts,
        check=checks[each.judge],
    )


def _pairs(made: JudgeTables) -> _Table:
    def row(variant: AnswerVariant, each: JudgePair) -> _Row:
        sd = Estimate(each.sd, n=each.n, reason="" if each.sd is not None else "no answer was judged by both")
        cells = (each.r, each.difference, sd)
        return _Row(variant=variant.title, judge=each.first, row=each.second, cells=cells, counts=each.counts)

    return _Table(
        key="pairs",
        title="Judges in pairs",
        of_rows="Second judge",
        columns=("Pearson r", "first − second", "SD"),
        rows=tuple(row(variant, each) for variant, pairs in made.pairs.items() for each in pairs),
        told="Overall F1 in the default form, on the answers that both judged whole; the others are left out.",
    )


# --- the two files ---------------------------------------------------------------------------------------------------


def _csv(tables: Sequence[_Table]) -> bytes:
    lines = [
        _line(table, row, column, found)
        for table in tables
        for row in table.rows
        for column, found in zip(table.columns, row.cells, strict=True)
    ]
    return table_bytes(COLUMNS, lines, safe=True)


def _line(table: _Table, row: _Row, column: str, found: Estimate) -> list[Cell]:
    exact = ["" if value is None else float(value) for value in (found.value, found.low, found.high)]
    counts: list[Cell] = [getattr(row.counts, name) for name in COUNTS]
    n: Cell = "" if found.n is None else found.n
    about: list[Cell] = [table.key, table.review, row.variant, row.judge, row.row, column]
    return [*about, *exact, n, table.unit, *counts, row.check, found.reason, table.told]


def _latex(tables: Sequence[_Table], number: int) -> bytes:
    made = []
    for place, table in enumerate(tables, 1):
        rows = [
            [each.row, each.variant, each.judge, *(_printed(cell, table.unit) for cell in each.cells)]
            for each in table.rows
        ]
        made.append(
            latex_table(
                (table.of_rows, "Variant", "Judge", *table.columns),
                rows,
                caption=f"{table.title}{f', {AFTER}' if table.review == AFTER else ''}; run {number}",
                label=f"tab:verdicts-{place}",
                notes=(
                    table.told,
                    *_sums(table.rows),
                    f"In square brackets: intervals, bootstrap over samples, {INTERVALS.draws:,} draws, "
                    f"seed {INTERVALS.seed}, {INTERVALS.share:.0%}. {NO_VALUE} means undefined.",
                ),
            ).decode()
        )
    return "\n".join(made).encode()


def _sums(rows: Sequence[_Row]) -> Iterator[str]:
    """The sums of the answers of each row; rows with the same sum together."""
    named: dict[str, list[str]] = {}
    for row in rows:
        variant = f", {row.variant}," if row.variant else ""
        named.setdefault(str(row.counts), []).append(f"{row.row}{variant} by {row.judge}")
    for counts, names in named.items():
        yield f"{'; '.join(names)}: {counts}."


def _printed(found: Estimate, unit: str) -> str:
    if found.value is None:
        return NO_VALUE
    text = _number(found.value, unit)
    if found.low is None or found.high is None:
        return text
    return f"{text} [{ends(_number(found.low, unit), _number(found.high, unit))}]"


def _number(value: float, unit: str) -> str:
    return (f"{100 * value:.1f}%" if unit == SHARE else f"{value:.3f}").replace("-", "−")
