"""Active time per task, person and study, with the size of what was drawn.

Reports of activity are not acts and have no history events: they come three times a minute. Training is timed but
excluded from every number here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.errors import Refused
from core.estimate import Estimate, undefined
from core.people import Permission, Viewer
from core.transcription.effort import FigureSize, credited, pace, size_of
from exchange.edge_table import table_bytes
from services.acting import ReadContext, check_act_id, consulting
from services.files import ExportedFile
from services.pseudonyms import pseudonyms
from services.queue.rights import drawing_right, require_right
from services.study import current_study
from store import efforts, people
from store.assignments import DECLINED, EDITABLE, HANDED_IN
from store.efforts import Worked
from store.graphs import graphs

SHOWN = "shown"
NO_GRAPH = "declined: no graph was submitted"
STILL_DRAWN = "not submitted yet (counts appear then)"
COLUMNS = (
    "paper",
    "figure",
    "annotator",
    "state",
    "size",
    "nodes",
    "edges",
    "acts",
    "active minutes",
    "edges per active minute",
    "proposals",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEffort:
    """One transcription: its size, the number of acts, and the active seconds.

    `size`, `nodes`, `edges` and `acts` are None where the viewer may not know them yet.
    """

    assignment_id: str
    paper_title: str
    figure_label: str
    person_id: str
    annotator: str
    state: str
    size: FigureSize | None
    nodes: int | None
    edges: int | None
    acts: int | None
    active_s: float
    edges_per_minute: Estimate
    proposals: str  # "shown", "not shown", or "" for work from before this was decided per task
    is_made_up: bool  # the time belongs to a demo person


@dataclass(frozen=True, slots=True)
class EffortTotal:
    """Totals of the tasks of one person, or of one figure size with or without proposals."""

    label: str
    tasks: int
    edges: int
    acts: int
    active_s: float
    edges_per_minute: Estimate


@dataclass(frozen=True, slots=True)
class StudyEffort:
    """Every task, and totals over the submitted ones."""

    tasks: tuple[TaskEffort, ...]
    people: tuple[EffortTotal, ...]
    sizes: tuple[EffortTotal, ...]
    total: EffortTotal


def beat(viewer: Viewer, assignment_id: str, active_s: float, *, beat_id: str) -> float:
    """Count a browser's report of activity on the viewer's own open task; return the task's active seconds so far.

    A repeated `beat_id` counts nothing. A report counts at most the time since the last one, or since the claim.
    Raises Refused for any other task, BadInput for no seconds.
    """
    check_act_id(beat_id)
    credited(active_s, 0)
    with consulting(viewer, drawing_right(viewer)) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        row = efforts.held_assignment(session, assignment_id)
        require_right(viewer, row)
        if row.person_id != person_id or row.state not in EDITABLE:
            raise Refused("Active time is counted only on your own open transcriptions.")
        last = efforts.last_effort(session, assignment_id)
        if last is None or beat_id not in last.beats:
            since = (now - (last.last_at if last else row.claimed_at)).total_seconds()
            efforts.count_up(session, assignment_id, credited(active_s, since), beat_id, now)
        return efforts.active_seconds(session, [assignment_id])[assignment_id]


def my_effort(viewer: Viewer) -> tuple[TaskEffort, ...]:
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        return _tasks(r, efforts.worked_on(r.session, r.viewer.person_id))[::-1]


def study_effort(viewer: Viewer) -> StudyEffort:
    """Return everyone's tasks and their totals."""
    with consulting(viewer, Permission.CURATE) as r:
        tasks = _tasks(r, efforts.worked_on(r.session))
    done = [task for task in tasks if task.state in HANDED_IN]
    return StudyEffort(
        tasks[::-1],
        people=tuple(_totals(done, lambda task: task.annotator)),
        sizes=tuple(_totals(done, _kind_of_figure)),
        total=_total("all", done),
    )


def total_of(tasks: Iterable[TaskEffort], label: str = "all") -> EffortTotal:
    return _total(label, [task for task in tasks if task.state in HANDED_IN])


def export_effort(viewer: Viewer) -> ExportedFile:
    """Export every task as a CSV for spreadsheets, with pseudonyms; an undefined number is an empty cell."""
    with consulting(viewer, Permission.CURATE) as r:
        called = pseudonyms(r)
        tasks = _tasks(r, efforts.worked_on(r.session))
        name = f"{r.study.name}-effort.csv"
    content = table_bytes(COLUMNS, (_cells(task, called[task.person_id]) for task in tasks), safe=True)
    return ExportedFile(name, "text/csv", content)


def _tasks(r: ReadContext, worked: Sequence[Worked]) -> tuple[TaskEffort, ...]:
    seconds = efforts.active_seconds(r.session, [each.assignment_id for each in worked])
    graph_ids = [each.graph_id for each in worked]
    counts, acts = graphs.count_elements(r.session, graph_ids), efforts.edit_acts(r.session, graph_ids)
    names = people.names_of(r.session, [each.person_id for each in worked])
    tasks = []
    for work in worked:
        nodes, edges = counts[work.graph_id]
        active_s = seconds.get(work.assignment_id, 0.0)
        is_known = work.person_id == r.viewer.person_id or work.state in HANDED_IN
        tasks.append(
            TaskEffort(
                assignment_id=work.assignment_id,
                paper_title=work.paper_title,
                figure_label=work.figure_label or work.figure_place,
                person_id=work.person_id,
                annotator=names.get(work.person_id, ""),
                state=work.state,
                size=size_of(nodes, edges) if is_known else None,
                nodes=nodes if is_known else None,
                edges=edges if is_known else None,
                acts=acts.get(work.graph_id, 0) if is_known else None,
                active_s=active_s,
                edges_per_minute=pace(edges, active_s)
                if is_known
                else undefined(NO_GRAPH if work.state == DECLINED else STILL_DRAWN),
                proposals=work.proposals and ("shown" if work.proposals == SHOWN else "not shown"),
                is_made_up=work.is_demo and active_s > 0,
            )
        )
    return tuple(tasks)


def _kind_of_figure(task: TaskEffort) -> str:
    words = {"shown": ", with proposals", "not shown": ", without proposals", "": ""}[task.proposals]
    return f"{task.size or ''}{words}"


def _totals(tasks: Iterable[TaskEffort], label_of: Callable[[TaskEffort], str]) -> list[EffortTotal]:
    groups: dict[str, list[TaskEffort]] = defaultdict(list)
    for task in tasks:
        groups[label_of(task)].append(task)
    return [_total(label, group) for label, group in sorted(groups.items())]


def _total(label: str, tasks: Sequence[TaskEffort]) -> EffortTotal:
    """Sum up tasks. The pace is over the tasks whose time was measured; the others count only as tasks and edges."""
    timed = [task for task in tasks if task.edges_per_minute.value is not None]
    edges, seconds = (sum(task.edges or 0 for task in timed), sum(task.active_s for task in timed))
    return EffortTotal(
        label,
        tasks=len(tasks),
        edges=sum(task.edges or 0 for task in tasks),
        acts=sum(task.acts or 0 for task in tasks),
        active_s=sum(task.active_s for task in tasks),
        edges_per_minute=pace(edges, seconds, len(timed)),
    )


def _cells(task: TaskEffort, called: str) -> list[str]:
    rate = task.edges_per_minute.value
    counts = (task.nodes, task.edges, task.acts)
    return [
        task.paper_title,
        task.figure_label,
        called,
        task.state,
        task.size or "",
        *("" if count is None else str(count) for count in counts),
        f"{task.active_s / 60:.2f}",
        "" if rate is None else f"{rate:.2f}",
        task.proposals,
    ]
