"""Which figures an import is like: by names that are equal after folding, from an index of their keys."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

import pytest
from sqlmodel import col, select

from core.graphs.names import fold_name, name_key
from core.graphs.record import Change, GraphRecord, NodeRecord
from services.study import Study
from store.engine import Store
from store.graphs.graphs import apply_changes, insert_graph, read_graph
from store.graphs.name_similarity import LEAST_EQUAL, figures_like, stamps
from store.sql_in import among
from store.tables import FigureRow, GraphRow, NodeRow, PaperRow, new_id
from store.tables.graphs import NAME_KEY
from tests.everything import usual

pytestmark = pytest.mark.both

NOW = datetime(2026, 3, 2, tzinfo=UTC)
Drawn = Callable[..., str]


@pytest.fixture
def store(study: Study) -> Store:
    return study.store


@pytest.fixture
def figures(store: Store) -> Callable[[int], list[str]]:
    def make(count: int) -> list[str]:
        paper = PaperRow(title="P", created_by="t", created_at=NOW)
        rows = [
            FigureRow(paper_id=paper.id, page=1, x0=0, y0=0, x1=1, y1=1, created_by="t", created_at=NOW)
            for _ in range(count)
        ]
        with store.writing() as session:
            session.add(paper)
            session.flush()
            session.add_all(rows)
        return [row.id for row in rows]

    return make


@pytest.fixture
def drawn(store: Store) -> Drawn:
    """`drawn(names, kind, figure)` writes a graph without edges."""

    def write(names: Iterable[str], kind: str = "import", figure: str | None = None) -> str:
        row = GraphRow(kind=kind, figure_id=figure, created_by="t", created_at=NOW)
        nodes = {key: NodeRecord(id=key, name=name) for name in names for key in (new_id(),)}
        with store.writing() as session:
            insert_graph(session, row, GraphRecord(nodes, {}))
        return row.id

    return write


def like(store: Store, *chosen: Sequence[str] | None) -> dict[str, frozenset[str]]:
    with store.reading() as session:
        return figures_like(session, *chosen)


def test_three_names_equal_after_folding_make_an_import_like_a_figure(
    store: Store, figures: Callable[[int], list[str]], drawn: Drawn
) -> None:
    one, other = figures(2)
    drawn(["Grain output", "Work – life", "Été", "Soil"], "transcription", one)
    drawn(["Grain output", "Été"], "transcription", other)
    three = drawn(["GRAIN  output", "work-life", "été", "Something else"])
    drawn(["Grain output", "Été", "Something else"])
    drawn(["Grain output", "grain OUTPUT", "GRAIN output", "Été"])  # one name three times is one
    assert like(store) == {three: {one}}


def test_names_of_all_that_was_drawn_of_a_figure_count_together_and_of_imports_only_loose_ones(
    store: Store, figures: Callable[[int], list[str]], drawn: Drawn
) -> None:
    (figure,) = figures(1)
    drawn(["A", "B"], "transcription", figure)
    drawn(["B", "C"], "ground truth", figure)
    loose = drawn(["A", "B", "C"])
    drawn(["A", "B", "C"], "import", figure)
    drawn(["A", "B", "C"], "prediction")
    assert like(store) == {loose: {figure}}


def test_only_what_was_asked_about_is_answered(store: Store, figures: Callable[[int], list[str]], drawn: Drawn) -> None:
    one, other = figures(2)
    for figure in (one, other):
        drawn("ABC", "transcription", figure)
    first, second = drawn("ABCD"), drawn("ABCE")
    assert like(store) == {first: {one, other}, second: {one, other}}
    assert like(store, [second], None) == {second: {one, other}}
    assert like(store, None, [one]) == {first: {one}, second: {one}}
    assert like(store, [first], [other]) == {first: {other}}
    assert like(store, [], None) == like(store, None, []) == like(store, ["gone"], None) == {}


def test_a_renamed_node_counts_under_its_new_name(
    store: Store, figures: Callable[[int], list[str]], drawn: Drawn
) -> None:
    (figure,) = figures(1)
    graph_id = drawn("ABX", "transcription", figure)
    loose = drawn("ABC")
    with store.reading() as session:
        before = stamps(session)
    assert like(store) == {}
    with store.writing() as session:
        row, state = session.get(GraphRow, graph_id), read_graph(session, graph_id)
        assert row is not None
        node = state.node_named("X")
        assert node is not None
        apply_changes(session, row, state, [Change(node, NodeRecord(id=node.id, name="c"))], seen=1)
    assert like(store) == {loose: {figure}}
    with store.reading() as session:
        assert stamps(session) == (1, {figure: (1, 2)}) != before


def test_every_node_has_the_key_of_its_name_however_it_was_written(store: Store, drawn: Drawn) -> None:
    graph_id = drawn(["Grain", "Été", "x" * 300])
    with store.writing() as session:
        session.add(NodeRow(graph_id=graph_id, name="By the mapper"))
    with store.reading() as session:
        rows = session.execute(select(col(NodeRow.name), NAME_KEY)).all()
    assert len(rows) == 4
    assert all(key == name_key(name) for name, key in rows)


@pytest.mark.parametrize("seed", usual(range(3), 1, 2))
def test_the_count_is_that_of_the_plain_way(
    seed: int, store: Store, figures: Callable[[int], list[str]], drawn: Drawn
) -> None:
    """More figures than a machine word has bits, names spelled in several ways, all of it compared name by name."""
    lots = random.Random(seed)
    words = [spelled for n in range(30) for spelled in (f"Word {n}", f"WORD  {n}")]
    of_figure: dict[str, list[str]] = {}
    for figure in figures(70):
        of_figure[figure] = lots.sample(words, 4)
        drawn(of_figure[figure], "transcription", figure)
    imports = {drawn(names): names for names in (lots.sample(words, lots.randint(1, 9)) for _ in range(25))}
    plain = {
        graph_id: {
            figure
            for figure, theirs in of_figure.items()
            if len({*map(fold_name, names)} & {*map(fold_name, theirs)}) >= LEAST_EQUAL
        }
        for graph_id, names in imports.items()
    }
    plain = {graph_id: found for graph_id, found in plain.items() if found}
    assert plain and like(store) == plain
    some = lots.sample(list(imports), 10)
    assert like(store, some, None) == {key: those for key, those in plain.items() if key in some}


def test_a_condition_holds_forty_thousand_values(store: Store, drawn: Drawn) -> None:
    mine = [drawn("A"), drawn("B")]
    drawn("C")
    with store.reading() as session:
        many = [*mine, *(f'a value with a "quote" and a \\ {n}' for n in range(40_000))]
        found = session.exec(select(GraphRow.id).where(among(session, GraphRow.id, many))).all()
        none = session.exec(select(GraphRow.id).where(among(session, GraphRow.id, ()))).all()
    assert (sorted(found), none) == (sorted(mine), [])
