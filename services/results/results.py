"""Tables of results from the items of runs: by preset, with intervals, baselines, means of groups of models, and the
items of each cell. Exported files have every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from sqlmodel import Session

from core.analysis import analyse
from core.analysis.analyse import INTERVALS
from core.analysis.charts import ChartKind
from core.analysis.items import SCORED
from core.analysis.presets import Preset, PublishedTable
from core.analysis.same_samples import same_samples
from core.analysis.slices import Failures, Slice, SliceChoices
from core.analysis.tables import ResultCell, ResultTable
from core.errors import BadInput
from core.estimate import undefined
from core.people import Permission, Viewer
from core.runs.sample_flags import FLAG
from core.runs.states import RunState
from core.scoring.calibration import Calibration
from protocols import PROTOCOLS
from protocols.protocol import BenchmarkProtocol
from runs.item_outcomes import protocol_of
from services.acting import ReadContext, consulting
from services.results.frame import frame, later_limits, names_to_slice_by
from services.runs.changes import last_changes
from services.runs.judge_exposure import FEW, MASKED, is_judges, judge_tasks, record_run_exposure, settings_in, withheld
from services.runs.reading import find_run
from services.runs.run_settings import protocol_title
from services.runs.views import RunChoice
from services.study import current_study
from store.runs import codes, reviewed_verdicts, sample_flags
from store.tables.runs import RunRow

FIRST_REPLIES = "by first replies"
"""What a table is of where items that were asked again count by the reply that could not be read."""
OWN = Slice()
"""The paper's own slice of each table."""
CALIBRATION = "calibration"
"""The preset that has a reliability diagram, where a protocol has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetView:
    """A set of tables; `told`: what they show; `nothing`: what is said where no item can fill them; `is_filled`:
    whether a cell of the chosen runs has a scored item; `notes`: sentences on how they are computed; `can_slice`:
    whether a fact can be put in their columns; `failures`: the protocol's rule; `in_time`: columns that follow each
    other in its charts, of the kind `chart`; `published`: what the paper, of `published_by`, prints in their place."""

    key: str
    title: str
    told: str
    nothing: str
    is_filled: bool = False
    notes: tuple[str, ...]
    drawn: str = "papers"
    can_slice: bool = True
    failures: Failures = Failures.LEFT_OUT
    in_time: tuple[str, ...] = ()
    chart: ChartKind | None = None
    published: tuple[PublishedTable, ...] = ()
    published_by: str = ""


def presets() -> tuple[PresetView, ...]:
    """Return the presets of all protocols, in order."""
    return tuple(view for protocol in PROTOCOLS.values() for view in _views(protocol))


def told() -> str:
    """Describe what the tables of all protocols show, within a sentence."""
    return "; ".join(filter(None, (protocol.tables.told for protocol in PROTOCOLS.values())))


def has_tables(protocol: str) -> bool:
    """Return whether runs of a protocol are in any table; True for a protocol unknown to this version of Edgewise."""
    return protocol not in PROTOCOLS or bool(PROTOCOLS[protocol].tables.presets)


def is_graded(protocol: str) -> bool:
    """Return whether answers can be right in part, so that the worst of them are identified by their scores."""
    return has_tables(protocol) and protocol in PROTOCOLS and PROTOCOLS[protocol].tables.measures_of is not None


def presets_of(viewer: Viewer, run_ids: Sequence[str]) -> tuple[PresetView, ...]:
    """Return the presets of these runs: first those with a scored item, then the others, each in the protocol's order.
    Raises as `results` does."""
    moment = _now(viewer, run_ids)
    filled = _filled(moment)
    views = [replace(view, is_filled=view.key in filled) for view in _views(protocol_of(moment.protocol))]
    return tuple(sorted(views, key=lambda view: not view.is_filled))


def protocols_of(listed: Sequence[RunChoice]) -> dict[str, str]:
    """Return the protocols of these runs with their titles, in the order of the runs."""
    return {run.protocol: protocol_title(run.protocol) for run in listed}


def opening_run(viewer: Viewer, listed: Sequence[RunChoice]) -> str:
    """The run that the Results screen opens on, of one or more that are listed with the newest first: the newest
    finished run with a scored item in any table; without one, the newest such run; without any, the newest run. A run
    of judges comes after all others, since a person who sees what judges say no longer labels blind; a run of a single
    sample, such as a question asked in the Graph lab, after larger ones."""
    judging = judge_tasks()
    finished_first = sorted(
        listed,
        key=lambda run: (not judging.isdisjoint(run.tasks), run.state is not RunState.DONE, run.samples < 2),
    )
    for run in finished_first:
        if run.protocol not in PROTOCOLS:
            continue
        if _filled(_now(viewer, [run.id])):
            return run.id
    return listed[0].id


def results(
    viewer: Viewer, run_ids: Sequence[str], preset: str, wanted: Slice = OWN, *, with_interval: bool = True
) -> tuple[ResultTable, ...]:
    """Return the tables of a preset over the items of some runs (ids or numbers). Models come before baselines; below
    them the means of proprietary and of open models, as their cards say. Intervals: bootstrap over papers, `INTERVALS`.
    A score of fewer than ten judged answers, or a pair of them, is an exposure to the verdicts of its run, and is left
    out while the viewer labels one of these.

    `wanted`: tasks and variants; what it does not name is the paper's own for this table, and each table says in `of`
    what it is of. Raises Missing without such a run, BadInput for an unknown preset, no run, runs of two protocols, or
    a task or variant that the runs did not ask.
    """
    with consulting(viewer, Permission.REVIEW) as r:
        moment = moment_of(r, run_ids)
        tables = _tables(moment, preset, _checked(moment, preset, wanted), with_interval)
        if not _preset(moment.protocol, preset).is_of_judges:
            return tables
        return _blinded(r, runs_of(r.session, run_ids), _with_settings(r.session, tables))


def _with_settings(session: Session, tables: Sequence[ResultTable]) -> Sequence[ResultTable]:
    """Add to the headings of tables after review what those who ruled saw first."""
    words = settings_in(session).description
    return [replace(each, of=f"{each.of}; {words}") if each.metric.is_reviewed else each for each in tables]


def _blinded(r: ReadContext, rows: Sequence[RunRow], tables: Sequence[ResultTable]) -> tuple[ResultTable, ...]:
    """The tables as the viewer may see them: scores of fewer than ten answers are an exposure to all verdicts of their
    runs, and are left out while the viewer labels any of these. So are charts of their own; one with a point for each
    sample is an exposure too."""
    judging = {row.id: row for row in rows if is_judges(row)}
    has_samples = any(table.chart is not None and table.chart.kind is ChartKind.SCATTER for table in tables)
    if not has_samples and not any(_tells_answers(table, cell) for table in tables for cell in table.cells.values()):
        return tuple(tables)
    if withheld(r).runs.isdisjoint(judging):
        for row in judging.values():
            record_run_exposure(r, row.settings, row.id)
        return tuple(tables)

    def shown(table: ResultTable) -> ResultTable:
        masked = {
            place: replace(cell, estimate=undefined(MASKED, cell.estimate.n), item_ids=(), places=())
            for place, cell in table.cells.items()
            if _tells_answers(table, cell)
        }
        return replace(table, cells={**table.cells, **masked}, chart=None, lead=None)

    return tuple(map(shown, tables))


def _tells_answers(table: ResultTable, cell: ResultCell) -> bool:
    """Return whether a cell tells what a judge said of single answers: it is of few, or opens those that win a pair."""
    return cell.n_scored > 0 and (cell.n_scored < FEW or table.is_of_pairs)


def slices(viewer: Viewer, run_ids: Sequence[str], preset: str) -> SliceChoices:
    """The tasks and variants that a preset's tables of these runs can be of, and its own. Raises as `results`."""
    return _choices(_now(viewer, run_ids), preset)


def facts(viewer: Viewer, run_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the frame by which tables of these runs can be sliced. Raises as `results`."""
    return _facts(_now(viewer, run_ids))


def reliability(viewer: Viewer, run_ids: Sequence[str], wanted: Slice = OWN) -> Mapping[str, Calibration]:
    """Row of the calibration table → its bins, and the items left out. Raises as `results`."""
    moment = _now(viewer, run_ids)
    return _reliability(moment, _checked(moment, CALIBRATION, wanted))


def runs_of(session: Session, run_ids: Sequence[str]) -> list[RunRow]:
    """The runs of these ids or numbers, each once. Raises BadInput without any, Missing for one that there is not."""
    if not run_ids:
        raise BadInput("No run is chosen. Results need one run or more.")
    rows = [find_run(session, run_id) for run_id in run_ids]
    return list({row.id: row for row in rows}.values())


# --- reading -----------------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """Runs of one protocol of the store at `url` as they are now: (id, version, what of their items is done and ruled),
    and the last flag of a bad sample and code of an answer. As long as it is the same, so are the tables."""

    url: str
    protocol: str
    runs: tuple[tuple[str, int, str], ...]
    flags: tuple[int, datetime | None]
    codes: tuple[int, datetime | None, int, datetime | None]


def _now(viewer: Viewer, run_ids: Sequence[str]) -> Moment:
    with consulting(viewer, Permission.REVIEW) as r:
        return moment_of(r, run_ids)


def moment_of(r: ReadContext, run_ids: Sequence[str]) -> Moment:
    """Raises as `results` for runs."""
    rows = runs_of(r.session, run_ids)
    protocol = require_one_protocol(rows)
    words = [f"{last_changes(r.session, row)} {reviewed_verdicts.last_review(r.session, row.id)}" for row in rows]
    runs = ((row.id, row.version, word) for row, word in zip(rows, words, strict=True))
    flags, of_answers = sample_flags.last_change(r.session), codes.last_change(r.session)
    return Moment(r.study.store.url, protocol, tuple(runs), flags, of_answers)


def require_one_protocol(rows: Sequence[RunRow]) -> str:
    """Return the protocol that all of these runs follow: a label of one means nothing in a table of another. Raises
    BadInput for runs of two."""
    first = rows[0]
    for other in rows[1:]:
        if other.protocol != first.protocol:
            one, two = (protocol_of(row.protocol).short_title for row in (first, other))
            raise BadInput(
                f"Run {first.number} follows {one}, run {other.number} {two}, but a table needs one protocol. "
                "Choose runs of one protocol."
            )
    return first.protocol


def _preset(protocol: str, name: str) -> Preset:
    """Raises BadInput for a protocol without tables, and for a table that it does not have."""
    tables = protocol_of(protocol).tables
    if not tables.presets:
        raise BadInput(f"{protocol_of(protocol).title} has no tables of results: its answers are not scored.")
    return tables.preset(name)


def _views(protocol: BenchmarkProtocol) -> tuple[PresetView, ...]:
    tables = protocol.tables
    return tuple(
        PresetView(
            key=each.key,
            title=each.title,
            told=each.told,
            nothing=each.nothing,
            notes=tables.notes,
            drawn=tables.drawn,
            can_slice=each.custom is None,
            failures=tables.own_failures,
            in_time=each.in_time,
            chart=each.chart,
            published=each.published,
            published_by=protocol.short_title,
        )
        for each in tables.presets.values()
    )


@lru_cache(maxsize=16)  # a page is redrawn at every click; a thousand draws of a large run take seconds
def _tables(moment: Moment, preset: str, wanted: Slice, with_interval: bool) -> tuple[ResultTable, ...]:
    of_preset = _preset(moment.protocol, preset)
    ready = _read(moment, wanted, is_whole=of_preset.is_whole or bool(of_preset.compares))
    tables = analyse.tables(ready, of_preset, wanted, INTERVALS if with_interval else None)
    with current_study().store.reading() as session:
        limits = _told_limits([find_run(session, run_id) for run_id, _version, _done in moment.runs])
    of = "".join(f"; {words}" for words in (limits, FIRST_REPLIES if wanted.is_first else "") if words)
    return tuple(replace(each, of=f"{each.of}{of}") for each in tables) if of else tables


@lru_cache(maxsize=64)
def _filled(moment: Moment) -> frozenset[str]:
    """The presets that have a scored item in their own slice."""
    presets = protocol_of(moment.protocol).tables.presets
    if not presets:
        return frozenset()
    ready = _read(moment)
    names = set(_facts(moment)) if any(each.needs for each in presets.values()) else set()
    return frozenset(
        key for key, preset in presets.items() if names.issuperset(preset.needs) and _is_filled(preset, ready)
    )


def _is_filled(preset: Preset, ready: analyse.Prepared) -> bool:
    """Analyses and pairs, which need SciPy, are not computed for it."""
    if preset.fills is not None:
        kinds = [kind for kind in preset.chosen(ready.items, OWN).kinds if kind.is_scored]
        return bool(kinds) and preset.fills(kinds)
    if preset.compares:
        items = preset.chosen(ready.items, OWN)
        return any(each.has_sides(items) for each in preset.compares)
    return any(map(_has_scores, preset.tables(preset.chosen(ready.items, OWN), ready.shown)))


def _has_scores(table: ResultTable) -> bool:
    """A matrix counts items of every status, so that its cells alone do not tell whether anything is scored."""
    return any(cell.n_scored and SCORED & cell.statuses.keys() for cell in table.cells.values())


@lru_cache(maxsize=4)
def _reliability(moment: Moment, wanted: Slice) -> Mapping[str, Calibration]:
    ready = _read(moment, Slice(is_first=wanted.is_first))
    tables = protocol_of(moment.protocol).tables
    assert tables.reliability is not None, f"{moment.protocol} has a preset {CALIBRATION} and no bins for it"
    return tables.reliability(tables.presets[CALIBRATION].chosen(ready.items, wanted), ready.shown)


@lru_cache(maxsize=16)
def _choices(moment: Moment, preset: str) -> SliceChoices:
    items, of_preset = _read(moment).items, _preset(moment.protocol, preset)
    is_uneven = bool(same_samples(items.where(of_preset.takes)).words)
    return replace(
        of_preset.choices(items),
        asked_again=sum(items.asked_again.values()),
        is_uneven=is_uneven,
        has_flagged=any(of_preset.takes(kind) and kind.values(FLAG) for kind in items.kinds),
    )


def _checked(moment: Moment, preset: str, wanted: Slice) -> Slice:
    """A slice whose names the table knows. Raises BadInput for another."""
    return wanted.among(_choices(moment, preset))


@lru_cache(maxsize=16)
def _facts(moment: Moment) -> tuple[str, ...]:
    with current_study().store.reading() as session:
        return names_to_slice_by(session, [find_run(session, run_id) for run_id, _version, _done in moment.runs])


def _read(moment: Moment, wanted: Slice = OWN, *, is_whole: bool = False) -> analyse.Prepared:
    """Read the frame of these runs, whole also if a table is by a fact; tasks and variants do not matter."""
    return _read_once(moment, wanted.is_first, wanted.by, wanted.failures, is_whole or bool(wanted.by))


@lru_cache(maxsize=2)
def _read_once(moment: Moment, is_first: bool, by: str, failures: Failures | None, is_whole: bool) -> analyse.Prepared:
    protocol = protocol_of(moment.protocol)
    with current_study().store.reading() as session:
        rows = [find_run(session, run_id) for run_id, _version, _done in moment.runs]
        rows_of_runs = frame(session, rows, is_first=is_first, is_whole=is_whole)
    return analyse.prepared(rows_of_runs, protocol.tables, protocol.variant_titles, Slice(by=by, failures=failures))


def _told_limits(rows: Sequence[RunRow]) -> str:
    """Both limits of models that were asked again, for what a table is of; empty without any."""
    said = [
        f"{model}: {'no limit' if old is None else f'{old:,}'}, where cut off {new:,} tokens (run {later.number})"
        for later in later_limits(rows).values()
        for model, (old, new) in later.settings["redo"]["limits"].items()
    ]
    return "; ".join(said)
