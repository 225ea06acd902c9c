"""The Agreement screen: its figures named, tables that open down to what differs, and links that restore it."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.graphs import lab
from services.queue import settings
from services.study import Study
from services.transcription import lists, transcribing
from store.tables import new_id
from tests.conftest import add_figure
from tests.pages.screen import choose_place, draw_alone, texts
from tests.services import import_parts
from tests.shared_fixture import laid_once
from tests.transcribed_twice import FIRST, SECOND, transcribe


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own
    from components import shell
    from pages.agreement import screen as agreement

    with shell.boundary():
        agreement.show(viewer)


opened = partial(draw_alone, draw)


def switch(page: AppTest, name: str, value: str) -> AppTest:
    (control,) = [each for each in page.button_group if each.key == f"agreement.{name}"]
    control.set_value(value).run()
    assert not page.exception, page.exception
    return page


@pytest.fixture
def twice(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, request: pytest.FixtureRequest
) -> SimpleNamespace:
    """Two figures submitted twice: one drawn alike, one with slips."""

    def make() -> SimpleNamespace:
        alike = add_figure(sqlite_study, "Drawn alike")
        for figure, lines in ((a_figure, (FIRST, SECOND)), (alike, (FIRST, FIRST))):
            for viewer, text in zip((people.annotator, people.colleague), lines, strict=True):
                transcribe(viewer, figure.id, text)
                sqlite_study.clock.advance(minutes=1)  # type: ignore[attr-defined]
        return SimpleNamespace(slips=a_figure, alike=alike)

    return laid_once(request, sqlite_study, make, people, a_figure)


def test_the_headline_and_table_20_name_what_every_figure_is_over_how_it_is_computed_and_the_worst_figure(
    twice: SimpleNamespace, people: SimpleNamespace
) -> None:
    page = opened(people.reviewer)
    words = texts(page)
    # F1 10/14 and 1: mean .857, sd .143. Pooled: 12 TP, 2 FP, 2 FN, so 24/28.
    assert "Two annotators agree on edges with an F1 of **0.857** and a κ of **" in words
    assert ": means over 2 figures transcribed twice." in words
    assert "Pooled: F1 0.857 [95%: 0.714–1.000], κ " in words and " over 50 ordered pairs." in words
    assert "Aligned names: 1 with a typo, 0 with a minor difference" in words
    assert "bootstrap over figures, 1,000 draws, seed 1" in words
    assert "**Printed names** (the paper's table 21)" in words
    assert "| nodes | 0.9943 ± 0.0204 | 1.0000 ± 0.0000 | 0.9970 ± 0.0106 |" in words
    assert "| edge FP, total | 5 | 6 |" in words
    table, figures, differ = (page.dataframe[place].value for place in (0, 1, -1))
    assert table["Elements"].tolist() == ["Nodes", "Edges", "Nodes and edges"]
    assert table["F1"].tolist()[1] == "0.857 ± 0.143"
    assert table["κ"].tolist()[::2] == ["–", "–"]
    (chart,) = page.get("vega_lite_chart")
    assert "Edges, F1: 0.857 (0.714–1.000)" in chart.proto.alt
    assert "Nodes, κ" not in chart.proto.alt, "it is undefined"
    assert "SHD" not in chart.proto.alt, "a distance has another scale"
    assert figures["Figure"].tolist() == ["Grain and people · Figure 1", "Drawn alike · Figure 1"]
    assert figures["F1"].tolist() == ["0.714", "1.000"]
    assert differ["Kind"].tolist() == ["direction", "edge", "edge"]
    assert differ.columns.tolist() == ["Kind", "Element", "A (A1)", "B (A6)"]
    for name in (people.annotator.name, people.colleague.name):
        assert name not in words
    assert page.toggle[0].label == "Show 3 differences outside this cell"
    page.toggle[0].set_value(True).run()
    everything = ["auto-correctable typo", "node", "sign", "direction", "edge", "edge"]
    assert page.dataframe[-1].value["Kind"].tolist() == everything


def test_a_cell_is_chosen_in_the_table_and_the_link_keeps_it(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    page = opened(people.reviewer)
    choose_place(page, "agreement.cell.table-20", 0, 0)
    assert "**F1 of nodes**" in texts(page)
    assert page.query_params["line"] == "0"
    assert page.dataframe[-1].value["Kind"].tolist() == ["auto-correctable typo", "node"]
    again = opened(people.reviewer, line="0", column="4", view="aligned", over="pooled")
    assert "**SHD ÷ reference of nodes**" in texts(again)
    assert again.dataframe[0].value["SHD"].tolist() == ["1", "4", "5"]


def test_either_may_be_the_reference_and_the_link_says_which(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    page = opened(people.reviewer, part="table-21")
    first = ["Grain and people · Figure 1", "5", "7", "1", "0", "2", "2"]
    assert page.dataframe[0].value.iloc[0].tolist() == first
    assert page.dataframe[0].value["Node FP"].tolist() == ["1", "0", "1"]
    (chart,) = page.get("vega_lite_chart")
    assert "Grain and people · Figure 1, Node FP: 1" in chart.proto.alt
    assert "Total" not in chart.proto.alt and "nodes:" not in chart.proto.alt
    switch(page, "reference", "second")
    assert page.dataframe[0].value["Node FP"].tolist() == ["0", "0", "0"]
    assert page.dataframe[0].value["Node FN"].tolist() == ["1", "0", "1"]
    assert page.query_params["reference"] == "second"


def test_every_table_opens_by_its_link_and_offers_three_files(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    heads = {"table-20": "Nodes", "pairs": "A1 and A6 (2)", "annotators": "A1 (2)", "sizes": "Up to 10 nodes (2)"}
    for part, head in heads.items():
        page = opened(people.reviewer, part=part, view="aligned")
        assert not page.error
        assert page.dataframe[0].value.iloc[0, 0] == head
        labels = [button.label for button in page.get("download_button")]  # type: ignore[attr-defined]
        assert labels == ["CSV (all values)", "LaTeX (booktabs)", "Excel workbook"]
        if part == "pairs":
            assert "Pairs, aligned names, reference: first" in texts(page)


def test_another_table_does_not_open_with_the_cell_of_the_last(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    page = opened(people.reviewer, line="2", column="5")
    switch(page, "part", "sizes")
    assert "line" not in page.query_params
    assert "**F1 of edges, up to 10 nodes**" in texts(page)


def test_what_is_undefined_is_a_dash_with_its_reason(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    page = opened(people.reviewer, part="more")
    table = page.dataframe[0].value.set_index("Measure")
    assert table.loc["κ of delays"].tolist() == ["–", "–", "–"]
    assert texts(page).count("means undefined; choose the cell to see why") == 1
    page = opened(people.reviewer, part="more", line=str(list(table.index).index("κ of delays")), column="1")
    assert "the reference marks no matched edge as delayed (2 of 2)" in texts(page)


def test_a_broken_link_opens_the_screen_as_it_begins(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    for link in ({"part": "none"}, {"line": "99", "column": "x"}, {"figure": "gone", "view": "<b>"}):
        page = opened(people.reviewer, **link)
        assert page.dataframe[0].value["Elements"].tolist()[0] == "Nodes"


def test_before_anything_is_handed_in_twice_the_screen_says_what_fills_it(
    sqlite_study: Study, people: SimpleNamespace
) -> None:
    page = opened(people.researcher)
    assert "No figure has been transcribed twice yet" in texts(page)
    assert [button.label for button in page.button] == ["Transcribe figures"]
    assert not [button.label for button in opened(people.reviewer).button]


def test_who_still_draws_the_figure_is_told_why_it_is_not_shown(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    transcribing.take(people.researcher, a_figure.id, act_id=new_id())
    three = settings.QueueSettings(overlap=3)
    settings.save_settings(people.owner, three, seen=0, act_id=new_id())
    transcribe(people.annotator, a_figure.id, FIRST)
    transcribe(people.colleague, a_figure.id, SECOND)
    words = texts(opened(people.researcher))
    assert "1 figure left out while you are still at work on them" in words
    assert "Harvest" not in words


def test_annotators_and_experts_are_refused(twice: SimpleNamespace, people: SimpleNamespace) -> None:
    for viewer in (people.annotator, people.expert):
        page = opened(viewer)
        assert "does not allow this" in texts(page)
        assert not page.dataframe


def test_names_from_outside_stay_text(sqlite_study: Study, people: SimpleNamespace) -> None:
    figure = add_figure(sqlite_study, "**Bold** ![x](http://evil.example/x.png) <b>")
    transcribe(people.annotator, figure.id, '"![y](http://evil.example/y.png)" -> B')
    transcribe(people.colleague, figure.id, "A -> B")
    page = opened(people.reviewer)
    shown = "\n".join(str(each.value) for each in [*page.markdown, *page.caption])
    assert "![x](" not in shown and "![y](" not in shown


def test_a_figure_that_is_not_fully_blind_is_counted_marked_and_said(
    twice: SimpleNamespace, people: SimpleNamespace, sqlite_study: Study
) -> None:
    words = texts(opened(people.reviewer))
    assert "blind" not in words and "‡" not in words
    graph_id = import_parts.bring_in(people.owner, figure=twice.slips.id)
    lab.open_graph(people.colleague, graph_id)  # theirs is handed in
    (work,) = [each for each in lists.own_lists(people.colleague).mine if each.figure_id == twice.slips.id]
    transcribing.return_to_annotator(people.reviewer, work.assignment_id or "", "Again", act_id=new_id())
    import_parts.hand_in(people.colleague, work.assignment_id or "")
    page = opened(people.reviewer)
    words = texts(page)
    assert "2 figures transcribed twice." in words
    assert "**1 of 2 figures not fully blind** (marked ‡)" in words
    assert (
        "Not fully blind: A6 had seen another transcription or an imported graph of this figure before submitting."
        in words
    )
    listed = next(each.value for each in page.dataframe if "A, B" in each.value)
    assert sorted(listed["A, B"]) == ["A1, A6", "A1, A6 ‡"]
