"""Transcribe alone: worklists by role, taking a figure, one transcription, and what the desk's acts become."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest
from uuid_utils import uuid7

from components.desk.outbox import ActLedger
from components.widgets.edge_tables import version_rows
from components.widgets.work_list import PER_PAGE
from core.errors import SignedOut, StoreTrouble
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.record import GraphRecord
from core.people import Viewer
from core.sign import Sign
from pages.transcription import acts as transcription_acts
from pages.transcription.acts import TranscriptionTab, take_acts
from services.people import access
from services.study import Study
from services.transcription import lists, transcribing
from store.tables import EventRow
from tests.pages.screen import button, draw_alone, labels, param, texts
from tests.pages.screen import desk_act as act


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
    assert "No figure is free yet. Figures appear here once they are located under Papers." in shown
    assert "Nothing has been submitted yet." in shown
    assert not page.button


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
    assert "No figure is free for you now." in texts(own)


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
    assert "The annotator" in shown
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
    transcribing.give_back(people.reviewer, back, "Look at *Rain* again", act_id=new_act())
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
    assert labels(page) == ["All transcriptions", "Next figure"]
    assert "Submitted" in texts(page)
    assert "a reviewer accepts it or returns it to you" in texts(page)
    button(page, "All transcriptions").click().run()
    assert "transcription" not in page.query_params


def test_a_reviewer_may_accept_or_return_and_a_missing_comment_leaves_the_screen_standing(
    open_as: Callable[..., AppTest], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    work = begin(people.annotator, a_figure.id, "Rain -> Harvest", submit=True)
    page = open_as(people.reviewer, transcription=work)
    assert set(labels(page)) == {"All transcriptions", "Accept transcription", "Return transcription"}
    button(page, "Return transcription").click().run()
    assert "Write what to check again" in texts(page)
    assert len(page.segmented_control if hasattr(page, "segmented_control") else page.get("button_group")) == 1
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


def held(version: int = 1) -> TranscriptionTab:
    return TranscriptionTab(seen=version, shown=GraphRecord(), names=(), ledger=ActLedger())


def send(memory: dict[str, Any], viewer: Viewer, work: str, *acts: dict[str, object]) -> TranscriptionTab:
    """What one rerun does with the desk's outbox."""
    kept: TranscriptionTab = memory.setdefault(f"transcription.{work}.held", held())
    memory["desk"] = {"outbox": {"tab": "t", "attempt": 0, "acts": list(acts)}}
    take_acts(viewer, work, "desk")
    return kept


def test_acts_are_applied_in_order_once_and_answered(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    work = begin(people.annotator, a_figure.id)
    acts = (
        act("lines", text="Rain -> Harvest", pasted=False),
        act("lines", text="Harvest -> Income", pasted=False),
        act("undo"),
    )
    for _again in range(2):
        kept = send(memory, people.annotator, work, *acts)
    assert kept.seen == 4
    assert kept.ledger.done == {each["id"] for each in acts}
    record = transcribing.transcription(people.annotator, work).record
    assert [(edge.source, edge.sink) for edge in record.graph().edges] == [("Rain", "Harvest")]


def test_a_stale_copy_keeps_the_act_unanswered_until_the_person_goes_on(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    transcribing.add_lines(people.annotator, work, "Rain -> Harvest", pasted=False, seen=1, act_id=new_act())
    waiting = act("lines", text="Harvest -> Income", pasted=False)
    kept = send(memory, people.annotator, work, waiting)
    assert kept.is_stale
    assert kept.ledger.done == frozenset()
    kept.go_on()
    kept.seen = transcribing.transcription(people.annotator, work).version  # as the drawing does
    send(memory, people.annotator, work, waiting)
    assert kept.ledger.done == {waiting["id"]}
    assert len(transcribing.transcription(people.annotator, work).record.edges) == 2


def test_acts_that_name_another_persons_edge_are_refused_and_change_nothing(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace, sqlite_study: Study
) -> None:
    theirs = begin(people.colleague, a_figure.id, "Rain -> Harvest")
    before = transcribing.transcription(people.colleague, theirs).record
    edge_id = next(iter(before.edges))
    mine = begin(people.annotator, a_figure.id, "Sun -> Harvest")
    kept_acts = len(acts_kept(sqlite_study))
    for kind in ("edit_edge", "delete_edge"):
        memory.clear()
        for work in (mine, theirs):
            kept = send(memory, people.annotator, work, act(kind, edge_id=edge_id, field="sign", value="-"))
            assert kept.is_stale or len(kept.ledger.as_data()["refused"]) == 1
    assert transcribing.transcription(people.colleague, theirs).record == before
    assert len(acts_kept(sqlite_study)) == kept_acts


def test_an_act_of_an_ended_session_stays_in_the_browser(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    access.sign_out_everywhere(people.annotator, act_id=new_act())
    kept = send(memory, people.annotator, work, act("lines", text="Rain -> Harvest", pasted=False))
    assert kept.ledger.done == frozenset()
    assert "signed out" in kept.trouble


def test_acts_behind_one_that_could_not_be_kept_wait_with_it(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begin(people.annotator, a_figure.id)
    errors: list[Exception] = [StoreTrouble("disk full"), SignedOut("no session")]
    tried: list[str] = []

    def fail(_viewer: Viewer, _id: str, _said: object, /, *, seen: int, act_id: str) -> None:
        tried.append(act_id)
        raise errors.pop()

    monkeypatch.setattr(transcription_acts, "applied", fail)
    for _ in range(2):
        memory.clear()
        first, second = act("undo"), act("undo")
        kept = send(memory, people.annotator, work, first, second)
        assert tried[-1:] == [first["id"]]
        assert kept.ledger.done == frozenset()
    assert len(tried) == 2


def test_a_misshapen_act_is_answered_and_does_no_harm(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    misshapen: tuple[tuple[str, dict[str, object], str], ...] = (
        ("explode", {}, "does not know"),
        ("edit_edge", {"edge_id": {"$ne": ""}, "field": ["sign"], "value": "+"}, ""),
        ("lines", {"text": None, "pasted": "yes"}, ""),
    )
    for kind, data, said in misshapen:
        sent = act(kind, **data)
        kept = send(memory, people.annotator, work, sent)
        assert sent["id"] in kept.ledger.done
        assert said in kept.ledger.as_data()["refused"].get(sent["id"], "")
    assert not transcribing.transcription(people.annotator, work).record.edges


def test_an_outbox_that_is_no_outbox_is_said_and_nothing_is_answered(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    kept: TranscriptionTab = memory.setdefault(f"transcription.{work}.held", held())
    memory["desk"] = {"outbox": {"acts": [{"id": "1", "seq": 1, "kind": "undo"}]}}
    take_acts(people.annotator, work, "desk")
    assert "cannot be read" in kept.trouble
    assert kept.ledger.done == frozenset()


def test_a_faulty_line_is_kept_under_the_act_it_came_with(
    memory: dict[str, Any], people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = begin(people.annotator, a_figure.id)
    sent = act("lines", text="Rain -> Harvest\nRain ->", pasted=True)
    send(memory, people.annotator, work, sent)
    waiting = transcribing.transcription(people.annotator, work).faults
    assert [(fault.text, fault.act_id) for fault in waiting] == [("Rain ->", sent["id"])]
    send(memory, people.annotator, work, act("drop_fault", text="Rain ->"))
    assert transcribing.transcription(people.annotator, work).faults == ()


# --- two versions side by side ----------------------------------------------------------------------------------


def test_version_rows_mark_what_only_one_side_holds() -> None:
    mine = CausalGraph.of([Edge("Rain", "Harvest", Sign.PLUS), Edge("Sun", "Harvest")])
    theirs = CausalGraph.of([Edge("Rain", "Harvest", Sign.MINUS), Edge("Sun", "Harvest")])
    assert version_rows(mine, theirs) == [
        {"Source": "Rain", "Sign": "+", "Sink": "Harvest", "Compared": "only here"},
        {"Source": "Sun", "Sign": "", "Sink": "Harvest", "Compared": ""},
    ]
    assert version_rows(CausalGraph.of([]), theirs) == []
