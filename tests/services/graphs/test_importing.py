"""Bringing graphs in: seen first, kept whole or not at all, once, and rebuilt from their own history."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import func
from sqlmodel import select

from core.errors import BadInput, BadRow, Conflict, Missing, Refused
from core.graphs import bounds
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import CELL_X, Point
from core.sign import Sign
from core.words import whole
from exchange.file_reading import FileChoices
from exchange.graphs import GraphForm, write_graph
from services.graphs import import_reading, importing
from services.graphs.import_reading import in_pixels, preview_file
from services.study import Study
from services.transcription import reading, transcribing
from store import history
from store.graphs import graphs
from store.tables import EdgeRow, EventRow, GraphRow, NodeRow, new_id

WELLS = CausalGraph.of(
    [
        Edge("Wells", "Water use", Sign.PLUS, True, "dug by hand", EdgeFlag.NO_ARROWHEAD),
        Edge("Water use", "Water table", Sign.MINUS),
        Edge("Water table", "Water table"),
    ],
    nodes=["Rain", "Wells"],
)
PRICES = CausalGraph.of([Edge("Price", "Demand", Sign.MINUS)])
WELLS_CSV = ("wells.csv", write_graph(WELLS, GraphForm.CSV))
PRICES_JSON = ("prices.json", write_graph(PRICES, GraphForm.JSON))
FAULTY = ("faulty.csv", b"source,sink,sign\nPrice,Demand,-\nPrice,Sales,sideways\n,Sales,+\nCost,Price,+\n")


def rows(study: Study) -> dict[str, int]:
    with study.store.reading() as session:
        return {
            table.__tablename__: session.exec(select(func.count()).select_from(table)).one()
            for table in (GraphRow, NodeRow, EdgeRow, EventRow)
        }


def kept(study: Study) -> dict[str, CausalGraph]:
    """Imported graphs by their titles."""
    with study.store.reading() as session:
        return {row.title: graphs.read_graph(session, row.id).graph() for row in session.exec(select(GraphRow))}


@pytest.mark.both
def test_a_preview_counts_what_the_file_holds_and_keeps_nothing(study: Study, people: SimpleNamespace) -> None:
    before = rows(study)
    found = importing.preview(people.researcher, [WELLS_CSV, FAULTY])
    wells, faulty = (file.graphs[0] for file in found.files)
    # Rows of the first: Rain alone, three edges.
    assert (wells.title, wells.form, wells.rows) == ("wells", "CSV", 4)
    assert (len(wells.graph.nodes), len(wells.graph.edges)) == (4, 3)
    assert (wells.signed, wells.isolated, wells.self_loops) == (2, 1, 1)
    assert [(f.file, f.line, f.field, f.value) for f in faulty.faults] == [
        ("faulty.csv", 3, "sign", "sideways"),
        ("faulty.csv", 4, "source", ""),
    ]
    assert all(fault.expected for fault in faulty.faults)
    assert rows(study) == before


@pytest.mark.both
def test_all_graphs_of_all_files_are_kept_by_one_act(study: Study, people: SimpleNamespace) -> None:
    receipt = importing.import_graphs(
        people.researcher,
        [WELLS_CSV, PRICES_JSON],
        with_faulty=False,
        titles={(1, 0): " Prices  and demand "},
        act_id=new_id(),
    )
    assert kept(study) == {"wells": WELLS, "Prices and demand": PRICES}
    lines = importing.imported_graphs(people.researcher, receipt.subject_id)
    assert [(line.title, line.nodes, line.edges) for line in lines] == [("wells", 4, 3), ("Prices and demand", 2, 1)]
    assert {line.id for line in importing.imported_graphs(people.owner)} == {line.id for line in lines}


@pytest.mark.both
def test_each_graph_is_rebuilt_from_its_own_history(study: Study, people: SimpleNamespace) -> None:
    receipt = importing.import_graphs(people.researcher, [WELLS_CSV, PRICES_JSON], with_faulty=False, act_id=new_id())
    with study.store.reading() as session:
        for line in importing.imported_graphs(people.researcher, receipt.subject_id):
            rebuilt, stored = history.rebuild(session, line.id), graphs.read_graph(session, line.id)
            assert rebuilt == stored
            assert list(rebuilt.nodes) == list(stored.nodes)
            assert {node.origin for node in stored.nodes.values()} == {"import"}


@pytest.mark.both
def test_the_same_act_again_keeps_nothing_more_and_gives_the_same_receipt(
    study: Study, people: SimpleNamespace
) -> None:
    act_id, before = new_id(), rows(study)
    files = [WELLS_CSV, PRICES_JSON]
    first = importing.import_graphs(people.researcher, files, with_faulty=False, act_id=act_id)
    after = rows(study)
    again = importing.import_graphs(people.researcher, files, with_faulty=False, act_id=act_id)
    assert again.is_repeat
    assert (again.seq, again.subject_id) == (first.seq, first.subject_id)
    assert rows(study) == after
    assert after["event"] - before["event"] == 3  # the import, and one a graph


GOOD = WELLS_CSV
BAD_FILES = {
    "a faulty row": FAULTY,
    "not JSON": ("broken.json", b'{"edges": ['),
    "a fault deep in JSON": ("deep.json", b'{"edges": [{"source": "A", "sink": "B"}, {"source": "A", "sink": 7}]}'),
    "no columns": ("columns.csv", b"von,nach\nA,B\n"),
    "a column twice": ("twice.csv", b"source,sink,sink\nA,B,C\n"),
    "an encoding": ("encoding.csv", "source,sink\nKäufer,Preis\n".encode("cp1252")),
    "empty": ("empty.csv", b""),
    "only a heading": ("heading.csv", b"source,sink\n"),
    "a picture": ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(40)),
    "a web page": ("page.csv", b"<!doctype html><title>Sign in</title>"),
    "a name too long": ("long.csv", b"source,sink\nA," + b"x" * 100_000 + b"\n"),
    "an open quote": ("quote.csv", b'source,sink\n"A,B\n'),
}


@pytest.mark.parametrize("bad", BAD_FILES.values(), ids=BAD_FILES.keys())
def test_one_bad_file_and_nothing_is_kept_of_any(study: Study, people: SimpleNamespace, bad: tuple[str, bytes]) -> None:
    before = rows(study)
    for files in ([GOOD, bad], [bad, GOOD]):
        with pytest.raises(BadInput) as caught:
            importing.import_graphs(people.researcher, files, with_faulty=False, act_id=new_id())
        assert bad[0] in str(caught.value)
    assert rows(study) == before


@pytest.mark.both
def test_good_rows_are_kept_on_request_and_the_history_counts_the_rest(study: Study, people: SimpleNamespace) -> None:
    receipt = importing.import_graphs(people.researcher, [GOOD, FAULTY], with_faulty=True, act_id=new_id())
    faulty = kept(study)["faulty"]
    assert [(e.source, e.sink, e.sign) for e in faulty.edges] == [
        ("Price", "Demand", Sign.MINUS),
        ("Cost", "Price", Sign.PLUS),
    ]
    with study.store.reading() as session:
        event = history.event_of(session, receipt.subject_id)
        assert event is not None
        assert event.payload["left_out"] == 2
        assert [graph["left_out"] for graph in event.payload["graphs"]] == [0, 2]


def test_a_graph_left_out_may_be_as_faulty_as_it_likes(study: Study, people: SimpleNamespace) -> None:
    importing.import_graphs(people.researcher, [GOOD, FAULTY], with_faulty=False, leave_out=[(1, 0)], act_id=new_id())
    assert set(kept(study)) == {"wells"}


def test_nothing_chosen_or_only_faulty_rows_is_no_import(study: Study, people: SimpleNamespace) -> None:
    hopeless = ("hopeless.csv", b"source,sink,sign\nA,B,?!\n")
    for files, without in (([GOOD], [(0, 0)]), ([hopeless], []), ([], [])):
        with pytest.raises(Missing, match="Nothing to import"):
            importing.import_graphs(people.researcher, files, with_faulty=True, leave_out=without, act_id=new_id())
    assert rows(study)["graph"] == 0


def test_answers_make_a_file_readable(study: Study, people: SimpleNamespace) -> None:
    content = "Von,Nach,Vorzeichen\nKäufer,Preis,+\n".encode("cp1252")
    answer = FileChoices("cp1252", {"source": "Von", "sink": "Nach", "sign": "Vorzeichen"})
    importing.import_graphs(
        people.researcher, [GOOD, ("markt.csv", content)], {1: answer}, with_faulty=False, act_id=new_id()
    )
    assert kept(study)["markt"] == CausalGraph.of([Edge("Käufer", "Preis", Sign.PLUS)])


def test_an_unknown_encoding_offers_those_that_fit_with_telling_lines() -> None:
    content = "source,sink\nPrice,Demand\nKäufer,Preis\n".encode("cp1252")
    found = preview_file("markt.csv", content, FileChoices())
    assert not found.graphs
    first = found.encodings[0]
    assert (first.encoding, first.lines) == ("cp1252", ("Käufer,Preis",))
    assert {sample.encoding: sample.lines for sample in found.encodings}["cp1251"] == ("Kдufer,Preis",)


def test_places_of_the_file_are_where_the_graph_is_drawn(study: Study, people: SimpleNamespace) -> None:
    places = {"Price": Point(10.0, 20.0), "Demand": Point(400.5, -30.0)}
    content = write_graph(PRICES, GraphForm.JSON, places)
    receipt = importing.import_graphs(people.researcher, [("p.json", content)], with_faulty=False, act_id=new_id())
    (line,) = importing.imported_graphs(people.researcher, receipt.subject_id)
    with study.store.reading() as session:
        row, record = graphs.graph_row(session, line.id), graphs.read_graph(session, line.id)
    drawn = {record.nodes[node_id].name: spot for node_id, spot in row.layout.items()}
    assert drawn == {"Price": [10.0, 20.0], "Demand": [400.5, -30.0]}


def test_a_layout_in_tiny_units_is_drawn_larger_in_the_same_shape() -> None:
    tiny = {"A": Point(-1, 0), "B": Point(1, 0), "C": Point(0, 1), "D": Point(0, 0)}
    drawn = in_pixels(tiny)
    # Four nodes: two labels side by side, so the wider extent, 2, becomes one label's width.
    assert drawn["B"].x - drawn["A"].x == pytest.approx(CELL_X)
    assert drawn["C"].y - drawn["D"].y == pytest.approx(CELL_X / 2)
    assert in_pixels(drawn) == drawn
    assert in_pixels({}) == {}
    assert in_pixels({"A": Point(3, 4)}) == {"A": Point(3, 4)}


@pytest.mark.both
def test_a_figure_gives_its_graphs_its_paper(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    importing.import_graphs(people.researcher, [GOOD], with_faulty=False, figure_id=a_figure.id, act_id=new_id())
    with study.store.reading() as session:
        row = session.exec(select(GraphRow)).one()
    assert (row.kind, row.figure_id, row.paper_id) == ("import", a_figure.id, a_figure.paper_id)
    with pytest.raises(Missing):
        importing.import_graphs(people.researcher, [GOOD], with_faulty=False, figure_id="none", act_id=new_id())
    assert rows(study)["graph"] == 1


def test_what_is_too_large_is_refused_with_the_limit(
    study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*files: tuple[str, bytes]) -> str:
        with pytest.raises(BadInput) as caught:
            importing.import_graphs(people.researcher, files, with_faulty=True, act_id=new_id())
        return str(caught.value)

    monkeypatch.setattr(import_reading, "MOST_BYTES", 50)
    assert "wells.csv has" in said(WELLS_CSV)
    monkeypatch.undo()
    monkeypatch.setattr(bounds, "MOST_EDGES", 2)
    assert said(WELLS_CSV).startswith("wells.csv has more than 2 edges (line 5), the maximum")
    monkeypatch.undo()
    monkeypatch.setattr(bounds, "MOST_NODES", 3)
    assert said(WELLS_CSV).startswith("wells.csv has more than 3 nodes (line ")
    monkeypatch.undo()
    monkeypatch.setattr(importing, "MOST_GRAPHS", 1)
    assert "2 graphs; import at most 1 at once" in said(WELLS_CSV, PRICES_JSON)
    monkeypatch.setattr(importing, "MOST_GRAPHS", 2)
    monkeypatch.setattr(importing, "MOST_ELEMENTS", 9)
    assert "10 nodes and edges; import at most 9" in said(WELLS_CSV, PRICES_JSON)
    assert rows(study)["graph"] == 0


@pytest.mark.both
def test_an_imported_graph_is_archived_and_brought_back_nothing_is_deleted(
    study: Study, people: SimpleNamespace
) -> None:
    importing.import_graphs(people.researcher, [GOOD], with_faulty=False, act_id=new_id())
    (line,) = importing.imported_graphs(people.researcher)
    receipt = importing.archive_graph(people.researcher, line.id, True, seen=line.version, act_id=new_id())
    (archived,) = importing.imported_graphs(people.researcher)
    assert (archived.is_archived, archived.version) == (True, receipt.version)
    with pytest.raises(Conflict):
        importing.archive_graph(people.owner, line.id, False, seen=line.version, act_id=new_id())
    importing.archive_graph(people.owner, line.id, False, seen=receipt.version, act_id=new_id())
    assert not importing.imported_graphs(people.owner)[0].is_archived
    assert kept(study) == {"wells": WELLS}


def test_a_transcription_is_not_archived_here(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work = transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id
    graph = reading.transcription(people.annotator, work).graph_id
    with pytest.raises(Refused, match="Only imported and generated graphs"):
        importing.archive_graph(people.owner, graph, True, seen=1, act_id=new_id())
    with study.store.reading() as session:
        row = session.get_one(GraphRow, graph)
        assert (row.archived_at, row.version) == (None, 1)


def test_an_import_that_is_not_there_is_missing(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(Missing):
        importing.imported_graphs(people.owner, new_id())


def test_the_first_faulty_row_is_the_error_that_is_raised(study: Study, people: SimpleNamespace) -> None:
    with pytest.raises(BadRow) as caught:
        importing.import_graphs(people.researcher, [FAULTY], with_faulty=False, act_id=new_id())
    assert (caught.value.file, caught.value.line, caught.value.field) == ("faulty.csv", 3, "sign")


# --- names and texts that are no UTF-8 ----------------------------------------------------------------------------

ODD_NAMES = ("bad\udcff.csv", "half\ud800.csv", "\udcff\udcfe.csv")
"""As Python has the name of a file whose bytes are no UTF-8, and with a lone half of a pair."""


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.both
def test_a_file_whose_name_is_no_utf8_is_imported_under_a_name_that_can_be_shown(
    name: str, study: Study, people: SimpleNamespace
) -> None:
    (file,) = importing.preview(people.researcher, [(name, b"source,sink\nA,B,C\nA,B\n")]).files
    shown = whole(name)
    assert (file.name, str(file.faults[0])) == (shown, f"{shown}, line 2: found 'A,B,C'; 3 fields, expected 2")
    receipt = importing.import_graphs(
        people.researcher, [(name, b"source,sink\nA,B\n")], with_faulty=False, act_id=new_id()
    )
    (line,) = importing.imported_graphs(people.researcher, receipt.subject_id)
    assert line.title == shown.removesuffix(".csv")
    with study.store.reading() as session:
        event = history.event_of(session, receipt.subject_id)
        assert event is not None
        assert event.payload["graphs"][0]["file"] == shown


@pytest.mark.both
def test_halves_of_characters_in_a_file_are_faults_or_shown_as_such(study: Study, people: SimpleNamespace) -> None:
    for name, text in {
        "note.json": r'{"edges": [{"source": "a", "sink": "b", "note": "x\ud800"}, {"source": "b", "sink": "c"}]}',
        "name.json": r'{"edges": [{"source": "a\ud800", "sink": "b"}, {"source": "b", "sink": "c"}]}',
        "kumu.json": r'{"elements": [{"label": "b"}, {"label": "c"}], "connections": [{"from": "b", "to": "c", '
        r'"direction": "directed", "attributes": {"flag": "\ud800"}}, {"from": "b", "to": "c"}], '
        r'"maps": [{"name": "map \ud800"}]}',
    }.items():
        (file,) = importing.preview(people.researcher, [(name, text.encode())]).files
        (fault, *_) = file.faults
        for said in (str(fault), fault.value, *file.graphs[0].notices):
            said.encode()
        importing.import_graphs(people.researcher, [(name, text.encode())], with_faulty=True, act_id=new_id())
    titles = {line.title for line in importing.imported_graphs(people.researcher)}
    assert titles == {"note", "name", "map \ufffd"}
    assert all(graph.edges for graph in kept(study).values())


def test_a_title_is_kept_in_whole_characters(sqlite_study: Study, people: SimpleNamespace) -> None:
    importing.import_graphs(
        people.researcher, [GOOD], with_faulty=False, titles={(0, 0): "Wells \udcff"}, act_id=new_id()
    )
    assert importing.imported_graphs(people.researcher)[0].title == "Wells \ufffd"


@pytest.mark.both
def test_a_note_with_a_character_that_no_database_keeps_is_a_fault(study: Study, people: SimpleNamespace) -> None:
    content = b"source,sink,note\na,b,x\x00y\nb,c,\n"
    (fault,) = importing.preview(people.researcher, [("n.csv", content)]).files[0].faults
    assert (fault.line, fault.field) == (2, "note")
    importing.import_graphs(people.researcher, [("n.csv", content)], with_faulty=True, act_id=new_id())
    assert kept(study) == {"n": CausalGraph.of([Edge("b", "c")])}
