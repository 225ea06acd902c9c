"""Import of graphs: preview files, then import every chosen graph or none, in one act.

An import is one event with the graphs' ids and one event per graph with its changes, in one transaction, so each graph
can be rebuilt from its own history. Only the first event has the act's id; the others' ids are derived from it, so a
repeated act finds the first and does nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID, uuid5

from core.errors import BadInput, Missing, Refused
from core.graphs.bounds import MOST_TOGETHER
from core.people import Permission, Receipt, Viewer
from core.words import whole
from exchange.file_reading import FileChoices
from services.acting import Writing, consulting, perform, require_seen
from services.graphs.generating import GENERATED
from services.graphs.hidden_imports import not_yet_seen, record_own_import
from services.graphs.import_reading import FilePreview, FoundGraph, clean_title, in_pixels, preview_file
from services.graphs.imported_truths import TRUTH, check_truths, hold_figure, is_adjudicated
from services.graphs.new_records import new_record
from services.graphs.visibility import visibility_of
from store import assignments, history
from store.graphs import graphs, lists
from store.tables import GraphRow

Files: TypeAlias = Sequence[tuple[str, bytes]]
Answers: TypeAlias = Mapping[int, FileChoices]  # by index of the file
Key: TypeAlias = tuple[int, int]  # of a graph: index of the file, index of the graph in it

MOST_GRAPHS = 1_000
MOST_ELEMENTS = MOST_TOGETHER  # nodes and edges of one import: what one transaction writes in a few seconds
LISTED = 200
IMPORT: Literal["import"] = "import"


@dataclass(frozen=True, slots=True)
class ImportPreview:
    files: tuple[FilePreview, ...]

    @property
    def graphs(self) -> dict[Key, FoundGraph]:
        return {
            (place, number): graph
            for place, file in enumerate(self.files)
            for number, graph in enumerate(file.graphs)
            if not graph.obstacle
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """An imported graph. Its elements are counted only if it is neither blind nor unseen."""

    id: str
    title: str
    nodes: int
    edges: int
    at: datetime
    is_archived: bool
    version: int
    is_blind: bool = False  # of a figure that the viewer is drawing
    is_unseen: bool = False  # opening it would be the first exposure to a figure that they may still draw


def make_ready(viewer: Viewer) -> None:
    """Start the child process that reads large files while the user is still choosing one."""
    with consulting(viewer, Permission.CURATE) as r:
        study = r.study
    study.file_pool.start_ahead()


def preview(viewer: Viewer, files: Files, answers: Answers | None = None) -> ImportPreview:
    """Preview files without storing anything: counts, notices, faulty rows, and open questions."""
    with consulting(viewer, Permission.CURATE):
        pass  # checks the permission before a file is parsed
    choices = answers or {}
    return ImportPreview(
        tuple(
            preview_file(whole(name), content, choices.get(place, FileChoices()))
            for place, (name, content) in enumerate(files)
        )
    )


def import_graphs(
    viewer: Viewer,
    files: Files,
    answers: Answers | None = None,
    *,
    with_faulty: bool,
    titles: Mapping[Key, str] | None = None,
    leave_out: Collection[Key] = (),
    figure_id: str | None = None,
    as_truth: bool = False,
    act_id: str,
) -> Receipt:
    """Import every graph of the files (except `leave_out`) as a graph of kind import; all of them or none. `as_truth`
    imports one graph as the ground truth of the figure.

    Faulty rows are left out `with_faulty`, and counted in the history; otherwise the first one is raised. The
    receipt's subject is the import: `imported_graphs` lists its graphs.
    Raises BadInput or BadRow for a file that cannot be read, a graph or an import too large, Missing if there is
    nothing to import. With `as_truth`, raises BadInput without a figure or for several graphs, Refused if the figure
    has a ground truth or an adjudication.
    """
    read = preview(viewer, files, answers)
    chosen = {
        (place, number): graph
        for place, file in enumerate(read.files)
        for number, graph in enumerate(file.graphs)
        if (place, number) not in leave_out
    }
    _refuse_invalid(read, chosen, with_faulty=with_faulty)
    importable = {key: graph for key, graph in chosen.items() if not graph.obstacle}
    if as_truth:
        check_truths(figure_id, importable)

    def act(w: Writing) -> Receipt:
        figure = None
        if figure_id:
            figure = hold_figure(w, figure_id) if as_truth else assignments.study_figure(w.session, figure_id)
        rows = {
            key: GraphRow(
                kind=TRUTH if as_truth else IMPORT,
                title=clean_title((titles or {}).get(key, "")) or each.title,
                figure_id=figure.id if figure else None,
                paper_id=figure.paper_id if figure else None,
                created_by=w.viewer.person_id,
                created_at=w.now,
            )
            for key, each in importable.items()
        }
        listed = [
            {"id": rows[key].id, "file": read.files[key[0]].name, "form": each.form, "left_out": len(each.faults)}
            for key, each in importable.items()
        ]
        receipt = w.record(
            "study.import",
            IMPORT,
            w.act_id,
            payload={
                "graphs": listed,
                "left_out": sum(len(graph.faults) for graph in chosen.values()),
                **({"ground_truth_of": figure.id} if as_truth and figure else {}),
            },
        )
        for place, (key, found_graph) in enumerate(importable.items()):
            _insert_graph(w, rows[key], found_graph, place)
        record_own_import(w, [row.id for row in rows.values()], figure_id)
        return receipt

    return perform(viewer, Permission.CURATE, act_id, act)


def _refuse_invalid(read: ImportPreview, chosen: Mapping[Key, FoundGraph], *, with_faulty: bool) -> None:
    for file in read.files:
        if file.error:
            raise file.fault or BadInput(file.error)
    for (place, _), graph in chosen.items():
        if graph.faults and not with_faulty:
            raise graph.faults[0]
        if graph.obstacle and (graph.graph.nodes or not graph.faults):
            raise BadInput(f"{read.files[place].name}: {graph.title or 'a graph'} cannot be kept. {graph.obstacle}")
    importable = [graph.graph for graph in chosen.values() if not graph.obstacle]
    if not importable:
        raise Missing("Nothing to import: no readable row, or no graph chosen.")
    if len(importable) > MOST_GRAPHS:
        raise BadInput(f"These are {len(importable):,} graphs; import at most {MOST_GRAPHS:,} at once.")
    if (elements := sum(len(graph.nodes) + len(graph.edges) for graph in importable)) > MOST_ELEMENTS:
        raise BadInput(
            f"Together these graphs have {elements:,} nodes and edges; import at most {MOST_ELEMENTS:,} at once."
        )


def _insert_graph(w: Writing, row: GraphRow, graph: FoundGraph, place: int) -> None:
    """Insert one graph with its own event, whose id is derived from the act's id and the graph's index."""
    record, ids = new_record(graph.graph, IMPORT)
    row.layout = {ids[name]: [point.x, point.y] for name, point in in_pixels(graph.places).items() if name in ids}
    changes = graphs.insert_graph(w.session, row, record)
    history.record(
        w.session,
        w.actor,
        "graph.import",
        at=w.now,
        act_id=str(uuid5(UUID(w.act_id), str(place))),
        subject_kind="graph",
        subject_id=row.id,
        graph_id=row.id,
        payload={
            "changes": changes,
            "what": row.kind,
            "import": w.act_id,
            "left_out": len(graph.faults),
            "version": row.version,
        },
    )


# --- imported graphs --------------------------------------------------------------------------------------------


def imported_graphs(viewer: Viewer, import_id: str = "") -> tuple[ImportedLine, ...]:
    """Return the graphs of one import in order, or the last 200 imported graphs, newest first; archived ones too.

    Raises Missing if there is no such import.
    """
    with consulting(viewer, Permission.CURATE) as r:
        if import_id:
            event = history.event_of(r.session, import_id)
            if event is None or event.act != "study.import":
                raise Missing("This study has no such import.")
            rows = graphs.graph_rows(r.session, [each["id"] for each in event.payload["graphs"]])
        else:
            rows = graphs.last_imported(r.session, LISTED)
        facts = lists.visible_graphs(r.session, visibility_of(r), ids=[row.id for row in rows], with_archived=True)
        seen, unseen = {each.id for each in facts}, not_yet_seen(r, facts)
        counts = {row.id: (0, 0) for row in rows} | graphs.count_elements(r.session, seen - unseen)
        return tuple(
            ImportedLine(
                id=row.id,
                title=row.title,
                nodes=counts[row.id][0],
                edges=counts[row.id][1],
                at=row.created_at,
                is_archived=row.archived_at is not None,
                version=row.version,
                is_blind=row.id not in seen,
                is_unseen=row.id in unseen,
            )
            for row in rows
        )


def archive_graph(viewer: Viewer, graph_id: str, archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Hide an imported or generated graph from lists, or restore it; nothing is deleted. An imported ground truth that
    is archived is none any more.

    Raises Refused for any other graph, and for an imported ground truth whose figure has another one by now. Raises
    Conflict if it was changed since version `seen`.
    """

    def act(w: Writing) -> Receipt:
        row = require_seen(graphs.graph_row(w.session, graph_id, for_update=True), seen, "graph")
        if row.kind == TRUTH and not is_adjudicated(w, row):
            if not archived and row.figure_id:
                hold_figure(w, row.figure_id)
        elif row.kind not in (IMPORT, GENERATED):
            raise Refused(f"This graph is a {row.kind}. Only imported and generated graphs can be archived.")
        row.archived_at = w.now if archived else None
        w.session.add(row)
        w.session.flush()
        return w.record("graph.archive" if archived else "graph.restore", "graph", row.id, version=row.version)

    return perform(viewer, Permission.CURATE, act_id, act)
