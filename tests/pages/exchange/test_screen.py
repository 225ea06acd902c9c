"""Import / export alone: what is seen before it is kept, what is asked, what would be exported and for whom."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from core.people import Viewer
from exchange.archive import write_archive
from exchange.forms import GraphForm
from exchange.graphs import write_graph
from pages.exchange import exporting
from services import drafts
from services.graphs import importing
from services.graphs.exporting import export_study
from services.releases import releasing
from services.study import Study, current_study
from services.transcription import transcribing
from store.graphs import graphs
from store.tables import DraftRow
from tests.pages.screen import draw_alone, drop, press, texts
from tests.services import import_parts


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.exchange import screen as exchange

    exchange.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw, part="import")


def begin(viewer: Viewer, figure_id: str, lines: str, *, submit: bool) -> str:
    work = transcribing.take(viewer, figure_id, act_id=str(uuid7())).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=str(uuid7()))
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=str(uuid7()))
    return work


@pytest.fixture
def two_submitted_one_draft(
    people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    """Submitted: 2 + 1 edges. Draft: 4 edges."""
    begin(people.annotator, a_figure.id, "Rain -> Harvest\nHarvest -> Income", submit=True)
    begin(people.colleague, a_figure.id, "Rain ->- Harvest", submit=True)
    begin(people.annotator, another_figure("Second").id, "A -> B; C; D; E", submit=False)


# --- importing --------------------------------------------------------------------------------------------------

GERMAN = (
    "Von;Nach;Vorzeichen;Bemerkung\nKäufer;Preis;+;\nPreis;Nachfrage;-;gezählt\nWärme;Käufer;seitwärts;\n"
    ";Preis;+;\nPreis;Öl\nÖl;Wärme;+;\n"
).encode("cp1252")  # lines 4, 5 and 6 are faulty: a sign, no source, two fields
GOOD_ROWS = "source,sink,sign,delay,flag,note\nKäufer,Preis,+,,,\nPreis,Nachfrage,-,,,gezählt\nÖl,Wärme,+,,,\n"


def paste(page: AppTest, text: str) -> AppTest:
    return page.text_area[0].set_value(text).run()


def test_pasted_arrows_are_seen_kept_over_a_refresh_and_imported_once(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = paste(open_as(people.researcher), "Rain -> Harvest\nHarvest ->+ Income\nno arrow here")
    assert "3 nodes, 2 edges, 1 signed, 1 faulty row; 3 rows read" in texts(page)
    assert page.dataframe[-1].value["Line"].tolist() == [3]
    again = open_as(people.researcher)
    assert again.text_area[0].value == "Rain -> Harvest\nHarvest ->+ Income\nno arrow here"
    again.text_input[0].set_value("Rain and income").run()
    press(again, "Import 1 graph")
    assert not again.exception
    assert "Rain and income · 3 nodes, 2 edges" in texts(again)
    (line,) = importing.imported_graphs(people.researcher)
    assert (line.title, line.nodes, line.edges) == ("Rain and income", 3, 2)
    press(again, "Import more")
    assert again.text_area[0].value == ""


def test_a_paste_that_broke_the_page_twice_is_offered_as_a_file_and_not_read_a_third_time(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def breaking(viewer: Viewer, files: importing.Files, answers: object = None) -> importing.ImportPreview:
        asked.append(files[0][1].decode())
        raise MemoryError("as if the server had been killed here")

    def opened() -> AppTest:
        page = AppTest.from_function(draw, kwargs={"viewer": people.researcher}, default_timeout=60)
        page.query_params["part"] = "import"
        return page.run()

    monkeypatch.setattr(importing, "preview", breaking)
    first = paste(opened(), "# a banner\nRain -> Harvest")
    assert first.exception
    first.run()  # the same session once more: still the first try
    assert opened().exception
    third = opened()
    assert not third.exception
    assert (third.text_area[0].value, asked) == ("", ["# a banner\nRain -> Harvest"] * 3)
    assert "A draft was set aside" in texts(third)
    assert [each.label for each in third.get("download_button")] == ["Download draft"]
    monkeypatch.undo()
    press(third, "Discard draft")
    assert "A draft was set aside" not in texts(third)
    assert drafts.archived_texts(people.researcher, "exchange/paste") == ()


def test_a_paste_that_is_read_or_refused_in_a_sentence_stays_however_often_it_is_loaded(
    open_as: Callable[..., AppTest], people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []
    begin_try = drafts.begin_try
    monkeypatch.setattr(drafts, "begin_try", lambda v, key, text: tries.append(text) or begin_try(v, key, text))
    page = paste(open_as(people.researcher), "no graph at all {")
    page.run()
    assert len(tries) == 1  # a text that came through needs no further note in this session
    for _ in range(4):
        assert open_as(people.researcher).text_area[0].value == "no graph at all {"
    assert drafts.archived_texts(people.researcher, "exchange/paste") == ()
    with current_study().store.reading() as session:
        assert [row.key for row in session.exec(select(DraftRow))] == ["exchange/paste"]


def test_a_file_in_another_encoding_and_language_is_asked_about_until_it_can_be_read(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = drop(open_as(people.researcher), ("markt.csv", GERMAN))
    assert "markt.csv cannot be read yet" in re.sub(r"\\|\*", "", page.markdown[0].value)
    assert not any(button.label.startswith("Import 1") for button in page.button)
    page.radio[0].set_value("cp1252").run()
    assert "needs the columns source and sink" in texts(page)
    boxes = {box.label: box for box in page.selectbox}
    for label, heading in (("Source", "Von"), ("Sink", "Nach"), ("Sign", "Vorzeichen"), ("Note", "Bemerkung")):
        boxes[label].set_value(heading)
    press(page, "Apply columns")
    assert "5 nodes, 3 edges, 3 signed, 3 faulty rows" in texts(page)
    assert page.dataframe[-1].value["Line"].tolist() == [4, 5, 6]
    press(page, "Import 1 graph")
    (line,) = importing.imported_graphs(people.researcher)
    assert (line.title, line.edges) == ("markt", 3)
    with current_study().store.reading() as session:
        kept = graphs.read_graph(session, line.id).graph()
    assert write_graph(kept, GraphForm.CSV).decode() == GOOD_ROWS


def test_a_column_can_be_said_to_hold_no_signs(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = drop(open_as(people.researcher), ("links.csv", b"source,sink,sign\nA,B,strong\nB,C,weak\n"))
    assert "0 nodes, 0 edges, 2 faulty rows" in texts(page)
    boxes = {box.label: box for box in page.selectbox}
    assert (boxes["Sign"].value, boxes["Sign"].options[0], boxes["Note"].value) == ("sign", "no column", "")
    assert "no column" not in boxes["Source"].options
    boxes["Sign"].set_value("")
    press(page, "Apply columns")
    assert "3 nodes, 2 edges; 2 rows read" in texts(page)
    assert {box.label: box for box in page.selectbox}["Sign"].value == ""


def test_a_zip_shows_its_graphs_and_only_those_chosen_are_kept(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    packed = write_archive([("a.csv", b"source,sink\nA,B\n"), ("b.txt", b"C -> D"), ("c.json", b'{"edges": [')])
    page = drop(open_as(people.researcher), ("all.zip", packed))
    assert not page.exception
    assert "Import the good rows" not in " ".join(button.label for button in page.button)
    assert page.dataframe[-1].value["File"].tolist() == ["all.zip/c.json"]
    press(page, "Import 2 graphs")
    assert [line.title for line in importing.imported_graphs(people.researcher)] == ["b", "a"]


def test_what_cannot_be_read_says_why_and_import_nothing_clears_the_page(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = drop(open_as(people.researcher), ("broken.json", b'{"edges": ['), ("<b>.csv", b"source,sink\nA,B\n"))
    assert "not JSON" in texts(page)
    assert "Not imported: broken.json." in texts(page)
    press(page, "Discard files")
    assert "You see a preview before anything is imported." in texts(page)
    assert importing.imported_graphs(people.researcher) == ()


def test_many_files_without_a_question_share_a_table_and_the_others_keep_their_cards(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    sound = [(f"sound {number}.txt", f"A -> B{number}".encode()) for number in range(7)]
    odd = [("faulty.csv", b"source,sink,sign\nA,B,maybe\nB,C,+\n"), ("asked.csv", b"a,b\nc,d\n")]
    page = drop(open_as(people.researcher), *sound[:3], *odd, *sound[3:])
    assert not page.exception
    assert page.dataframe[-2].value["File"].tolist() == [name for name, _content in sound]
    assert [box.value for box in page.text_input if box.label == "Title"] == ["faulty"]
    assert "Not imported: asked.csv." in texts(page)
    press(page, "Import 8 graphs")
    titles = [line.title for line in importing.imported_graphs(people.researcher)]
    assert sorted(titles) == ["faulty", *(f"sound {number}" for number in range(7))]


def test_one_graph_becomes_the_ground_truth_of_a_chosen_figure(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = paste(open_as(people.researcher), "Rain -> Harvest")
    (choice,) = [each for each in page.selectbox if each.label == "Ground truth of"]
    assert (choice.value, choice.options) == (None, ["Grain and people · Figure 1"])
    choice.set_value(a_figure.id).run()
    press(page, "Import 1 graph")
    assert not page.exception
    assert releasing.preview(people.researcher).origins == {"imported": 1}
    page = paste(open_as(people.researcher), "Rain -> Income")
    assert not [each for each in page.selectbox if each.label == "Ground truth of"]


def test_an_imported_graph_is_archived_and_restored_from_its_list(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    importing.import_graphs(
        people.researcher, [("wells.txt", b"Rain -> Wells")], with_faulty=False, act_id=str(uuid7())
    )
    page = open_as(people.owner)
    page.toggle[0].set_value(True).run()
    press(page, "Archive")
    assert "wells · 2 nodes, 1 edge · archived" in texts(page)
    press(page, "Restore")
    assert not importing.imported_graphs(people.owner)[0].is_archived


def test_the_list_of_imports_counts_nothing_of_a_figure_that_one_is_drawing(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    import_parts.bring_in(people.owner, figure=a_figure.id, title="Published solution")
    transcribing.take(people.researcher, a_figure.id, act_id=str(uuid7()))
    for viewer, told in ((people.researcher, "of a figure you are transcribing"), (people.owner, "3 nodes, 2 edges")):
        page = open_as(viewer)
        page.toggle[0].set_value(True).run()
        assert f"Published solution · {told}" in texts(page)
        assert import_parts.SECRET not in texts(page)
        assert "Archive" in [each.label for each in page.button]
    assert "Published solution" not in texts(open_as(people.reviewer))
    refused = AppTest.from_function(draw, kwargs={"viewer": people.annotator}, default_timeout=60)
    refused.run()  # which no menu leads to: annotators do not have this page
    assert refused.exception and "Published solution" not in texts(refused)


def test_a_reviewer_may_export_but_sees_nothing_of_importing(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.reviewer)
    assert not page.file_uploader
    assert page.segmented_control[0].options == ["Triplets", "Samples", "Export"]
    assert "submitted transcriptions" in texts(page)


# --- exporting --------------------------------------------------------------------------------------------------


def test_an_empty_study_says_when_something_will_stand_here(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.owner, part="export")
    assert "0 submitted transcriptions, 0 edges." in texts(page)
    assert "Transcriptions appear here once they are submitted" in texts(page)
    assert not page.get("download_button")
    assert not page.toggle


@pytest.mark.usefixtures("two_submitted_one_draft")
def test_the_counts_are_those_of_the_file(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.owner, part="export")
    assert "2 submitted transcriptions, 3 edges." in texts(page)
    assert [each.label for each in page.toggle] == ["Include 1 draft, 4 edges"]
    for with_drafts, rows in ((False, 3), (True, 7)):
        content = export_study(people.owner, GraphForm.CSV, with_drafts=with_drafts).content.decode("utf-8-sig")
        assert len(list(csv.reader(io.StringIO(content)))) - 1 == rows


@pytest.mark.usefixtures("two_submitted_one_draft")
def test_a_reviewer_is_offered_every_form_but_no_draft_and_no_name(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.reviewer)
    assert not page.toggle
    assert "draft" not in texts(page)
    assert len(page.get("download_button")) == 4
    for form in exporting.FORMS:
        content = export_study(people.reviewer, form).content.decode()
        assert "Harvest" in content
        assert not any(name in content for name in ("The annotator", "The colleague", "Second"))


def test_drafts_alone_are_offered_to_the_owner_once_chosen(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=False)
    page = open_as(people.owner, part="export")
    assert not page.get("download_button")
    page.toggle[0].set_value(True).run()
    assert len(page.get("download_button")) == 4
