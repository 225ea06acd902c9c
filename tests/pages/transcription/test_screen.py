"""Transcribe alone: worklists by role, taking a figure, one transcription, and what the desk's acts become."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from types import SimpleNamespace

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from components.desk.tab import desk_key, tab_key
from components.widgets.edge_tables import version_rows
from components.widgets.work_list import PER_PAGE
from core.errors import SignedOut, StoreUnavailable
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.people import Viewer
from core.sign import Sign
from core.transcription.declining import FigureVerdict
from pages.transcription import acts as transcription_acts
from services.people import access
from services.study import Study
from services.transcription import lists, reading, transcribing
from store.tables import EventRow
from tests.pages.screen import button, choose_view, draw_alone, labels, leave_unsaved, param, press, sent, texts
from tests.pages.screen import desk_act as act
from tests.pages.transcription.tabs import opened, send


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.transcription import screen as transcribe

    transcribe.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    """`open_as(viewer, transcription=…)` draws the page alone, for that viewer, at that link."""
    return partial(draw_alone, draw)


def new_act() -> str:
    return str(uuid7())


def begin(viewer: Viewer, figure_id: str, lines: str = "", *, submit: bool = False) -> str:
    """Take a figure, draw `lines`, and hand them in if asked; returns the transcription."""
    work = transcribing.take(viewer, figure_id, act_id=new_act()).subject_id
    if lines:
        transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_act())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_act())
    return work


def acts_kept(study: Study) -> list[str]:
    with study.store.reading() as session:
        return [event.act for event in session.exec(select(EventRow).order_by(EventRow.seq)).all()]  # type: ignore[arg-type]


# --- the lists --------------------------------------------------------------------------------------------------


def test_without_figures_each_list_says_what_would_fill_it(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    page = open_as(people.researcher)
    shown = texts(page)
    assert "No transcriptions yet." in shown
    assert "No figure is free for you now" in shown and "Figures appear here once they are located" in shown
    assert "Nothing has been submitted yet." in shown
    assert "Next for you: Add the first papers" in shown and labels(page) == ["Open"]


def test_taking_a_figure_opens_it_and_keeps_one_act_however_often_it_is_clicked(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    page = open_as(people.annotator)
    assert labels(page) == ["Take next figure", "Take"]
    take = button(page, "Take")
    take.click().run()
    assert not page.exception
    opened = param(page, "transcription")
    assert lists.own_lists(people.annotator).mine[0].assignment_id == opened
    page.query_params.pop("transcription")
    page.query_params["figure"] = a_figure.id  # the link that Papers gives, opened after the click
    page.run()
    assert param(page, "transcription") == opened
    assert param(page, "figure") == ""
    assert acts_kept(sqlite_study).count("transcription.take") == 1


def test_an_annotator_sees_their_own_work_and_no_trace_of_a_colleagues(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    begin(people.colleague, a_figure.id, "Rain -> Harvest", submit=True)
    page = open_as(people.annotator)
    assert labels(page) == ["Take next figure", "Take"]
    assert "Submitted work" not in texts(page)
    assert "The colleague" not in texts(page)
    own = open_as(people.colleague)
    assert labels(own) == ["Open"]
    assert "submitted · 2 nodes, 1 edge" in texts(own)
    assert "All figures in your queue are transcribed" in texts(own)
    assert "There is no other work for you now." in texts(own)


def test_a_reviewer_sees_what_is_submitted_and_nothing_that_is_not(
    open_as: Callable[..., AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    begin(people.colleague, another_figure("Still drawn").id, "Secret -> Plan")
    page = open_as(people.reviewer)
    assert labels(page) == ["Open"]
    shown = texts(page)
    assert "The annotator" not in shown and "stay unnamed until their figure is adjudicated" in shown
    assert "Still drawn" not in shown
    assert "My work" not in shown


def test_work_that_came_back_stands_first_with_its_comment(
    open_as: Callable[..., AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    another_figure: Callable[..., SimpleNamespace],
) -> None:
    back = begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    begin(people.annotator, another_figure("Newer").id)
    transcribing.return_to_annotator(people.reviewer, back, "Look at *Rain* again", act_id=new_act())
    page = open_as(people.annotator)
    assert labels(page) == ["Open returned figure", "Continue", "Continue"]
    titles = [element.value for element in page.markdown]
    assert titles == ["**Grain and people**", "**Grain and people**", "**Newer**"]  # next for you, then the list
    assert "Look at *Rain* again" in texts(page)
    button(page, "Continue").click().run()
    assert param(page, "transcription") == back
    assert "Returned with this comment" in texts(page)


def test_a_figure_archived_meanwhile_is_said_where_it_was_to_be_taken(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    page = open_as(people.annotator)
    with sqlite_study.store.writing() as session:
        from store.tables import FigureRow

        row = session.get(FigureRow, a_figure.id)
        assert row is not None
        row.archived_at = sqlite_study.clock()
        session.add(row)
    button(page, "Take").click().run()
    assert "This figure is archived. Choose another figure." in texts(page)
    assert acts_kept(sqlite_study).count("transcription.take") == 0


# --- a long list ------------------------------------------------------------------------------------------------


def draw_list(count, broken) -> None:  # type: ignore[no-untyped-def]
    import streamlit as st

    from components.widgets.work_list import WorkLine, work_list
    from core.errors import Refused

    def choose(line_id: str) -> None:
        if broken:
            raise Refused("No [more] of these.")
        st.session_state["chosen"] = line_id

    lines = [
        WorkLine(
            id=str(n), title=f"Paper *{n}*", detail="Figure 1", state="not begun", counts="", comment="", verb="Take"
        )
        for n in range(count)
    ]
    work_list(lines, key="list", on_choose=choose)


def test_a_long_list_is_paged_and_a_short_one_is_not() -> None:
    short = AppTest.from_function(draw_list, kwargs={"count": PER_PAGE, "broken": False}, default_timeout=60).run()
    assert len(short.button) == PER_PAGE
    long = AppTest.from_function(draw_list, kwargs={"count": PER_PAGE + 3, "broken": False}, default_timeout=60).run()
    assert len(long.button) == PER_PAGE
    second = AppTest.from_function(draw_list, kwargs={"count": PER_PAGE + 3, "broken": False}, default_timeout=60)
    second.session_state["list.page"] = 2
    second.run()
    assert [each.value for each in second.markdown] == [f"**Paper \\*{n}\\***" for n in (25, 26, 27)]
    second.button[0].click().run()
    assert second.session_state["chosen"] == "25"


def test_an_act_of_a_list_that_fails_is_said_below_it() -> None:
    page = AppTest.from_function(draw_list, kwargs={"count": 1, "broken": True}, default_timeout=60).run()
    page.button[0].click().run()
    assert [each.value for each in page.error] == ["No \\[more\\] of these\\."]
    page.run()
    assert not page.error


# --- one transcription ------------------------------------------------------------------------------------------


def test_the_annotator_may_submit_once_there_is_an_edge(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    page = open_as(people.annotator, transcription=work)
    assert button(page, "Submit").disabled
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_act())
    page.run()
    assert not button(page, "Submit").disabled
    button(page, "Submit").click().run()
    assert "2 nodes, 1 edge. A submitted transcription cannot be changed." in texts(page)


def test_a_submitted_transcription_offers_its_annotator_nothing_to_change(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    page = open_as(people.annotator, transcription=work)
    assert labels(page) == ["All transcriptions", "Next figure", "Add comment"]
    assert "Submitted" in texts(page)
    assert "a reviewer accepts it or returns it to you" in texts(page)
    button(page, "All transcriptions").click().run()
    assert "transcription" not in page.query_params


def test_a_reviewer_may_accept_or_return_and_a_missing_comment_leaves_the_screen_standing(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    page = open_as(people.reviewer, transcription=work)
    assert set(labels(page)) == {"All transcriptions", "Accept transcription", "Return transcription", "Add comment"}
    button(page, "Return transcription").click().run()
    assert "Write what to check again" in texts(page)
    assert "Harvest" in sent(page)
    page.text_area[0].input("Once more, please")
    button(page, "Return transcription").click().run()
    assert not page.exception
    assert acts_kept(sqlite_study)[-1] == "transcription.return"


def test_what_changed_meanwhile_is_said_when_a_reviewer_accepts_too_late(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    page = open_as(people.reviewer, transcription=work)
    transcribing.accept(people.owner, work, act_id=new_act())
    button(page, "Accept transcription").click().run()
    assert "This transcription is accepted, not submitted." in texts(page)
    assert acts_kept(sqlite_study).count("transcription.accept") == 1


def test_nobody_else_opens_a_draft_by_its_link(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest")
    for viewer in (people.colleague, people.reviewer, people.expert):
        page = open_as(viewer, transcription=work)
        assert len(page.error) == 1
        assert "Harvest" not in texts(page)
        assert [button.label for button in page.button] == ["All transcriptions"]


# --- acts from the desk, as plain functions ---------------------------------------------------------------------


def test_acts_are_applied_in_order_once_and_answered(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work = begin(people.annotator, a_figure.id)
    held = opened(people.annotator, work)
    acts = (
        act("lines", text="Rain -> Harvest", pasted=False),
        act("lines", text="Harvest -> Income", pasted=False),
        act("undo"),
    )
    for _again in range(2):
        assert send(held, people.annotator, *acts).done == tuple(each["id"] for each in acts)
    assert held.seen == 4
    record = reading.transcription(people.annotator, work).record
    assert [(edge.source, edge.sink) for edge in record.graph().edges] == [("Rain", "Harvest")]


def test_a_stale_copy_keeps_the_act_unanswered_until_the_person_goes_on(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    held = opened(people.annotator, work)
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_act())
    waiting = act("lines", text="Harvest -> Income", pasted=False)
    answer = send(held, people.annotator, waiting)
    assert (held.is_stale, answer.done, answer.refused) == (True, (), {})
    assert answer.data is not None and (answer.data["halted"], answer.data["edges"]) == (True, [])
    held.use_newer()
    held.mounted(people.annotator)  # as the drawing does
    assert send(held, people.annotator, waiting).done == (waiting["id"],)
    assert len(reading.transcription(people.annotator, work).record.edges) == 2


def test_acts_that_name_another_persons_edge_are_refused_and_change_nothing(
    people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    theirs = begin(people.colleague, a_figure.id, "Rain -> Harvest")
    before = reading.transcription(people.colleague, theirs).record
    edge_id = next(iter(before.edges))
    mine = begin(people.annotator, a_figure.id, "Sun -> Harvest")
    kept_acts = len(acts_kept(sqlite_study))
    for kind in ("edit_edge", "delete_edge"):
        for held in (opened(people.annotator, mine), opened(people.colleague, theirs)):  # if ever they got to theirs
            said = act(kind, edge_id=edge_id, field="sign", value="-")
            answer = send(held, people.annotator, said)
            assert list(answer.refused) == [said["id"]]
            assert (answer.data is None) == (held.work.id == theirs)
    assert reading.transcription(people.colleague, theirs).record == before
    assert len(acts_kept(sqlite_study)) == kept_acts


def test_an_act_of_an_ended_session_stays_in_the_browser(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work = begin(people.annotator, a_figure.id)
    held = opened(people.annotator, work)
    access.sign_out_everywhere(people.annotator, act_id=new_act())
    with pytest.raises(SignedOut):  # the route answers 401, and the desk keeps the act
        send(held, people.annotator, act("lines", text="Rain -> Harvest", pasted=False))
    assert held.serial == 0


@pytest.mark.parametrize("error", [StoreUnavailable("disk full"), SignedOut("no session")])
def test_acts_behind_one_that_could_not_be_kept_wait_with_it(
    people: SimpleNamespace, a_figure: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    held = opened(people.annotator, begin(people.annotator, a_figure.id))
    tried: list[str] = []

    def fail(_viewer: Viewer, _id: str, _said: object, /, *, seen: int, act_id: str) -> None:
        tried.append(act_id)
        raise error

    monkeypatch.setattr(transcription_acts, "applied", fail)
    first, second = act("undo"), act("undo")
    with pytest.raises(type(error)):
        send(held, people.annotator, first, second)
    assert tried == [first["id"]]


def test_a_misshapen_act_is_answered_and_does_no_harm(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work = begin(people.annotator, a_figure.id)
    held = opened(people.annotator, work)
    misshapen: tuple[tuple[str, dict[str, object], str], ...] = (
        ("explode", {}, "does not know"),
        ("edit_edge", {"edge_id": {"$ne": ""}, "field": ["sign"], "value": "+"}, ""),
        ("lines", {"text": None, "pasted": "yes"}, ""),
    )
    for kind, data, said in misshapen:
        sent = act(kind, **data)
        assert said in send(held, people.annotator, sent).refused[sent["id"]]
    assert not reading.transcription(people.annotator, work).record.edges


def test_a_faulty_line_is_kept_under_the_act_it_came_with(people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    work = begin(people.annotator, a_figure.id)
    held = opened(people.annotator, work)
    sent = act("lines", text="Rain -> Harvest\nRain ->", pasted=True)
    send(held, people.annotator, sent)
    waiting = reading.transcription(people.annotator, work).faults
    assert [(fault.text, fault.act_id) for fault in waiting] == [("Rain ->", sent["id"])]
    send(held, people.annotator, act("drop_fault", text="Rain ->"))
    assert reading.transcription(people.annotator, work).faults == ()


# --- buttons beside the desk ------------------------------------------------------------------------------------

PRICES = "Rain -> Prices\nRain -> Price"


def sun(sink: str = "Rain") -> dict[str, object]:
    return act("lines", text=f"Sun -> {sink}", pasted=False)


@pytest.mark.parametrize(("count", "said"), [(1, "1 change is not saved yet."), (3, "3 changes are not saved yet.")])
def test_nothing_is_submitted_while_changes_wait_in_the_browser(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, count: int, said: str
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest")
    page = open_as(people.annotator, transcription=work)
    leave_unsaved(page, desk_key("transcription", work), count)
    assert (button(page, "Submit").disabled, button(page, "Submit").help) == (True, said)
    leave_unsaved(page, desk_key("transcription", work), 0)
    assert not button(page, "Submit").disabled


def test_an_answer_or_submit_right_after_an_act_of_the_desk_is_no_conflict(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id, PRICES)
    page = open_as(people.annotator, transcription=work)
    held = page.session_state[tab_key("transcription", work)]
    send(held, people.annotator, sun())
    press(page, "Two variables")
    assert "One variable or two" not in texts(page)
    press(page, "Submit")
    send(held, people.annotator, sun("Harvest"))
    [each for each in page.button if each.label == "Submit"][-1].click().run()
    assert not page.exception and not page.error
    assert not held.is_stale
    now = reading.transcription(people.annotator, work)
    assert (now.state, len(now.record.edges)) == ("submitted", 4)
    late = sun("Price")
    assert "submitted" in send(held, people.annotator, late).refused[late["id"]]


def test_declining_right_after_an_act_of_the_desk_is_no_conflict(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    page = open_as(people.annotator, transcription=work)
    held = page.session_state[tab_key("transcription", work)]
    send(held, people.annotator, sun())
    page.radio[0].set_value(FigureVerdict.NOT_CAUSAL)
    page.text_area[0].set_value("A photograph.")
    press(page, "Decline and next")
    assert not held.is_stale and not page.error
    assert reading.transcription(people.annotator, work).state == "declined"


def test_a_button_waits_for_the_act_that_is_being_stored(
    open_as: Callable[..., AppTest],
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = begin(people.annotator, a_figure.id, PRICES)
    page = open_as(people.annotator, transcription=work)
    held = page.session_state[tab_key("transcription", work)]
    has_begun, add_lines = Event(), transcribing.add_lines

    def slowly(*given: object, **to: object) -> object:
        has_begun.set()
        time.sleep(0.3)  # for which a button that does not wait would be first
        return add_lines(*given, **to)  # type: ignore[arg-type]

    monkeypatch.setattr(transcribing, "add_lines", slowly)
    sent = sun()
    with ThreadPoolExecutor(1) as desk:
        answer = desk.submit(send, held, people.annotator, sent)
        assert has_begun.wait(30)
        press(page, "Two variables")
    assert answer.result().done == (sent["id"],)
    assert not held.is_stale and "One variable or two" not in texts(page)


# --- two versions side by side ----------------------------------------------------------------------------------


def test_version_rows_mark_what_only_one_side_holds() -> None:
    mine = CausalGraph.of([Edge("Rain", "Harvest", Sign.PLUS), Edge("Sun", "Harvest")])
    theirs = CausalGraph.of([Edge("Rain", "Harvest", Sign.MINUS), Edge("Sun", "Harvest")])
    assert version_rows(mine, theirs) == [
        {"Source": "Rain", "Sign": "+", "Sink": "Harvest", "Compared": "only here"},
        {"Source": "Sun", "Sign": "", "Sink": "Harvest", "Compared": ""},
    ]
    assert version_rows(CausalGraph.of([]), theirs) == []


def test_the_graph_is_drawn_for_itself_once_somebody_chooses_that_view(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    transcribing.add_lines(people.annotator, work, "A ->+ B", pasted=False, seen=1, act_id=new_act())
    page = open_as(people.annotator, transcription=work)
    held = page.session_state[tab_key("transcription", work)]
    assert held.mounted(people.annotator)["drawing"] is None
    choose_view(page, desk_key("transcription", work), "graph")
    drawing = held.mounted(people.annotator)["drawing"]
    assert {node["name"] for node in drawing["nodes"]} == {"A", "B"}
    assert [edge["mark"] for edge in drawing["edges"]] == ["+"]


def test_a_stale_copy_is_drawn_though_the_store_no_longer_has_its_nodes(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest")
    held = opened(people.annotator, work)
    held.shows_graph = True
    edge_id = next(iter(held.shown.edges))
    transcribing.remove_node(people.annotator, work, "Rain", seen=held.seen, act_id=new_act())
    answer = send(held, people.annotator, act("lines", text="Harvest -> Income", pasted=False))
    assert held.is_stale and answer.data is not None
    assert [edge["ref"] for edge in answer.data["drawing"]["edges"]] == [edge_id]
