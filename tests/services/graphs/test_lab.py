"""The graph lab's services: who sees which graph, what is found in it, and where its nodes stay."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlalchemy import insert

from core.errors import BadInput, Missing, Refused
from core.graphs.layouts.drawing import Drawing
from core.graphs.layouts.layout import Point
from core.graphs.loops import Loops
from core.graphs.paths import PathsSummary
from core.people import Role, Viewer
from core.transcription.proposals import FigureProposals, LoopLabel
from exchange.forms import GraphForm
from exchange.graphs import read_edges
from services.graphs import blind_settings, files, importing, lab, thumbnails
from services.graphs.visibility import MOST_DRAWN
from services.study import Study
from services.transcription import proposals, reading, transcribing
from store.tables import EdgeRow, GraphRow, NodeRow, new_id
from tests.everything import EVERYTHING
from tests.services.transcription.test_proposals import accept, arrow, label, lay_down

MANY = 10_000 if EVERYTHING else 1_000
SIGNED = b'"Rain" ->+ "Grain output"\n"Grain output" ->+ "Income"\n"Income" ->- "Grain output"\n"Alone"\n'


def bring_in(viewer: Viewer, title: str, content: bytes = SIGNED, name: str = "graph.txt") -> str:
    """Import one graph; returns its id."""
    act_id = new_id()
    receipt = importing.import_graphs(
        viewer, [(name, content)], with_faulty=False, titles={(0, 0): title}, act_id=act_id
    )
    return importing.imported_graphs(viewer, receipt.subject_id)[0].id


def draw(viewer: Viewer, figure_id: str, lines: str, *, submit: bool = False) -> tuple[str, str]:
    """Transcribe; returns the assignment and the graph."""
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work, reading.transcription(viewer, work).graph_id


def titles(viewer: Viewer, search: str = "") -> list[str]:
    return [line.title for line in lab.list_graphs(viewer, search).lines]


def node(viewer: Viewer, graph_id: str, name: str) -> str:
    return next(key for key, each in lab.open_graph(viewer, graph_id).record.nodes.items() if each.name == name)


# --- the list -----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_everyone_sees_their_own_drafts_reviewers_what_was_handed_in_and_imports_all_who_draw_nothing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    bring_in(people.researcher, "Villages")
    draw(people.annotator, a_figure.id, "A -> B")
    work, graph_id = draw(people.colleague, a_figure.id, "A -> B\nB -> C", submit=True)
    drawn, colleague = "Grain and people · Figure 1 · A1", "Grain and people · Figure 1 · A6"  # first and sixth to join
    assert titles(people.expert) == ["Villages"]
    assert titles(people.annotator) == [drawn]
    assert sorted(titles(people.colleague)) == [colleague, "Villages"]  # theirs is handed in, and nothing else is open
    for viewer in (people.researcher, people.owner):
        assert sorted(titles(viewer)) == [colleague, "Villages"]
    assert sorted(titles(people.reviewer)) == ["Grain and people · Figure 1", "Villages"], "they may rule on it"
    leads_to = {each: lab.open_graph(each, graph_id).head.assignment_id for each in (people.reviewer, people.owner)}
    assert set(leads_to.values()) == {work}
    transcribing.return_to_annotator(people.reviewer, work, "Again", act_id=new_id())
    assert titles(people.reviewer) == ["Villages"]
    assert titles(people.colleague) == [colleague]


@pytest.mark.both(usually=False)
def test_a_line_counts_variables_edges_and_signs(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.researcher, "Villages")
    (line,) = lab.list_graphs(people.expert).lines
    assert (line.kind, line.nodes, line.edges, line.signed, line.is_mine) == ("import", 4, 3, 3, False)
    assert lab.list_graphs(people.researcher).lines[0].is_mine


def test_a_graph_brought_in_twice_looks_the_same_twice(study: Study, people: SimpleNamespace) -> None:
    def placed(graph_id: str) -> dict[str, object]:
        sheet = lab.open_graph(people.researcher, graph_id)
        return {sheet.record.nodes[key].name: point for key, point in sheet.places.items()}

    first, again = bring_in(people.researcher, "Villages"), bring_in(people.researcher, "Villages again")
    assert placed(first) == placed(again)
    assert len(placed(first)) == 4


@pytest.mark.both
def test_a_search_finds_titles_and_variables_without_case_and_accents(study: Study, people: SimpleNamespace) -> None:
    bring_in(people.researcher, "Villages")
    bring_in(people.researcher, "Été", '"Évaporation de l’eau" -> "Récolte"\n'.encode())
    for search, found in {
        "villages": ["Villages"],
        "ÉTÉ": ["Été"],
        "ete": ["Été"],
        "evaporation": ["Été"],
        "eau RECOLTE": [],
        "output grain": ["Villages"],
        "grain income": [],
        "nothing like it": [],
    }.items():
        assert titles(people.expert, search) == found, search
    assert lab.list_graphs(people.expert, "grain").lines[0].matched == ("Grain output",)


@pytest.mark.both(usually=False)
def test_a_search_never_finds_what_a_blind_graph_holds(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    bring_in(people.researcher, "Villages")
    blind_settings.save_settings(people.owner, True, seen=0, act_id=new_id())
    draw(people.colleague, a_figure.id, "Hidden -> Grain output", submit=True)
    for viewer in (people.annotator, people.expert):
        assert titles(viewer, "hidden") == []
        assert titles(viewer, "villages") == ["Villages"]
    assert titles(people.expert, "grain") == ["Villages"]
    assert titles(people.annotator, "grain") == []  # who may draw a figure that it may be of, and has not opened it
    assert len(titles(people.reviewer, "hidden")) == 1


@pytest.mark.both(usually=False)
def test_an_archived_graph_leaves_the_list_and_opens_by_its_link(study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, "Villages")
    importing.archive_graph(people.researcher, graph_id, True, seen=1, act_id=new_id())
    assert titles(people.expert) == titles(people.expert, "grain") == []
    assert lab.open_graph(people.expert, graph_id).head.is_archived


@pytest.fixture
def many_graphs(sqlite_study: Study) -> Study:
    """Thousands of imported graphs of ten variables and twelve edges each, written in bulk."""
    now = sqlite_study.clock()
    graph_ids = [new_id() for _ in range(MANY)]
    rows: dict[type, list[dict[str, object]]] = {GraphRow: [], NodeRow: [], EdgeRow: []}
    for number, graph_id in enumerate(graph_ids):
        rows[GraphRow].append(
            {
                "id": graph_id,
                "kind": "import",
                "title": f"Graph {number}",
                "created_by": "terminal",
                "created_at": now,
                "layout": {},
                "version": 1,
            }
        )
        ids = [new_id() for _ in range(10)]
        rows[NodeRow] += [
            {
                "id": key,
                "graph_id": graph_id,
                "name": f"Variable {number % 997} {place}",
                "place": place,
                "origin": "import",
            }
            for place, key in enumerate(ids)
        ]
        rows[EdgeRow] += [
            {
                "id": new_id(),
                "graph_id": graph_id,
                "source_id": ids[place % 10],
                "sink_id": ids[(place * 3 + 1) % 10],
                "sign": "+",
                "delay": False,
                "note": "",
                "origin": "import",
                "place": place,
            }
            for place in range(12)
        ]
    with sqlite_study.store.writing() as session:
        for table, values in rows.items():
            session.execute(insert(table), values)
    return sqlite_study


def test_thousands_of_graphs_are_paged_and_searched(many_graphs: Study, people: SimpleNamespace) -> None:
    first = lab.list_graphs(people.expert)
    assert (first.total, first.pages, len(first.lines)) == (MANY, MANY // 50, 50)
    last = lab.list_graphs(people.expert, page=999)
    assert (last.page, len(last.lines)) == (MANY // 50, 50)
    assert not {line.id for line in first.lines} & {line.id for line in last.lines}
    # Numbers 996, 1993, 2990 … leave 996 when divided by 997.
    assert lab.list_graphs(people.expert, "variable 996 7").total == (MANY - 996) // 997 + 1
    every = lab.list_graphs(people.expert, "variable", page=MANY // 50)
    assert (every.total, every.page, len(every.lines), len(every.lines[0].matched)) == (MANY, MANY // 50, 50, 10)


# --- one graph ----------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_an_opened_graph_has_its_loops_named_by_kind(study: Study, people: SimpleNamespace) -> None:
    content = b'"A" ->+ "B"\n"B" ->+ "A"\n"B" ->- "C"\n"C" ->+ "B"\n"C" -> "D"\n"D" ->+ "C"\n"A" ->- "A"\n'
    sheet = lab.open_graph(people.expert, bring_in(people.researcher, "Loops", content))
    assert [(each.name, each.loop.nodes) for each in sheet.loops] == [
        ("B1", ("A",)),
        ("R1", ("A", "B")),
        ("B2", ("B", "C")),
        ("U1", ("C", "D")),
    ]
    assert sheet.loops_reason == ""
    assert (sheet.head.title, sheet.head.version, sheet.head.assignment_id) == ("Loops", 1, None)


def test_loops_have_the_names_that_the_figure_prints_in_them(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = (label("Price", 80, 80), label("Demand", 300, 80), label("Supply", 80, 200))
    printed = (LoopLabel("R1 Bubble", (150.0, 110.0)), LoopLabel("B7", (500.0, 300.0)))
    edges = (arrow(0, 1), arrow(1, 2), arrow(2, 0))
    lay_down(open_one, a_figure, FigureProposals(names=names, edges=edges, origin="vector", loops=printed))
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    accept(people.annotator, work, *proposals.open_proposals(people.annotator, work).edges)
    sheet = lab.open_graph(people.annotator, reading.transcription(people.annotator, work).graph_id)
    assert [(named.name, named.printed) for named in sheet.loops] == [("R1", "R1 Bubble")]
    assert sheet.loops_of_figure == ("B7",)


@pytest.mark.both(usually=False)
def test_what_is_blind_is_refused_by_every_way_in(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    _, graph_id = draw(people.colleague, a_figure.id, "Hidden -> B")
    hidden = node(people.colleague, graph_id, "Hidden")
    ways: list[Callable[[Viewer], object]] = [
        lambda viewer: lab.open_graph(viewer, graph_id),
        lambda viewer: lab.measures(viewer, graph_id),
        lambda viewer: lab.signed_paths(viewer, graph_id, hidden, hidden),
        lambda viewer: lab.keep_places(viewer, graph_id, {}),
        lambda viewer: files.export_graph(viewer, graph_id, GraphForm.CSV),
        lambda viewer: files.picture(viewer, graph_id, "svg"),
        lambda viewer: files.open_drawn(viewer, graph_id),
        lambda viewer: thumbnails.thumbnail(viewer, graph_id),
    ]
    for way in ways:
        for viewer in (people.annotator, people.expert, people.reviewer, people.owner):
            with pytest.raises(Refused, match="stays blind"):
                way(viewer)
    with pytest.raises(Missing):
        lab.open_graph(people.owner, new_id())


@pytest.mark.both(usually=False)
def test_paths_are_found_by_ids_and_gone_ids_are_missing(study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, "Villages")
    rain, income = node(people.expert, graph_id, "Rain"), node(people.expert, graph_id, "Income")
    found = lab.signed_paths(people.expert, graph_id, rain, income)
    assert (found.verdict, found.paths[0].nodes) == (PathsSummary.PLUS, ("Rain", "Grain output", "Income"))
    assert lab.signed_paths(people.expert, graph_id, income, rain).verdict is PathsSummary.NO_PATH
    with pytest.raises(Missing):
        lab.signed_paths(people.expert, graph_id, rain, new_id())


def test_measures_are_those_of_the_graph(study: Study, people: SimpleNamespace) -> None:
    found = lab.measures(people.expert, bring_in(people.researcher, "Villages"))
    # Rain → Grain ⇄ Income, and one alone: 3 / (4·3) = 0.25; sources Rain and Alone; one loop.
    assert (found.nodes, found.edges, found.density.value, found.sources, found.cycles) == (4, 3, 0.25, 2, 1)


def test_a_search_for_loops_that_found_no_end_gives_its_reason(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "find_loops", lambda graph, is_over: Loops((), True, "late"))
    lab._loops.cache_clear()
    sheet = lab.open_graph(people.expert, bring_in(people.researcher, "Slow", b"Slow -> Loop\n"))
    lab._loops.cache_clear()
    assert (sheet.loops, sheet.loops_reason) == ((), "late")


def test_a_graph_too_large_is_a_table_and_not_a_drawing(study: Study, people: SimpleNamespace) -> None:
    lines = "\n".join(f"V{number} -> V{number + 1}" for number in range(MOST_DRAWN)).encode()
    graph_id = bring_in(people.researcher, "Large", lines)
    sheet = lab.open_graph(people.expert, graph_id)
    assert (sheet.is_drawn, dict(sheet.places), len(sheet.record.nodes)) == (False, {}, MOST_DRAWN + 1)
    with pytest.raises(Refused, match="not drawn"):
        files.picture(people.expert, graph_id, "svg")
    assert files.export_graph(people.expert, graph_id, GraphForm.CSV).content


# --- places -------------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_dragged_nodes_stay_where_they_were_let_go_and_no_other_moves(study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, "Villages")
    before = lab.open_graph(people.expert, graph_id)
    rain = node(people.expert, graph_id, "Rain")
    lab.keep_places(people.owner, graph_id, {rain: Point(900.0, -20.0), new_id(): Point(0, 0)})
    after = lab.open_graph(people.expert, graph_id)
    assert after.places == {**before.places, rain: Point(900.0, -20.0)}
    assert after.head.version == before.head.version  # how it is drawn is no edit


def test_only_ones_own_graphs_and_for_curators_imports_keep_places(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    imported = bring_in(people.researcher, "Villages")
    _, drawn = draw(people.annotator, a_figure.id, "A -> B", submit=True)
    for viewer, graph_id in (
        (people.expert, imported),
        (people.reviewer, imported),
        (people.reviewer, drawn),
        (people.owner, drawn),
    ):
        assert not lab.open_graph(viewer, graph_id).head.may_move
        with pytest.raises(Refused, match="only in your window"):
            lab.keep_places(viewer, graph_id, {})
    a = node(people.annotator, drawn, "A")
    lab.keep_places(people.annotator, drawn, {a: Point(5, 5)})
    assert lab.open_graph(people.reviewer, drawn).places[a] == Point(5, 5)


@pytest.mark.parametrize("far", [float("nan"), float("inf"), 1e7])
def test_a_place_out_of_the_world_is_refused(study: Study, people: SimpleNamespace, far: float) -> None:
    graph_id = bring_in(people.researcher, "Villages")
    before = lab.open_graph(people.owner, graph_id).places
    with pytest.raises(BadInput, match="out of the picture"):
        lab.keep_places(people.owner, graph_id, {node(people.owner, graph_id, "Rain"): Point(0, far)})
    assert lab.open_graph(people.owner, graph_id).places == before


# --- taking away --------------------------------------------------------------------------------------------------


def test_every_form_offered_without_obstacle_can_be_written_and_reads_back(
    study: Study, people: SimpleNamespace
) -> None:
    graph_id = bring_in(people.researcher, "Villages & more")
    sheet = lab.open_graph(people.expert, graph_id)
    graph = sheet.record.graph()
    forms = files.forms_of(sheet.head.title, graph, files.by_name(sheet.record, sheet.places))
    assert {form.form for form in forms} == set(GraphForm)
    for form in forms:
        if form.obstacle:
            with pytest.raises(BadInput):
                files.export_graph(people.expert, graph_id, form.form)
            continue
        file = files.export_graph(people.expert, graph_id, form.form)
        assert (file.name, file.media_type, file.lost) == (form.name, form.media_type, form.lost)
        assert {edge.pair for edge in read_edges(file.content, file.name).graph.edges} == {
            edge.pair for edge in graph.edges
        }
    assert [form.form for form in forms if form.obstacle] == [GraphForm.BIF, GraphForm.DAGITTY]  # it has a loop
    assert next(form.name for form in forms if form.form is GraphForm.SAFE_CSV) == (
        "villages-more-for-spreadsheets.csv"
    )


def test_a_picture_shows_the_graph_where_it_stands_with_its_loops(study: Study, people: SimpleNamespace) -> None:
    sheet = lab.open_graph(people.expert, bring_in(people.researcher, "Villages"))
    loops = {named.name: named.loop.nodes for named in sheet.loops}
    drawing = files.drawing_of(sheet.record, sheet.places, "Villages", loops)
    assert [(each.name, each.at) for each in drawing.nodes] == [
        (each.name, sheet.places[key]) for key, each in sheet.record.nodes.items()
    ]
    assert [(edge.sign, edge.source, edge.sink) for edge in drawing.edges] == [("+", 0, 1), ("+", 1, 2), ("-", 2, 1)]
    assert [mark.text for mark in drawing.marks] == ["B1"]
    assert Drawing.from_json(drawing.as_json()) == drawing


def test_a_picture_is_drawn_by_the_reader(sqlite_study: Study, people: SimpleNamespace) -> None:
    graph_id = bring_in(people.researcher, "Villages")
    file = files.picture(people.expert, graph_id, "svg", {"B1": ("Grain output", "Income")})
    assert (file.name, file.media_type) == ("villages.svg", "image/svg+xml")
    assert file.content.lstrip().startswith(b"<")
    with pytest.raises(BadInput, match="svg, png or pdf"):
        files.picture(people.expert, graph_id, "gif")


@pytest.mark.both(usually=False)
def test_one_who_joins_later_changes_no_pseudonym(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    draw(people.annotator, a_figure.id, "A -> B", submit=True)
    before = titles(people.reviewer)
    newcomer("Someone new", Role.ANNOTATOR)
    assert titles(people.reviewer) == before
