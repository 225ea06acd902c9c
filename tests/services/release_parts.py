"""Ground truth for tests of releases, credit and identities: graphs laid into the store, finished or not."""

from __future__ import annotations

from types import MappingProxyType

from sqlmodel import col, select

from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord, Origin
from core.sign import Sign
from services.study import Study
from store import history, rulings
from store.graphs import graphs
from store.rulings import AlignmentPair
from store.tables import AssignmentRow, FigureRow, GraphRow, PersonRow, new_id


def record_of(lines: str, origin: Origin = "both") -> GraphRecord:
    """ "A -> B +; B -> C" as a record; a name alone is an isolated node."""
    nodes: dict[str, NodeRecord] = {}
    edges: dict[str, EdgeRecord] = {}

    def node(name: str) -> str:
        found = next((key for key, each in nodes.items() if each.name == name), None)
        if found is None:
            found = new_id()
            nodes[found] = NodeRecord(id=found, name=name, origin=origin)
        return found

    for line in lines.split(";"):
        source, arrow, rest = line.strip().partition(" -> ")
        start = node(source)
        if not arrow:
            continue
        sink, sign = (rest[:-2], rest[-1]) if rest.endswith((" +", " -")) else (rest, "")
        key = new_id()
        meant = {"+": Sign.PLUS, "-": Sign.MINUS}.get(sign)
        edges[key] = EdgeRecord(
            id=key, source_id=start, sink_id=node(sink), sign=meant, origin=origin, place=len(edges)
        )
    return GraphRecord(MappingProxyType(nodes), MappingProxyType(edges))


def lay_truth(
    study: Study,
    figure_id: str,
    lines: str | GraphRecord,
    *,
    by: str | None = None,
    state: str | None = "submitted",
    between: tuple[str, str] | None = None,
) -> str:
    """A ground truth graph of a figure with an adjudication in `state` (None: without one); returns its id.

    `by`: the adjudicator's id. `between`: the two transcriptions' assignments it came from, first handed in first.
    """
    record = record_of(lines) if isinstance(lines, str) else lines
    now = study.clock()
    with study.store.writing() as session:
        figure = session.get(FigureRow, figure_id)
        assert figure is not None
        by = by or session.exec(select(PersonRow.id).order_by(col(PersonRow.created_at))).first() or ""
        row = GraphRow(
            kind="ground truth", figure_id=figure_id, paper_id=figure.paper_id, created_by=by, created_at=now
        )
        changes = graphs.insert_graph(session, row, record)
        actor = history.Actor(by)
        history.record(
            session,
            actor,
            "graph.edit",
            at=now,
            act_id=new_id(),
            subject_kind="graph",
            subject_id=row.id,
            graph_id=row.id,
            payload={"changes": changes, "version": 1},
        )
        if state is not None:
            work = AssignmentRow(
                kind="adjudication", subject_id=figure_id, person_id=by, state=state, graph_id=row.id, claimed_at=now
            )
            session.add(work)
            session.flush()
            if between is not None:
                works = [session.get(AssignmentRow, each) for each in between]
                pair = AlignmentPair(*between, *(each.graph_id or "" for each in works if each))
                rulings.keep_between(session, work, pair, by)
        return row.id
