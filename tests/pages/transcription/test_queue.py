"""The queue's screens: the next figure by one button, what lapsed and came free, and the desk of those in charge."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from core.people import Viewer
from pages.transcription.queue.screen import matching, queue_csv
from services.graphs import lab
from services.queue.work import return_claim
from services.study import Study
from services.transcription import lists, queue, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import new_id
from tests.conftest import Clock
from tests.pages.screen import button, labels, param, texts
from tests.pages.transcription.test_pace import opened
from tests.services import import_parts


def take(viewer: Viewer, figure: SimpleNamespace) -> str:
    return transcribing.take(viewer, figure.id, act_id=new_id()).subject_id


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.sessions.IDLE", timedelta(days=365))
    monkeypatch.setattr("store.sessions.LIFETIME", timedelta(days=365))


# --- those who draw ----------------------------------------------------------------------------------------------


def test_one_button_takes_the_next_figure_and_opens_it(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
) -> None:
    urgent = another_figure("Rice and rain")
    queue.prioritise(people.owner, [urgent.id], 9, act_id=new_id())
    page = opened(people.annotator)
    assert texts(page).startswith("**Rice and rain**\n")
    assert "Next for you" in texts(page)
    button(page, "Take next figure").click().run()
    assert not page.exception, page.exception
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.figure_id, mine.assignment_id) == (urgent.id, param(page, "transcription"))


def test_with_unfinished_work_the_button_goes_on_with_it(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)
    page = opened(people.annotator)
    assert "0 edges so far · claim expires 5 Mar 2026, 12:00 unless you edit" in texts(page)
    button(page, "Continue").click().run()
    assert param(page, "transcription") == work


def test_when_the_last_place_went_meanwhile_it_is_said_and_nothing_opens(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queue.want(people.owner, [a_figure.id], 1, act_id=new_id())
    page = opened(people.annotator)
    take(people.colleague, a_figure)
    button(page, "Take next figure").click().run()
    assert "No figure is free for you now" in texts(page)
    assert param(page, "transcription") == ""
    assert "Next for you" not in texts(page)


def test_a_lapsed_claim_is_told_and_resumed_from_the_list_and_from_its_own_screen(
    lasting: None, sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    for _time in range(2):
        clock.advance(hours=72)
        page = opened(people.annotator)
        assert "claim expired · 0 nodes, 0 edges" in texts(page)
        assert "Your edges are kept. You can resume while a place is free." in texts(page)
        button(page, "Resume").click().run()
        assert param(page, "transcription") == work
        assert "Submit" in labels(page)
    clock.advance(hours=72)
    page = opened(people.annotator, transcription=work)
    assert "Submit" not in labels(page)
    assert "Your claim ended. Your edges are kept" in texts(page)
    button(page, "Resume").click().run()
    assert "Submit" in labels(page)


def test_without_room_a_claim_that_ended_can_be_looked_at_only(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)
    return_claim(people.owner, FIGURES, work, act_id=new_id())
    queue.want(people.owner, [a_figure.id], 0, act_id=new_id())
    page = opened(people.annotator)
    assert "claim returned · 0 nodes, 0 edges" in texts(page)
    assert "No place is free for you now" in texts(page)
    assert labels(page) == ["Open"]
    page = opened(people.annotator, transcription=work)
    button(page, "Resume").click().run()
    assert "all places of this figure are taken now" in texts(page)


# --- those in charge ---------------------------------------------------------------------------------------------


def test_the_queue_is_a_part_for_those_in_charge_alone(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    take(people.colleague, a_figure)
    for viewer in (people.annotator, people.reviewer):
        shown = texts(opened(viewer, show="queue"))
        assert "expires" not in shown
        assert "The colleague" not in shown
    assert "The colleague" in texts(opened(people.researcher, show="queue"))


def test_holder_and_lapse_are_seen_and_a_claim_is_freed(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    take(people.annotator, a_figure)
    page = opened(people.owner, show="queue")
    shown = texts(page)
    assert "**The annotator**" in shown
    assert "Figure 1 · Grain and people · since 2 Mar 2026, 12:00 · expires 5 Mar 2026, 12:00" in shown
    assert "1 figure · 1 free place · transcriptions: 0 submitted, 1 in progress" in shown
    heads = json.loads(page.dataframe[0].proto.columns)
    assert (heads["Turn"]["label"], heads["Wanted"]["label"]) == ("Position", "Wanted")
    row = page.dataframe[0].value.iloc[0].to_dict()
    assert (row["Wanted"], row["In progress"], row["Free"], row["Held by"]) == (2, 1, 1, "The annotator")
    button(page, "Return claim").click().run()
    assert not page.exception, page.exception
    assert lists.own_lists(people.annotator).mine[0].ended == "freed"
    assert "Saved" in texts(page)
    assert "Return claim" not in labels(page)


def test_chosen_figures_get_a_priority_a_number_and_a_person(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    page = opened(people.researcher, show="queue")
    button(page, "Choose all 1").click().run()
    page.number_input[0].set_value(7)
    button(page, "Set priority").click()
    page.run()
    page.number_input[1].set_value(1)
    button(page, "Set annotators").click()
    page.run()
    person = page.selectbox[0]
    person.select(people.colleague.person_id)
    button(page, "Assign figure").click()
    page.run()
    assert not page.exception, page.exception
    (line,) = queue.queue_of_study(people.owner).lines
    assert (line.priority, line.wanted, line.own_number, line.free) == (7, 1, 1, 0)
    assert [holder.name for holder in line.holders] == ["The colleague"]
    page.selectbox[0].select(people.annotator.person_id)
    button(page, "Assign figure").click()
    page.run()
    assert "All places of this figure are taken" in texts(page)
    button(page, "Use default").click()
    page.run()
    (line,) = queue.queue_of_study(people.owner).lines
    assert (line.wanted, line.own_number) == (2, None)


def test_figures_are_found_by_paper_figure_or_person_and_taken_away_safely(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
) -> None:
    another_figure("=Rice(1)")
    take(people.annotator, a_figure)
    lines = queue.queue_of_study(people.owner).lines
    assert [line.paper_title for line in matching(lines, "all", "rice")] == ["=Rice(1)"]
    assert [line.paper_title for line in matching(lines, "all", "the annotator")] == ["Grain and people"]
    assert [line.paper_title for line in matching(lines, "held", "")] == ["Grain and people"]
    assert [line.paper_title for line in matching(lines, "untouched", "")] == ["=Rice(1)"]
    content = queue_csv(lines, {}).decode("utf-8-sig")
    assert "'=Rice(1)" in content
    assert content.splitlines()[0].startswith("id,figure,paper,nodes found,minutes,turn,wanted")


def test_who_looked_before_submitting_is_listed_found_and_taken_away(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    another_figure("Of nobody")
    work, _ = import_parts.draw(people.researcher, a_figure.id)
    import_parts.bring_in(people.researcher, figure=a_figure.id)
    import_parts.hand_in(people.researcher, work)
    page = opened(people.owner, show="queue", which="looked")
    (table,) = [each.value for each in page.dataframe if "Not fully blind" in each.value]
    assert table["Not fully blind"].tolist() == ["The researcher (2 Mar 2026, 12:00)"]
    lines = queue.queue_of_study(people.owner).lines
    assert [line.paper_title for line in matching(lines, "looked", "")] == ["Grain and people"]
    header, *rows = queue_csv(lines, {}).decode("utf-8-sig").splitlines()
    assert header.endswith("not fully blind")
    assert [row for row in rows if "The researcher (2 Mar 2026, 12:00)" in row]


def test_the_newest_graph_of_a_figure_is_a_picture_for_those_who_may_see_it(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    _work, graph_id = import_parts.draw(people.annotator, a_figure.id, submit=True)
    table = tables_of_figures(people.owner)
    assert table["Newest graph"].tolist() == [None], "not opened, and the owner may draw it yet"
    lab.open_graph(people.owner, graph_id)
    (address,) = tables_of_figures(people.owner)["Newest graph"]
    assert address.startswith(f"/image/graph/{graph_id}?v=")


def tables_of_figures(viewer: Viewer) -> Any:
    (table,) = [each.value for each in opened(viewer, show="queue").dataframe if "Newest graph" in each.value]
    return table
