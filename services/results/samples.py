"""Samples of runs as rows, over all models and repeats: which no model answers right, whose true label is doubtful."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from core.analysis.frame import packed
from core.analysis.sample_lines import COLUMNS, sample_lines
from core.errors import BadInput
from core.paging import check_page
from core.people import Permission, Viewer
from core.runs.sample_filters import SampleFilter, SampleFilters
from core.words import quoted
from exchange.edge_table import table_bytes
from services.acting import ReadContext, consulting
from services.failures.failures import line_of, searched_facts
from services.files import MEDIA, ExportedFile, TableForm
from services.results.frame import frame
from services.results.results import Moment, has_tables, moment_of, runs_of
from services.runs import reading
from services.runs.judge_exposure import is_judges, judge_tasks, withheld
from services.runs.reading import find_run
from services.runs.sample_flags import note_flags, shown_flags
from services.runs.views import FailureLine, RunChoice
from services.study import current_study
from store.runs import lists

if TYPE_CHECKING:
    import pandas as pd


class SampleForm(StrEnum):
    CSV = "csv"
    JSONL = "jsonl"


SAMPLE_MEDIA = {SampleForm.CSV: MEDIA[TableForm.CSV], SampleForm.JSONL: "application/jsonl"}
ALL = SampleFilters()
_WORDS = ("task", "variant", "sample", "true", "common", "is_failed", "other", "is_doubtful", "flag", "item")
NUMBERS = tuple(name for name in COLUMNS if name not in _WORDS)
"""Columns that can be limited."""
_IS: Mapping[SampleFilter, str] = {SampleFilter.FAILED: "is_failed", SampleFilter.DOUBTFUL: "is_doubtful"}


@dataclass(frozen=True, slots=True)
class SampleLine:
    """A sample: its first answer, and the columns of `core.analysis.sample_lines.COLUMNS`; None is no value."""

    first: FailureLine
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page of samples.

    Attributes:
        total: samples that match
        counts: filter → number of samples of the runs that it lets through, without other filters
        lines: of the page
        known: columns that have a value for any sample of the runs
        is_withholding: samples are left out that the viewer labels blind
        most_models: models with a scored answer to one sample, at most
    """

    total: int
    counts: Mapping[SampleFilter, int]
    lines: tuple[SampleLine, ...]
    known: tuple[str, ...]
    is_withholding: bool
    most_models: int


def choices(viewer: Viewer) -> tuple[RunChoice, ...]:
    """Return the runs whose samples are listed: those of scored answers, not of judges."""
    judging = judge_tasks()
    return tuple(run for run in reading.choices(viewer) if has_tables(run.protocol) and judging.isdisjoint(run.tasks))


def samples(
    viewer: Viewer, run_ids: Sequence[str], filters: SampleFilters = ALL, *, offset: int = 0, limit: int = 50
) -> SamplePage:
    """Return one page of the samples of runs of one protocol (ids or numbers) that match. What the viewer labels blind
    is left out. Raises Missing without such a run, BadInput for no run, runs of two protocols, runs of judges, an
    unknown column, an offset below 0 or a limit outside 1–500."""
    check_page(offset, limit)
    with consulting(viewer, Permission.REVIEW) as r:
        shown, is_withholding = _visible(r, run_ids)
        chosen = _chosen(r, shown, run_ids, filters)
        page = chosen.iloc[offset : offset + limit]
        _note_flags(r, page)
        first = {line.item_id: line_of(line) for line in lists.lines_of(r.session, page["item"])}
    lines = (SampleLine(first[values["item"]], values) for values in _values(page))
    counts = {each: int(_is(shown, each).sum()) for each in SampleFilter}
    known = tuple(name for name in COLUMNS if shown[name].notna().any())
    most = int(shown["models"].max()) if len(shown) else 0
    return SamplePage(len(chosen), counts, tuple(lines), known, is_withholding, most)


def export_samples(
    viewer: Viewer, run_ids: Sequence[str], form: SampleForm, filters: SampleFilters = ALL
) -> ExportedFile:
    """Export all samples that match, in their order, with their titles and the columns that have a value. Raises as
    `samples`."""
    with consulting(viewer, Permission.EXPORT) as r:
        shown, _ = _visible(r, run_ids)
        chosen = _chosen(r, shown, run_ids, filters)
        _note_flags(r, chosen)
        titles = {line.item_id: line_of(line).summary.title for line in lists.lines_of(r.session, chosen["item"])}
        numbers, study = sorted(row.number for row in runs_of(r.session, run_ids)), r.study.name
    names = ["title", *(name for name in COLUMNS if name != "item" and shown[name].notna().any())]
    rows = [{**values, "title": titles[values["item"]]} for values in _values(chosen)]
    if form is SampleForm.CSV:
        cells = [["" if row[name] is None else row[name] for name in names] for row in rows]
        content = table_bytes(names, cells, safe=True)
    else:
        lines = (json.dumps({name: row[name] for name in names}, ensure_ascii=False) + "\n" for row in rows)
        content = "".join(lines).encode()
    name = f"{study}-run-{'-'.join(map(str, numbers))}-samples.{form.value}"
    return ExportedFile(name, SAMPLE_MEDIA[form], content)


def _visible(r: ReadContext, run_ids: Sequence[str]) -> tuple[pd.DataFrame, bool]:
    """Return the lines of all samples that the viewer may see, and whether others are left out."""
    judging = [row.number for row in runs_of(r.session, run_ids) if is_judges(row)]
    if judging:
        raise BadInput(f"Run {judging[0]} asks judges about answers. Choose the run whose answers they judge.")
    # Flags are added here and codes are not shown, so that a new one does not read all answers again.
    lines = _lines(moment_of(r, run_ids)._replace(flags=(0, None), codes=(0, None, 0, None)))
    flags = {name: packed(row.reasons) for name, row in shown_flags(r).items()}
    lines = lines.assign(flag=lines["sample"].astype(object).map(flags))
    hidden = lists.names_of(r.session, withheld(r).samples)
    shown = lines[~lines["sample"].isin(hidden)]
    return shown, len(shown) < len(lines)


def _note_flags(r: ReadContext, lines: pd.DataFrame) -> None:
    flags = shown_flags(r)
    note_flags(r, [flags[name] for name in lines.loc[lines["flag"].notna(), "sample"]])


@lru_cache(maxsize=4)  # of 100,000 answers, reading takes seconds
def _lines(moment: Moment) -> pd.DataFrame:
    with current_study().store.reading() as session:
        return sample_lines(
            frame(session, [find_run(session, run_id) for run_id, _version, _done in moment.runs], is_whole=True)
        )


def _is(lines: pd.DataFrame, only: SampleFilter) -> pd.Series[bool]:
    if only is SampleFilter.FLAGGED:
        return lines["flag"].notna()
    if only is SampleFilter.SPLIT:
        return lines["agreement"] < 1
    return lines[_IS[only]] if only in _IS else lines["item"].notna()


def _chosen(r: ReadContext, lines: pd.DataFrame, run_ids: Sequence[str], filters: SampleFilters) -> pd.DataFrame:
    """Return the lines that match, in their order; equal ones keep that of the run."""
    for name in (*filters.limits, *filter(None, [filters.order])):
        if name not in COLUMNS or (name in filters.limits and name not in NUMBERS):
            raise BadInput(f"{quoted(name)} is no column that samples can be filtered or ordered by.")
    is_in = _is(lines, filters.only)
    for name, (least, most) in filters.limits.items():
        is_in &= lines[name].notna()
        is_in &= lines[name] >= least if least is not None else True
        is_in &= lines[name] <= most if most is not None else True
    if filters.search.strip():
        runs = [row.id for row in runs_of(r.session, run_ids)]
        is_in &= lines["sample"].isin(lists.names_with(r.session, runs, filters.search, searched_facts()))
    chosen = lines[is_in]
    if not filters.order:
        return chosen
    return chosen.sort_values(filters.order, ascending=not filters.is_descending, kind="stable", na_position="last")


def _values(lines: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as mappings; None where there is no value."""
    plain = {name: lines[name].astype(object).where(lines[name].notna(), None).tolist() for name in COLUMNS}
    return [dict(zip(plain, cells, strict=True)) for cells in zip(*plain.values(), strict=True)]
