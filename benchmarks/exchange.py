"""10,000 transcriptions exported and 10,000 edges imported, compared with the ORM alone.

Export, goal: at most 3.5 s, a tenth of the "35-45 seconds" that Label Studio's quick start states for 10,000 tasks.
Import, goal: at least 20 times faster than one `Session.add` and one commit a row, as tutorials write it. Each pair is
measured in the same run on the same disk; CPU is of this process alone.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, insert
from sqlmodel import Session, SQLModel, col, select

from core.people import Viewer
from exchange.forms import GraphForm
from services.acting import new_act_id, terminal_viewer
from services.graphs import exporting, importing
from services.study import Study, open_study, use_study
from store.tables import AssignmentRow, EdgeRow, FigureRow, GraphRow, NodeRow, PaperRow, PersonRow, new_id

TRANSCRIPTIONS = 10_000
NODES, EDGES = 25, 37  # of a transcription, about
EXPORT_GOAL_S, IMPORT_GOAL = 3.5, 20
ROUNDS = 3
IMPORTED_EDGES = 10_000


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        study = open_study(str(home / "bench.edgewise"), home)
        use_study(study)
        try:
            _measure_export(study)
            _measure_import(home)
        finally:
            use_study(None)
            study.close()


# --- taking out -------------------------------------------------------------------------------------------------


def _export_bytes(viewer: Viewer, form: GraphForm) -> int:
    return len(exporting.export_study(viewer, form).content)


def _measure_export(study: Study) -> None:
    _seed(study)
    viewer = terminal_viewer()
    print(f"{TRANSCRIPTIONS:,} transcriptions, {_count(study, NodeRow):,} nodes, {_count(study, EdgeRow):,} edges")
    for form in (GraphForm.CSV, GraphForm.JSON):
        best, cpu, size = _best(partial(_export_bytes, viewer, form))
        met = "met" if best <= EXPORT_GOAL_S else "missed"
        print(
            f"study as {form.value:5} {best:6.2f} s   CPU {cpu:6.2f} s   {size / 1e6:5.1f} MB"
            f"   (goal {EXPORT_GOAL_S} s: {met}; Label Studio states 35-45 s: {35 / best:.0f}x)"
        )
    took, cpu, size = _best(lambda: _orm_export(study), rounds=1)
    print(
        f"one ORM query a graph, json.dump {took:6.2f} s   CPU {cpu:6.2f} s   {size / 1e6:5.1f} MB"
        f"   {took / best:.1f}x our JSON"
    )


def _orm_export(study: Study) -> int:
    """Export with the ORM as a first attempt would: each transcription with its figure, paper, nodes and edges as
    objects."""
    listed: list[dict[str, Any]] = []
    with study.store.reading() as session:
        for work in session.exec(select(AssignmentRow).where(AssignmentRow.state == "submitted")):
            figure = session.get_one(FigureRow, work.subject_id)
            paper = session.get_one(PaperRow, figure.paper_id)
            nodes = session.exec(
                select(NodeRow).where(NodeRow.graph_id == work.graph_id).order_by(col(NodeRow.place))
            ).all()
            edges = session.exec(
                select(EdgeRow).where(EdgeRow.graph_id == work.graph_id).order_by(col(EdgeRow.place))
            ).all()
            name = {node.id: node.name for node in nodes}
            listed.append(
                {
                    "paper_title": paper.title,
                    "figure_label": figure.label,
                    "state": work.state,
                    "nodes": list(name.values()),
                    "edges": [
                        {
                            "source": name[edge.source_id],
                            "sink": name[edge.sink_id],
                            "sign": edge.sign,
                            "delay": edge.delay,
                            "flag": edge.flag,
                            "note": edge.note,
                        }
                        for edge in edges
                    ],
                }
            )
    file = io.StringIO()
    json.dump({"graphs": listed}, file, ensure_ascii=False, indent=2)
    return len(file.getvalue().encode())


def _seed(study: Study) -> None:
    """Two annotators, five figures a paper, every figure drawn by both; seeded, so every run has the same graphs."""
    rng, now = random.Random(7), study.clock()
    people = [PersonRow(name=f"Annotator {number}", created_at=now) for number in (1, 2)]
    tables: dict[Any, list[dict[str, Any]]] = {
        each: [] for each in (PaperRow, FigureRow, GraphRow, AssignmentRow, NodeRow, EdgeRow)
    }
    for number in range(TRANSCRIPTIONS // 10):
        paper = _row(PaperRow(title=f"Paper {number} on demand, prices and stocks", created_by="t", created_at=now))
        tables[PaperRow].append(paper)
        for place in range(5):
            figure = _row(
                FigureRow(
                    paper_id=paper["id"],
                    page=place + 1,
                    x0=0,
                    y0=0,
                    x1=9,
                    y1=9,
                    created_by="t",
                    label=f"Figure {place + 1}",
                    created_at=now,
                )
            )
            tables[FigureRow].append(figure)
            for person in people:
                graph = _row(GraphRow(kind="transcription", created_by=person.id, created_at=now))
                tables[GraphRow].append(graph)
                tables[AssignmentRow].append(
                    _row(
                        AssignmentRow(
                            kind="transcription",
                            subject_id=figure["id"],
                            person_id=person.id,
                            state="submitted",
                            graph_id=graph["id"],
                            claimed_at=now,
                        )
                    )
                )
                _seed_graph(tables, graph["id"], rng)
    with study.store.writing() as session:
        session.add_all(people)
        session.flush()
        for table, rows in tables.items():
            session.execute(insert(table.__table__), rows)


def _seed_graph(tables: dict[Any, list[dict[str, Any]]], graph_id: str, rng: random.Random) -> None:
    ids = [new_id() for _ in range(rng.randint(NODES - 5, NODES + 5))]
    tables[NodeRow] += [
        _row(NodeRow(id=node, graph_id=graph_id, place=place, name=f"Variable {place} of {rng.randint(1, 999)} things"))
        for place, node in enumerate(ids, start=1)
    ]
    pairs = rng.sample([(a, b) for a in ids for b in ids], rng.randint(EDGES - 10, EDGES + 10))
    tables[EdgeRow] += [
        _row(
            EdgeRow(
                graph_id=graph_id,
                source_id=source,
                sink_id=sink,
                place=place,
                sign=rng.choice(["+", "-", None]),
                delay=rng.random() < 0.05,
                note="seen twice" if rng.random() < 0.02 else "",
            )
        )
        for place, (source, sink) in enumerate(pairs, start=1)
    ]


def _row(row: SQLModel) -> dict[str, Any]:
    """Return the given columns of a row; the table computes the others, such as a name's key."""
    return {key: getattr(row, key) for key in type(row).model_fields}


def _count(study: Study, table: Any) -> int:
    with study.store.reading() as session:
        return len(session.exec(select(table.id)).all())


# --- bringing in ------------------------------------------------------------------------------------------------


def _measure_import(home: Path) -> None:
    rng = random.Random(11)
    pairs = rng.sample([(a, b) for a in range(400) for b in range(400)], IMPORTED_EDGES)
    lines = [f"Variable {a},Variable {b},{rng.choice('+-')}" for a, b in pairs]
    content = "\n".join(["source,sink,sign", *lines]).encode()
    viewer = terminal_viewer()

    def ours() -> int:
        return importing.import_graphs(viewer, [("edges.csv", content)], with_faulty=False, act_id=new_act_id()).seq

    took, cpu, _ = _best(ours)
    print(f"\n{IMPORTED_EDGES:,} edges from a CSV, checked, with their history {took:6.2f} s   CPU {cpu:6.2f} s")
    for words, peer in (("one add and one commit a row", _commit_each), ("add_all and one commit", _commit_once)):
        with _empty(home / f"{peer.__name__}.db") as engine:
            peer_took, peer_cpu, _ = _best(partial(peer, engine, lines), rounds=1)
        goal = f" (goal {IMPORT_GOAL}x: {'met' if peer_took / took >= IMPORT_GOAL else 'missed'})"
        print(
            f"{words:52} {peer_took:6.2f} s   CPU {peer_cpu:6.2f} s   {peer_took / took:5.1f}x ours"
            f"{goal if peer is _commit_each else ' (no check, no history)'}"
        )


def _commit_each(engine: Engine, lines: list[str]) -> int:
    def add_and_commit(session: Session, row: SQLModel) -> None:
        session.add(row)
        session.commit()

    return _add(engine, lines, add_and_commit)


def _commit_once(engine: Engine, lines: list[str]) -> int:
    return _add(engine, lines, lambda session, row: session.add(row))


def _add(engine: Engine, lines: list[str], add: Callable[[Session, SQLModel], None]) -> int:
    with Session(engine) as session:
        graph = GraphRow(kind="import", created_by="terminal", created_at=_now())
        add(session, graph)
        graph_id, id_of = graph.id, dict[str, str]()
        for place, line in enumerate(lines):
            source, sink, sign = line.split(",")
            for name in (source, sink):
                if name not in id_of:
                    id_of[name] = new_id()
                    add(session, NodeRow(id=id_of[name], graph_id=graph_id, name=name, place=len(id_of)))
            add(
                session,
                EdgeRow(graph_id=graph_id, source_id=id_of[source], sink_id=id_of[sink], sign=sign, place=place),
            )
        session.commit()
    return len(lines)


def _now() -> Any:
    from datetime import UTC, datetime

    return datetime.now(UTC)


@contextmanager
def _empty(path: Path) -> Iterator[Engine]:
    """Create tables on SQLite with SQLAlchemy's own settings."""
    engine = create_engine(f"sqlite:///{path}")
    SQLModel.metadata.create_all(engine)
    yield engine
    engine.dispose()


def _best(act: Callable[[], int], rounds: int = ROUNDS) -> tuple[float, float, int]:
    tries = []
    for _round in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        result = act()
        tries.append((time.perf_counter() - wall, time.process_time() - cpu, result))
    return min(tries)
