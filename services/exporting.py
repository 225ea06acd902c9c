"""Taking graphs out, and bringing finished ones in. Exports carry pseudonyms, never names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import Missing, Refused
from core.graphs.graph import CausalGraph
from core.graphs.record import Change, EdgeRecord, NodeRecord
from core.people import May, Receipt, Viewer
from exchange.edge_rows import ImportedGraph
from exchange.forms import FACTS
from exchange.forms import GraphForm as GraphForm
from exchange.graphs import lost_in, read_edges, write_graph
from exchange.study import NamedGraph
from exchange.study import export_study as write_study
from services.acting import Reading, Writing, consulting, perform
from services.study import current_study
from store import assignments, graphs, papers, people
from store.assignments import TRANSCRIPTION, Drawn
from store.tables import GraphRow, new_id

MEDIA = {form: facts.media_type for form, facts in FACTS.items()}
WORDS = {form: FACTS[form].words for form in (GraphForm.STANDARD, GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.JSON)}


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to hand out. `lost` names what the form could not carry."""

    name: str
    media_type: str
    content: bytes
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A form a transcription can be taken away in: what it is called, the file's name, what it leaves out."""

    form: GraphForm
    words: str
    name: str
    media_type: str
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportCounts:
    """What a study export would hold: submitted graphs and their edges, and what drafts would add."""

    graphs: int
    edges: int
    drafts: int
    draft_edges: int


def offers(paper_title: str, figure_label: str, graph: CausalGraph) -> tuple[Offer, ...]:
    """The forms of one transcription, without writing any of them."""
    title = f"{paper_title} {figure_label}"
    return tuple(
        Offer(form, words, _filename(title, form), MEDIA[form], lost_in(graph, form)) for form, words in WORDS.items()
    )


def export_transcription(viewer: Viewer, assignment_id: str, form: GraphForm) -> ExportedFile:
    """One transcription as a file: one's own at any time, others' once submitted (for reviewers)."""
    with consulting(viewer, May.READ_STUDY) as r:
        row = assignments.assignment(r.session, assignment_id)
        is_mine = row.person_id == r.viewer.person_id
        if not is_mine and not (r.viewer.may(May.EXPORT) and row.state in ("submitted", "accepted")):
            raise Refused("This transcription is someone else's and not submitted; it stays blind until then.")
        figure = assignments.figure(r.session, row.subject_id)
        paper = papers.paper(r.session, figure.paper_id)
        graph = graphs.read_graph(r.session, row.graph_id or "").graph()
    name = _filename(f"{paper.title} {figure.label}", form)
    return ExportedFile(name, MEDIA[form], write_graph(graph, form), lost_in(graph, form))


def count_export(viewer: Viewer) -> ExportCounts:
    """What an export would hold; how much is in drafts is told to the owner only."""
    with consulting(viewer, May.EXPORT) as r:
        rows = _exported(r, with_drafts=r.viewer.may(May.MANAGE))
        counts = graphs.count_elements(r.session, [row.graph_id for row in rows])
    drafts = [row for row in rows if row.state in ("open", "returned")]
    all_edges, draft_edges = (sum(counts[row.graph_id][1] for row in some) for some in (rows, drafts))
    return ExportCounts(len(rows) - len(drafts), all_edges - draft_edges, len(drafts), draft_edges)


def export_study(viewer: Viewer, form: GraphForm, *, with_drafts: bool = False) -> ExportedFile:
    """Every submitted transcription (with drafts, for the owner only) in one file."""
    with consulting(viewer, May.EXPORT) as r:
        if with_drafts and not r.viewer.may(May.MANAGE):
            raise Refused("Drafts stay with their annotators; only the owner may export them.")
        pseudonyms, drawn = _pseudonyms(r), _exported(r, with_drafts=with_drafts)
        read = graphs.read_named(r.session, [each.graph_id for each in drawn])
        named = (
            NamedGraph(
                each.paper_title, each.paper_id, each.label or each.place, pseudonyms[each.person_id], each.state, graph
            )
            for each, (_, graph) in zip(drawn, read, strict=True)
        )
        content = write_study(named, form)  # while they are read
    return ExportedFile(study_filename(form), MEDIA[form], content)


def study_filename(form: GraphForm) -> str:
    """What the export of the open study is called."""
    return _filename(f"{current_study().name} transcriptions", form)


def _exported(r: Reading, *, with_drafts: bool) -> list[Drawn]:
    states = ("submitted", "accepted", *(("open", "returned") if with_drafts else ()))
    return assignments.drawn_in(r.session, TRANSCRIPTION, states)


def _pseudonyms(r: Reading) -> dict[str, str]:
    """A1, A2 … in the order people joined: the same in every export of the study."""
    return {row.id: f"A{number}" for number, row in enumerate(people.all_people(r.session), start=1)}


def _filename(title: str, form: GraphForm) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80] or "graph"
    safe = "-for-spreadsheets" if form is GraphForm.SAFE_CSV else ""
    return f"{slug}{safe}{form.suffix}"


def read_graph_file(viewer: Viewer, filename: str, content: bytes) -> ImportedGraph:
    """Preview an edge list: what was recognised, and every faulty row. Writes nothing."""
    with consulting(viewer, May.CURATE):
        pass
    return read_edges(content, filename)


def import_graph(
    viewer: Viewer, filename: str, content: bytes, *, figure_id: str | None = None, act_id: str
) -> Receipt:
    """Keep an edge list as a graph of kind import, all of it or nothing. The subject is the graph.

    Raises the first faulty row if there is one (preview with `read_graph_file`).
    """
    read = read_graph_file(viewer, filename, content)
    if read.faults:
        raise read.faults[0]
    if not read.graph.nodes:
        raise Missing(f"{filename} holds no edge.")

    def act(w: Writing) -> Receipt:
        figure = assignments.figure(w.session, figure_id) if figure_id else None
        row = GraphRow(
            kind="import",
            figure_id=figure_id,
            paper_id=figure.paper_id if figure else None,
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        w.session.add(row)
        w.session.flush()
        changes = _changes(read)
        state = graphs.read_graph(w.session, row.id)
        graphs.apply_changes(w.session, row, state, changes, row.version)
        payload = {"changes": [change.as_json() for change in changes], "what": "import"}
        return w.record("study.import", "graph", row.id, version=2, graph_id=row.id, payload=payload)

    return perform(viewer, May.CURATE, act_id, act)


def _changes(read: ImportedGraph) -> tuple[Change, ...]:
    """Nodes in their order, then edges with their marks."""
    nodes = {name: NodeRecord(new_id(), name, "import") for name in read.graph.nodes}
    edges = [
        EdgeRecord(
            new_id(),
            nodes[edge.source].id,
            nodes[edge.sink].id,
            edge.sign,
            edge.delay,
            edge.note,
            edge.flag,
            origin="import",
            place=place,
        )
        for place, edge in enumerate(read.graph.edges, start=1)
    ]
    return (*(Change(None, node) for node in nodes.values()), *(Change(None, edge) for edge in edges))
