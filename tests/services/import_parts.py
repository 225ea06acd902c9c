"""What tests of hidden imports share: imports by title, ways to what is in a graph, and who looked at what."""

from __future__ import annotations

from collections.abc import Callable

from sqlmodel import col, select

from core.people import Viewer
from exchange.forms import GraphForm
from services.graphs import blind_settings, comparing, importing, lab
from services.graphs import files as graph_files
from services.study import Study
from services.transcription import reading, transcribing
from store.tables import EventRow, NodeRow, new_id
from tests.services.acts import Act

NAMES = ("Secret rain", "Secret grain", "Secret income")
"""Of an import; what of it reaches somebody is found by the word in all of them."""
SECRET = "Secret"
LINES = " -> ".join(NAMES)


def act() -> Act:
    return {"act_id": new_id()}


def bring_in(viewer: Viewer, *, figure: str | None = None, lines: str = LINES, title: str = f"{SECRET} title") -> str:
    """Import one graph; returns its id."""
    files = [("graph.txt", lines.encode())]
    receipt = importing.import_graphs(
        viewer, files, with_faulty=False, titles={(0, 0): title}, figure_id=figure, **act()
    )
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


def draw(viewer: Viewer, figure_id: str, lines: str = "A -> B", *, submit: bool = False) -> tuple[str, str]:
    """Transcribe; returns the assignment and the graph."""
    work = transcribing.take(viewer, figure_id, **act()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, **act())
    if submit:
        hand_in(viewer, work)
    return work, reading.transcription(viewer, work).graph_id


def hand_in(viewer: Viewer, work: str) -> None:
    transcribing.submit(viewer, work, seen=reading.transcription(viewer, work).version, **act())


def show_loose(owner: Viewer) -> None:
    blind_settings.save_settings(owner, True, seen=blind_settings.settings(owner).version, **act())


def titles(viewer: Viewer, search: str = "") -> list[str]:
    return [line.title for line in lab.list_graphs(viewer, search).lines]


def nodes_of(study: Study, graph_id: str) -> list[str]:
    with study.store.reading() as session:
        query = select(NodeRow.id).where(NodeRow.graph_id == graph_id).order_by(col(NodeRow.place))
        return list(session.exec(query))


def looks(study: Study) -> list[tuple[str, str, str]]:
    """(act, subject, person) of every look that was noted, in their order."""
    with study.store.reading() as session:
        query = select(EventRow).where(col(EventRow.act).like("%.look")).order_by(col(EventRow.seq))
        return [(row.act, row.subject_id, row.on_behalf_of or row.actor) for row in session.exec(query)]


Way = Callable[[Study, Viewer, str, str], object]
WAYS: dict[str, Way] = {
    "opened": lambda _s, v, graph, _o: lab.open_graph(v, graph),
    "measured": lambda _s, v, graph, _o: lab.measures(v, graph),
    "paths": lambda s, v, graph, _o: lab.signed_paths(v, graph, *nodes_of(s, graph)[:2]),
    "places kept": lambda _s, v, graph, _o: lab.keep_places(v, graph, {}),
    "file": lambda _s, v, graph, _o: graph_files.export_graph(v, graph, GraphForm.CSV),
    "picture": lambda _s, v, graph, _o: graph_files.picture(v, graph, "svg"),
    "as the truth": lambda _s, v, graph, own: comparing.comparison(v, graph, own),
    "as the prediction": lambda _s, v, graph, own: comparing.comparison(v, own, graph),
    "comparison's file": lambda _s, v, graph, own: comparing.export_comparison(v, own, graph),
    "comparison's picture": lambda _s, v, graph, own: comparing.picture(v, own, graph, "svg"),
    "aligned": lambda _s, v, graph, own: comparing.align(v, own, graph, NAMES[0], None, seen=0, **act()),
}
"""Every way to what is in one graph; the last argument is a graph of one's own."""
