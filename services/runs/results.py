"""Tables of results from the items of runs: by preset, with intervals, baselines beside models, means of groups, each
cell down to its items. Files of them hold every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from core.errors import BadInput
from core.people import May, Viewer
from core.results.items import ResultItem
from core.results.presets import PRESETS, Shown, reliability_of
from core.results.slices import Slice, SliceChoices
from core.results.table import ResultTable
from core.runs.states import ModelKind
from core.scoring.calibration import Calibration
from core.scoring.interval import Resampling
from protocols.econcausal.scoring import result_item
from services.acting import Reading, consulting
from services.runs.reading import find_run
from services.study import current_study
from store.runs import results as stored
from store.tables.runs import RunRow

INTERVALS = Resampling(seed=1, draws=1_000)
OWN = Slice()
"""The paper's own slice of each table."""
OPEN, PROPRIETARY = "open", "proprietary"


@dataclass(frozen=True, slots=True)
class PresetView:
    """A set of tables; `told`: what they show."""

    key: str
    title: str
    told: str


def presets() -> tuple[PresetView, ...]:
    """What `results` can show, in order."""
    return tuple(PresetView(each.key, each.title, each.told) for each in PRESETS.values())


def results(
    viewer: Viewer, run_ids: Sequence[str], preset: str, wanted: Slice = OWN, *, with_interval: bool = True
) -> tuple[ResultTable, ...]:
    """The tables of a preset over the items of some runs (ids or numbers). Models stand before baselines; where cards
    say so, the means of proprietary and of open models below them. Intervals: bootstrap over papers, `INTERVALS`.

    `wanted`: tasks and variants; what it does not name is the paper's own for this table, and each table says in `of`
    what it is of. Raises Missing without such a run, BadInput for an unknown preset, no run, or a task or variant that
    the runs did not ask.
    """
    with consulting(viewer, May.REVIEW) as r:
        url, moment = r.study.store.url, _moment(r, run_ids, preset)
    return _tables(url, moment, preset, _checked(url, moment, preset, wanted), with_interval)


def slices(viewer: Viewer, run_ids: Sequence[str], preset: str) -> SliceChoices:
    """The tasks and variants that a preset's tables of these runs can be of, and its own. Raises as `results`."""
    with consulting(viewer, May.REVIEW) as r:
        url, moment = r.study.store.url, _moment(r, run_ids, preset)
    return _choices(url, moment, preset)


def reliability(viewer: Viewer, run_ids: Sequence[str], wanted: Slice = OWN) -> Mapping[str, Calibration]:
    """Row of the calibration table → its bins, and the items left out. Raises as `results`."""
    with consulting(viewer, May.REVIEW) as r:
        url, moment = r.study.store.url, _moment(r, run_ids, "calibration")
    return _reliability(url, moment, _checked(url, moment, "calibration", wanted))


def runs_of(session: Session, run_ids: Sequence[str]) -> list[RunRow]:
    """The runs of these ids or numbers, each once. Raises BadInput without any, Missing for one that there is not."""
    if not run_ids:
        raise BadInput("No run is chosen. Results need one run or more.")
    rows = [find_run(session, run_id) for run_id in run_ids]
    return list({row.id: row for row in rows}.values())


# --- reading -----------------------------------------------------------------------------------------------------

Moment = tuple[tuple[str, int, str], ...]
"""Runs as they are now: (id, version, what of their items is done). As long as it is the same, so are the tables."""


def _moment(r: Reading, run_ids: Sequence[str], preset: str) -> Moment:
    if preset not in PRESETS:
        raise BadInput(f"Unknown table {preset!r}; choose from {', '.join(PRESETS)}.")
    rows = runs_of(r.session, run_ids)
    done = stored.last_changes(r.session, [row.id for row in rows])
    return tuple((row.id, row.version, done.get(row.id, "")) for row in rows)


@lru_cache(maxsize=16)  # a page draws itself anew at every click; a thousand draws of a large run take seconds
def _tables(url: str, moment: Moment, preset: str, wanted: Slice, with_interval: bool) -> tuple[ResultTable, ...]:
    items, shown = _read(url, moment)
    how = INTERVALS if with_interval else None
    return PRESETS[preset].sliced(items, wanted, Shown(how, shown.models, shown.groups))


@lru_cache(maxsize=4)
def _reliability(url: str, moment: Moment, wanted: Slice) -> Mapping[str, Calibration]:
    items, shown = _read(url, moment)
    return reliability_of(PRESETS["calibration"].chosen(items, wanted), shown)


@lru_cache(maxsize=16)
def _choices(url: str, moment: Moment, preset: str) -> SliceChoices:
    return PRESETS[preset].choices(_read(url, moment)[0])


def _checked(url: str, moment: Moment, preset: str, wanted: Slice) -> Slice:
    """A slice whose names the table knows. Raises BadInput for another."""
    known = _choices(url, moment, preset)
    for what, names, there in (("task", wanted.tasks, known.tasks), ("variant", wanted.variants, known.variants)):
        for name in names:
            if name not in there:
                listed = ", ".join(there) or "none"
                raise BadInput(f"This table has no {what} {name!r} in these runs; choose from {listed}.")
    return wanted


@lru_cache(maxsize=2)
def _read(url: str, moment: Moment) -> tuple[tuple[ResultItem, ...], Shown]:
    """The items of these runs, and in which order and groups their models stand."""
    with current_study().store.reading() as session:
        rows = [find_run(session, run_id) for run_id, _version, _done in moment]
        items = tuple(
            result_item(
                run=f"run {row.number}",
                model=each.model,
                task=each.task,
                variant=each.variant,
                status=each.status,
                answer=each.answer,
                item_id=each.item_id,
                predicted=each.predicted,
                facts=each.facts,
                parsed=each.parsed,
                repeat=each.repeat,
                probabilities=each.probabilities,
                sample=each.sample_id,
            )
            for row in rows
            for each in stored.items(session, row.id)
        )
    return items, _shown(rows)


def _shown(rows: Sequence[RunRow]) -> Shown:
    """Models in the order of the runs, baselines after them; groups by what cards said when the runs were made."""
    about = {name: said for row in rows for name, said in row.settings["models"].items()}
    asked = [name for name, said in about.items() if said["kind"] != ModelKind.BASELINE]
    others = [name for name in about if name not in asked]
    groups = {
        label: [name for name in asked if about[name].get("is_open_weight") is is_open]
        for label, is_open in ((PROPRIETARY, False), (OPEN, True))
    }
    return Shown(None, (*asked, *others), {label: members for label, members in groups.items() if members})
